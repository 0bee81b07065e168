// SPDX-License-Identifier: Apache-2.0
// A line of play: moves with the positions they lead to. Moves that are written alike may lead to different positions, so
// the positions say which is meant.
#pragma once

#include <string>
#include <vector>

#include "variants/graph/position.h"

namespace plenum {

struct LineMove {
  std::string text;
  bool gives_away = false;  // the player who makes it could have kept a better value
  Position after;
};

struct Line {
  Position begin;
  std::vector<LineMove> moves;
  const Position& end() const { return moves.empty() ? begin : moves.back().after; }
};

// Of best play from a position on.
struct BestLine {
  std::vector<LineMove> moves;
  bool repeats = false;  // it stopped at a position met before
};

}  // namespace plenum
