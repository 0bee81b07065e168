// SPDX-License-Identifier: Apache-2.0
// A table of a game whose positions were stored, against the rules and without trust in the solver that made it.
//
// - Reached: all positions are found again from the start, by the rules, as they are and not up to symmetry; each has its entry and no
//   entry is left over.
// - Local: value and remoteness of a position follow from those of its successors. A decided value is proven so, since the plies fall
//   along the moves that keep it; what is not decided then is level, since neither can leave that for the better.
// - Proven: what can be forced, and what can be brought about together, is derived once more from nothing.
// Components and random play, which the summary may have too, are not for this: GraphMethod solves the game again for them.
//
// Positions are expanded by successors(), one by one. Thread-safety: expands on all cores; the result does not depend on their number.
// Memory: 50 bytes a position, 12 to 20 a move, besides the table. Cost: some 3 us a move (2.8 million moves: 9.9 s on two busy cores).
#pragma once

#include "solver/graph/graph_table.h"
#include "solver/verify/verify.h"

namespace plenum {

absl::StatusOr<Verification> verify_graph(const Variant& variant, const Position& start, const GraphTable& table,
                                          const VerifyOptions& options);

}  // namespace plenum
