// SPDX-License-Identifier: Apache-2.0
// The moves that lead out of a slice: captures, and all moves of men who promote. What they lead to is solved.
//
// A row (slice_rows.h) at a time: for which cells of the loose man there is such a move, and what the best of them is worth. A move is
// legal where the position after it has a value. After a first step of two that may be captured in passing it is
// made by the rules themselves, since nothing is numbered there.
//
// Thread-safety: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "solver/endings/ending.h"
#include "solver/endings/slice_rows.h"

namespace plenum {

// What is known of a row by its moves outward, for each cell of the loose man.
struct OutwardRow {
  CellSet any = 0;
  // The best of them is won, level or lost for who makes it; of the last two where there is none better.
  CellSet won = 0;
  CellSet level = 0;
  CellSet lost = 0;
  std::array<std::uint16_t, kMaxCells> won_plies;   // the fewest
  std::array<std::uint16_t, kMaxCells> lost_plies;  // the most
  // By one of them the mover can force an end, or a level one; by one of them the other player cannot.
  CellSet ends = 0;
  CellSet forces_end = 0;
  CellSet end_reachable = 0;  // while each turn keeps the value, if that is level
  CellSet other_cannot_end = 0;
  CellSet other_cannot_force = 0;
  std::uint64_t moves = 0;
};

class OutwardMoves {
 public:
  OutwardMoves(const EndingTables& tables, const EndingMen& men) : tables_(&tables), men_(&men) {}

  // Of these placements, all legal.
  absl::Status look(const SliceRows& rows, const SliceRows::Row& row, CellSet legal, OutwardRow& out);

 private:
  using Men = std::uint64_t;  // a set of them, by number
  // Where a placement stands once some men are gone and one has become something else.
  struct Target {
    const EndingTables::Table* table = nullptr;
    bool turned = false;
    std::vector<std::uint8_t> from;  // by man of that material
  };
  struct Move {
    std::size_t man;
    Cell to;
    Men taken;
  };

  absl::StatusOr<const Target*> target(Men taken, std::size_t promoted, std::size_t to_kind);
  Target make_target(Men taken, std::size_t promoted, std::size_t to_kind) const;
  KnownEnding known(const Target& target, const std::array<Cell, kMaxCells>& cells, std::size_t mover) const;
  // A move for these cells of the loose man.
  absl::Status take(const Move& move, CellSet open);
  absl::Status take_into(const Target& target, const Move& move, CellSet open);
  absl::Status steps(std::size_t man);
  absl::Status captures(std::size_t man);
  absl::Status captures_of_loose();
  // What may be taken at once on a cell: sets of men.
  void find_victims(Cell cell, bool with_loose, std::size_t player);
  // Of a first step of two: for which cells of the loose man it may be captured in passing.
  bool may_be_passed(std::size_t man, Cell to) const;
  absl::Status step_by_rules(std::size_t man, Cell to, CellSet open);
  void enter(KnownEnding after, CellSet where);

  const EndingTables* tables_;
  const EndingMen* men_;
  absl::flat_hash_map<std::array<std::uint64_t, 2>, Target> targets_;
  const SliceRows* rows_ = nullptr;
  const SliceRows::Row* row_ = nullptr;
  CellSet legal_ = 0;
  OutwardRow* out_ = nullptr;
  std::vector<Men> victims_;
};

}  // namespace plenum
