// SPDX-License-Identifier: Apache-2.0
// Nodes of a rule graph that are numbers or players, and the bounds of numbers.
#include <algorithm>
#include <bit>
#include <cmath>

#include "variants/graph/enum_table.h"
#include "variants/graph/rule_graph.h"

namespace plenum {

NodeId RuleGraph::near_count(RelationId id, NodeId set) {
  if (node(set).op == NodeOp::constant) {
    std::vector<std::int64_t> values;
    for (const CellSet around : relation(id)) values.push_back(std::popcount(around & node(set).value));
    return constant_field(std::move(values));
  }
  return add({NodeOp::near_count, id, {set}, {}, 0});
}

NodeId RuleGraph::constant_field(std::vector<std::int64_t> values) {
  return add({NodeOp::constant_field, -1, {}, std::move(values), 0});
}

NodeId RuleGraph::broadcast(NodeId number) {
  const Linear form = as_form(number);
  if (form.terms.empty())
    return constant_field(std::vector<std::int64_t>(static_cast<std::size_t>(cells_), form.constant));
  return add({NodeOp::broadcast, -1, {number}, {}, 0});
}

NodeId RuleGraph::count(NodeId set) {
  if (node(set).op == NodeOp::constant) return of_form({{}, std::popcount(node(set).value)}, false);
  return add({NodeOp::count, -1, {set}, {}, 0});
}

NodeId RuleGraph::product(NodeId a, NodeId b) {
  return add({NodeOp::product, -1, {std::min(a, b), std::max(a, b)}, {}, 0});
}

NodeId RuleGraph::lookup(NodeId number, std::int64_t least, std::vector<std::int64_t> values) {
  return add({NodeOp::lookup, -1, {number}, std::move(values), static_cast<std::uint64_t>(least)});
}

NodeId RuleGraph::select(NodeId condition, NodeId yes, NodeId no, bool fields) {
  if (is_true(condition) || yes == no) return yes;
  if (is_false(condition)) return no;
  if (node(condition).op == NodeOp::complement) return select(node(condition).args[0], no, yes, fields);
  return add({fields ? NodeOp::select_field : NodeOp::select_number, -1, {condition, yes, no}, {}, 0});
}

NodeId RuleGraph::extreme(NodeOp op, const std::vector<NodeId>& args) {
  const bool fields = traits(op).is_field();
  const bool greatest = op == NodeOp::greatest_field || op == NodeOp::greatest_number;
  std::vector<NodeId> flat;
  for (const NodeId id : args) {
    const std::vector<NodeId> inner = node(id).op == op ? node(id).args : std::vector<NodeId>{id};
    flat.insert(flat.end(), inner.begin(), inner.end());
  }
  // Constants are one.
  std::optional<std::vector<std::int64_t>> constant;
  std::erase_if(flat, [&](NodeId id) {
    const auto values = constant_values(as_form(id));
    if (!values) return false;
    if (!constant) constant = values;
    for (std::size_t c = 0; c < values->size(); ++c)
      (*constant)[c] = greatest ? std::max((*constant)[c], (*values)[c]) : std::min((*constant)[c], (*values)[c]);
    return true;
  });
  if (constant) flat.push_back(fields ? constant_field(*constant) : of_form({{}, constant->front()}, false));
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  return flat.size() == 1 ? flat[0] : add({op, -1, std::move(flat), {}, 0});
}

NodeId RuleGraph::of_form(const Linear& form, bool fields) {
  if (form.constant == 0 && form.terms.size() == 1 && form.terms[0].second == 1) return form.terms[0].first;
  if (fields) {
    if (auto values = constant_values(form)) return constant_field(std::move(*values));
  }
  RuleNode out{
      fields ? NodeOp::linear_field : NodeOp::linear_number, -1, {}, {}, static_cast<std::uint64_t>(form.constant)};
  for (const auto& [id, coefficient] : form.terms) {
    out.args.push_back(id);
    out.coefficients.push_back(coefficient);
  }
  return add(std::move(out));
}

Linear RuleGraph::as_form(NodeId id) const {
  const RuleNode& n = node(id);
  Linear out;
  if (n.op == NodeOp::linear_field || n.op == NodeOp::linear_number) {
    out = weighted_args(n);
    out.constant = static_cast<std::int64_t>(n.value);
  } else if (n.op == NodeOp::constant_field && std::all_of(n.coefficients.begin(), n.coefficients.end(),
                                                           [&](std::int64_t v) { return v == n.coefficients[0]; })) {
    out.constant = n.coefficients[0];
  } else {
    add_term(out, id, 1);
  }
  return out;
}

std::optional<std::vector<std::int64_t>> RuleGraph::constant_values(const Linear& form) const {
  std::vector<std::int64_t> out(static_cast<std::size_t>(cells_), form.constant);
  for (const auto& [id, coefficient] : form.terms) {
    if (node(id).op != NodeOp::constant_field) return std::nullopt;
    for (std::size_t c = 0; c < out.size(); ++c) out[c] += coefficient * node(id).coefficients[c];
  }
  return out;
}

NodeId RuleGraph::select_player(NodeId condition, NodeId yes, NodeId no) {
  if (is_true(condition) || yes == no) return yes;
  if (is_false(condition)) return no;
  if (node(condition).op == NodeOp::complement) return select_player(node(condition).args[0], no, yes);
  return add({NodeOp::select_player, -1, {condition, yes, no}, {}, 0});
}

Interval RuleGraph::bounds(const Linear& form, std::span<const Interval> inputs) const {
  Interval out{form.constant, form.constant};
  for (const auto& [id, coefficient] : form.terms) {
    const Interval part = bounds(id, inputs);
    out.least += coefficient * (coefficient > 0 ? part.least : part.greatest);
    out.greatest += coefficient * (coefficient > 0 ? part.greatest : part.least);
  }
  return out;
}

namespace {

using Inputs = std::span<const Interval>;
using Bounds = Interval (*)(const RuleGraph&, const RuleNode&, Inputs);

Interval least_and_greatest(const std::vector<std::int64_t>& values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return {*least, *greatest};
}

Interval with_zero(const Interval& a) {
  return {std::min<std::int64_t>(a.least, 0), std::max<std::int64_t>(a.greatest, 0)};
}

Interval bounds_of_near_count(const RuleGraph& g, const RuleNode& n, Inputs /*inputs*/) {
  int most = 0;
  for (const CellSet around : g.relation(n.relation)) most = std::max(most, std::popcount(around));
  return {0, most};
}

Interval bounds_of_count(const RuleGraph& g, const RuleNode& n, Inputs /*inputs*/) {
  return {g.node(n.args[0]).op == NodeOp::part_input ? 1 : 0, g.cells()};
}

Interval bounds_of_product(const RuleGraph& g, const RuleNode& n, Inputs inputs) {
  const Interval a = g.bounds(n.args[0], inputs);
  const Interval b = g.bounds(n.args[1], inputs);
  // A product that is too large is refused by the elaborator, but asked about here first.
  constexpr std::int64_t kHuge = 1'000'000'000'000'000'000;
  if (std::abs(static_cast<double>(std::max(-a.least, a.greatest))) *
          std::abs(static_cast<double>(std::max(-b.least, b.greatest))) >
      static_cast<double>(kHuge)) {
    return {-kHuge, kHuge};
  }
  return least_and_greatest({a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest});
}

Interval bounds_of_linear(const RuleGraph& g, const RuleNode& n, Inputs inputs) {
  Linear form = weighted_args(n);
  form.constant = static_cast<std::int64_t>(n.value);
  return g.bounds(form, inputs);
}

Interval bounds_of_select(const RuleGraph& g, const RuleNode& n, Inputs inputs) {
  const Interval a = g.bounds(n.args[1], inputs);
  const Interval b = g.bounds(n.args[2], inputs);
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
}

Interval bounds_of_sum(const RuleGraph& g, const RuleNode& n, Inputs inputs) {
  const Interval body = g.bounds(n.args[1], inputs);
  return with_zero({body.least * g.cells(), body.greatest * g.cells()});
}

Interval bounds_of_extreme(const RuleGraph& g, const RuleNode& n, Inputs inputs) {
  return with_zero(g.bounds(n.args[1], inputs));
}

template <bool kGreatest>
Interval bounds_of_several(const RuleGraph& g, const RuleNode& n, Inputs inputs) {
  Interval out = g.bounds(n.args[0], inputs);
  for (const NodeId arg : n.args) {
    const Interval one = g.bounds(arg, inputs);
    out.least = kGreatest ? std::max(out.least, one.least) : std::min(out.least, one.least);
    out.greatest = kGreatest ? std::max(out.greatest, one.greatest) : std::min(out.greatest, one.greatest);
  }
  return out;
}

// The bounds of each operator of numbers.
constexpr EnumTable<NodeOp, kNodeOps, Bounds> kBounds({
    {NodeOp::near_count, bounds_of_near_count},
    {NodeOp::constant_field,
     [](const RuleGraph& /*g*/, const RuleNode& n, Inputs /*inputs*/) { return least_and_greatest(n.coefficients); }},
    {NodeOp::broadcast,
     [](const RuleGraph& g, const RuleNode& n, Inputs inputs) { return g.bounds(n.args[0], inputs); }},
    {NodeOp::select_field, bounds_of_select},
    {NodeOp::linear_field, bounds_of_linear},
    {NodeOp::greatest_field, bounds_of_several<true>},
    {NodeOp::least_field, bounds_of_several<false>},
    {NodeOp::count, bounds_of_count},
    {NodeOp::number_input, [](const RuleGraph& /*g*/, const RuleNode& n, Inputs inputs) { return inputs[n.value]; }},
    {NodeOp::product, bounds_of_product},
    {NodeOp::lookup, [](const RuleGraph& /*g*/, const RuleNode& n,
                        Inputs /*inputs*/) { return with_zero(least_and_greatest(n.coefficients)); }},
    {NodeOp::fold_sum, bounds_of_sum},
    {NodeOp::fold_max, bounds_of_extreme},
    {NodeOp::fold_min, bounds_of_extreme},
    {NodeOp::select_number, bounds_of_select},
    {NodeOp::linear_number, bounds_of_linear},
    {NodeOp::greatest_number, bounds_of_several<true>},
    {NodeOp::least_number, bounds_of_several<false>},
});
static_assert(kBounds.covers([](NodeOp op) {
  return traits(op).type == NodeType::field || traits(op).type == NodeType::number;
}));

}  // namespace

Interval RuleGraph::bounds(NodeId id, std::span<const Interval> inputs) const {
  const RuleNode& n = node(id);
  return kBounds.has(n.op) ? kBounds[n.op](*this, n, inputs) : Interval{0, 1};
}

}  // namespace plenum
