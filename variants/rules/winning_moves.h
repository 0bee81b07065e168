// SPDX-License-Identifier: Apache-2.0
// Who has a move that wins at once, without making any: proven from the rules, for placements that complete a pattern.
//
// A rule that puts a stone on an empty cell and changes nothing else completes a pattern on the cells that alone are missing
// from it. If the position after it has ended and is won whatever else stands there, a position with such a cell is won by
// the player to move. Both are read off the end and the margin with "there is such a pattern" taken for true, and "there is one
// of a plane that the move leaves alone" for false where the game would have ended before. Where nothing can be proven, any() is false.
//
// Thread-safety: immutable; every thread brings a Workspace of its own. Units: Rules::denominator.
#pragma once

#include <cstdint>

#include "variants/rules/rules.h"

namespace plenum {

class WinningMoves {
 public:
  explicit WinningMoves(const Rules& rules);

  bool any() const { return program_.roots() > 0; }
  // What such a move is worth, to whoever makes it.
  std::int64_t worth() const { return worth_; }

  // Of positions begin..begin + lanes (<= kLanes) that have not ended: the cells on which a stone wins at once, or some of them.
  void find(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Workspace& work, CellSet* cells) const;

 private:
  Program program_;  // one set, if any
  std::int64_t worth_ = 0;
};

}  // namespace plenum
