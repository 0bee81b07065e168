// SPDX-License-Identifier: Apache-2.0
// How positions are written, and read again.
//
// Written, a position is like chess's FEN: rows from the last to the first with "/" between, runs of empty cells as decimal
// numbers, kinds as letters; then the player to move, 1 or 2; then flags as name=value in alphabetical order, left out at
// their starting value: "x1/3/2 2 button=first passes=1". Printing and then parsing gives the same position.
#pragma once

#include <string>

#include "variants/graph/position.h"
#include "variants/text/diagnostic.h"

namespace plenum {

std::string to_text(const RuleSet& rules, const Position& position);
absl::StatusOr<Position> parse_position(const RuleSet& rules, const Span& text);
// The start of the game.
Position start_position(const RuleSet& rules);

}  // namespace plenum
