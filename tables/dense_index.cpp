// SPDX-License-Identifier: Apache-2.0
#include "tables/dense_index.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

// Bits of `value`, lowest first, to the places of the bits of `mask`; and back.
std::uint64_t deposit(std::uint64_t value, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (; mask != 0 && value != 0; mask &= mask - 1, value >>= 1) {
    if ((value & 1) != 0) out |= mask & -mask;
  }
  return out;
}

std::uint64_t extract(std::uint64_t value, std::uint64_t mask) {
  std::uint64_t out = 0;
  for (int at = 0; mask != 0; mask &= mask - 1, ++at) {
    if ((value & mask & -mask) != 0) out |= std::uint64_t{1} << at;
  }
  return out;
}

}  // namespace

std::optional<std::string> DenseIndex::obstacle(const Variant& variant) {
  const int cells = variant.board().size();
  if (cells > kMostCells)
    return absl::StrCat("the board has ", cells, " cells, and boards of up to ", kMostCells, " can be numbered");
  double boards = 1;
  for (int c = 0; c < cells; ++c) boards *= variant.rule_set().layout.count() + 1;
  if (boards > 1e15) return "there are too many boards";
  return std::nullopt;
}

DenseIndex::DenseIndex(const Variant& variant)
    : variant_(variant), cells_(variant.board().size()), planes_(variant.rule_set().layout.count()) {
  const SymmetryGroup& symmetries = variant.symmetries();
  for (std::size_t g = 0; g < symmetries.size(); ++g) {
    if (!symmetries.elements()[g].exchange) {
      plain_.push_back(static_cast<GroupElement>(g));
    } else if (exchange_ == kIdentity) {
      exchange_ = static_cast<GroupElement>(g);
    }
  }
  const RuleSet& rules = variant.rule_set();
  if (rules.passes_live) fields_.push_back({-1, static_cast<std::uint32_t>(rules.passes_cap + 1)});
  for (std::size_t s = 0; s < rules.slots.size(); ++s) {
    const StateSlot& slot = rules.slots[s];
    if (!slot.live) continue;
    const std::int64_t values = slot.type == StateDescription::Type::player ? 3
                                : slot.type == StateDescription::Type::boolean
                                    ? 2
                                    : slot.range.greatest - slot.range.least + 1;
    fields_.push_back({static_cast<int>(s), static_cast<std::uint32_t>(values)});
  }
  if (exchange_ == kIdentity) fields_.push_back({-2, 2});
  for (const Field& f : fields_) layers_ *= f.values;

  power_.assign(static_cast<std::size_t>(cells_) + 1, 1);
  for (std::size_t n = 1; n < power_.size(); ++n) power_[n] = power_[n - 1] * static_cast<BoardIndex>(planes_);

  const std::size_t sets = std::size_t{1} << cells_;
  constexpr BlockIndex kNone = ~BlockIndex{0};
  block_of_.assign(sets, kNone);
  element_.assign(sets, kIdentity);
  // Sets in rising order, so the first of an orbit is its least.
  for (std::size_t set = 0; set < sets; ++set) {
    if (block_of_[set] != kNone) continue;
    Block block;
    block.set = set;
    block.stones = std::popcount(set);
    block.sets = 0;
    block.stabilizer = 0;
    for (const GroupElement g : plain_) {
      const CellSet image = symmetries.apply(g, set);
      if (image == set) ++block.stabilizer;
      if (block_of_[image] != kNone) continue;
      ++block.sets;
      block_of_[image] = static_cast<BlockIndex>(blocks_.size());
      element_[image] = symmetries.group().inverse(g);
    }
    blocks_.push_back(block);
  }
  std::vector<BlockIndex> order(blocks_.size());
  for (BlockIndex b = 0; b < order.size(); ++b) order[b] = b;
  std::stable_sort(order.begin(), order.end(),
                   [&](BlockIndex a, BlockIndex b) { return blocks_[a].stones < blocks_[b].stones; });
  std::vector<Block> sorted;
  sorted.reserve(blocks_.size());
  std::vector<BlockIndex> renumbered(blocks_.size());
  by_stones_.assign(static_cast<std::size_t>(cells_) + 2, 0);
  for (const BlockIndex b : order) {
    renumbered[b] = static_cast<BlockIndex>(sorted.size());
    sorted.push_back(blocks_[b]);
    sorted.back().base = boards_;
    boards_ += size(sorted.back());
    ++by_stones_[static_cast<std::size_t>(blocks_[b].stones) + 1];
  }
  for (std::size_t n = 1; n < by_stones_.size(); ++n) by_stones_[n] += by_stones_[n - 1];
  blocks_ = std::move(sorted);
  for (BlockIndex& b : block_of_) b = renumbered[b];
}

