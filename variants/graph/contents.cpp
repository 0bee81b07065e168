// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/contents.h"

#include <optional>

namespace plenum {
namespace {

Contents everything(const RuleSet& rules) { return (nothing_bit(rules) << 1) - 1; }

// The contents that say exactly which cells are in the set, if contents alone decide.
std::optional<Contents> exact(const RuleSet& rules, NodeId id) {
  const RuleNode& n = rules.graph.node(id);
  switch (n.op) {
    case NodeOp::constant:
      if (n.value == 0) return Contents{0};
      if (n.value == rules.graph.all()) return everything(rules);
      return std::nullopt;
    case NodeOp::cell_input:
      if (n.value < static_cast<std::uint64_t>(rules.layout.count())) return Contents{1} << n.value;
      return std::nullopt;
    case NodeOp::complement: {
      const auto inner = exact(rules, n.args[0]);
      if (inner) return everything(rules) & ~*inner;
      return std::nullopt;
    }
    case NodeOp::conjunction:
    case NodeOp::disjunction: {
      Contents out = n.op == NodeOp::conjunction ? everything(rules) : 0;
      for (const NodeId arg : n.args) {
        const auto part = exact(rules, arg);
        if (!part) return std::nullopt;
        out = n.op == NodeOp::conjunction ? out & *part : out | *part;
      }
      return out;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

Contents contents(const RuleSet& rules, NodeId id) {
  if (const auto known = exact(rules, id)) return *known;
  const RuleNode& n = rules.graph.node(id);
  if (n.op == NodeOp::joined || n.op == NodeOp::cover || n.op == NodeOp::pick) return contents(rules, n.args[0]);
  if (n.op == NodeOp::ray || n.op == NodeOp::between) return contents(rules, n.args[1]);
  if (n.op != NodeOp::conjunction && n.op != NodeOp::disjunction) return everything(rules);
  const bool meet = n.op == NodeOp::conjunction;
  Contents out = meet ? everything(rules) : 0;
  for (const NodeId arg : n.args) out = meet ? out & contents(rules, arg) : out | contents(rules, arg);
  return out;
}

}  // namespace plenum
