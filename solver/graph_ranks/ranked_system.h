// SPDX-License-Identifier: Apache-2.0
// The equations of random play in a tier, or a component of one, that ranks share, for the method of solver/graph/krylov.h: a rank has those
// of its positions.
//
// What it needs of others' positions they send whenever values change. Its own are numbered as in the tier, others behind them in the order of
// ranks and places. Requires that shares begin at multiples of kParallelGrain (ranked_graph.h).
//
// Header only. Thread-safety: collective. Cost: 4 bytes a position that another rank needs, and one that is needed; besides them one bit and a
// half a position of the tier while it is made.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "solver/graph/krylov.h"
#include "solver/graph_ranks/fetched.h"
#include "solver/graph_ranks/ranked_tier.h"
#include "solver/support/parallel.h"

namespace plenum {

class RankedSystem {
 public:
  // The sources of each of this rank's positions, and how many positions each rank has.
  struct Rows {
    const RowOffsets* first;
    std::span<std::uint32_t> sources;
    std::vector<std::uint64_t> sizes;
  };
  // `member(source)` tells whose a source is, and which of that rank's positions. Sources are from now on numbers of this system.
  template <typename Member>
  RankedSystem(const Rows& rows, const Member& member, Ranks& ranks)
      : first_row_(*rows.first),
        row_sources_(rows.sources),
        ranks_(ranks),
        own_(rows.sizes[static_cast<std::size_t>(ranks.rank())]),
        gives_(rows.sizes.size()) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    for (std::size_t r = 0; r < rows.sizes.size(); ++r) {
      all_ += rows.sizes[r];
      if (r < rank) before_ += rows.sizes[r];
    }
    WantedPlaces needed(rows.sizes, rank);
    for (const std::uint32_t source : rows.sources) {
      const RankedTier::Member p = member(source);
      if (p.rank != rank) needed.want(p.rank, p.at);
    }
    Mail<PositionIndex> mail(ranks);
    extended_ = own_;
    for (std::size_t r = 0; r < rows.sizes.size(); ++r) {
      first_.push_back(extended_);
      extended_ = needed.number_from(r, static_cast<std::uint32_t>(extended_));
      needed.each(r, [&](PositionIndex at) { mail.add(r, at); });
    }
    for (std::uint32_t& source : rows.sources) {
      const RankedTier::Member p = member(source);
      source = p.rank == rank ? p.at : needed.number(p.rank, p.at);
    }
    std::size_t r = 0;
    for (const auto& letters : mail.exchange()) {
      for (std::size_t k = 0; k < letters.size(); ++k) gives_[r].push_back(letters[k]);
      ++r;
    }
  }
  // Of a tier, whose own sources are changed.
  RankedSystem(const RankedGraph& graph, RankedTier& tier, Ranks& ranks)
      : RankedSystem(
            Rows{&tier.rows(), tier.sources(), graph.tier_sizes(tier.tier())},
            [&](std::uint32_t source) { return tier.member(source); }, ranks) {}

  std::span<const std::uint32_t> sources(std::size_t i) const {
    return row_sources_.subspan(first_row_[i], first_row_[i + 1] - first_row_[i]);
  }
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
  const RowOffsets& first_row_;
  const std::span<const std::uint32_t> row_sources_;
  Ranks& ranks_;
  const std::size_t own_;
  std::size_t all_ = 0;
  std::size_t before_ = 0;
  std::size_t extended_ = 0;
  std::vector<std::size_t> first_;                 // by rank: the number of the first of its positions
  std::vector<std::vector<PositionIndex>> gives_;  // by rank: own positions that it needs
};

// Collective. As solve_visits() of more positions than are eliminated; nothing, with no flow changed, where that takes one rank.
inline std::optional<double> solve_shared_visits(RankedSystem& system, std::span<const std::uint32_t> degree,
                                                 std::span<ByParity> flow) {
  constexpr double kAnyError = std::numeric_limits<double>::infinity();
  std::optional<double> error = Krylov<float, RankedSystem>(system, degree, flow).run(kAnyError);
  if (!error) error = Krylov<double, RankedSystem>(system, degree, flow).run(kAnyError);
  return error;
}

}  // namespace plenum
