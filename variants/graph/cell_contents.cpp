// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/cell_contents.h"

namespace plenum {

Held held(const RuleSet& rules, NodeId id, std::optional<Player> mover) {
  const RuleNode& n = rules.graph.node(id);
  const NodeTraits& t = traits(n.op);
  const CellContents all = all_contents(rules);
  const Held unknown{0, all};
  if (n.op == NodeOp::constant) return {n.value == rules.graph.all() ? all : 0, n.value == 0 ? 0 : all};
  if (n.op == NodeOp::cell_input) {
    if (n.value >= static_cast<std::uint64_t>(rules.layout.count())) return unknown;
    return {CellContents{1} << n.value, CellContents{1} << n.value};
  }
  if (n.op == NodeOp::mover_is_first && mover) return *mover == Player::first ? Held{all, all} : Held{0, 0};
  if (t.part_of >= 0) return {0, held(rules, n.args[static_cast<std::size_t>(t.part_of)], mover).most};
  if (t.cellwise == nullptr) return unknown;
  // What holds of cells holds of the contents that tell them apart: one bit each.
  std::vector<std::uint64_t> least;
  std::vector<std::uint64_t> most;
  for (std::size_t i = 0; i < n.args.size(); ++i) {
    const Held of = held(rules, n.args[i], mover);
    if (t.trend(i) == '?' && of.least != of.most) return unknown;
    least.push_back(t.trend(i) == '-' ? of.most : of.least);
    most.push_back(t.trend(i) == '-' ? of.least : of.most);
  }
  return {static_cast<CellContents>(t.cellwise(least)) & all, static_cast<CellContents>(t.cellwise(most)) & all};
}

}  // namespace plenum
