// SPDX-License-Identifier: Apache-2.0
// What the sets of rules hold, cell by cell, where something is known of a position: what each cell may hold, which cell a piece comes
// from, what the bare move filled and emptied. By structure alone, and never too sure: what depends on anything else may be either way.
//
// A set has two bounds for each content of cells (a plane, or nothing): the cells which, holding that, must be in the set, and those
// which may be. So `empty & !{a1}` may hold each cell but a1 if it holds nothing, and none that holds a stone.
// Thread-safety: none; one object is asked by one thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "variants/graph/rule_set.h"

namespace plenum {

struct SetBounds {
  CellSet must = 0;
  CellSet may = 0;
};

struct KnownCells {
  Player mover = Player::first;
  std::vector<CellSet> holds;  // by content, nothing last: the cells that may hold it now
  // Where `then` and `legal` are asked: the same before the bare move for the cells it may have touched; the others are as they were.
  std::vector<CellSet> held;
  CellSet touched = 0;
  SetBounds origin;  // the cell a piece comes from, what the move put something on, and what it emptied
  SetBounds placed;
  SetBounds taken;

  // Anything anywhere.
  static KnownCells nothing_known(const RuleSet& rules, Player mover);
  // That a cell holds this content now.
  void set(Cell cell, int content);
};

class CellBounds {
 public:
  CellBounds(const RuleSet& rules, std::span<const NodeId> roots);
  void run(const KnownCells& known);

  // Of a root, a set or a truth, after run(): of the cells that hold `content` now, and of all.
  SetBounds of(NodeId root, int content) const;
  SetBounds whole(NodeId root) const;
  std::size_t nodes() const { return order_.size(); }

 private:
  struct Known {
    std::vector<SetBounds> sets;   // by content
    std::vector<Interval> fields;  // by cell
    Interval number;               // of fields: of all cells
    unsigned players = 7;          // bit: it may be that one
  };
  struct Operators;

  const Known& value(NodeId id) const { return values_[at_[static_cast<std::size_t>(id)]]; }
  SetBounds joined(const std::vector<SetBounds>& by_content) const;
  void give(Known& out, const SetBounds& to_all) const;
  void evaluate(const RuleNode& n, Known& out) const;
  void read_cells(std::uint64_t which, Known& out) const;
  void cell_by_cell(const RuleNode& n, Known& out) const;
  void compare(const RuleNode& n, Known& out) const;
  Interval at_cell(NodeId field, std::size_t cell) const;
  template <typename Argument>
  Interval sum(const RuleNode& n, const Argument& argument) const;
  CellSet walked(const Relation& direction, CellSet from, CellSet through, const CellSet* to) const;

  const RuleSet& rules_;
  std::size_t contents_;
  std::vector<NodeId> order_;
  std::vector<std::size_t> at_;  // by node: its place in `order_`
  std::vector<Known> values_;
  KnownCells known_;
};

}  // namespace plenum
