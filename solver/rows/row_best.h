// SPDX-License-Identifier: Apache-2.0
// What remoteness is found from: the best code that any move but a pass leads to, and which moves keep it. Both follow from the codes
// of a tier, once these are known, and are found once for all evaluations of its plies.
//
// With and without a pass made a position has the same moves besides the pass. So its own code is the best of the moves', or that of
// passing; in the second case no move keeps its value.
//
// Thread-safety: uses all cores.
#pragma once

#include "solver/rows/row_solver.h"

namespace plenum {

// Of own blocks, by state and local place and row order, where the codes are there that are read of others; in the tier, `kept` of its blocks in place of where moves are legal.
StateBytes find_best(const RowGame& game, const DenseValues& values, RowTier& tier);

}  // namespace plenum
