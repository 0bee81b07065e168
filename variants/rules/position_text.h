// SPDX-License-Identifier: Apache-2.0
// How positions of games without pieces are written, and read again. For any game: Rules::write, Rules::read (rules.h).
//
// Written, a position is like chess's FEN: rows from the last to the first with "/" between, runs of empty cells as decimal
// numbers, kinds as letters; then the player to move, 1 or 2; then flags as name=value in alphabetical order, left out at
// their starting value: "x1/3/2 2 button=first passes=1". Printing and then parsing gives the same position.
#pragma once

#include <string>
#include <vector>

#include "variants/graph/position.h"
#include "variants/text/diagnostic.h"

namespace plenum {

std::string write_stones(const RuleSet& rules, const Position& position);
absl::StatusOr<Position> read_stones(const RuleSet& rules, const Span& text);
// What stands on each cell, in letters.
std::vector<std::string> letters_of_stones(const RuleSet& rules, const Position& position);
// The start of the game.
Position start_of_stones(const RuleSet& rules);

}  // namespace plenum
