// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/row_masks.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "tables/rows/bit_gather.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::uint8_t kNoSelector = 33;
constexpr int kWordAxes = 6;

bool bit(const std::vector<std::uint64_t>& bits, std::size_t at) { return (bits[at / 64] >> (at % 64) & 1) != 0; }

// Leaves out a cell on which nothing depends, if there is one.
bool drop_cell(CellSet& cells, std::vector<std::uint64_t>& bits) {
  const int count = std::popcount(cells);
  CellSet rest = cells;
  for (int k = 0; k < count; ++k, rest &= rest - 1) {
    const std::size_t step = std::size_t{1} << k;
    bool matters = false;
    for (std::size_t i = 0; i < std::size_t{1} << count && !matters; ++i)
      matters = (i & step) == 0 && bit(bits, i) != bit(bits, i | step);
    if (matters) continue;
    std::vector<std::uint64_t> fewer((bits.size() + 1) / 2, 0);
    for (std::size_t i = 0; i < std::size_t{1} << (count - 1); ++i) {
      const std::size_t from = (i & (step - 1)) | (i & ~(step - 1)) << 1;
      if (bit(bits, from)) fewer[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    bits = std::move(fewer);
    cells &= ~(rest & -rest);
    return true;
  }
  return false;
}

}  // namespace

bool RowMasks::Table::at(CellSet own) const {
  return all || (!none && bit(bits, extract(own, cells)));
}

std::optional<std::string> RowMasks::obstacle(const RowRules& rules) {
  int most = 0;
  const CellSet all = rules.variant().board().all();
  const auto look = [&](const RowWay& way) {
    CellSet cells = rules.looked_at(way.to);
    if (way.from) cells |= rules.looked_at(*way.from) | cell_bit(way.move.from);
    most = std::max(most, std::popcount(cells));
    return true;
  };
  // Of every move between two cells, whatever stands elsewhere.
  for (CellSet rest = all; rest != 0; rest &= rest - 1) rules.ways(rest & -rest, look);
  rules.ways(all, look);
  if (const auto pass = rules.pass()) most = std::max(most, std::popcount(rules.looked_at(*pass)));
  if (most <= kMostCells) return std::nullopt;
  return absl::StrCat("whether a move is legal may depend on ", most, " cells at once, and on ", kMostCells,
                      " at most that is worked out for a whole row of positions");
}

const RowMasks::Table& RowMasks::table(const RowWay::Condition& condition, CellSet occupied) {
  const CellSet seen = occupied & rules_.looked_at(condition);
  const std::uint64_t key = std::uint64_t{seen} | static_cast<std::uint64_t>(condition.set) << 32 |
                            std::uint64_t{condition.cell} << 48 | (std::uint64_t{condition.origin} & 63) << 56;
  std::unique_ptr<Table>& found = tables_[key];
  if (found != nullptr) return *found;
  found = std::make_unique<Table>();
  found->id = static_cast<std::uint32_t>(tables_.size());
  found->cells = seen;
  rules_.column(condition, seen, scratch_, found->bits);
  while (drop_cell(found->cells, found->bits)) {
  }
  if (found->cells == 0) (bit(found->bits, 0) ? found->all : found->none) = true;
  return *found;
}

const RowMasks::Mask& RowMasks::mask(const RowWay& way, CellSet occupied, std::uint8_t selector, bool own) {
  const Table& from = way.from ? table(*way.from, occupied) : always_;
  static const Mask kNone = {0, {}, {}, true};
  if (from.none) return kNone;
  const Table& to = table(way.to, occupied);
  if (to.none) return kNone;
  return joined(from, to, selector, own);
}

const RowMasks::Mask& RowMasks::mask(const RowWay::Condition& condition, CellSet occupied, bool own) {
  return joined(table(condition, occupied), always_, kNoSelector, own);
}

const RowMasks::Mask& RowMasks::joined(const Table& a, const Table& b, std::uint8_t selector, bool own) {
  const std::uint64_t key =
      std::uint64_t{a.id} | std::uint64_t{b.id} << 28 | std::uint64_t{selector} << 56 | (own ? std::uint64_t{1} << 63 : 0);
  std::unique_ptr<Mask>& found = masks_[key];
  if (found != nullptr) return *found;
  found = std::make_unique<Mask>();
  found->id = static_cast<std::uint32_t>(masks_.size());
  CellSet cells = a.cells | b.cells;
  if (selector < kNoSelector) found->cells.push_back(selector);
  if (selector < kAdded) cells &= ~cell_bit(selector);
  for (CellSet rest = cells; rest != 0; rest &= rest - 1)
    found->cells.push_back(static_cast<std::uint8_t>(std::countr_zero(rest)));
  const std::size_t size = std::size_t{1} << found->cells.size();
  found->bits.assign((size + 63) / 64, 0);
  found->none = true;
  for (std::size_t i = 0; i < size; ++i) {
    CellSet frames = 0;  // cells with a stone of the frame's player
    for (std::size_t k = 0; k < found->cells.size(); ++k) {
      if ((i >> k & 1) != 0 && found->cells[k] < kAdded) frames |= cell_bit(found->cells[k]);
    }
    const bool frame_moves = selector == kNoSelector ? own : ((i & 1) != 0) == own;
    const CellSet movers = frame_moves ? frames : ~frames;
    if (!a.at(movers) || !b.at(movers)) continue;
    found->bits[i / 64] |= std::uint64_t{1} << (i % 64);
    found->none = false;
  }
  return *found;
}

const RowMasks::Spelled& RowMasks::spell(const Mask& mask, const std::array<std::uint8_t, kAdded + 1>& axes,
                                         std::uint64_t stamp) {
  for (const Kept& kept : kept_) {
    if (kept.stamp == stamp && kept.id == mask.id) return kept.spelled;
  }
  Kept& kept = kept_[next_kept_];
  next_kept_ = (next_kept_ + 1) % kept_.size();
  kept.stamp = stamp;
  kept.id = mask.id;
  Spelled& out = kept.spelled;
  out.weight.fill(0);
  // Bits of the table by where their axes are: in a word, between the words of a vector, between vectors.
  std::array<std::size_t, kMostCells + 1> in_word = {};
  std::array<std::uint64_t, kMostCells + 1> pattern = {};
  std::array<std::size_t, kMostCells + 1> between = {};
  std::size_t inside = 0;
  std::size_t high = 0;
  std::array<std::size_t, kVectorAxes - kWordAxes> by_word = {};
  for (std::size_t k = 0; k < mask.cells.size(); ++k) {
    const std::uint8_t axis = axes[mask.cells[k]];
    const std::size_t bit_of = std::size_t{1} << k;
    if (axis < kWordAxes) {
      pattern[inside] = kAxisBits[axis];
      in_word[inside++] = bit_of;
    } else if (axis < kVectorAxes) {
      by_word[static_cast<std::size_t>(axis - kWordAxes)] = bit_of;
    } else {
      out.weight[axis] = static_cast<std::uint16_t>(1U << high);
      between[high++] = bit_of;
    }
  }
  std::array<std::uint16_t, std::size_t{1} << kWordAxes> offset;
  offset[0] = 0;
  for (std::size_t k = 0; k < inside; ++k) {
    for (std::size_t i = 0; i < std::size_t{1} << k; ++i)
      offset[(std::size_t{1} << k) + i] = static_cast<std::uint16_t>(offset[i] + in_word[k]);
  }
  const std::size_t vectors = std::size_t{1} << high;
  out.words.resize(vectors * kVectorWords);
  out.nonzero.assign(vectors, 0);
  const bool same = by_word[0] + by_word[1] + by_word[2] == 0;  // all words of a vector
  for (std::size_t h = 0; h < vectors; ++h) {
    std::size_t base = 0;
    for (std::size_t k = 0; k < high; ++k) base += (h >> k & 1) != 0 ? between[k] : 0;
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < kVectorWords; ++w) {
      std::uint64_t& word = out.words[h * kVectorWords + w];
      if (same && w > 0) {
        word = out.words[h * kVectorWords];
        continue;
      }
      const std::size_t at =
          base + ((w & 1) != 0 ? by_word[0] : 0) + ((w & 2) != 0 ? by_word[1] : 0) + ((w & 4) != 0 ? by_word[2] : 0);
      std::array<std::uint64_t, std::size_t{1} << kWordAxes> part;
      for (std::size_t i = 0; i < std::size_t{1} << inside; ++i) part[i] = bit(mask.bits, at + offset[i]) ? ~std::uint64_t{0} : 0;
      for (std::size_t k = inside; k-- > 0;) {
        for (std::size_t i = 0; i < std::size_t{1} << k; ++i)
          part[i] = (part[i] & ~pattern[k]) | (part[i + (std::size_t{1} << k)] & pattern[k]);
      }
      word = part[0];
      any |= word;
    }
    out.nonzero[h] = any != 0 ? 1 : 0;
  }
  return out;
}

}  // namespace plenum
