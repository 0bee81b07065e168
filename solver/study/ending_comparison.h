// SPDX-License-Identifier: Apache-2.0
// What a change of rules does to an ending: the positions that are legal in both games, one by one.
//
//     const absl::StatusOr<EndingComparison> found = compare_endings(*a, *b, 3);
//     found->counts[0].changed          // with first to move
//
// Positions are the same if the same men stand on the same cells and the same player is to move; where one game has no crowds,
// those are the crowd-free ones. Counts are unreduced.
// Thread-safety: uses all cores; the result does not depend on their number.
#pragma once

#include <array>
#include <vector>

#include "solver/endings/ending.h"
#include "solver/study/comparison.h"

namespace plenum {

struct EndingComparison {
  std::array<Comparison, 2> counts;         // by player to move; `forced` and `ended` are not counted
  std::array<std::uint64_t, 2> legal = {};  // positions of each game, whoever is to move
  // For each change of outcome, the most frequent first, a position that is decided soonest.
  std::vector<ComparedPosition> examples;

  Comparison both() const;
};

// At most `most` examples. Errors: the boards or the materials differ.
absl::StatusOr<EndingComparison> compare_endings(const EndingTables& a, const EndingTables& b, std::size_t most);

}  // namespace plenum
