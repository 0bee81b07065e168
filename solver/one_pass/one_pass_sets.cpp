// SPDX-License-Identifier: Apache-2.0
#include "solver/one_pass/one_pass_sets.h"

#include <algorithm>
#include <bit>

#include <absl/container/flat_hash_set.h>

#include "solver/dense/judged.h"
#include "solver/support/object_pool.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr std::size_t kSetsAtOnce = 64;
constexpr std::size_t kMostSamples = 64;  // times those that were asked for, where sets are few
constexpr std::size_t kSetsForFewer = 4096;

// splitmix64
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

class SetFinder {
 public:
  SetFinder(const Variant& variant, const Folding& folding)
      : variant_(variant), folding_(folding), index_(variant, folding, {}), seen_(std::size_t{1} << index_.cells()) {}

  std::vector<CellSet> run(const Position& start, std::span<const CellSet> known, std::size_t samples);

 private:
  struct Worker {
    explicit Worker(const Variant& v) : judged(v.rules()) {}
    Judged judged;
    absl::flat_hash_set<CellSet> met;  // as they were met, of the sets at hand
  };
  CellSet least(CellSet set) const {
    CellSet out = set;
    for (const GroupElement g : folding_.plain) out = std::min(out, index_.symmetries().apply(g, set));
    return out;
  }
  void add(CellSet set) {
    const CellSet kept = least(set);
    if (seen_[kept]) return;
    seen_[kept] = true;
    const auto stones = static_cast<std::size_t>(std::popcount(kept));
    tiers_[stones].push_back(kept);
    std::vector<CellSet> images;
    for (const GroupElement g : folding_.plain) images.push_back(index_.symmetries().apply(g, kept));
    std::sort(images.begin(), images.end());
    images.erase(std::unique(images.begin(), images.end()), images.end());
    sets_[stones] += images.size();
  }
  // Whether all sets of so many stones are there that can be: those of the start stay.
  bool has_all(std::size_t stones, int at_start) const {
    double all = 1;
    const int free = index_.cells() - at_start;
    for (int i = 0; i < static_cast<int>(stones) - at_start; ++i) all = all * (free - i) / (i + 1);
    return stones < sets_.size() && static_cast<double>(sets_[stones]) + 0.5 > all;
  }
  void try_tier(std::span<const CellSet> sets, std::size_t samples);
  void try_some(std::span<const CellSet> sets, std::size_t samples, Worker& worker, std::vector<CellSet>& found) const;

  const Variant& variant_;
  const Folding& folding_;
  DenseIndex index_;  // for its numerals and layers
  std::vector<bool> seen_;
  std::vector<std::vector<CellSet>> tiers_;  // by stones, a set of each class
  std::vector<std::uint64_t> sets_;          // how many are in these classes
  ObjectPool<Worker> workers_{[this] { return std::make_unique<Worker>(variant_); }};
};

void SetFinder::try_some(std::span<const CellSet> sets, std::size_t samples, Worker& worker,
                         std::vector<CellSet>& found) const {
  Judged& judged = worker.judged;
  // Moves that go wrong are left out: they may only where nothing is reachable.
  const auto flush = [&] {
    judged.look(Judged::Wanted::moves_alone);
    const PositionBatch& replies = judged.replies();
    for (std::size_t i = 0; i < replies.size; ++i) {
      CellSet set = occupied_cells(replies, i);
      if (!worker.met.insert(set).second) continue;
      if (folding_.exchange != kIdentity && replies.mover_is_first[i] == 0)
        set = index_.symmetries().apply(folding_.exchange, set);
      set = least(set);
      if (!seen_[set]) found.push_back(set);
    }
    judged.clear();
  };
  worker.met.clear();
  for (const CellSet set : sets) {
    BoardIndex size = 1;
    for (int n = std::popcount(set); n > 0; --n) size *= index_.base();
    const BoardIndex places = size * index_.layers();
    for (std::size_t k = 0; k < std::min<BoardIndex>(places, samples); ++k) {
      const std::uint64_t place = places <= samples ? k : scramble(scramble(set) + k) % places;
      Position p;
      index_.read_numeral(set, place % size, p.planes.data());
      index_.read_layer(static_cast<std::uint32_t>(place / size), p);
      judged.ask(p);
      if (judged.full()) flush();
    }
  }
  flush();
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

void SetFinder::try_tier(std::span<const CellSet> sets, std::size_t samples) {
  const std::size_t pieces = (sets.size() + kSetsAtOnce - 1) / kSetsAtOnce;
  std::vector<std::vector<CellSet>> found(pieces);
  for_each_index(pieces, [&](std::size_t i) {
    const auto worker = workers_.borrow();
    const std::size_t from = i * kSetsAtOnce;
    try_some(sets.subspan(from, std::min(sets.size() - from, kSetsAtOnce)), samples, *worker, found[i]);
  });
  for (const auto& some : found) {
    for (const CellSet set : some) add(set);
  }
}

std::vector<CellSet> SetFinder::run(const Position& start, std::span<const CellSet> known, std::size_t samples) {
  tiers_.resize(static_cast<std::size_t>(index_.cells()) + 1);
  sets_.resize(tiers_.size());
  CellSet first = occupied_cells(start);
  if (folding_.exchange != kIdentity && start.mover == Player::second)
    first = index_.symmetries().apply(folding_.exchange, first);
  add(first);
  for (const CellSet set : known) add(set);
  std::vector<CellSet> out;
  for (std::size_t stones = 0; stones < tiers_.size(); ++stones) {
    std::vector<CellSet>& tier = tiers_[stones];
    // Again as long as moves lead to further sets of as many stones.
    for (std::size_t begin = 0; begin < tier.size();) {
      const std::size_t end = tier.size();
      std::sort(tier.begin() + static_cast<std::ptrdiff_t>(begin), tier.end());
      const std::vector<CellSet> sets(tier.begin() + static_cast<std::ptrdiff_t>(begin), tier.end());
      const std::size_t each = samples * std::clamp<std::size_t>(kSetsForFewer / (end - begin), 1, kMostSamples);
      begin = end;
      if (samples == 0) continue;
      // Where a stone may be put on any cell, one board of each set leads to all sets with a stone more.
      try_tier(sets, 1);
      if (!has_all(stones + 1, std::popcount(first))) try_tier(sets, each);
    }
    std::sort(tier.begin(), tier.end());
    out.insert(out.end(), tier.begin(), tier.end());
  }
  return out;
}

}  // namespace

std::vector<CellSet> find_sets(const Variant& variant, const Folding& folding, const Position& start,
                               std::span<const CellSet> known, std::size_t samples) {
  return SetFinder(variant, folding).run(start, known, samples);
}

}  // namespace plenum
