// SPDX-License-Identifier: Apache-2.0
// Where a move is there, over all colourings of an occupied set (solver/rows/condition_tables.h), spelled as masks of vectors for BitGather.
//
// A row is seen in the frame of one player: bit i of a number is 1 where the i-th lowest occupied cell holds a stone of theirs. Both
// players' moves are in one mask: an axis, the selector, says whose move it is, and for the other player's move a position is looked at
// with its colours exchanged.
//
// Thread-safety: an object belongs to one thread. What it finds depends on the rules alone.
// Cost: 20 ns for what was found before; 0.1 us to spell a mask.
// Source: truth tables as words, as in Knuth, TAOCP 4A, 7.1.3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

#include "solver/rows/condition_tables.h"

namespace plenum {

class RowMasks : public ConditionTables {
 public:
  static constexpr std::uint8_t kAdded = BitMask::kAdded;

  // A truth by the colours of some cells and the selector.
  struct Mask {
    std::uint32_t id = 0;
    BitMask truth;
    bool none = false;
  };
  using ConditionTables::ConditionTables;

  void begin(CellSet occupied);
  // Where the player who is chosen by the selector, a cell or kAdded, meets both: the frame's player where its bit is `own`.
  const Mask& mask(const Table& from, const Table& to, std::uint8_t selector, bool own);
  // One for the frame's player, or the other.
  const Mask& mask(const Table& table, bool own);
  // axes[cell]: its axis, of the row at hand. The result stays until three others are spelled.
  const BitMaskVectors& spell(const Mask& mask, const std::array<std::uint8_t, kAdded + 1>& axes);

 private:
  const Mask& make_mask(std::uint64_t key, const Table& a, const Table& b, std::uint8_t selector, bool own);
  struct Kept {
    std::uint64_t stamp = 0;
    std::uint32_t id = 0;
    BitMaskVectors spelled;
  };

  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Mask>> masks_;
  // By a table's id: the masks of it alone for a stone on its cell, for the other player's and the frame's.
  std::vector<std::array<const Mask*, 2>> alone_;
  std::uint64_t stamp_ = 0;  // of the row at hand
  std::array<std::pair<std::uint64_t, const Mask*>, 4> last_ = {};
  std::array<Kept, 4> kept_;
  std::size_t next_kept_ = 0;
};

}  // namespace plenum
