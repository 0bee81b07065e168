// SPDX-License-Identifier: Apache-2.0
// A game of which only the start, and if asked its openings, are evaluated: what search finds out.
//
//     absl::StatusOr<SearchedGame> game = search_game(variant, variant.rules().start(), options);
//
// Stopped by its progress function, it tells what had been proven by then: bounds instead of values.
// The line of best play does not depend on the number of threads: of the moves that keep the value it takes the one after which
// the score is best if the game ended there, of these the one with the fewest different replies (up to symmetry), and of these
// the first in board order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/graph/analysis.h"
#include "solver/result/line.h"
#include "solver/search/search.h"

namespace plenum {

// What is proven of a margin, first's: exact where both are the same.
struct ProvenMargin {
  Margin least;
  Margin greatest;
  bool exact() const { return least == greatest; }
};

struct SearchedOpening {
  Move move;
  std::string text;
  ProvenMargin after;
  bool in_pie = false;
};

struct SearchedGame {
  Position start;
  bool ended = false;  // at the start
  ProvenMargin value;
  std::vector<SearchedOpening> openings;  // in board order; none unless asked for
  std::optional<Pie> pie;                 // with all openings that it is about
  std::optional<Line> line;               // of best play, to the end
  SearchProgress work;
  bool stopped = false;
};

struct SearchGameOptions {
  SearchOptions search;
  bool openings = false;
  bool line = true;
};

absl::StatusOr<SearchedGame> search_game(const Variant& variant, const Position& start,
                                         const SearchGameOptions& options);

// The pie, by what is proven of the openings; nothing unless all that it is about are exact.
std::optional<Pie> pie_of(const std::vector<SearchedOpening>& openings);

}  // namespace plenum
