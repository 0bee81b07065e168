// SPDX-License-Identifier: Apache-2.0
// What an author may have forgotten: nothing that is wrong, but that is seldom meant. And a move of each kind, drawn.
//
// Thread-safety: no state. Cost: some random games, and a compilation for each rule that is left out.
#pragma once

#include <string>
#include <vector>

#include "tools/report/json_report.h"

namespace plenum {

// Each with file, line, column and what could be done, as errors are written. None of a description that does not compile, or of an ending.
std::vector<std::string> suggestions(const Description& description);

// Of each move and part of a move one that is legal in random play; nothing of piece games, which `info --pieces` draws.
struct DrawnMove {
  std::string name;    // of the rule
  std::string move;    // as it is written; empty: it was never legal
  std::string before;  // positions
  std::string after;
  std::vector<std::string> lines;  // both boards, beside each other; none where the board has no drawing
};
absl::StatusOr<std::vector<DrawnMove>> draw_moves(const Description& description);
Json move_drawings_json(const std::vector<DrawnMove>& moves);

}  // namespace plenum
