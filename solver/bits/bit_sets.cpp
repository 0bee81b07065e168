// SPDX-License-Identifier: Apache-2.0
#include "solver/bits/bit_sets.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "solver/bits/bit_states.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr std::uint64_t kMostPlaces = DenseIndex::kMostSetCells;

// In how many ways so many of so many things can be taken.
constexpr auto kBinomials = [] {
  std::array<std::array<std::uint32_t, kMostPlaces + 2>, kMostPlaces + 1> out = {};
  for (std::size_t n = 0; n <= kMostPlaces; ++n) {
    out[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) out[n][k] = out[n - 1][k - 1] + out[n - 1][k];
  }
  return out;
}();

// How many sets with as many cells are less, if `below` cells are lower than all of these.
std::uint32_t rank_of(std::uint64_t set, int first_cell, std::size_t below) {
  std::uint32_t out = 0;
  for (std::uint64_t rest = set; rest != 0; rest &= rest - 1)
    out += kBinomials[static_cast<std::size_t>(first_cell + std::countr_zero(rest))][++below];
  return out;
}

// The next larger number with as many bits.
std::uint64_t next_with_as_many(std::uint64_t chosen) {
  const std::uint64_t lowest = chosen & -chosen;
  const std::uint64_t next = chosen + lowest;
  return next | (chosen ^ next) >> (2 + std::countr_zero(chosen));
}

// By cells: classes of sets of cells other than `kept`, under symmetries that keep these: the mean number of sets that one leaves as it
// is. A set that is left so takes whole cycles.
std::vector<std::uint64_t> count_classes(const SymmetryGroup& symmetries, const std::vector<GroupElement>& plain,
                                         int cells, CellSet kept) {
  std::vector<std::uint64_t> sum(static_cast<std::size_t>(cells) + 1, 0);
  for (const GroupElement g : plain) {
    std::vector<std::uint64_t> fixed(sum.size(), 0);
    fixed[static_cast<std::size_t>(std::popcount(kept))] = 1;
    CellSet seen = kept;
    for (int cell = 0; cell < cells; ++cell) {
      std::size_t length = 0;
      for (CellSet at = cell_bit(static_cast<Cell>(cell)); (at & seen) == 0; at = symmetries.apply(g, at), ++length)
        seen |= at;
      for (std::size_t k = fixed.size(); length > 0 && k-- > length;) fixed[k] += fixed[k - length];
    }
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += fixed[k];
  }
  for (std::uint64_t& count : sum) count /= plain.size();
  return sum;
}

}  // namespace

BitSets::BitSets(const Variant& variant, const Position& start)
    : symmetries_(variant.symmetries()),
      plain_(bits_folding(variant, start).plain),
      cells_(variant.board().size()),
      kept_(occupied_by(start)) {
  order_cells(variant);
  low_.resize(kLowSets + 1);
  for (std::size_t set = 0; set < low_.size(); ++set) low_[set] = rank_of(set, 0, 0);
  classes_ = count_classes(symmetries_, plain_, cells_, kept_);
}

// The cells that symmetries take to the fewest others get the highest places.
void BitSets::order_cells(const Variant& variant) {
  std::vector<CellSet> orbits;
  for (int cell = 0; cell < cells_; ++cell) {
    CellSet orbit = 0;
    for (const GroupElement g : plain_) orbit |= symmetries_.apply(g, cell_bit(static_cast<Cell>(cell)));
    orbits.push_back(orbit);
  }
  std::vector<std::size_t> cell_at(static_cast<std::size_t>(variant.board().size()));
  std::iota(cell_at.begin(), cell_at.end(), std::size_t{0});
  std::stable_sort(cell_at.begin(), cell_at.end(),
                   [&](std::size_t a, std::size_t b) { return std::popcount(orbits[a]) > std::popcount(orbits[b]); });
  for (const bool high : {false, true}) {
    std::vector<std::uint32_t>& sets = set_of_key_[high ? 1 : 0];
    sets.assign(kLowSets + 1, 0);
    for (std::size_t key = 1; key < sets.size(); ++key) {
      const auto lowest = static_cast<std::size_t>(std::countr_zero(key)) + (high ? kLowCells : 0);
      if (lowest < cell_at.size()) sets[key] = sets[key & (key - 1)] | std::uint32_t{1} << cell_at[lowest];
    }
  }
}

BitSets::Tier BitSets::tier(int cells) const {
  Tier out;
  out.cells_ = cells;
  out.low_ = &low_;
  const CellSet all = (CellSet{1} << cells_) - 1;
  out.high_.resize((all >> kLowCells) + 1);
  for (std::size_t high = 0; high < out.high_.size(); ++high) {
    const int below = cells - std::popcount(high);  // cells that are low
    if (below >= 0 && below <= kLowCells) out.high_[high] = rank_of(high, kLowCells, static_cast<std::size_t>(below));
  }
  const std::size_t sets = kBinomials[static_cast<std::size_t>(cells_)][static_cast<std::size_t>(cells)];
  out.number_.assign(sets, kNoClass);
  out.element_.assign(sets, kIdentity);
  out.classes_.reserve(classes(cells));
  // All keys, rising: the first of a class is its least.
  std::uint64_t key = (std::uint64_t{1} << cells) - 1;
  for (std::size_t n = 0; n < sets; ++n, key = key == 0 ? 0 : next_with_as_many(key)) {
    const CellSet set = set_of_key_[0][key & kLowSets] | set_of_key_[1][key >> kLowCells];
    if ((kept_ & ~set) != 0 || out.number_[out.rank(set)] != kNoClass) continue;
    Tier::Class& found = out.classes_.emplace_back();
    found.set = static_cast<std::uint32_t>(set);
    found.key = static_cast<std::uint32_t>(key);
    for (const GroupElement g : plain_) {
      const std::size_t image = out.rank(symmetries_.apply(g, set));
      if (out.number_[image] != kNoClass) continue;
      out.number_[image] = out.size() - 1;
      out.element_[image] = symmetries_.group().inverse(g);
      ++found.sets;
    }
  }
  return out;
}

std::uint64_t BitSets::classes(int cells) const { return classes_[static_cast<std::size_t>(cells)]; }

std::uint64_t BitSets::bytes(int cells) const {
  const std::uint64_t sets = kBinomials[static_cast<std::size_t>(cells_)][static_cast<std::size_t>(cells)];
  return sets * (sizeof(std::uint32_t) + sizeof(GroupElement)) + classes(cells) * sizeof(Tier::Class);
}

std::uint32_t BitSets::Tier::first_needed(const Tier& smaller, std::uint32_t number) const {
  if (number == smaller.size()) return size();
  const std::uint32_t key = smaller.classes_[number].key;
  const auto above = std::upper_bound(classes_.begin(), classes_.end(), key,
                                      [](std::uint32_t k, const Class& one) { return k < one.key; });
  return static_cast<std::uint32_t>(above - classes_.begin());
}

}  // namespace plenum
