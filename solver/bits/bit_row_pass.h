// SPDX-License-Identifier: Apache-2.0
// Private to solver/bits/bit_row*.cpp. Thread-safety: a value.
#pragma once

#include "solver/bits/bit_row_solver.h"

namespace plenum {

// A pass of one player, by vector: where it is legal.
class BitRowSolver::PassBits {
 public:
  PassBits(const BitRowRules& rules, CellSet set, bool frames, BitRowWorker& w) {
    if (!rules.passes) return;
    const RowWays::Condition pass = *rules.game.rules().pass();
    const RowMasks::Table& table = w.masks.table(pass, set);
    all_ = table.all;
    if (!table.all && !table.none) spelled_ = &w.masks.spell(w.masks.mask(table, frames), w.axes);
  }
  BitWord at(std::size_t word) const {
    if (spelled_ == nullptr) return all_ ? ~BitWord{0} : 0;
    std::size_t mask = 0;
    const std::size_t vector = word / kVectorWords;
    for (std::size_t axis = kVectorAxes; vector >> (axis - kVectorAxes) != 0; ++axis)
      mask += (vector >> (axis - kVectorAxes) & 1) != 0 ? spelled_->weight[axis] : 0;
    return spelled_->words[mask * kVectorWords + word % kVectorWords];
  }

 private:
  bool all_ = false;
  const BitMaskVectors* spelled_ = nullptr;
};

}  // namespace plenum
