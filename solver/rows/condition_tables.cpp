// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/condition_tables.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"

namespace plenum {
namespace {

bool table_bit(const std::vector<std::uint64_t>& bits, std::size_t at) { return (bits[at / 64] >> (at % 64) & 1) != 0; }

}  // namespace

bool ConditionTables::Table::at(CellSet own) const {
  return all || (!none && table_bit(truth.bits, extract(own, cells)));
}

ConditionTables::ConditionTables(const RowRules& rules) : rules_(rules), scratch_(rules) {
  for (int cell = 0; cell < rules.variant().board().size(); ++cell) {
    for (std::size_t set = 0; set < rules.sets(); ++set)
      seen_[static_cast<std::size_t>(cell)] |=
          rules.looked_at({static_cast<int>(set), static_cast<Cell>(cell), kNoCell});
  }
}

std::optional<std::string> ConditionTables::obstacle(const RowRules& rules) {
  int most = 0;
  const CellSet all = rules.variant().board().all();
  const auto look = [&](const RowWays& ways) {
    CellSet from = 0;
    if (ways.from) from = rules.looked_at(*ways.from) | cell_bit(ways.origin());
    for (CellSet rest = ways.to; rest != 0; rest &= rest - 1)
      most = std::max(most,
                      std::popcount(from | rules.looked_at(ways.to_cell(static_cast<Cell>(std::countr_zero(rest))))));
    return true;
  };
  // Of every move between two cells, whatever stands elsewhere.
  for (CellSet rest = all; rest != 0; rest &= rest - 1) rules.ways(rest & -rest, look);
  if (const auto pass = rules.pass()) most = std::max(most, std::popcount(rules.looked_at(*pass)));
  if (most <= kMostCells) return std::nullopt;
  return absl::StrCat("whether a move is legal may depend on ", most, " cells at once, and on ", kMostCells,
                      " at most that is worked out for a whole row of positions");
}

const ConditionTables::Table& ConditionTables::find(const RowWays::Condition& condition, CellSet occupied) {
  const CellSet seen = occupied & rules_.looked_at(condition);
  const std::uint64_t key = std::uint64_t{seen} | static_cast<std::uint64_t>(condition.set) << 32 |
                            std::uint64_t{condition.cell} << 48 | (std::uint64_t{condition.origin} & 63) << 56;
  std::unique_ptr<Table>& found = tables_[key];
  if (found == nullptr) {
    found = std::make_unique<Table>();
    found->id = static_cast<std::uint32_t>(tables_.size());
    found->cell = condition.cell;
    found->truth.cells = cells_of_mask(seen);
    rules_.column(condition, seen, scratch_, found->truth.bits);
    found->truth.simplify();
    for (const std::uint8_t cell : found->truth.cells) found->cells |= cell_bit(cell);
    if (found->cells == 0) (table_bit(found->truth.bits, 0) ? found->all : found->none) = true;
  }
  return found->all ? always_ : *found;
}

// One look-up for all conditions on a cell, and none where what decides them is as it was.
const ConditionTables::Table& ConditionTables::table(const RowWays::Condition& condition, CellSet occupied) {
  if (condition.origin != kNoCell) return find(condition, occupied);
  Found& found = last_at_[condition.cell];
  const CellSet seen = occupied & seen_[condition.cell];
  if (found.seen != seen || found.tables == nullptr) {
    auto& tables = by_cell_[std::uint64_t{seen} | std::uint64_t{condition.cell} << 32];
    if (tables == nullptr) tables = std::make_unique<CellTables>(rules_.sets(), nullptr);
    found = {seen, tables.get()};
  }
  const Table*& one = (*found.tables)[static_cast<std::size_t>(condition.set)];
  if (one == nullptr) one = &find(condition, seen);
  return *one;
}

}  // namespace plenum
