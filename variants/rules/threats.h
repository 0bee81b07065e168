// SPDX-License-Identifier: Apache-2.0
// How near the players are to what ends the game well for them, where that is a pattern: the cells that alone are missing.
//
// Rules that ask for lines or shapes of stones say in their score what such a pattern is worth, and to whom; that is found out by
// asking the rules about a board with nothing else on it. A search tries first what leaves most such cells (Pons 2015).
//
// Thread-safety: immutable; every thread brings a Workspace of its own.
#pragma once

#include <cstdint>

#include "variants/rules/rules.h"

namespace plenum {

class Threats {
 public:
  explicit Threats(const Rules& rules);

  // Whether the rules have such patterns.
  bool any() const { return program_.roots() > 0; }

  // For positions begin..begin + lanes (<= kLanes): empty cells with which the player to move completes a pattern, less those of
  // the other.
  void count(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Workspace& work,
             std::int64_t* counts) const;

 private:
  Program program_;  // one number, if any
};

}  // namespace plenum
