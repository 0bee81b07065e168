// SPDX-License-Identifier: Apache-2.0
// Values, positions and lines of play in words and drawings: what the pages of several commands share.
#pragma once

#include <string>
#include <vector>

#include "solver/graph/shortest_lines.h"

namespace plenum {

// "first wins by 3 in 5 plies", "a tie", "a forced cycle", "ended: second wins by 1".
std::string value_words(const Variant& variant, const PositionValue& value);

// The board with the letters of what stands on it; nothing where the board has no drawing that fits.
std::vector<std::string> draw_position(const Variant& variant, const Position& position, std::size_t columns);

// "3 4-5? pass": moves that give value away are marked.
std::string line_words(const std::vector<LineMove>& moves);

// "first" or "second".
std::string player_word(Player player);

// The lines above what is said of a game that begins at this position.
std::string begun_at(const Variant& variant, const Position& start);

}  // namespace plenum
