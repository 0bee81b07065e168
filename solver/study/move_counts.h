// SPDX-License-Identifier: Apache-2.0
// What the moves of a solved game's positions do: which of them keep the value. By whatever method it was solved.
//
// Thread-safety: the result does not depend on the number of threads. Cost: a look at each position and at each of its moves, of one of each
// class of images (Result::folds); uses all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "solver/result/measures.h"
#include "solver/result/result.h"

namespace plenum {

// How large games are counted unasked, in stored positions, where their moves are not stored.
inline constexpr std::uint64_t kMostMeasured = 200'000;

// Measures by position alone. `go_on` hears how many positions were looked at, and says whether to go on: kCancelled if not.
// kUnimplemented, as a clause, of a method that does not hand out its positions.
absl::StatusOr<Measures> count_moves(const Result& game,
                                     const std::function<bool(std::uint64_t positions)>& go_on = {});

// What there is of measures: those that came with the result, or by position alone. Where moves are not stored, of at most so many stored
// positions. Nothing of more, or where values were not kept.
absl::StatusOr<std::optional<Measures>> measures_of(const Result& game, std::uint64_t most_positions,
                                                    const std::function<bool(std::uint64_t positions)>& go_on = {});

}  // namespace plenum
