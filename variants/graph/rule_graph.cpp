// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/rule_graph.h"

#include <algorithm>
#include <bit>

#include <absl/container/flat_hash_map.h>

#include "variants/graph/enum_table.h"

namespace plenum {

CellSet permute(CellSet set, const std::vector<Cell>& permutation) {
  CellSet out = 0;
  for (; set != 0; set &= set - 1) out |= cell_bit(permutation[static_cast<std::size_t>(std::countr_zero(set))]);
  return out;
}

void add_term(Linear& form, NodeId node, std::int64_t coefficient) {
  const auto at = std::lower_bound(form.terms.begin(), form.terms.end(), node,
                                   [](const auto& term, NodeId id) { return term.first < id; });
  if (at != form.terms.end() && at->first == node) {
    at->second += coefficient;
    if (at->second == 0) form.terms.erase(at);
  } else if (coefficient != 0) {
    form.terms.insert(at, {node, coefficient});
  }
}

Linear operator+(const Linear& a, const Linear& b) {
  Linear out = a;
  out.constant += b.constant;
  for (const auto& [node, coefficient] : b.terms) add_term(out, node, coefficient);
  return out;
}

Linear weighted_args(const RuleNode& node) {
  Linear out;
  for (std::size_t i = 0; i < node.args.size(); ++i) add_term(out, node.args[i], node.coefficients[i]);
  return out;
}

Linear operator*(const Linear& a, std::int64_t factor) {
  if (factor == 0) return {};
  Linear out = a;
  out.constant *= factor;
  for (auto& term : out.terms) term.second *= factor;
  return out;
}

RuleGraph::RuleGraph(int cells) : cells_(cells), all_(cells == kMaxCells ? ~CellSet{0} : (CellSet{1} << cells) - 1) {}

NodeId RuleGraph::add(RuleNode node) {
  const auto [found, fresh] = known_.try_emplace(node, static_cast<NodeId>(nodes_.size()));
  if (fresh) nodes_.push_back(std::move(node));
  return found->second;
}

RelationId RuleGraph::intern(const Relation& relation) {
  const auto found = std::find(relations_.begin(), relations_.end(), relation);
  if (found != relations_.end()) return static_cast<RelationId>(found - relations_.begin());
  relations_.push_back(relation);
  return static_cast<RelationId>(relations_.size() - 1);
}

bool RuleGraph::is_constant(NodeId id, CellSet set) const {
  return node(id).op == NodeOp::constant && node(id).value == set;
}

// The constant set of the cells of which the test holds.
template <typename Test>
NodeId RuleGraph::cells_where(const Test& test) {
  CellSet out = 0;
  for (int c = 0; c < cells_; ++c) {
    if (test(static_cast<std::size_t>(c))) out |= cell_bit(static_cast<Cell>(c));
  }
  return constant(out);
}

NodeId RuleGraph::complement(NodeId a) {
  const RuleNode& inner = node(a);
  if (inner.op == NodeOp::constant) return constant(~inner.value & all_);
  if (inner.op == NodeOp::complement) return inner.args[0];
  return add({NodeOp::complement, -1, {a}, {}, 0});
}

NodeId RuleGraph::associative(NodeOp op, const std::vector<NodeId>& args, CellSet neutral, CellSet absorbing) {
  std::vector<NodeId> flat;
  CellSet constants = neutral;
  const bool meet = op == NodeOp::conjunction;
  for (const NodeId id : args) {
    const std::span<const NodeId> parts =
        node(id).op == op ? std::span<const NodeId>(node(id).args) : std::span(&id, 1);
    for (const NodeId part : parts) {
      if (node(part).op == NodeOp::constant) {
        constants = meet ? constants & node(part).value : constants | node(part).value;
      } else {
        flat.push_back(part);
      }
    }
  }
  if (constants == absorbing) return constant(absorbing);
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  for (const NodeId id : flat) {
    if (node(id).op == NodeOp::complement && std::binary_search(flat.begin(), flat.end(), node(id).args[0]))
      return constant(absorbing);
  }
  // Absorption: a & (a | b) = a, a | (a & b) = a.
  const NodeOp dual = meet ? NodeOp::disjunction : NodeOp::conjunction;
  std::erase_if(flat, [&](NodeId id) {
    if (node(id).op != dual) return false;
    return std::any_of(node(id).args.begin(), node(id).args.end(),
                       [&](NodeId inner) { return std::binary_search(flat.begin(), flat.end(), inner); });
  });
  if (constants != neutral) {
    flat.push_back(constant(constants));
    std::sort(flat.begin(), flat.end());
  }
  if (flat.empty()) return constant(neutral);
  if (flat.size() == 1) return flat[0];
  return add({op, -1, std::move(flat), {}, 0});
}

NodeId RuleGraph::conjunction(const std::vector<NodeId>& args) {
  return associative(NodeOp::conjunction, args, all_, 0);
}
NodeId RuleGraph::disjunction(const std::vector<NodeId>& args) {
  return associative(NodeOp::disjunction, args, 0, all_);
}

NodeId RuleGraph::choose(NodeId condition, NodeId yes, NodeId no) {
  if (is_true(condition) || yes == no) return yes;
  if (is_false(condition)) return no;
  const NodeId left = conjunction({condition, yes});
  const NodeId right = conjunction({complement(condition), no});
  return disjunction({left, right});
}

NodeId RuleGraph::image(RelationId id, NodeId set) {
  if (node(set).op == NodeOp::constant)
    return cells_where([&](std::size_t c) { return (relation(id)[c] & node(set).value) != 0; });
  return add({NodeOp::image, id, {set}, {}, 0});
}

NodeId RuleGraph::joined(RelationId id, NodeId set, NodeId seed) {
  if (is_false(set) || is_false(seed)) return constant(0);
  return add({NodeOp::joined, id, {set, conjunction({set, seed})}, {}, 0});
}

NodeId RuleGraph::cover(std::vector<CellSet> masks, NodeId set) {
  std::sort(masks.begin(), masks.end());
  masks.erase(std::unique(masks.begin(), masks.end()), masks.end());
  if (node(set).op == NodeOp::constant) {
    CellSet out = 0;
    for (const CellSet mask : masks) out |= (mask & ~node(set).value) == 0 ? mask : 0;
    return constant(out);
  }
  if (masks.empty()) return constant(0);
  return add({NodeOp::cover, intern(masks), {set}, {}, 0});
}

NodeId RuleGraph::completing(std::vector<CellSet> masks, NodeId set, NodeId free) {
  std::sort(masks.begin(), masks.end());
  if (masks.empty() || is_false(free)) return constant(0);
  return add({NodeOp::completing, intern(masks), {set, free}, {}, 0});
}

NodeId RuleGraph::ray(RelationId direction, NodeId from, NodeId through) {
  if (is_false(from) || is_false(through)) return constant(0);
  return add({NodeOp::ray, direction, {from, through}, {}, 0});
}

NodeId RuleGraph::between(RelationId direction, NodeId from, NodeId through, NodeId to) {
  if (is_false(from) || is_false(through) || is_false(to)) return constant(0);
  return add({NodeOp::between, direction, {from, through, to}, {}, 0});
}

NodeId RuleGraph::pick(const std::vector<CellSet>& order, NodeId set) {
  if (is_false(set)) return set;
  return add({NodeOp::pick, intern(order), {set}, {}, 0});
}

NodeId RuleGraph::fold(NodeOp op, RelationId id, NodeId set, NodeId body, int level) {
  if (is_false(set)) return of_form({}, false);
  return add({op, id, {set, body}, {}, static_cast<std::uint64_t>(level)});
}

std::vector<NodeId> RuleGraph::loop(int level, const std::vector<NodeId>& initial, const std::vector<NodeId>& next,
                                    NodeId again) {
  if (is_false(again)) return initial;
  RuleNode out{NodeOp::loop, -1, initial, {level}, initial.size()};
  out.args.insert(out.args.end(), next.begin(), next.end());
  out.args.push_back(again);
  const NodeId id = add(std::move(out));
  std::vector<NodeId> results;
  for (std::size_t i = 0; i < initial.size(); ++i) {
    const bool same = next[i] == loop_input(level, static_cast<int>(i));
    results.push_back(same ? initial[i] : add({NodeOp::loop_set, -1, {id}, {}, i}));
  }
  return results;
}

bool RuleGraph::is_truth(NodeId id) const {
  const RuleNode& n = node(id);
  const NodeTraits& t = traits(n.op);
  if (t.type == NodeType::truth) return true;
  if (n.op == NodeOp::constant) return n.value == 0 || n.value == all_;
  if (n.op == NodeOp::at_least) return !over_fields(n);
  return t.cellwise != nullptr && std::all_of(n.args.begin(), n.args.end(), [&](NodeId arg) { return is_truth(arg); });
}

bool RuleGraph::over_fields(const RuleNode& n) const {
  return !n.args.empty() && traits(node(n.args[0]).op).is_field();
}

NodeId RuleGraph::any(NodeId set) {
  const RuleNode inner = node(set);
  if (inner.op == NodeOp::constant) return truth(inner.value != 0);
  if (is_truth(set)) return set;
  if (inner.op == NodeOp::conjunction) {  // any(truth & S) is truth & any(S)
    std::vector<NodeId> truths;
    std::vector<NodeId> rest;
    for (const NodeId arg : inner.args) (is_truth(arg) ? truths : rest).push_back(arg);
    if (!truths.empty()) {
      truths.push_back(any(conjunction(rest)));
      return conjunction(truths);
    }
  }
  return add({NodeOp::any, -1, {set}, {}, 0});
}

NodeId RuleGraph::at_least(const Linear& form, std::int64_t bound, bool fields) {
  if (form.terms.empty()) return truth(form.constant >= bound);
  if (fields) {
    if (const auto values = constant_values(form))
      return cells_where([&](std::size_t c) { return (*values)[c] >= bound; });
  }
  RuleNode out{NodeOp::at_least, -1, {}, {}, static_cast<std::uint64_t>(bound - form.constant)};
  // One sign for each form, so that a > b and b > a share a subtraction: f >= b is !(-f >= 1 - b).
  const bool flip = form.terms.front().second < 0;
  if (flip) out.value = static_cast<std::uint64_t>(1 - (bound - form.constant));
  for (const auto& [id, coefficient] : form.terms) {
    out.args.push_back(id);
    out.coefficients.push_back(flip ? -coefficient : coefficient);
  }
  const NodeId id = add(std::move(out));
  return flip ? complement(id) : id;
}

NodeId RuleGraph::player_is(NodeId a, NodeId b) {
  if (a == b) return truth(true);
  for (const auto& [one, two] : {std::pair{a, b}, std::pair{b, a}}) {
    const RuleNode choice = node(one);
    if (choice.op == NodeOp::select_player) {
      const NodeId yes = player_is(choice.args[1], two);
      const NodeId no = player_is(choice.args[2], two);
      return choose(choice.args[0], yes, no);
    }
  }
  if (node(a).op == NodeOp::player_constant && node(b).op == NodeOp::player_constant) return truth(false);
  return add({NodeOp::player_is, -1, {std::min(a, b), std::max(a, b)}, {}, 0});
}

std::vector<NodeId> RuleGraph::reachable(std::span<const NodeId> roots) const {
  // Arguments always have smaller numbers than their users, so number order is a topological order.
  std::vector<bool> seen(nodes_.size(), false);
  for (const NodeId root : roots) seen[static_cast<std::size_t>(root)] = true;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!seen[i]) continue;
    for (const NodeId arg : nodes_[i].args) seen[static_cast<std::size_t>(arg)] = true;
  }
  std::vector<NodeId> out;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (seen[i]) out.push_back(static_cast<NodeId>(i));
  }
  return out;
}

