// SPDX-License-Identifier: Apache-2.0
// What a solve will take, before it is begun: bounds that are proven, not guessed.
//
// At most: every way to fill the board, for each player to move and each state; of piece games every way to place the men.
// At least: cells on which placements do not depend on one another (no cell's rule looks at another of them, directly or
// through what it counts) can be filled in every way, each in its turn; those positions alone are reachable. For games where
// that cannot be shown the lower bound is one position.
#pragma once

#include <limits>
#include <string>

#include "variants/rules/variant.h"

namespace plenum {

struct Prediction {
  double most_positions = 0;   // unreduced; may be far above what a machine can count
  double least_positions = 1;  // unreduced
  double least_bytes = 0;
  double most_bytes = 0;
  double most_cpu_seconds = 0;  // a rough figure: so many positions at the usual cost
  std::string reason;           // for the lower bound, in words
};

Prediction predict(const Variant& variant, const Position& start);

// How many positions up to symmetry will have to be stored, guessed from random games: in as many games as there are samples,
// how often two stand at the same position after so many plies (the birthday estimator). Games that favour
// some positions make it too low, so a guess above what fits is a good reason not to begin. Where play can go round it is too high, as
// the same is met at ply after ply; but it is not more than all placements of as many stones as were met together.
struct Guess {
  double stored = 0;
  double moves = 0;  // of a position
  double bytes = 0;  // that solving them by enumeration takes
  double cpu_seconds = 0;
  bool at_least = false;  // it was left off when it passed what is enough
};
struct GuessLimits {
  std::size_t games = 16384;  // of fewer it is quicker, and says less where there are many positions
  double enough_bytes = std::numeric_limits<double>::infinity();
};
absl::StatusOr<Guess> guess_by_random_games(const Variant& variant, const Position& start, const GuessLimits& = {});

// "1.2 GB" also for numbers beyond 64 bits.
std::string memory_text_of(double bytes);

}  // namespace plenum
