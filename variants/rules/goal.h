// SPDX-License-Identifier: Apache-2.0
// A goal: one truth expression more, asked of positions of a game, with the game's own names, definitions and options.
//
//     auto variant = Variant::make(description, Span::whole("--goal", "count(x) >= 5"));
//     const Goal goal(variant->rules());
//     goal.holds(batch, work, out);          // out[i]: 0 or 1
//
// It is elaborated with the rules, as one root more: a state or a count of passes that the goal reads is then part of a
// position even where no rule reads it, a symmetry of the game is one only if the goal is the same under it, and errors
// are those of any other key. It is read as `when` of a move is: `mine` are the stones of the player to move, `me` that
// player; kinds by name, `first` and `second` are who they are. (`when` of [end] does not know `mine`: what it says
// must hold for both.)
//
// Thread-safety: immutable; every thread brings a Workspace of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "variants/rules/rules.h"

namespace plenum {

class Goal {
 public:
  // Of rules made with a goal.
  explicit Goal(const Rules& rules);

  // Of all positions of the batch; `out` grows as needed.
  void holds(const PositionBatch& batch, Workspace& work, std::vector<std::uint8_t>& out) const;
  bool holds(const Position& position) const;

 private:
  PlaneLayout layout_;
  int slots_ = 0;
  Program program_;
};

}  // namespace plenum
