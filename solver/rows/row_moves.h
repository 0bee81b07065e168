// SPDX-License-Identifier: Apache-2.0
// The moves of a row with a bit for each position: spelled from the truth tables of their conditions where few cells decide these, and
// by the rules position by position where not.
//
// Thread-safety: an object belongs to one thread. What it finds depends on the rules alone.
// Cost: of 8,192 positions some 0.3 us a move from tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/rows/condition_tables.h"

namespace plenum {

class RowMoveFinder {
 public:
  explicit RowMoveFinder(const RowRules& rules);
  // All moves of the row of this occupied set, as RowRules::find; the order may differ from its.
  void find(CellSet occupied, RowMoves& out);
  // What it comes to hold for a row of so many positions.
  static std::uint64_t scratch_bytes(const RowRules& rules, std::uint64_t positions);

 private:
  using Column = std::vector<std::uint64_t>;
  // The moves that add a stone, or the others.
  void find_ways(CellSet occupied, bool adding, RowMoves& out);
  void spell(const ConditionTables::Table& table, const RowMoves& row, Column& out);

  const RowRules& rules_;
  RowRules::Scratch scratch_;
  std::optional<ConditionTables> tables_;
  std::array<std::uint8_t, BitMask::kAdded + 1> axes_ = {};  // [cell]
  BitMaskVectors spelled_;
  std::vector<std::uint32_t> parts_;  // by vector of a row: which of those spelled it is
  Column from_;
  Column to_;
};

}  // namespace plenum
