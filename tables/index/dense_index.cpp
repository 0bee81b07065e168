// SPDX-License-Identifier: Apache-2.0
#include "tables/index/dense_index.h"

#include <algorithm>
#include <bit>

#include <absl/strings/str_cat.h>

#include "variants/board/bits.h"
#include "variants/rules/cell_rules.h"

namespace plenum {
namespace {

// Where something stands at the start, or moves and their effects can bring something; of games of two planes both. Where all pieces
// put down are nobody's, the players' own planes stay empty.
std::vector<std::size_t> used_planes(const RuleSet& rules) {
  const int count = rules.layout.count();
  std::vector<bool> used(static_cast<std::size_t>(count), count == 2);
  const auto add = [&](const PlaneChoice& plane) {
    for (const int p : {plane.if_first, plane.if_second}) {
      if (p < 0) continue;
      used[static_cast<std::size_t>(p)] = true;
      used[static_cast<std::size_t>(rules.layout.swapped(p))] = true;
    }
  };
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    if (rules.start[k] != 0) add(rules.plane_of(k));
  }
  for (const auto* moves : {&rules.moves, &rules.parts}) {
    for (const MoveRule& move : *moves) {
      for (const PlaneChoice& put : move.put) add(put);
      for (const Transition& change : move.transitions) {
        if (!change.carried) add(change.to);
      }
    }
  }
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < used.size(); ++p) {
    if (used[p]) out.push_back(p);
  }
  if (out.empty()) out.push_back(0);
  return out;
}

}  // namespace

std::optional<std::string> DenseIndex::obstacle(const Variant& variant) {
  if (variant.rules().cells() == nullptr) return "its boards are numbered by men, not by cells";
  const int cells = variant.board().size();
  if (cells > kMostCells)
    return absl::StrCat("the board has ", cells, " cells, and boards of up to ", kMostCells, " can be numbered");
  double boards = 1;
  for (int c = 0; c < cells; ++c) boards *= static_cast<double>(used_planes(variant.rule_set()).size() + 1);
  if (boards > 1e15) return "there are too many boards";
  return std::nullopt;
}

Folding Folding::everything(const Variant& variant) {
  const SymmetryGroup& symmetries = variant.symmetries();
  Folding out;
  out.plain.clear();
  for (std::size_t g = 0; g < symmetries.size(); ++g) {
    if (!symmetries.elements()[g].exchange) {
      out.plain.push_back(static_cast<GroupElement>(g));
    } else if (out.exchange == kIdentity) {
      out.exchange = static_cast<GroupElement>(g);
    }
  }
  return out;
}

Folding Folding::keeping(const Variant& variant, const Position& start) {
  const SymmetryGroup& symmetries = variant.symmetries();
  const Group& group = symmetries.group();
  Folding out;
  out.plain.clear();
  std::vector<bool> kept(symmetries.size(), false);
  std::size_t exchanges = 0;
  for (std::size_t g = 0; g < symmetries.size(); ++g) {
    const auto element = static_cast<GroupElement>(g);
    if (symmetries.elements()[g].exchange) {
      ++exchanges;
    } else if (symmetries.apply(element, start) == start) {
      out.plain.push_back(element);
      kept[g] = true;
    }
  }
  // Positions of second, brought to first by e, are the same through every g that is kept if e g e^-1 is kept too; and those that come
  // back to second after two turns are where they were if e e is.
  for (std::size_t e = 0; e < symmetries.size() && out.exchange == kIdentity; ++e) {
    if (!symmetries.elements()[e].exchange) continue;
    const auto element = static_cast<GroupElement>(e);
    const bool allowed =
        kept[group.multiply(element, element)] && std::all_of(out.plain.begin(), out.plain.end(), [&](GroupElement g) {
          return kept[group.multiply(group.multiply(element, g), group.inverse(element))];
        });
    if (allowed) out.exchange = element;
  }
  const std::size_t plain = symmetries.size() - exchanges;
  out.all = out.plain.size() == plain && (exchanges == 0 || out.exchange != kIdentity);
  return out;
}

DenseIndex::DenseIndex(const Variant& variant, Folding folding) : DenseIndex(variant, std::move(folding), {}) {
  const std::size_t sets = std::size_t{1} << cells_;
  // In rising order, so the first of an orbit is its least.
  for (std::size_t set = 0; set < sets; ++set) {
    if (block_of_[set] == kNoBlock) add_class(set);
  }
  sort_blocks();
}

