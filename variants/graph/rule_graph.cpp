// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/rule_graph.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace plenum {

CellSet permute(CellSet set, const std::vector<Cell>& permutation) {
  CellSet out = 0;
  for (; set != 0; set &= set - 1) out |= cell_bit(permutation[static_cast<std::size_t>(std::countr_zero(set))]);
  return out;
}

Relation transposed(const Relation& relation) {
  Relation out(relation.size(), 0);
  for (std::size_t c = 0; c < relation.size(); ++c) {
    for (CellSet rest = relation[c]; rest != 0; rest &= rest - 1)
      out[static_cast<std::size_t>(std::countr_zero(rest))] |= cell_bit(static_cast<Cell>(c));
  }
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

Linear operator*(const Linear& a, std::int64_t factor) {
  Linear out;
  if (factor == 0) return out;
  out = a;
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

NodeId RuleGraph::constant(CellSet set) { return add({NodeOp::constant, -1, {}, {}, set}); }
NodeId RuleGraph::cell_input(int which) {
  return add({NodeOp::cell_input, -1, {}, {}, static_cast<std::uint64_t>(which)});
}
NodeId RuleGraph::mover_is_first() { return add({NodeOp::mover_is_first, -1, {}, {}, 0}); }
NodeId RuleGraph::bool_input(int slot) {
  return add({NodeOp::bool_input, -1, {}, {}, static_cast<std::uint64_t>(slot)});
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
    const RuleNode& part = node(id);
    if (part.op == NodeOp::constant) {
      constants = meet ? constants & part.value : constants | part.value;
    } else if (part.op == op) {
      for (const NodeId inner : part.args) {
        if (node(inner).op == NodeOp::constant) {
          constants = meet ? constants & node(inner).value : constants | node(inner).value;
        } else {
          flat.push_back(inner);
        }
      }
    } else {
      flat.push_back(id);
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
  if (node(set).op == NodeOp::constant) {
    CellSet out = 0;
    for (int c = 0; c < cells_; ++c) {
      if ((relation(id)[static_cast<std::size_t>(c)] & node(set).value) != 0) out |= cell_bit(static_cast<Cell>(c));
    }
    return constant(out);
  }
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

NodeId RuleGraph::completing(const std::vector<CellSet>& masks, NodeId set, NodeId free) {
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

NodeId RuleGraph::part_input(int level) {
  return add({NodeOp::part_input, -1, {}, {}, static_cast<std::uint64_t>(level)});
}

NodeId RuleGraph::fold(NodeOp op, RelationId id, NodeId set, NodeId body, int level) {
  if (is_false(set)) return of_form({}, false);
  return add({op, id, {set, body}, {}, static_cast<std::uint64_t>(level)});
}

NodeId RuleGraph::loop_input(int level, int index) {
  return add({NodeOp::loop_input, -1, {}, {}, static_cast<std::uint64_t>(256 * level + index)});
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
  switch (n.op) {
    case NodeOp::constant:
      return n.value == 0 || n.value == all_;
    case NodeOp::mover_is_first:
    case NodeOp::bool_input:
    case NodeOp::any:
    case NodeOp::player_is:
      return true;
    case NodeOp::at_least:
      return !over_fields(n);
    case NodeOp::complement:
    case NodeOp::conjunction:
    case NodeOp::disjunction:
      return std::all_of(n.args.begin(), n.args.end(), [&](NodeId arg) { return is_truth(arg); });
    default:
      return false;
  }
}

bool RuleGraph::over_fields(const RuleNode& n) const {
  const NodeOp first = n.args.empty() ? NodeOp::count : node(n.args[0]).op;
  return first == NodeOp::near_count || first == NodeOp::constant_field || first == NodeOp::broadcast ||
         first == NodeOp::select_field || first == NodeOp::linear_field;
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
    if (const auto values = constant_values(form)) {
      CellSet out = 0;
      for (int c = 0; c < cells_; ++c) {
        if ((*values)[static_cast<std::size_t>(c)] >= bound) out |= cell_bit(static_cast<Cell>(c));
      }
      return constant(out);
    }
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

std::vector<NodeId> RuleGraph::remap(std::span<const NodeId> roots, const std::vector<Cell>& permutation,
                                     bool exchange) {
  absl::flat_hash_map<NodeId, NodeId> image_of;
  for (const NodeId id : reachable(roots)) {
    const RuleNode old = node(id);
    std::vector<NodeId> args;
    args.reserve(old.args.size());
    for (const NodeId arg : old.args) args.push_back(image_of.at(arg));
    image_of[id] = rebuild(old, args, permutation, exchange);
  }
  std::vector<NodeId> out;
  for (const NodeId root : roots) out.push_back(image_of.at(root));
  return out;
}

NodeId RuleGraph::rebuild(const RuleNode& old, const std::vector<NodeId>& args, const std::vector<Cell>& permutation,
                          bool exchange) {
  const auto map_relation = [&](RelationId id) {
    Relation mapped(relation(id).size());
    for (std::size_t c = 0; c < mapped.size(); ++c) mapped[permutation[c]] = permute(relation(id)[c], permutation);
    return intern(mapped);
  };
  const auto form = [&] {
    Linear out;
    for (std::size_t i = 0; i < args.size(); ++i) out = out + as_form(args[i]) * old.coefficients[i];
    return out;
  };
  switch (old.op) {
    case NodeOp::constant:
      return constant(permute(old.value, permutation));
    case NodeOp::mover_is_first:
      return exchange ? complement(mover_is_first()) : mover_is_first();
    case NodeOp::complement:
      return complement(args[0]);
    case NodeOp::conjunction:
      return conjunction(args);
    case NodeOp::disjunction:
      return disjunction(args);
    case NodeOp::image:
      return image(map_relation(old.relation), args[0]);
    case NodeOp::joined:
      return joined(map_relation(old.relation), args[0], args[1]);
    case NodeOp::cover: {
      std::vector<CellSet> masks;
      for (const CellSet mask : relation(old.relation)) masks.push_back(permute(mask, permutation));
      return cover(std::move(masks), args[0]);
    }
    case NodeOp::completing: {
      std::vector<CellSet> masks;
      for (const CellSet mask : relation(old.relation)) masks.push_back(permute(mask, permutation));
      return completing(masks, args[0], args[1]);
    }
    case NodeOp::ray:
      return ray(map_relation(old.relation), args[0], args[1]);
    case NodeOp::between:
      return between(map_relation(old.relation), args[0], args[1], args[2]);
    case NodeOp::pick: {
      std::vector<CellSet> order;
      for (const CellSet mask : relation(old.relation)) order.push_back(permute(mask, permutation));
      return pick(order, args[0]);
    }
    case NodeOp::loop: {
      RuleNode out = old;
      out.args = args;
      return add(std::move(out));
    }
    case NodeOp::loop_set:
      return add({NodeOp::loop_set, -1, args, {}, old.value});
    case NodeOp::fold_sum:
    case NodeOp::fold_max:
    case NodeOp::fold_min:
      return fold(old.op, map_relation(old.relation), args[0], args[1], static_cast<int>(old.value));
    case NodeOp::lookup:
      return lookup(args[0], static_cast<std::int64_t>(old.value), old.coefficients);
    case NodeOp::any:
      return any(args[0]);
    case NodeOp::at_least: {
      return at_least(form(), static_cast<std::int64_t>(old.value), over_fields(old));
    }
    case NodeOp::player_is:
      return player_is(args[0], args[1]);
    case NodeOp::near_count:
      return near_count(map_relation(old.relation), args[0]);
    case NodeOp::constant_field: {
      std::vector<std::int64_t> values(old.coefficients.size());
      for (std::size_t c = 0; c < values.size(); ++c) values[permutation[c]] = old.coefficients[c];
      return constant_field(std::move(values));
    }
    case NodeOp::broadcast:
      return broadcast(args[0]);
    case NodeOp::select_field:
      return select(args[0], args[1], args[2], true);
    case NodeOp::count:
      return count(args[0]);
    case NodeOp::product:
      return product(args[0], args[1]);
    case NodeOp::select_number:
      return select(args[0], args[1], args[2], false);
    case NodeOp::linear_field:
    case NodeOp::linear_number: {
      Linear out = form();
      out.constant += static_cast<std::int64_t>(old.value);
      return of_form(out, old.op == NodeOp::linear_field);
    }
    case NodeOp::select_player:
      return select_player(args[0], args[1], args[2]);
    default:
      return add(old);  // inputs mean the same on both boards
  }
}

}  // namespace plenum
