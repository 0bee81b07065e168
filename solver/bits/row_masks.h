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
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

#include "solver/bits/bit_masks.h"
#include "variants/rows/row_rules.h"

namespace plenum {

class RowMasks {
 public:
  static constexpr int kMostCells = 12;  // that decide a move
  static constexpr std::uint8_t kAdded = BitMask::kAdded;

  // A truth by the colours of some cells and the selector.
  struct Mask {
    std::uint32_t id = 0;
    BitMask truth;
    bool none = false;
  };
  // A truth by the colours of some cells, the lowest bit 0.
  struct Table {
    std::uint32_t id = 0;
    Cell cell = kNoCell;  // that it is about
    CellSet cells = 0;
    std::vector<std::uint64_t> bits;
    bool none = false;  // it never holds
    bool all = false;
    // The masks of it alone for a stone on its cell, for the other player's and the frame's.
    mutable std::array<const Mask*, 2> alone = {};
    bool at(CellSet own) const;  // where these cells hold stones of who moves
  };
  explicit RowMasks(const RowRules& rules);
  // Whether more cells than that decide a move on some set.
  static std::optional<std::string> obstacle(const RowRules& rules);

  // A condition on any set; and on the set of the row at hand.
  const Table& table(const RowWays::Condition& condition, CellSet occupied);
  void begin(CellSet occupied);
  const Table& to(const RowWays& ways, Cell cell) { return table(ways.to_cell(cell), occupied_); }
  const Table& from(const RowWays& ways) { return ways.from ? table(*ways.from, occupied_) : always_; }
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
  using CellTables = std::vector<const Table*>;  // of a cell, by set
  struct Found {
    CellSet seen = ~CellSet{0};  // occupied cells that decide conditions on it
    CellTables* tables = nullptr;
  };
  const Table& find(const RowWays::Condition& condition, CellSet occupied);

  const RowRules& rules_;
  RowRules::Scratch scratch_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Table>> tables_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Mask>> masks_;
  const Table always_ = {0, kNoCell, 0, {}, false, true, {}};
  CellSet occupied_ = 0;
  std::uint64_t stamp_ = 0;                // of the row at hand
  std::array<CellSet, kAdded> seen_ = {};  // by cell: what decides any condition on it
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<CellTables>> by_cell_;
  std::array<Found, kAdded> last_at_ = {};  // by cell
  std::array<std::pair<std::uint64_t, const Mask*>, 4> last_ = {};
  std::array<Kept, 4> kept_;
  std::size_t next_kept_ = 0;
};

}  // namespace plenum
