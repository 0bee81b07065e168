// SPDX-License-Identifier: Apache-2.0
// The conditions of moves over all colourings of an occupied set: as truth tables over the few cells that decide them, found once for all
// sets that agree on these.
//
// Thread-safety: an object belongs to one thread. What it finds depends on the rules alone.
// Cost: 20 ns for what was found before.
// Source: truth tables as words, as in Knuth, TAOCP 4A, 7.1.3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"

#include "tables/rows/bit_masks.h"
#include "variants/rows/row_rules.h"

namespace plenum {

class ConditionTables {
 public:
  static constexpr int kMostCells = 12;  // that decide a move

  // A truth by the colours of some cells, the lowest bit 0.
  struct Table {
    std::uint32_t id = 0;  // of always(): 0; others count from 1
    Cell cell = kNoCell;   // that it is about
    CellSet cells = 0;
    BitMask truth;
    bool none = false;  // it never holds
    bool all = false;
    bool at(CellSet own) const;  // where these cells hold stones of who moves
  };
  explicit ConditionTables(const RowRules& rules);
  // Whether more cells than that decide a move on some set.
  static std::optional<std::string> obstacle(const RowRules& rules);

  // A condition on any set; and on the set of the row at hand.
  const Table& table(const RowWays::Condition& condition, CellSet occupied);
  void begin(CellSet occupied) { occupied_ = occupied; }
  const Table& to(const RowWays& ways, Cell cell) { return table(ways.to_cell(cell), occupied_); }
  const Table& from(const RowWays& ways) { return ways.from ? table(*ways.from, occupied_) : always_; }
  const Table& always() const { return always_; }
  std::size_t size() const { return tables_.size(); }

 private:
  using CellTables = std::vector<const Table*>;  // of a cell, by set
  struct Found {
    CellSet seen = ~CellSet{0};  // occupied cells that decide conditions on it
    CellTables* tables = nullptr;
  };
  const Table& find(const RowWays::Condition& condition, CellSet occupied);

  const RowRules& rules_;
  RowRules::Scratch scratch_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Table>> tables_;
  const Table always_ = {0, kNoCell, 0, {{}, {1}}, false, true};
  CellSet occupied_ = 0;
  std::array<CellSet, BitMask::kAdded> seen_ = {};  // by cell: what decides any condition on it
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<CellTables>> by_cell_;
  std::array<Found, BitMask::kAdded> last_at_ = {};  // by cell
};

}  // namespace plenum
