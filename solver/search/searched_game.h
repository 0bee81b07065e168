// SPDX-License-Identifier: Apache-2.0
// A game of which only the start, and if asked its openings, are evaluated: what search finds out.
//
//     absl::StatusOr<Summary> game = search_game(variant, variant.rules().start(), options);
//
// Stopped by its progress function, it tells what had been proven by then: bounds instead of values.
// The line of best play does not depend on the number of threads: of the moves that keep the value it takes the one after which
// the score is best if the game ended there, of these the one with the fewest different replies (up to symmetry), and of these
// the first in board order.
#pragma once

#include "solver/result/game_result.h"
#include "solver/search/search.h"

namespace plenum {

struct SearchGameOptions {
  SearchOptions search;
  bool openings = false;
  bool line = true;
};

// The value of the start, or bounds; openings, the pie and a line where asked for and found.
absl::StatusOr<Summary> search_game(const Variant& variant, const Position& start, const SearchGameOptions& options);

}  // namespace plenum
