// SPDX-License-Identifier: Apache-2.0
// The equations of random play in a tier that ranks share, for the method of solver/graph/krylov.h: a rank has those of its positions.
//
// What it needs of others' positions they send whenever values change. Its own are numbered as in the tier, others behind them in the order of
// ranks and places. Requires that shares of the tier begin at multiples of kParallelGrain (ranked_graph.h).
//
// Header only. Thread-safety: collective. Cost: 4 bytes a position that another rank needs, and one that is needed; besides them a bit a
// position of the tier while it is made.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/graph_ranks/mail.h"
#include "solver/graph_ranks/ranked_tier.h"
#include "solver/support/parallel.h"

namespace plenum {

class RankedSystem {
 public:
  // Sources of the tier are from now on numbers of this system.
  RankedSystem(const RankedGraph& graph, RankedTier& tier, Ranks& ranks)
      : tier_(tier),
        ranks_(ranks),
        own_(tier.size()),
        all_(graph.tier_size(tier.tier())),
        before_(graph.before(graph.rank, tier.tier())),
        gives_(graph.ranks()) {
    std::vector<Needed> needed(graph.ranks());
    for (std::size_t r = 0; r < graph.ranks(); ++r) {
      const std::size_t size = graph.begin[r][tier.tier() + 1] - graph.begin[r][tier.tier()];
      if (r != graph.rank) needed[r].words.assign((size + 63) / 64, 0);
    }
    for (const std::uint32_t source : tier.sources()) {
      const RankedTier::Member p = tier.member(source);
      if (p.rank != graph.rank) needed[p.rank].words[p.at / 64] |= std::uint64_t{1} << p.at % 64;
    }
    Mail<PositionIndex> mail(ranks);
    extended_ = own_;
    for (std::size_t r = 0; r < graph.ranks(); ++r) {
      first_.push_back(extended_);
      Needed& of = needed[r];
      for (std::size_t w = 0; w < of.words.size(); ++w) {
        of.before.push_back(static_cast<std::uint32_t>(extended_));
        extended_ += static_cast<std::size_t>(std::popcount(of.words[w]));
        for (std::uint64_t bits = of.words[w]; bits != 0; bits &= bits - 1)
          mail.add(r, static_cast<PositionIndex>(64 * w + static_cast<std::size_t>(std::countr_zero(bits))));
      }
    }
    tier.renumber([&](std::uint32_t source) {
      const RankedTier::Member p = tier.member(source);
      if (p.rank == graph.rank) return p.at;
      const Needed& of = needed[p.rank];
      const std::uint64_t below = of.words[p.at / 64] & ((std::uint64_t{1} << p.at % 64) - 1);
      return of.before[p.at / 64] + static_cast<std::uint32_t>(std::popcount(below));
    });
    std::size_t r = 0;
    for (const auto& letters : mail.exchange()) {
      for (std::size_t k = 0; k < letters.size(); ++k) gives_[r].push_back(letters[k]);
      ++r;
    }
  }

  std::span<const std::uint32_t> sources(std::size_t i) const { return tier_.predecessors(i); }
  std::size_t extended() const { return extended_; }
  std::size_t all() const { return all_; }
  std::size_t before() const { return before_; }

  template <typename T>
  void share(std::vector<T>& values) const {
    std::vector<Parcel> parcels(gives_.size());
    for (std::size_t r = 0; r < gives_.size(); ++r) {
      parcels[r].resize(gives_[r].size() * sizeof(T));
      std::uint8_t* to = parcels[r].data();
      for (const PositionIndex i : gives_[r]) {
        std::memcpy(to, &values[i], sizeof(T));
        to += sizeof(T);
      }
    }
    const std::vector<Parcel> came = ranks_.exchange(std::move(parcels));
    for (std::size_t r = 0; r < came.size(); ++r) {
      if (!came[r].empty()) std::memcpy(values.data() + first_[r], came[r].data(), came[r].size());
    }
  }

  template <typename Sum, typename Body>
  Sum sum(const Body& body) const {
    const std::size_t chunks = (own_ + kParallelGrain - 1) / kParallelGrain;
    std::vector<Sum> parts(chunks);
    const auto add_up = [&](std::size_t c) {
      parts[c] = body(c * kParallelGrain, std::min(own_, (c + 1) * kParallelGrain));
    };
    if (worth_sharing(own_)) {
      for_each_index(chunks, add_up);
    } else {
      for (std::size_t c = 0; c < chunks; ++c) add_up(c);
    }
    Parcel bytes;
    put(bytes, std::span<const Sum>(parts));
    Sum total{};
    for (const Parcel& parcel : ranks_.gather(bytes)) {
      for (ParcelReader reader(parcel); !reader.empty();) total += reader.get<Sum>();
    }
    return total;
  }

 private:
  struct Needed {
    std::vector<std::uint64_t> words;   // a bit a position of the rank in the tier
    std::vector<std::uint32_t> before;  // by word: the number of the first that is needed
  };
  const RankedTier& tier_;
  Ranks& ranks_;
  const std::size_t own_;
  const std::size_t all_;
  const std::size_t before_;
  std::size_t extended_ = 0;
  std::vector<std::size_t> first_;                 // by rank: the number of the first of its positions
  std::vector<std::vector<PositionIndex>> gives_;  // by rank: own positions that it needs
};

}  // namespace plenum