BoardIndex DenseIndex::numeral(CellSet set, const CellSet* planes) const {
  if (planes_ == 2) return extract(planes[1], set);
  BoardIndex out = 0;
  std::size_t rank = 0;
  for (CellSet rest = set; rest != 0; rest &= rest - 1, ++rank) {
    const CellSet bit = rest & -rest;
    for (int p = 1; p < planes_; ++p) {
      if ((planes[p] & bit) != 0) out += static_cast<BoardIndex>(p) * power_[rank];
    }
  }
  return out;
}

void DenseIndex::read_numeral(CellSet set, BoardIndex numeral, CellSet* planes) const {
  if (planes_ == 2) {
    planes[1] = deposit(numeral, set);
    planes[0] = set & ~planes[1];
    return;
  }
  for (int p = 0; p < planes_; ++p) planes[p] = 0;
  for (CellSet rest = set; rest != 0; rest &= rest - 1) {
    planes[numeral % static_cast<BoardIndex>(planes_)] |= rest & -rest;
    numeral /= static_cast<BoardIndex>(planes_);
  }
}

std::uint32_t DenseIndex::layer(const Position& p) const {
  std::uint32_t out = 0;
  for (const Field& f : fields_) {
    const std::uint32_t value = f.slot == -1   ? p.passes
                                : f.slot == -2 ? (p.mover == Player::second ? 1U : 0U)
                                               : p.state[static_cast<std::size_t>(f.slot)];
    out = out * f.values + value;
  }
  return out;
}

void DenseIndex::read_layer(std::uint32_t layer, Position& p) const {
  for (std::size_t i = fields_.size(); i-- > 0;) {
    const Field& f = fields_[i];
    const std::uint32_t value = layer % f.values;
    layer /= f.values;
    if (f.slot == -1) {
      p.passes = static_cast<std::uint8_t>(value);
    } else if (f.slot == -2) {
      p.mover = value != 0 ? Player::second : Player::first;
    } else {
      p.state[static_cast<std::size_t>(f.slot)] = static_cast<std::uint8_t>(value);
    }
  }
}

DenseIndex::Place DenseIndex::place(const Position& position) const {
  const SymmetryGroup& symmetries = variant_.symmetries();
  Position p = position;
  if (exchange_ != kIdentity && p.mover == Player::second) p = symmetries.apply(exchange_, p);
  CellSet occupied = 0;
  for (int k = 0; k < planes_; ++k) occupied |= p.planes[static_cast<std::size_t>(k)];
  const GroupElement g = element_[occupied];
  if (g != kIdentity) p = symmetries.apply(g, p);
  const Block& block = blocks_[block_of_[occupied]];
  return {layer(p), block.base + numeral(block.set, p.planes.data())};
}

const Block& DenseIndex::block_at(BoardIndex board) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), board,
                                      [](BoardIndex b, const Block& block) { return b < block.base; });
  return *(after - 1);
}

Position DenseIndex::position(Place place) const {
  Position out;
  const Block& block = block_at(place.board);
  read_numeral(block.set, place.board - block.base, out.planes.data());
  read_layer(place.layer, out);
  return out;
}

}  // namespace plenum