// The same node on the board whose cell c is called permutation[c]; its arguments are still the old ones.
RuleNode RuleGraph::renamed(RuleNode node, const std::vector<Cell>& permutation) {
  const NodeTraits& t = traits(node.op);
  const auto of_cells = [&](const auto& old) {
    auto out = old;
    for (std::size_t c = 0; c < out.size(); ++c) out[permutation[c]] = old[c];
    return out;
  };
  if (t.related != Related::nothing) {
    Relation sets = relation(node.relation);
    for (CellSet& set : sets) set = permute(set, permutation);
    if (t.related == Related::neighbours) sets = of_cells(sets);
    if (t.related == Related::masks) std::sort(sets.begin(), sets.end());
    node.relation = intern(sets);
  }
  if (t.coefficients == Coefficients::by_cell) node.coefficients = of_cells(node.coefficients);
  if (node.op == NodeOp::constant) node.value = permute(node.value, permutation);
  return node;
}

std::vector<NodeId> RuleGraph::remap(std::span<const NodeId> roots, const std::vector<Cell>& permutation,
                                     bool exchange) {
  absl::flat_hash_map<NodeId, NodeId> image_of;
  for (const NodeId id : reachable(roots)) {
    RuleNode image = renamed(node(id), permutation);
    for (NodeId& arg : image.args) arg = image_of.at(arg);
    const bool turned = exchange && image.op == NodeOp::mover_is_first;
    const NodeId made = make(std::move(image));
    image_of[id] = turned ? complement(made) : made;
  }
  std::vector<NodeId> out;
  for (const NodeId root : roots) out.push_back(image_of.at(root));
  return out;
}

