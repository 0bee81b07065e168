// SPDX-License-Identifier: Apache-2.0
// A game solved by rows, for every way to fill its board (row_solver.h).
//
// Positions after a pass have no bytes of their own: their values are those of the moves from there. The parts of a layer are the states.
//
// Thread-safety: immutable.
#pragma once

#include <memory>
#include <utility>

#include "solver/dense/dense_game.h"
#include "solver/rows/row_reach.h"

namespace plenum {

class DenseRowGame final : public DenseGame {
 public:
  DenseRowGame(std::shared_ptr<const RowGame> rows, std::shared_ptr<const DenseBytes> bytes, Data data)
      : DenseGame(DenseMethod::rows, std::move(bytes), std::move(data)), rows_(std::move(rows)) {}

  absl::StatusOr<bool> reachable(const Position& position) const override;
  const DenseIndex& index() const override { return rows_->index(); }

 private:
  Judged::Wanted wanted() const override { return Judged::Wanted::after_pass; }
  absl::Status read_values(std::span<const Position> positions, const Judged& judged,
                           std::span<std::optional<PositionValue>> out) const override;

  std::shared_ptr<const RowGame> rows_;
};

// As solve_dense(), open_dense().
absl::StatusOr<std::shared_ptr<const DenseGame>> solve_by_rows(std::shared_ptr<const RowGame> rows,
                                                               const Position& start, const DenseOptions& options);
absl::StatusOr<std::shared_ptr<const DenseGame>> open_rows(std::shared_ptr<const RowGame> rows,
                                                           std::shared_ptr<const TableReader> table);

// What to find out, with folds kept if they fit the memory.
absl::StatusOr<RowOptions> row_options(const RowGame& game, bool remoteness, std::uint64_t memory_bytes, int ranks = 1);

// Builds a block of each tier to see how many moves it has; the costs of these, and how often a block is evaluated, are those measured
// on other boards. Of several ranks: memory of each, which has its share and of others as much as a stage reads of two tiers.
absl::StatusOr<DensePrediction> predict_rows(const RowGame& game, const RowOptions& options, int ranks = 1);

}  // namespace plenum
