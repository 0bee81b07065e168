// SPDX-License-Identifier: Apache-2.0
// How the positions of a tier are dealt out to ranks: in the order of keys, in pieces that take about as much work and memory.
//
// Low keys may have more moves than high ones, so equal numbers of positions are not equal work. A sample of the positions tells about
// where to cut.
//
// Header only. Thread-safety: TierSample and run_ends() are collective. Source: sample sort.
// Cost: a look at all that were expanded; a sort of the sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <span>
#include <unordered_map>
#include <vector>

#include "solver/cluster/ranks.h"
#include "solver/graph_ranks/ranked_finds.h"
#include "tables/index/packing.h"

namespace plenum {

// One position of a sample.
template <std::size_t kWords>
struct WeighedKey {
  Key<kWords> key;
  std::uint64_t weight;
  friend bool operator<(const WeighedKey& a, const WeighedKey& b) { return a.key < b.key; }
};

// What solving takes of a position itself, in edges: time and memory both.
inline constexpr std::uint64_t kWeightOfPosition = 4;

// A sample of each large tier, in no order.
template <std::size_t kWords>
class TierSample {
 public:
  // `members`: this rank's positions of each tier. All that were expanded are looked at.
  TierSample(const RankedFinds<kWords>& found, const std::vector<std::deque<Address>>& members,
             const std::vector<bool>& large, Ranks& ranks)
      : index_(*found.index), members_(members), large_(large), ranks_(ranks) {
    for (std::size_t t = 0; t < large.size(); ++t) {
      if (large[t]) each(t, [&](Address a) { weight_[a] = kWeightOfPosition; });
    }
    for (const RankedBlock& block : found.blocks) {
      for (std::size_t p = 0; p + 1 < block.first.size(); ++p) {
        if (const auto at = weight_.find(found.queue[block.begin + p]); at != weight_.end())
          at->second += block.first[p + 1] - block.first[p];
      }
    }
  }
  // Of all ranks. Collective.
  std::vector<WeighedKey<kWords>> of(std::size_t tier) const {
    if (!large_[tier]) return {};
    Parcel own;
    each(tier, [&](Address a) { put(own, WeighedKey<kWords>{index_.key(a), weight_.at(a)}); });
    std::vector<WeighedKey<kWords>> out;
    for (const Parcel& parcel : ranks_.gather(own)) {
      for (ParcelReader reader(parcel); !reader.empty();) out.push_back(reader.get<WeighedKey<kWords>>());
    }
    return out;
  }

 private:
  static constexpr std::size_t kSampledOfTier = 4096;  // by all ranks
  static constexpr std::size_t kOneOf = 8;             // at most so many

  template <typename Visit>
  void each(std::size_t tier, const Visit& visit) const {
    const auto& all = members_[tier];
    const std::size_t n =
        std::min((all.size() + kOneOf - 1) / kOneOf, kSampledOfTier / static_cast<std::size_t>(ranks_.size()) + 1);
    for (std::size_t k = 0; k < n; ++k) visit(all[k * all.size() / n]);
  }

  const SparseIndex<kWords>& index_;
  const std::vector<std::deque<Address>>& members_;
  const std::vector<bool>& large_;
  Ranks& ranks_;
  // An absl::flat_hash_map that finds no memory cannot be destroyed (found_positions.h).
  std::unordered_map<Address, std::uint64_t> weight_;
};

// How many of the tier's positions each rank and those before it have. Pieces begin at multiples of `grain`. Without a sample they are equal.
template <std::size_t kWords>
std::vector<std::uint64_t> share_ends(std::uint64_t size, std::uint64_t grain, std::size_t ranks,
                                      std::vector<WeighedKey<kWords>> sample) {
  const std::uint64_t grains = (size + grain - 1) / grain;
  std::uint64_t all = 0;
  for (const auto& one : sample) all += one.weight;
  std::sort(sample.begin(), sample.end());
  std::vector<std::uint64_t> out;
  std::size_t passed = 0;
  std::uint64_t sum = 0;  // weight of those
  for (std::uint64_t r = 1; r < ranks; ++r) {
    std::uint64_t end = grains * r / ranks;
    if (!sample.empty()) {
      while (passed < sample.size() && (sum + sample[passed].weight) * ranks <= all * r) sum += sample[passed++].weight;
      end = (size * passed / sample.size() + grain / 2) / grain;
    }
    out.push_back(std::min(size, end * grain));
  }
  out.push_back(size);
  return out;
}

// Of things that ranks have, so many each and in their order: where the runs of about as much work end that ranks take. They begin at multiples
// of `grain`. `work(k)` is that of this rank's k-th thing. Collective.
template <typename Work>
std::vector<std::uint64_t> run_ends(std::span<const std::uint32_t> of_rank, std::uint64_t grain, const Work& work,
                                    Ranks& ranks) {
  const std::size_t n = of_rank.size();
  const auto rank = static_cast<std::size_t>(ranks.rank());
  std::uint64_t own = 0;
  for (std::size_t k = 0; k < of_rank[rank]; ++k) own += work(k);
  const std::vector<std::uint64_t> works = ranks.gather(own);
  const auto sum = [](const auto& of, std::size_t end) {
    return std::accumulate(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
  };
  const std::uint64_t all = sum(works, n);
  // A rank finds the ends that lie among its own things.
  std::vector<std::uint64_t> ends(n, 0);
  std::uint64_t passed = sum(works, rank);
  std::uint64_t things = sum(of_rank, rank);
  std::size_t r = 1;
  while (r < n && all * r / n <= passed) ++r;
  for (std::size_t k = 0; k < of_rank[rank]; ++k) {
    passed += work(k);
    ++things;
    for (; r < n && all * r / n <= passed; ++r) ends[r - 1] = things;
  }
  ends = ranks.sums(ends);
  const std::uint64_t size = sum(of_rank, n);
  for (std::uint64_t& end : ends) end = std::min(size, (end + grain / 2) / grain * grain);
  ends.back() = size;
  return ends;
}

}  // namespace plenum
