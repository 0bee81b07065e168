// SPDX-License-Identifier: Apache-2.0
// What the end of a game can still be worth, from a position on: bounds of the final margin, derived from the rules.
//
// What a cell holds can only become what some move or effect turns it into, so from what stands there follows what may stand
// there at the end: white stones that nothing turns or lifts stay, an empty cell may hold anything that is ever put on one.
// The score is then read over sets of cells of which only a lower and an upper bound is known, and numbers become intervals
// (abstract interpretation; Cousot and Cousot 1977): "cells left to fill" and "no line is open any more" come out by themselves.
//
// The bounds hold for every way the game may go on, also where a player has no move. Where the rules allow no better they are those
// of any position (everywhere()), and informative() is false.
//
// Thread-safety: immutable; every thread brings a Workspace of its own. Units: Rules::denominator.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "variants/rules/rules.h"

namespace plenum {

class ScoreBounds {
 public:
  explicit ScoreBounds(const Rules& rules);

  // Of any position, for either player to move.
  Interval everywhere() const { return everywhere_; }
  bool informative() const { return informative_; }

  // For the player to move in positions begin..begin + lanes (<= kLanes) of the batch.
  void bounds(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Workspace& work,
              Interval* bounds) const;

  std::size_t instructions() const { return program_.instructions(); }

 private:
  Interval settled(Interval margin) const;

  const RuleSet* rules_;
  Interval everywhere_;
  bool informative_ = false;
  Program program_;  // least, greatest where the player to move now is to move at the end; and where the other is
};

}  // namespace plenum
