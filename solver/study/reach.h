// SPDX-License-Identifier: Apache-2.0
// The shortest lines of moves from a position to one where a goal holds, how many they are, or a proof of none.
//
// Breadth first, layer by layer, over positions up to those symmetries that leave the goal as it is (exact keys, so
// that nothing is taken for something else). All members of a class have equally many moves into each class, so where
// the goal has been found, the number of lines is summed layer by layer from it back to the start: for each position
// over its moves into the next layer. The line shown takes the first move in board order that keeps on such a line, so
// it is the same for any number of threads.
//
// Where the goal bounds how many plies it still takes (goal.h), positions from which it can never hold again are
// dropped, and with a limit of plies those from which it is too far; without --depth the limit rises in growing steps,
// if it says anything at the start. Both keep every shortest line, since the bound is admissible: a position on a line
// of n plies, g from its start, is at most n - g from the goal, so it is not dropped while the limit is n or more; and
// it is found at g, since no position before it on the line is dropped either. The language has no inverse of moves, so
// there is no search from the goal.
//
// Sources: breadth-first heuristic search (Zhou and Hansen, 2006), its limit raised in doubling steps; sharded
// frontiers as in enumerate.h.
// Memory: kept within `memory_bytes`, counting the index, the queue, and what tracing the lines back will take.
// Thread-safety: uses all cores; the arguments are only read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <absl/numeric/int128.h>

#include "solver/result/summary.h"
#include "variants/rules/goal.h"
#include "variants/rules/variant.h"

namespace plenum {

struct ReachProgress {
  int plies = 0;                // of the layer at hand
  std::uint64_t positions = 0;  // up to symmetry
};

struct ReachOptions {
  std::uint64_t memory_bytes = ~std::uint64_t{0};           // for the process as a whole
  std::optional<int> depth;                                 // look no farther
  bool use_bound = true;                                    // false: plain breadth first, for comparison
  std::function<bool(const ReachProgress&)> progress = {};  // returns false to stop
};

struct Reach {
  std::optional<Line> line;     // a shortest one; none: there is none, or none within `depth`
  absl::uint128 lines = 0;      // how many shortest ones, as sequences of moves; the greatest number: at least so many
  bool exhausted = false;       // without a line: there is none however long
  int proven_plies = 0;         // without a line: there is none of so many plies or fewer
  std::uint64_t looked_at = 0;  // positions up to symmetry, by the last limit of plies
  std::optional<std::uint64_t> unreduced;  // as many without symmetry; unknown where the players are exchanged, or the
                                           // start is not symmetric
  std::uint64_t moves_cut = 0;             // moves not followed, as the goal is too far away or out of reach after them
};

// Errors: kResourceExhausted, and kCancelled where progress said so; both say what is proven. kInvalidArgument where an
// effect drives a number out of its range.
absl::StatusOr<Reach> reach(const Variant& variant, const Goal& goal, const Position& start,
                            const ReachOptions& options);

}  // namespace plenum
