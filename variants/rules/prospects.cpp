// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/prospects.h"

#include <algorithm>

#include "variants/graph/contents.h"

namespace plenum {
namespace {

// By what a cell holds (a plane, or nothing: the last), all that it may come to hold, itself included.
std::vector<Contents> prospects_of_cells(const RuleSet& rules) {
  const int nothing = rules.layout.count();
  std::vector<Contents> out(static_cast<std::size_t>(nothing) + 1);
  for (int p = 0; p <= nothing; ++p) out[static_cast<std::size_t>(p)] = Contents{1} << p;
  const auto add = [&](Contents from, int to) {
    // Made by whoever is to move now, or by the other player, to whom what is mine is theirs.
    for (int p = 0; p <= nothing; ++p) {
      if (((from >> p) & 1) == 0) continue;
      out[static_cast<std::size_t>(p)] |= Contents{1} << to;
      const int seen_from = p == nothing ? p : rules.layout.swapped(p);
      const int seen_to = to == nothing ? to : rules.layout.swapped(to);
      out[static_cast<std::size_t>(seen_from)] |= Contents{1} << seen_to;
    }
  };
  const auto add_choice = [&](Contents from, const PlaneChoice& to) {
    for (const int plane : {to.if_first, to.if_second}) add(from, plane < 0 ? nothing : plane);
  };
  for (const std::vector<MoveRule>* list : {&rules.moves, &rules.parts}) {
    for (const MoveRule& rule : *list) {
      const Contents at_from = rule.from >= 0 ? contents(rules, rule.from) : 0;
      // Where `to` reads the origin it is judged for each origin by the same node.
      const Contents at_to = rule.to >= 0 ? contents(rules, rule.to) : 0;
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
    for (Contents& set : out) {
      Contents wider = set;
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
    const std::vector<Contents> may = prospects_of_cells(rules);
    const int nothing = rules.layout.count();
    std::vector<NodeId> stones;
    for (int p = 0; p < nothing; ++p) stones.push_back(graph.cell_input(kPlanes + p));
    const NodeId empty = graph.complement(graph.disjunction(stones));
    for (int p = 0; p < nothing; ++p) {
      std::vector<NodeId> perhaps;
      for (int q = 0; q <= nothing; ++q) {
        if (((may[static_cast<std::size_t>(q)] >> p) & 1) != 0)
          perhaps.push_back(q == nothing ? empty : stones[static_cast<std::size_t>(q)]);
      }
      if (perhaps.size() == stones.size() + 1) perhaps = {graph.constant(graph.all())};
      const bool stays = may[static_cast<std::size_t>(p)] == Contents{1} << p;
      planes_.push_back({stays ? stones[static_cast<std::size_t>(p)] : graph.constant(0), graph.disjunction(perhaps)});
    }
  }

  Pair number(NodeId id) {
    const RuleNode n = graph_.node(id);
    switch (n.op) {
      case NodeOp::constant_field:
        return {id, id};
      case NodeOp::near_count: {
        const Pair of = set(n.args[0]);
        return {graph_.near_count(n.relation, of.least), graph_.near_count(n.relation, of.greatest)};
      }
      case NodeOp::count: {
        const Pair of = set(n.args[0]);
        return {graph_.count(of.least), graph_.count(of.greatest)};
      }
      case NodeOp::broadcast: {
        const Pair of = number(n.args[0]);
        return {graph_.broadcast(of.least), graph_.broadcast(of.greatest)};
      }
      case NodeOp::linear_number:
      case NodeOp::linear_field:
        return form(graph_.as_form(id), n.op == NodeOp::linear_field);
      case NodeOp::select_number:
      case NodeOp::select_field: {
        const bool fields = n.op == NodeOp::select_field;
        const Pair condition = set(n.args[0]);
        const Pair yes = number(n.args[1]);
        const Pair no = number(n.args[2]);
        return {hull(condition, lesser(yes.least, no.least, fields), yes.least, no.least, fields),
                hull(condition, greater(yes.greatest, no.greatest, fields), yes.greatest, no.greatest, fields)};
      }
      default:
        return unknown(id);
    }
  }

 private:
  // All that is known of a number of which nothing is known.
  Pair unknown(NodeId id) {
    const Interval bounds = graph_.bounds(id, inputs_);
    const RuleNode& n = graph_.node(id);
    const bool fields = n.op == NodeOp::near_count || n.op == NodeOp::constant_field || n.op == NodeOp::broadcast ||
                        n.op == NodeOp::select_field || n.op == NodeOp::linear_field;
    const auto constant = [&](std::int64_t value) {
      Linear form;
      form.constant = value;
      return graph_.of_form(form, fields);
    };
    return {constant(bounds.least), constant(bounds.greatest)};
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

  Pair form(const Linear& of, bool fields) {
    Linear least;
    Linear greatest;
    least.constant = greatest.constant = of.constant;
    for (const auto& [id, coefficient] : of.terms) {
      const Pair part = number(id);
      least = least + graph_.as_form(coefficient > 0 ? part.least : part.greatest) * coefficient;
      greatest = greatest + graph_.as_form(coefficient > 0 ? part.greatest : part.least) * coefficient;
    }
    return {graph_.of_form(least, fields), graph_.of_form(greatest, fields)};
  }

  Pair set(NodeId id) {
    if (const auto known = sets_.find(id); known != sets_.end()) return known->second;
    const Pair out = make_set(graph_.node(id), id);
    sets_.emplace(id, out);
    return out;
  }

  Pair make_set(const RuleNode node, NodeId id) {
    switch (node.op) {
      case NodeOp::constant:
        return {id, id};
      case NodeOp::cell_input: {
        const auto plane = static_cast<int>(node.value);
        if (plane < 0 || plane >= rules_.layout.count()) break;
        return planes_[static_cast<std::size_t>(same_mover_ ? plane : rules_.layout.swapped(plane))];
      }
      case NodeOp::mover_is_first: {
        const NodeId now = graph_.mover_is_first();
        const NodeId then = same_mover_ ? now : graph_.complement(now);
        return {then, then};
      }
      case NodeOp::complement: {
        const Pair of = set(node.args[0]);
        return {graph_.complement(of.greatest), graph_.complement(of.least)};
      }
      // Those that only grow as what they read grows.
      case NodeOp::conjunction:
        return grown(node, [&](const auto& a) { return graph_.conjunction(a); });
      case NodeOp::disjunction:
        return grown(node, [&](const auto& a) { return graph_.disjunction(a); });
      case NodeOp::image:
        return grown(node, [&](const auto& a) { return graph_.image(node.relation, a[0]); });
      case NodeOp::joined:
        return grown(node, [&](const auto& a) { return graph_.joined(node.relation, a[0], a[1]); });
      case NodeOp::cover:
        return grown(node, [&](const auto& a) { return graph_.cover(graph_.relation(node.relation), a[0]); });
      case NodeOp::ray:
        return grown(node, [&](const auto& a) { return graph_.ray(node.relation, a[0], a[1]); });
      case NodeOp::between:
        return grown(node, [&](const auto& a) { return graph_.between(node.relation, a[0], a[1], a[2]); });
      case NodeOp::any:
        return grown(node, [&](const auto& a) { return graph_.any(a[0]); });
      case NodeOp::at_least: {
        Linear least;
        Linear greatest;
        bool fields = false;
        for (std::size_t i = 0; i < node.args.size(); ++i) {
          const NodeOp op = graph_.node(node.args[i]).op;
          fields |= op >= NodeOp::near_count && op <= NodeOp::linear_field;
          const Pair part = number(node.args[i]);
          const std::int64_t by = node.coefficients[i];
          least = least + graph_.as_form(by > 0 ? part.least : part.greatest) * by;
          greatest = greatest + graph_.as_form(by > 0 ? part.greatest : part.least) * by;
        }
        const auto bound = static_cast<std::int64_t>(node.value);
        return {graph_.at_least(least, bound, fields), graph_.at_least(greatest, bound, fields)};
      }
      default:
        break;
    }
    return {graph_.constant(0), graph_.constant(graph_.all())};
  }

  template <typename Make>
  Pair grown(const RuleNode& node, const Make& make) {
    std::vector<NodeId> least;
    std::vector<NodeId> greatest;
    for (const NodeId arg : node.args) {
      const Pair part = set(arg);
      least.push_back(part.least);
      greatest.push_back(part.greatest);
    }
    return {make(least), make(greatest)};
  }

  const RuleSet& rules_;
  RuleGraph& graph_;
  std::vector<Interval> inputs_;
  bool same_mover_;
  std::vector<Pair> planes_;
  absl::flat_hash_map<NodeId, Pair> sets_;
};

}  // namespace

// From the bounds of the score to those of the margin: ties broken, wins alone counted, players without a move.
Interval Prospects::settled(Interval m) const {
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

Prospects::Prospects(const Rules& rules) : rules_(&rules.set()) {
  const RuleSet& set = rules.set();
  RuleGraph graph = set.graph;
  const std::vector<Interval> inputs = set.number_bounds();
  std::vector<NodeId> roots;
  for (const bool same_mover : {true, false}) {
    const Bounder::Pair pair = Bounder(set, graph, same_mover).number(set.margin);
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

void Prospects::bounds(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Workspace& work,
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
