// SPDX-License-Identifier: Apache-2.0
// The ways that solve a game on a dense index: which one a game takes, and that one (dense_rows.h, one_pass.h).
//
// Thread-safety: no state.
#pragma once

#include <memory>

#include "solver/dense/dense_game.h"

namespace plenum {

// By which of these a game is solved: rows if by both, but where few sets of cells arise on a large board. kUnimplemented with what
// stands in the way of both. The same for a game whatever the machine.
absl::StatusOr<DenseMethod> dense_method(const Variant& variant);

// kUnimplemented, with what stands in the way, for games that cannot be solved so; kResourceExhausted, with what is needed.
absl::StatusOr<std::shared_ptr<const DenseGame>> solve_dense(const Variant& variant, const Position& start,
                                                             const DenseOptions& options);
// The game from its table; kDataLoss if the layers are not those of this game.
absl::StatusOr<std::shared_ptr<const DenseGame>> open_dense(const Variant& variant, DenseMethod method,
                                                            std::shared_ptr<const TableReader> table);

absl::StatusOr<DensePredictions> predict_dense(const Variant& variant);
// Whether `solve` should take this way by itself, within so much memory for the process as a whole.
bool prefers_dense(const Variant& variant, std::uint64_t memory_bytes);

}  // namespace plenum
