// SPDX-License-Identifier: Apache-2.0
// What stones on a cell lead to, for whole rows of positions of a placing game: which rows of the next tier are read, under which masks.
//
// Which stone may be put, and what state follows, are truths over the stones on a few cells, which are found out once for all
// occupied sets that agree on these cells. (Where it takes too many cells they are found out anew for each set.) They are sorted so that
// as few rows are read as can be: a read has two sources, one of the positions after a stone of second's and one of those after a stone
// of first's; what holds in every state is read for all states at once.
//
// Thread-safety: an object belongs to one thread. Cost: 20 ns for what was found before; see bit_masks.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solver/bits/bit_states.h"
#include "tables/rows/bit_masks.h"
#include "variants/rows/placing_rules.h"

namespace plenum {

class BitMoves {
 public:
  static constexpr int kAll = -1;
  struct Read {
    std::uint32_t clear = 0;  // states of the next tier: after a stone of second's,
    std::uint32_t set = 0;    // and of first's
    int state = kAll;         // the state of this tier that it is for
    BitMask mask;
  };
  using Reads = std::vector<Read>;

  explicit BitMoves(const PlacingRules& rules);
  // With so many stones: these states lead to those.
  void begin_tier(int stones, Player mover, const States& states, const States& next);
  void begin(CellSet occupied);
  // Of a stone on a cell that is free. It holds until the next call, of this or of begin().
  const Reads& at(Cell cell);

 private:
  static constexpr int kMostCells = 12;  // that decide what is kept
  void find(Cell cell, CellSet occupied, Reads& out);

  const PlacingRules& rules_;
  PlacingRules::Row row_;
  std::vector<CellSet> seen_;  // by cell: those that decide what a stone there leads to
  int stones_ = -1;
  Player mover_ = Player::first;
  States states_;
  States next_;
  CellSet occupied_ = 0;
  bool row_is_whole_ = false;                              // row_ is of the set at hand
  std::vector<std::vector<std::unique_ptr<Reads>>> kept_;  // by cell and by which of those it sees are occupied
  Reads once_;
};

}  // namespace plenum
