// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/score_bounds.h"

#include <algorithm>

#include <absl/container/flat_hash_map.h>

#include "variants/graph/cell_contents.h"

namespace plenum {
namespace {

// By what a cell holds (a plane, or nothing: the last), all that it may come to hold, itself included.
std::vector<CellContents> contents_to_come(const RuleSet& rules) {
  const int nothing = rules.layout.count();
  std::vector<CellContents> out(static_cast<std::size_t>(nothing) + 1);
  for (int p = 0; p <= nothing; ++p) out[static_cast<std::size_t>(p)] = CellContents{1} << p;
  const auto add = [&](CellContents from, int to) {
    // Made by whoever is to move now, or by the other player, to whom what is mine is theirs.
    for (int p = 0; p <= nothing; ++p) {
      if (((from >> p) & 1) == 0) continue;
      out[static_cast<std::size_t>(p)] |= CellContents{1} << to;
      const int seen_from = p == nothing ? p : rules.layout.swapped(p);
      const int seen_to = to == nothing ? to : rules.layout.swapped(to);
      out[static_cast<std::size_t>(seen_from)] |= CellContents{1} << seen_to;
    }
  };
  const auto add_choice = [&](CellContents from, const PlaneChoice& to) {
    for (const int plane : {to.if_first, to.if_second}) add(from, plane < 0 ? nothing : plane);
  };
  for (const std::vector<MoveRule>* list : {&rules.moves, &rules.parts}) {
    for (const MoveRule& rule : *list) {
      const CellContents at_from = rule.from >= 0 ? contents(rules, rule.from) : 0;
      // Where `to` reads the origin it is judged for each origin by the same node.
      const CellContents at_to = rule.to >= 0 ? contents(rules, rule.to) : 0;
      if (rule.lift >= 0) add(contents(rules, rule.lift), nothing);
      for (const PlaneChoice& put : rule.put) {
        if (rule.kind == MoveRule::Kind::place)
          add_choice(at_to | (rule.lift >= 0 ? contents(rules, rule.lift) : 0), put);
      }
      if (rule.kind == MoveRule::Kind::move) {
        for (int p = 0; p < nothing; ++p) {
          if (((at_from >> p) & 1) != 0) add(at_to, p);
        }
      }
      if (rule.kind == MoveRule::Kind::move || rule.kind == MoveRule::Kind::remove) add(at_from, nothing);
      for (const Transition& t : rule.transitions) add_choice(t.from, t.to);
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (CellContents& set : out) {
      CellContents wider = set;
      for (int p = 0; p <= nothing; ++p) {
        if (((set >> p) & 1) != 0) wider |= out[static_cast<std::size_t>(p)];
      }
      more |= wider != set;
      set = wider;
    }
  }
  return out;
}

// Rewrites a margin into one that is never more, or never less, than what it comes to at the end of the game.
class Bounder {
 public:
  struct Pair {
    NodeId least = -1;     // of sets: cells surely in it
    NodeId greatest = -1;  // cells perhaps in it
  };

  // `same_mover`: whether the player to move at the end is the one to move now.
  Bounder(const RuleSet& rules, RuleGraph& graph, bool same_mover)
      : rules_(rules), graph_(graph), inputs_(rules.number_bounds()), same_mover_(same_mover) {
    const std::vector<CellContents> may = contents_to_come(rules);
    const int nothing = rules.layout.count();
    std::vector<NodeId> stones;
    stones.reserve(static_cast<std::size_t>(nothing));
    for (int p = 0; p < nothing; ++p) stones.push_back(graph.cell_input(kPlanes + p));
    const NodeId empty = graph.complement(graph.disjunction(stones));
    for (int p = 0; p < nothing; ++p) {
      std::vector<NodeId> perhaps;
      for (int q = 0; q <= nothing; ++q) {
        if (((may[static_cast<std::size_t>(q)] >> p) & 1) != 0)
          perhaps.push_back(q == nothing ? empty : stones[static_cast<std::size_t>(q)]);
      }
      if (perhaps.size() == stones.size() + 1) perhaps = {graph.constant(graph.all())};
      const bool stays = may[static_cast<std::size_t>(p)] == CellContents{1} << p;
      planes_.push_back({stays ? stones[static_cast<std::size_t>(p)] : graph.constant(0), graph.disjunction(perhaps)});
    }
  }

  // Of a number, a field, a set or a truth.
  Pair bounds(NodeId id) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    const Pair out = make(graph_.node(id), id);
    known_.emplace(id, out);
    return out;
  }

 private:
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the graph that it is read from grows
  Pair make(const RuleNode node, NodeId id) {
    const NodeTraits& t = traits(node.op);
    if (node.op == NodeOp::cell_input) {
      const auto plane = static_cast<int>(node.value);
      if (plane < 0 || plane >= rules_.layout.count()) return unknown(id);
      return planes_[static_cast<std::size_t>(same_mover_ ? plane : rules_.layout.swapped(plane))];
    }
    if (node.op == NodeOp::mover_is_first) {
      const NodeId now = graph_.mover_is_first();
      const NodeId then = same_mover_ ? now : graph_.complement(now);
      return {then, then};
    }
    if (node.args.empty() && t.reads == NodeInput::nothing) return {id, id};
    if (node.args.empty() || t.type == NodeType::player) return unknown(id);
    if (t.chooses()) return chosen(node, t.is_field());
    if (t.trends.find('?') != std::string_view::npos) return unknown(id);
    // Each argument at the end of its bounds that makes the result least, and greatest.
    Pair out;
    for (const bool greatest : {false, true}) {
      RuleNode bound = node;
      for (std::size_t i = 0; i < node.args.size(); ++i) {
        const Pair of = bounds(node.args[i]);
        const bool falls = t.trend(i) == '-' || (t.trend(i) == 'w' && node.coefficients[i] < 0);
        bound.args[i] = greatest != falls ? of.greatest : of.least;
      }
      (greatest ? out.greatest : out.least) = graph_.make(std::move(bound));
    }
    return out;
  }

  // All that is known of what nothing is known of.
  Pair unknown(NodeId id) {
    const NodeTraits& t = traits(graph_.node(id).op);
    if (t.is_set()) return {graph_.constant(0), graph_.constant(graph_.all())};
    const Interval range = graph_.bounds(id, inputs_);
    return {graph_.of_form({{}, range.least}, t.is_field()), graph_.of_form({{}, range.greatest}, t.is_field())};
  }

  Pair chosen(const RuleNode& node, bool fields) {
    const Pair condition = bounds(node.args[0]);
    const Pair yes = bounds(node.args[1]);
    const Pair no = bounds(node.args[2]);
    return {hull(condition, lesser(yes.least, no.least, fields), yes.least, no.least, fields),
            hull(condition, greater(yes.greatest, no.greatest, fields), yes.greatest, no.greatest, fields)};
  }

  // `yes` or `no` where the condition is decided, and `either` where it is not.
  NodeId hull(const Pair& condition, NodeId either, NodeId yes, NodeId no, bool fields) {
    return graph_.select(condition.least, yes, graph_.select(condition.greatest, either, no, fields), fields);
  }

  // Of two numbers, or cell by cell.
  NodeId lesser(NodeId a, NodeId b, bool fields) {
    return a == b ? a : graph_.select(at_most(a, b, fields), a, b, fields);
  }
  NodeId greater(NodeId a, NodeId b, bool fields) {
    return a == b ? a : graph_.select(at_most(a, b, fields), b, a, fields);
  }
  NodeId at_most(NodeId a, NodeId b, bool fields) {
    return graph_.at_least(graph_.as_form(b) + graph_.as_form(a) * -1, 0, fields);
  }

  const RuleSet& rules_;
  RuleGraph& graph_;
  std::vector<Interval> inputs_;
  bool same_mover_;
  std::vector<Pair> planes_;
  absl::flat_hash_map<NodeId, Pair> known_;
};

}  // namespace

// From the bounds of the score to those of the margin: ties broken, wins alone counted, players without a move.
Interval ScoreBounds::settled(Interval m) const {
  const RuleSet& rules = *rules_;
  const std::int64_t one = rules.denominator;
  if (rules.tiebreak >= 0 && m.least <= 0 && m.greatest >= 0) m = {std::min(m.least, -one), std::max(m.greatest, one)};
  if (rules.outcome_only) m = {sign(m.least), sign(m.greatest)};
  if (rules.always_a_move) return m;
  switch (rules.stuck) {
    case Stuck::loses:
    case Stuck::wins:
      return {std::min(m.least, -one), std::max(m.greatest, one)};
    case Stuck::ties:
    case Stuck::unstated:
      return {std::min<std::int64_t>(m.least, 0), std::max<std::int64_t>(m.greatest, 0)};
    case Stuck::scores:
    case Stuck::pass:
      break;
  }
  return m;
}

ScoreBounds::ScoreBounds(const Rules& rules) : rules_(&rules.set()) {
  const RuleSet& set = rules.set();
  RuleGraph graph = set.graph;
  const std::vector<Interval> inputs = set.number_bounds();
  std::vector<NodeId> roots;
  for (const bool same_mover : {true, false}) {
    const Bounder::Pair pair = Bounder(set, graph, same_mover).bounds(set.margin);
    roots.push_back(pair.least);
    roots.push_back(pair.greatest);
  }
  const auto of = [&](std::size_t i) { return graph.bounds(roots[i], inputs); };
  Interval all = {std::min(of(0).least, -of(3).greatest), std::max(of(1).greatest, -of(2).least)};
  all = settled({std::min(all.least, -all.greatest), std::max(all.greatest, -all.least)});
  everywhere_ = all;
  for (std::size_t i = 0; i < roots.size(); ++i) informative_ |= of(i).least != of(i).greatest;
  program_ = Program(graph, roots, inputs);
}

void ScoreBounds::bounds(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Workspace& work,
                         Interval* bounds) const {
  if (!informative_) {
    std::fill(bounds, bounds + lanes, everywhere_);
    return;
  }
  InputPointers pointers;
  program_.run(program_input(batch, begin, pointers), lanes, work);
  std::array<std::array<std::int64_t, kLanes>, 4> found;
  for (std::size_t r = 0; r < found.size(); ++r) program_.read_number(r, lanes, work, found[r].data());
  for (std::size_t k = 0; k < lanes; ++k)
    bounds[k] = settled({std::min(found[0][k], -found[3][k]), std::max(found[1][k], -found[2][k])});
}

}  // namespace plenum
