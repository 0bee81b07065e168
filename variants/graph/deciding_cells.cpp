// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/deciding_cells.h"

#include <algorithm>
#include <bit>

namespace plenum {

DecidingCells::DecidingCells(const RuleGraph& graph, std::optional<Cell> placed)
    : graph_(graph), placed_(placed), known_(graph.size() * cells(), false), found_(graph.size() * cells(), 0) {}

CellSet DecidingCells::at(NodeId id, std::size_t cell) {
  const std::size_t k = static_cast<std::size_t>(id) * cells() + cell;
  if (!known_[k]) {
    found_[k] = find(graph_.node(id), cell) & ~(placed_ ? cell_bit(*placed_) : 0);
    known_[k] = true;
  }
  return found_[k];
}

// Whether the cell is not in the set, whatever stands where, as a stone has been put elsewhere and none taken.
bool DecidingCells::never(NodeId id, std::size_t cell) const {
  const RuleNode& n = graph_.node(id);
  return placed_ && n.op == NodeOp::cell_input && (n.value == kTaken || (n.value == kPlaced && cell != *placed_));
}

CellSet DecidingCells::of_args(const RuleNode& n, CellSet around) {
  CellSet out = 0;
  for (const NodeId arg : n.args) {
    for (CellSet rest = around; rest != 0; rest &= rest - 1)
      out |= at(arg, static_cast<std::size_t>(std::countr_zero(rest)));
  }
  return out;
}

CellSet DecidingCells::find(const RuleNode& n, std::size_t cell) {
  switch (traits(n.op).reach) {
    case NodeReach::nowhere:
      return n.op == NodeOp::cell_input && n.value < kOrigin ? cell_bit(static_cast<Cell>(cell)) : 0;
    case NodeReach::here:
      if (n.op == NodeOp::conjunction &&
          std::any_of(n.args.begin(), n.args.end(), [&](NodeId arg) { return never(arg, cell); }))
        return 0;
      return of_args(n, cell_bit(static_cast<Cell>(cell)));
    case NodeReach::beside:
      return of_args(n, graph_.relation(n.relation)[cell]);
    case NodeReach::patterns: {
      CellSet around = 0;
      for (const CellSet mask : graph_.relation(n.relation)) {
        if ((mask >> cell & 1) != 0) around |= mask;
      }
      return of_args(n, around);
    }
    case NodeReach::board:
      return of_args(n, graph_.all());
    case NodeReach::far:
    case NodeReach::rounds:
      return graph_.all();
  }
  return graph_.all();
}

}  // namespace plenum