DenseIndex::DenseIndex(const Variant& variant, Folding folding, std::span<const CellSet> sets)
    : variant_(variant),
      folding_(std::move(folding)),
      cells_(variant.board().size()),
      planes_(used_planes(variant.rule_set())) {
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
  if (folding_.exchange == kIdentity) fields_.push_back({-2, 2});
  for (const Field& f : fields_) layers_ *= f.values;

  power_.assign(static_cast<std::size_t>(cells_) + 1, 1);
  for (std::size_t n = 1; n < power_.size(); ++n) power_[n] = power_[n - 1] * base();

  block_of_.assign(std::size_t{1} << cells_, kNoBlock);
  element_.assign(std::size_t{1} << cells_, kIdentity);
  for (const CellSet set : sets) {
    if (block_of_[set] != kNoBlock) continue;
    CellSet least = set;
    for (const GroupElement g : folding_.plain) least = std::min(least, symmetries().apply(g, set));
    add_class(least);
  }
  sort_blocks();
}

void DenseIndex::add_class(CellSet least) {
  Block block;
  block.set = least;
  block.stones = std::popcount(least);
  block.sets = 0;
  block.stabilizer = 0;
  for (const GroupElement g : folding_.plain) {
    const CellSet image = symmetries().apply(g, least);
    if (image == least) ++block.stabilizer;
    if (block_of_[image] != kNoBlock) continue;
    ++block.sets;
    block_of_[image] = static_cast<BlockIndex>(blocks_.size());
    element_[image] = symmetries().group().inverse(g);
  }
  blocks_.push_back(block);
}

void DenseIndex::sort_blocks() {
  std::vector<BlockIndex> order(blocks_.size());
  for (BlockIndex b = 0; b < order.size(); ++b) order[b] = b;
  std::sort(order.begin(), order.end(), [&](BlockIndex a, BlockIndex b) {
    return std::pair(blocks_[a].stones, blocks_[a].set) < std::pair(blocks_[b].stones, blocks_[b].set);
  });
  std::vector<Block> sorted;
  sorted.reserve(blocks_.size());
  std::vector<BlockIndex> renumbered(blocks_.size());
  by_stones_.assign(static_cast<std::size_t>(cells_) + 2, 0);
  boards_ = 0;
  for (const BlockIndex b : order) {
    renumbered[b] = static_cast<BlockIndex>(sorted.size());
    sorted.push_back(blocks_[b]);
    sorted.back().base = boards_;
    boards_ += size(sorted.back());
    ++by_stones_[static_cast<std::size_t>(blocks_[b].stones) + 1];
  }
  for (std::size_t n = 1; n < by_stones_.size(); ++n) by_stones_[n] += by_stones_[n - 1];
  blocks_ = std::move(sorted);
  for (BlockIndex& b : block_of_) {
    if (b != kNoBlock) b = renumbered[b];
  }
}

BoardIndex DenseIndex::numeral(CellSet set, const CellSet* planes) const {
  if (base() == 2) return extract(planes[planes_[1]], set);
  BoardIndex out = 0;
  std::size_t rank = 0;
  for (CellSet rest = set; rest != 0; rest &= rest - 1, ++rank) {
    const CellSet bit = rest & -rest;
    for (std::size_t d = 1; d < planes_.size(); ++d) {
      if ((planes[planes_[d]] & bit) != 0) out += d * power_[rank];
    }
  }
  return out;
}

void DenseIndex::read_numeral(CellSet set, BoardIndex numeral, CellSet* planes) const {
  if (base() == 2) {
    planes[planes_[1]] = deposit(numeral, set);
    planes[planes_[0]] = set & ~planes[planes_[1]];
    return;
  }
  for (const std::size_t p : planes_) planes[p] = 0;
  for (CellSet rest = set; rest != 0; rest &= rest - 1) {
    planes[planes_[numeral % base()]] |= rest & -rest;
    numeral /= base();
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

std::optional<DenseIndex::Place> DenseIndex::find(const Position& position) const {
  const bool exchanged = folding_.exchange != kIdentity && position.mover == Player::second;
  const GroupElement to_first = exchanged ? folding_.exchange : kIdentity;
  std::array<CellSet, kMaxPlanes> planes;  // those of the index
  CellSet occupied = 0;
  for (const std::size_t k : planes_) occupied |= planes[k] = symmetries().apply(to_first, position.planes[k]);
  if (symmetries().apply(to_first, occupied_cells(position)) != occupied || block_of_[occupied] == kNoBlock)
    return std::nullopt;
  const GroupElement g = element_[occupied];
  if (g != kIdentity) {
    for (const std::size_t k : planes_) planes[k] = symmetries().apply(g, planes[k]);
  }
  const Block& block = blocks_[block_of_[occupied]];
  return Place{layer(position), block.base + numeral(block.set, planes.data())};
}

DenseIndex::Place DenseIndex::place(const Position& position) const { return *find(position); }

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
