// SPDX-License-Identifier: Apache-2.0
// What the moves of a solved game's positions do: which of them keep the value. By whatever method it was solved.
//
// Thread-safety: the result does not depend on the number of threads. Cost: a look at each position and at each of its moves, of one of each
// class of images (Result::folds); uses all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "solver/cluster/ranks.h"
#include "solver/result/measures.h"
#include "solver/result/result.h"

namespace plenum {

// How large games are counted unasked, in stored positions, where their moves are not stored.
inline constexpr std::uint64_t kMostMeasured = 200'000;

// Measures by position alone. `go_on` hears how many positions were looked at, and says whether to go on: kCancelled if not.
// kUnimplemented, as a clause, of a method that does not hand out its positions. Of several ranks collective: all have opened the result,
// each has its share of the looks, and `go_on` is the root's.
absl::StatusOr<Measures> count_moves(const Result& game, Ranks& ranks = Ranks::alone(),
                                     const std::function<bool(std::uint64_t positions)>& go_on = {});

// How large the games are that measures_of measures.
struct MeasureLimits {
  std::uint64_t positions = kMostMeasured;  // stored, where their moves are not
  std::uint64_t edges = 0;                  // of a graph whose play is measured (measure_play); 0: as it was solved
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // that may be used, for the process as a whole; of these other games
  std::uint64_t held_bytes = 0;                    // hold so many
};

// What there is of measures: those that came with the result; of play too, of a graph; or by position alone. Nothing of larger games, or where
// values were not kept. Of several ranks collective, as count_moves().
absl::StatusOr<std::optional<Measures>> measures_of(const Result& game, const MeasureLimits& limits,
                                                    Ranks& ranks = Ranks::alone(),
                                                    const std::function<bool(std::uint64_t positions)>& go_on = {});

}  // namespace plenum
