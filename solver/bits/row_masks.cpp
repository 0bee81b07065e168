// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/row_masks.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::uint8_t kNoSelector = 33;

bool bit(const std::vector<std::uint64_t>& bits, std::size_t at) { return (bits[at / 64] >> (at % 64) & 1) != 0; }

std::vector<std::uint8_t> cells_of(CellSet set) {
  std::vector<std::uint8_t> out;
  for (CellSet rest = set; rest != 0; rest &= rest - 1)
    out.push_back(static_cast<std::uint8_t>(std::countr_zero(rest)));
  return out;
}

}  // namespace

bool RowMasks::Table::at(CellSet own) const { return all || (!none && bit(bits, extract(own, cells))); }

RowMasks::RowMasks(const RowRules& rules) : rules_(rules), scratch_(rules) {
  for (int cell = 0; cell < rules.variant().board().size(); ++cell) {
    for (std::size_t set = 0; set < rules.sets(); ++set)
      seen_[static_cast<std::size_t>(cell)] |=
          rules.looked_at({static_cast<int>(set), static_cast<Cell>(cell), kNoCell});
  }
}

std::optional<std::string> RowMasks::obstacle(const RowRules& rules) {
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

const RowMasks::Table& RowMasks::find(const RowWays::Condition& condition, CellSet occupied) {
  const CellSet seen = occupied & rules_.looked_at(condition);
  const std::uint64_t key = std::uint64_t{seen} | static_cast<std::uint64_t>(condition.set) << 32 |
                            std::uint64_t{condition.cell} << 48 | (std::uint64_t{condition.origin} & 63) << 56;
  std::unique_ptr<Table>& found = tables_[key];
  if (found == nullptr) {
    found = std::make_unique<Table>();
    found->id = static_cast<std::uint32_t>(tables_.size());
    found->cell = condition.cell;
    BitMask truth = {cells_of(seen), {}};
    rules_.column(condition, seen, scratch_, truth.bits);
    truth.simplify();
    for (const std::uint8_t cell : truth.cells) found->cells |= cell_bit(cell);
    found->bits = std::move(truth.bits);
    if (found->cells == 0) (bit(found->bits, 0) ? found->all : found->none) = true;
  }
  return found->all ? always_ : *found;
}

void RowMasks::begin(CellSet occupied) {
  occupied_ = occupied;
  ++stamp_;
}

// One look-up for all conditions on a cell, and none where what decides them is as it was.
const RowMasks::Table& RowMasks::table(const RowWays::Condition& condition, CellSet occupied) {
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

const RowMasks::Mask& RowMasks::mask(const Table& from, const Table& to, std::uint8_t selector, bool own) {
  static const Mask kNone = {0, {}, true};
  if (from.none || to.none) return kNone;
  // A condition on a stone that is carried has its own cell for the selector.
  const bool alone = to.all && from.cell == selector;
  const Mask*& known = from.alone[own ? 1 : 0];
  if (alone && known != nullptr) return *known;
  const std::uint64_t key = std::uint64_t{from.id} | std::uint64_t{to.id} << 28 | std::uint64_t{selector} << 56 |
                            (own ? std::uint64_t{1} << 63 : 0);
  auto& last = last_[(own ? 2U : 0U) + (to.all ? 1U : 0U)];
  if (last.second == nullptr || last.first != key) last = {key, &make_mask(key, from, to, selector, own)};
  if (alone) known = last.second;
  return *last.second;
}

const RowMasks::Mask& RowMasks::mask(const Table& table, bool own) { return mask(table, always_, kNoSelector, own); }

const RowMasks::Mask& RowMasks::make_mask(std::uint64_t key, const Table& a, const Table& b, std::uint8_t selector,
                                          bool own) {
  std::unique_ptr<Mask>& found = masks_[key];
  if (found != nullptr) return *found;
  found = std::make_unique<Mask>();
  found->id = static_cast<std::uint32_t>(masks_.size());
  CellSet cells = a.cells | b.cells;
  if (selector < kAdded) cells |= cell_bit(selector);
  BitMask& truth = found->truth;
  truth.cells = cells_of(cells);
  if (selector == kAdded) truth.cells.push_back(kAdded);
  const std::size_t size = std::size_t{1} << truth.cells.size();
  truth.bits.assign(BitMask::words(truth.cells.size()), 0);
  found->none = true;
  for (std::size_t i = 0; i < size; ++i) {
    CellSet frames = 0;  // cells with a stone of the frame's player
    bool selected = true;
    for (std::size_t k = 0; k < truth.cells.size(); ++k) {
      const bool set = (i >> k & 1) != 0;
      if (set && truth.cells[k] < kAdded) frames |= cell_bit(truth.cells[k]);
      if (truth.cells[k] == selector) selected = set;
    }
    const CellSet movers = selected == own ? frames : ~frames;
    if (!a.at(movers) || !b.at(movers)) continue;
    truth.bits[i / 64] |= std::uint64_t{1} << (i % 64);
    found->none = false;
  }
  return *found;
}

const BitMaskVectors& RowMasks::spell(const Mask& mask, const std::array<std::uint8_t, kAdded + 1>& axes) {
  for (const Kept& kept : kept_) {
    if (kept.stamp == stamp_ && kept.id == mask.id) return kept.spelled;
  }
  Kept& kept = kept_[next_kept_];
  next_kept_ = (next_kept_ + 1) % kept_.size();
  kept.stamp = stamp_;
  kept.id = mask.id;
  kept.spelled.spell(mask.truth, axes);
  return kept.spelled;
}

}  // namespace plenum
