// SPDX-License-Identifier: Apache-2.0
// The shortest lines of play from the start of a solved game to positions of some kind.
//
// Breadth first over the graph, each position as the stored one p with the group element g that it is the image of, so that
// the lines are of positions as they are and not up to symmetry. Among lines of equal length one with the fewest moves
// that give value away is taken, then the one found first; so a line does not depend on the number of threads.
//
// Thread-safety: may be called from any thread.
// Cost: 12 bytes a position visited and a bit a position of the game; about 20 ns a move followed.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "solver/graph/analysis.h"
#include "solver/result/summary.h"

namespace plenum {

// Whether a position may stand for its symmetric images: then the goal may not tell them apart.
enum class LinesFold { up_to_symmetry, none };
// Of the position g p.
using LineGoal = std::function<absl::StatusOr<bool>(PositionIndex p, GroupElement g)>;

// Lines to at most `most` goals, the nearest first. Errors: those of the goal, and of making moves.
absl::StatusOr<std::vector<Line>> shortest_lines(const SolvedGame& game, LinesFold fold, const LineGoal& goal,
                                                 std::size_t most);

}  // namespace plenum
