// SPDX-License-Identifier: Apache-2.0
// The three stages of solving by rows: codes, facts, remoteness (row_solver.h).
//
// Thread-safety: a stage belongs to one thread; what it reads must not change while it evaluates.
#pragma once

#include <initializer_list>

#include "solver/dense/dense_bytes.h"
#include "solver/rows/row_solver.h"

namespace plenum {

// What the moves of a tier that add a stone come to, folded for one stage, block by block. Blocks may be kept and loaded at the same time,
// but not the same one.
class AddedFolds {
 public:
  // Held for a position in one state.
  static constexpr std::uint64_t bytes(DenseLayer layer) { return layer == DenseLayer::codes ? 2 : 1; }
  AddedFolds(const RowTier& tier, std::uint32_t states, DenseLayer layer);
  // False: not kept yet.
  bool load(const RowTier& tier, const RowBlock& rows, std::initializer_list<StateBytes*> to) const;
  void keep(const RowTier& tier, const RowBlock& rows, std::initializer_list<StateBytes*> from);

 private:
  std::vector<std::uint8_t> kept_;  // by block
  StateBytes rows_;
};

// Facts and plies read the codes of the whole board, and in `passed` those after one pass of the tier; plies the best codes of its moves
// (row_best.h) besides. With `added` every block is evaluated more than once.
std::unique_ptr<RowStage> make_stage(DenseLayer layer, const RowGame& game, const RowTier& tier,
                                     const DenseValues& values, const StateBytes& passed, const StateBytes& best,
                                     AddedFolds* added = nullptr);

}  // namespace plenum
