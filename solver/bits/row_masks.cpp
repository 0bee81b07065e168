// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/row_masks.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::uint8_t kNoSelector = 33;

}  // namespace

void RowMasks::begin(CellSet occupied) {
  ConditionTables::begin(occupied);
  ++stamp_;
}

const RowMasks::Mask& RowMasks::mask(const Table& from, const Table& to, std::uint8_t selector, bool own) {
  static const Mask kNone = {0, {}, true};
  if (from.none || to.none) return kNone;
  // A condition on a stone that is carried has its own cell for the selector.
  const bool alone = to.all && from.cell == selector;
  if (alone && from.id >= alone_.size()) alone_.resize(size() + 1);
  if (alone && alone_[from.id][own ? 1 : 0] != nullptr) return *alone_[from.id][own ? 1 : 0];
  const std::uint64_t key = std::uint64_t{from.id} | std::uint64_t{to.id} << 28 | std::uint64_t{selector} << 56 |
                            (own ? std::uint64_t{1} << 63 : 0);
  auto& last = last_[(own ? 2U : 0U) + (to.all ? 1U : 0U)];
  if (last.second == nullptr || last.first != key) last = {key, &make_mask(key, from, to, selector, own)};
  if (alone) alone_[from.id][own ? 1 : 0] = last.second;
  return *last.second;
}

const RowMasks::Mask& RowMasks::mask(const Table& table, bool own) { return mask(table, always(), kNoSelector, own); }

const RowMasks::Mask& RowMasks::make_mask(std::uint64_t key, const Table& a, const Table& b, std::uint8_t selector,
                                          bool own) {
  std::unique_ptr<Mask>& found = masks_[key];
  if (found != nullptr) return *found;
  found = std::make_unique<Mask>();
  found->id = static_cast<std::uint32_t>(masks_.size());
  CellSet cells = a.cells | b.cells;
  if (selector < kAdded) cells |= cell_bit(selector);
  BitMask& truth = found->truth;
  truth.cells = cells_of_mask(cells);
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