NodeId RuleGraph::make(RuleNode node) {
  using G = RuleGraph;
  using N = RuleNode;
  using Make = NodeId (*)(RuleGraph&, const RuleNode&);
  static constexpr auto kSum = [](G& g, const N& n) {
    return g.of_form(g.weighted(n) + Linear{{}, static_cast<std::int64_t>(n.value)}, traits(n.op).is_field());
  };
  static constexpr auto kFold = [](G& g, const N& n) {
    return g.fold(n.op, n.relation, n.args[0], n.args[1], static_cast<int>(n.value));
  };
  static constexpr auto kExtreme = [](G& g, const N& n) { return g.extreme(n.op, n.args); };
  static constexpr auto kSelect = [](G& g, const N& n) {
    return g.select(n.args[0], n.args[1], n.args[2], traits(n.op).is_field());
  };
  static constexpr EnumTable<NodeOp, kNodeOps, Make> kMakers({
      {NodeOp::complement, [](G& g, const N& n) { return g.complement(n.args[0]); }},
      {NodeOp::conjunction, [](G& g, const N& n) { return g.conjunction(n.args); }},
      {NodeOp::disjunction, [](G& g, const N& n) { return g.disjunction(n.args); }},
      {NodeOp::image, [](G& g, const N& n) { return g.image(n.relation, n.args[0]); }},
      {NodeOp::joined, [](G& g, const N& n) { return g.joined(n.relation, n.args[0], n.args[1]); }},
      {NodeOp::cover, [](G& g, const N& n) { return g.cover(g.relation(n.relation), n.args[0]); }},
      {NodeOp::ray, [](G& g, const N& n) { return g.ray(n.relation, n.args[0], n.args[1]); }},
      {NodeOp::between, [](G& g, const N& n) { return g.between(n.relation, n.args[0], n.args[1], n.args[2]); }},
      {NodeOp::completing, [](G& g, const N& n) { return g.completing(g.relation(n.relation), n.args[0], n.args[1]); }},
      {NodeOp::pick, [](G& g, const N& n) { return g.pick(g.relation(n.relation), n.args[0]); }},
      {NodeOp::any, [](G& g, const N& n) { return g.any(n.args[0]); }},
      {NodeOp::at_least,
       [](G& g, const N& n) {
         return g.at_least(g.weighted(n), static_cast<std::int64_t>(n.value), g.over_fields(n));
       }},
      {NodeOp::player_is, [](G& g, const N& n) { return g.player_is(n.args[0], n.args[1]); }},
      {NodeOp::near_count, [](G& g, const N& n) { return g.near_count(n.relation, n.args[0]); }},
      {NodeOp::broadcast, [](G& g, const N& n) { return g.broadcast(n.args[0]); }},
      {NodeOp::select_field, kSelect},
      {NodeOp::linear_field, kSum},
      {NodeOp::greatest_field, kExtreme},
      {NodeOp::least_field, kExtreme},
      {NodeOp::count, [](G& g, const N& n) { return g.count(n.args[0]); }},
      {NodeOp::product, [](G& g, const N& n) { return g.product(n.args[0], n.args[1]); }},
      {NodeOp::lookup,
       [](G& g, const N& n) { return g.lookup(n.args[0], static_cast<std::int64_t>(n.value), n.coefficients); }},
      {NodeOp::fold_sum, kFold},
      {NodeOp::fold_max, kFold},
      {NodeOp::fold_min, kFold},
      {NodeOp::select_number, kSelect},
      {NodeOp::linear_number, kSum},
      {NodeOp::greatest_number, kExtreme},
      {NodeOp::least_number, kExtreme},
      {NodeOp::select_player, [](G& g, const N& n) { return g.select_player(n.args[0], n.args[1], n.args[2]); }},
  });
  static_assert(kMakers.covers([](NodeOp op) {
    return !traits(op).args.empty() && op != NodeOp::loop && op != NodeOp::loop_set;  // nothing is folded in these
  }));
  return kMakers.has(node.op) ? kMakers[node.op](*this, node) : add(std::move(node));
}

// The sum of its arguments by its coefficients.
Linear RuleGraph::weighted(const RuleNode& n) const {
  Linear out;
  for (std::size_t i = 0; i < n.args.size(); ++i) out = out + as_form(n.args[i]) * n.coefficients[i];
  return out;
}

}  // namespace plenum
