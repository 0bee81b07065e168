// SPDX-License-Identifier: Apache-2.0
// Where a move is there, over all colourings of an occupied set: as truth tables over the few cells that decide it, found once for all sets
// that agree on these, and spelled as masks of vectors for BitGather.
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
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"

#include "variants/rows/row_rules.h"

namespace plenum {

class RowMasks {
 public:
  static constexpr int kMostCells = 12;  // that decide a move
  static constexpr std::uint8_t kAdded = 32;  // in place of a cell: the stone that a move adds

  // A truth by the colours of some cells, the lowest bit 0.
  struct Table {
    std::uint32_t id = 0;
    CellSet cells = 0;
    std::vector<std::uint64_t> bits;
    bool none = false;  // it never holds
    bool all = false;
    bool at(CellSet own) const;  // where these cells hold stones of who moves
  };
  // The same by the selector and the cells. Its lowest bit is the selector's.
  struct Mask {
    std::uint32_t id = 0;
    std::vector<std::uint8_t> cells;  // by bit
    std::vector<std::uint64_t> bits;
    bool none = false;
  };
  // A mask as vectors.
  struct Spelled {
    std::vector<std::uint64_t> words;
    std::vector<std::uint8_t> nonzero;
    std::array<std::uint16_t, 32> weight = {};  // by axis
  };

  explicit RowMasks(const RowRules& rules) : rules_(rules), scratch_(rules) {}
  // Whether more cells than that decide a move on some set.
  static std::optional<std::string> obstacle(const RowRules& rules);

  const Table& table(const RowWay::Condition& condition, CellSet occupied);
  // Where the player has the move who is chosen by the selector: a cell, or kAdded. The player of the frame where its bit is `own`, and
  // what is at the cell when they move.
  const Mask& mask(const RowWay& way, CellSet occupied, std::uint8_t selector, bool own);
  // A condition by itself, for the player of the frame or the other.
  const Mask& mask(const RowWay::Condition& condition, CellSet occupied, bool own);
  // axes[cell]: its axis. The result stays until three others are spelled.
  const Spelled& spell(const Mask& mask, const std::array<std::uint8_t, kAdded + 1>& axes, std::uint64_t stamp);

 private:
  const Mask& joined(const Table& a, const Table& b, std::uint8_t selector, bool own);
  struct Kept {
    std::uint64_t stamp = 0;
    std::uint32_t id = 0;
    Spelled spelled;
  };

  const RowRules& rules_;
  RowRules::Scratch scratch_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Table>> tables_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Mask>> masks_;
  const Table always_ = {0, 0, {}, false, true};
  std::array<Kept, 4> kept_;
  std::size_t next_kept_ = 0;
};

}  // namespace plenum
