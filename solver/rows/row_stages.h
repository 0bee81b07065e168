// SPDX-License-Identifier: Apache-2.0
// The three stages of solving by rows: codes, facts, remoteness (row_solver.h).
//
// Thread-safety: a stage belongs to one thread; what it reads must not change while it evaluates.
#pragma once

#include "solver/dense/dense_bytes.h"
#include "solver/rows/row_solver.h"

namespace plenum {

// Facts and plies read the codes of the whole board, and in `passed` those after one pass of the tier; plies the best codes of its moves
// (row_best.h) besides.
std::unique_ptr<RowStage> make_stage(DenseLayer layer, const RowGame& game, const RowTier& tier,
                                     const DenseValues& values, const StateBytes& passed, const StateBytes& best);

}  // namespace plenum
