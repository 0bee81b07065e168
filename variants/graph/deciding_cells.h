// SPDX-License-Identifier: Apache-2.0
// The cells whose contents decide whether a cell is in a set, or what a number is, by the structure of its node: each node and cell
// once.
//
//     DecidingCells cells(graph, to);  // once a stone has been put on `to`, which is then known
//     cells.at(rule.legal, to);
//
// Thread-safety: an object belongs to one thread; the graph outlives it. Cost: a set for each node and cell.
#pragma once

#include <optional>
#include <vector>

#include "variants/graph/rule_graph.h"

namespace plenum {

class DecidingCells {
 public:
  explicit DecidingCells(const RuleGraph& graph, std::optional<Cell> placed = std::nullopt);
  // Of a number: of any cell.
  CellSet at(NodeId id, std::size_t cell);

 private:
  std::size_t cells() const { return static_cast<std::size_t>(graph_.cells()); }
  bool never(NodeId id, std::size_t cell) const;
  CellSet of_args(const RuleNode& n, CellSet around);
  CellSet find(const RuleNode& n, std::size_t cell);

  const RuleGraph& graph_;
  std::optional<Cell> placed_;
  std::vector<bool> known_;
  std::vector<CellSet> found_;
};

}  // namespace plenum
