// SPDX-License-Identifier: Apache-2.0
// Moves and lines of best play where a value can be asked of any position and no graph is stored.
//
// Where the value is not 0, the player it favours hurries and the other delays, by remoteness. In a tie the player who can force
// an end keeps that up, and the line is a shortest one to an end in which every move keeps the value. In a cycle both stay in cycles, and the
// line stops at the first repeated position.
//
// Thread-safety: no state.
#pragma once

#include <vector>

#include "solver/result/result.h"

namespace plenum {

// The moves of a position in board order with the values after them; none where it has ended.
absl::StatusOr<std::vector<ValuedMove>> moves_by_values(const Result& game, const Position& position);

// Empty where the remoteness that it follows was left out, or a tie's end was not found among many positions.
absl::StatusOr<BestLine> line_by_values(const Result& game, const Position& position);

}  // namespace plenum
