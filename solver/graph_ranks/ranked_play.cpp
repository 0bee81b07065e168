// SPDX-License-Identifier: Apache-2.0
#include "solver/graph_ranks/ranked_play.h"

#include <algorithm>
#include <limits>
#include <new>
#include <optional>

#include <absl/container/flat_hash_map.h>

#include "solver/graph/tier_walk.h"
#include "solver/graph_ranks/ranked_play_components.h"
#include "solver/graph_ranks/ranked_system.h"
#include "solver/graph_ranks/ranked_values.h"
#include "solver/support/memory.h"

namespace plenum {
namespace {

constexpr std::size_t kManyPlayed = 100'000;  // positions: what was held is given back to the system at once

enum class Kind : std::uint8_t { doomed, live, ended };  // doomed: no end can be reached

#pragma pack(push, 1)
struct ArrivalNews {
  PositionIndex place;
  double even;
  double odd;
};
#pragma pack(pop)

}  // namespace

RankedPlay::RankedPlay(const RankedGraph& graph, const Solution& solution, std::uint64_t least_shared, Ranks& ranks)
    : graph_(graph),
      solution_(solution),
      least_shared_(least_shared),
      ranks_(ranks),
      arrivals_(static_cast<ByParity*>(std::calloc(std::max<std::size_t>(graph.size(), 1), sizeof(ByParity)))) {
  if (arrivals_ == nullptr) throw std::bad_alloc();
  if (graph.start.rank == graph.rank) arrivals_[graph.start.place].even = 1;
}

bool RankedPlay::live(PositionIndex p) const { return !graph_.ended(p) && (solution_.facts[p] & kSomeEnd) != 0; }

void RankedPlay::pass(RankedTier& tier, std::span<const std::uint32_t> component, const RankedLargest& largest) {
  bool busy = false;
  for (PositionIndex p = tier.begin(); p < tier.end() && !busy; ++p) busy = visited(p);
  if (ranks_.any(busy)) {
    const std::uint64_t size = graph_.tier_size(tier.tier());
    const bool rooted = largest.size != 0 && largest.rank == graph_.rank && live(largest.root);
    const bool is_whole = ranks_.any(rooted) && is_most(largest.size, size);
    if (tier.acyclic()) {
      divide(tier);
      push_outwards(tier, {});
    } else if (size >= kLeastSplit && !is_whole) {
      const std::span<ByParity> arrivals(arrivals_.get() + tier.begin(), tier.size());
      const auto keys =
          play_components(graph_, tier, component, degrees(tier), arrivals, totals_.play.error, least_shared_, ranks_);
      push_outwards(tier, keys);
    } else if (size < least_shared_ || !solve_shared(tier)) {
      solve_at_root(tier, largest);
    }
  }
  add_up(tier);
  release_pages(arrivals_.get() + tier.begin(), tier.size() * sizeof(ByParity));
}

void RankedPlay::divide(const RankedTier& tier) {
  for (PositionIndex p = tier.begin(); p < tier.end(); ++p) {
    if (!live(p)) continue;
    arrivals_[p].even /= graph_.degree(p);
    arrivals_[p].odd /= graph_.degree(p);
  }
}

std::vector<std::uint32_t> RankedPlay::degrees(const RankedTier& tier) const {
  std::vector<std::uint32_t> out(tier.size(), 0);
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    if (live(tier.begin() + i)) out[i] = graph_.degree(tier.begin() + i);
  }
  return out;
}

// False, with no flow changed, where the method of all ranks does not come to an end.
bool RankedPlay::solve_shared(RankedTier& tier) {
  RankedSystem system(graph_, tier, ranks_);
  const std::vector<std::uint32_t> degree = degrees(tier);
  const std::span<ByParity> flow(arrivals_.get() + tier.begin(), tier.size());
  const std::optional<double> error = solve_shared_visits(system, degree, flow);
  if (!error) return false;
  totals_.play.error += *error;
  // What has not ended and leads to no end gets what leads to it from inside.
  std::vector<ByParity> flows(system.extended());
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    if (degree[i] != 0) flows[i] = flow[i];
  }
  system.share(flows);
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    const PositionIndex q = tier.begin() + i;
    if (graph_.ended(q) || degree[i] != 0) continue;
    for (const std::uint32_t source : tier.predecessors(i)) {
      arrivals_[q].even += flows[source].odd;
      arrivals_[q].odd += flows[source].even;
    }
  }
  push_outwards(tier, {});
  return true;
}

// Takes what edges bring to positions outside, or that have ended, in the order of the keys of what they come from (none: all alike), and then
// of numbers.
void RankedPlay::push_outwards(RankedTier& tier, std::span<const std::uint64_t> keys) {
  const std::size_t n = graph_.ranks();
  const TierPlaces places(graph_, tier.tier());
  tier.release();
  if (tier.size() > kManyPlayed) release_free_memory();
  std::vector<PositionIndex> order;
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    if (visited(tier.begin() + i)) order.push_back(i);
  }
  const auto key = [&](PositionIndex i) { return keys.empty() ? 0 : keys[i]; };
  if (!keys.empty())
    std::stable_sort(order.begin(), order.end(), [&](PositionIndex a, PositionIndex b) { return keys[a] < keys[b]; });
  std::vector<Parcel> parcels(n);
  std::vector<std::vector<PositionIndex>> to(n);
  std::size_t edges = 0;
  for (const PositionIndex i : order) edges += graph_.degree(tier.begin() + i);
  for (std::size_t r = 0; r < n; ++r) {
    // What is not written to takes no memory; while a vector grows it is there twice.
    if (r != graph_.rank) parcels[r].reserve(order.size() * 28 + edges * sizeof(PositionIndex));
  }
  for (const PositionIndex i : order) {
    const PositionIndex p = tier.begin() + i;
    graph_.each_edge(p, [&](const RankedEdge& e) {
      if (e.rank != graph_.rank && !places.inner(e)) to[e.rank].push_back(e.place);
    });
    for (std::size_t r = 0; r < n; ++r) {
      if (to[r].empty()) continue;
      put(parcels[r], key(i));
      put(parcels[r], arrivals_[p]);
      put(parcels[r], static_cast<std::uint32_t>(to[r].size()));
      put(parcels[r], std::span<const PositionIndex>(to[r]));
      to[r].clear();
    }
  }
  const std::vector<Parcel> came = ranks_.exchange(std::move(parcels));
  std::vector<ParcelReader> readers(came.begin(), came.end());
  constexpr std::uint64_t kNoMore = ~std::uint64_t{0};
  std::vector<std::uint64_t> head(n);
  std::size_t next = 0;  // of this rank's own
  const auto read_key = [&](std::size_t r) {
    if (r == graph_.rank) {
      head[r] = next == order.size() ? kNoMore : key(order[next]);
    } else {
      head[r] = readers[r].empty() ? kNoMore : readers[r].get<std::uint64_t>();
    }
  };
  for (std::size_t r = 0; r < n; ++r) read_key(r);
  for (;;) {
    const auto r =
        static_cast<std::size_t>(std::min_element(head.begin(), head.end()) - head.begin());  // the first of equals
    if (head[r] == kNoMore) break;
    for (const std::uint64_t now = head[r]; head[r] == now; read_key(r)) {
      if (r == graph_.rank) {
        push_own(places, tier.begin() + order[next++]);
        continue;
      }
      const auto flow = readers[r].get<ByParity>();
      for (auto left = readers[r].get<std::uint32_t>(); left > 0; --left) bring(readers[r].get<PositionIndex>(), flow);
    }
  }
}

// Along the edges that lead outwards and to this rank.
void RankedPlay::push_own(const TierPlaces& places, PositionIndex p) {
  graph_.each_edge(p, [&, flow = arrivals_[p]](const RankedEdge& e) {
    if (e.rank == graph_.rank && !places.inner(e)) bring(e.place, flow);
  });
}

// A tier as a graph of its own at the root, and behind it what it leads to.
class RankedPlay::WholeTier {
 public:
  WholeTier(const RankedGraph& graph, std::size_t tier, const std::vector<Parcel>& came)
      : graph_(graph), tier_(tier), size_(static_cast<PositionIndex>(graph.tier_size(tier))) {
    part_.first_edge.push_back(0);
    for (const Parcel& parcel : came) {
      for (ParcelReader reader(parcel); !reader.empty();) read(reader);
    }
    for (std::size_t k = 0; k < outside_.size(); ++k) {
      part_.end_rank.push_back(0);
      part_.first_edge.push_back(part_.edge.size());
    }
    part_.tier_begin = {0, size_, size_ + static_cast<PositionIndex>(outside_.size())};
  }
  // Adds what comes of it to the mail.
  void solve(const RankedLargest& largest, double& error, Mail<ByParity>& flows, Mail<ArrivalNews>& news) {
    const auto lives = [&](PositionIndex p) { return p < size_ && lives_[p]; };
    const auto arrive = [&](PositionIndex q, double even, double odd) {
      if (q >= size_) {
        news.add(outside_[q - size_].rank, {outside_[q - size_].place, even, odd});
      } else {
        arrivals_[q].even += even;
        arrivals_[q].odd += odd;
      }
    };
    LargestComponent known;
    if (largest.size != 0) known = {static_cast<LocalIndex>(largest.size), number(largest.rank, largest.root)};
    TierWalk walk(part_, 0, arrivals_, lives, arrive);
    walk.run(&known, error);
    PositionIndex next = 0;
    for (std::size_t r = 0; r < graph_.ranks(); ++r) {
      for (PositionIndex p = graph_.begin[r][tier_]; p < graph_.begin[r][tier_ + 1]; ++p)
        flows.add(r, arrivals_[next++]);
    }
  }

 private:
  PositionIndex number(std::size_t rank, PositionIndex place) const {
    return static_cast<PositionIndex>(graph_.before(rank, tier_)) + (place - graph_.begin[rank][tier_]);
  }
  PositionIndex number_of(const RankedEdge& e) {
    if (e.place < graph_.begin[e.rank][tier_ + 1]) return number(e.rank, e.place);
    const auto next = size_ + static_cast<PositionIndex>(outside_.size());
    const auto [at, fresh] = number_.try_emplace(std::uint64_t{e.rank} << 32 | e.place, next);
    if (fresh) outside_.push_back(e);
    return at->second;
  }
  void read(ParcelReader& reader) {
    const auto kind = reader.get<Kind>();
    lives_.push_back(kind == Kind::live);
    part_.end_rank.push_back(kind == Kind::ended ? 0 : kNotEnded);
    arrivals_.push_back(reader.get<ByParity>());
    for (auto left = reader.get<std::uint32_t>(); left > 0; --left)
      part_.edge.push_back(number_of(graph_.edge.coding().edge(reader.get<std::uint64_t>())));
    part_.first_edge.push_back(part_.edge.size());
  }

  const RankedGraph& graph_;
  const std::size_t tier_;
  const PositionIndex size_;
  PositionGraph part_;
  std::vector<ByParity> arrivals_;  // of the tier
  std::vector<bool> lives_;
  std::vector<RankedEdge> outside_;
  absl::flat_hash_map<std::uint64_t, PositionIndex> number_;  // of what is outside
};

void RankedPlay::solve_at_root(const RankedTier& tier, const RankedLargest& largest) {
  std::vector<Parcel> own(graph_.ranks());
  for (PositionIndex p = tier.begin(); p < tier.end(); ++p) {
    put(own[0], graph_.ended(p) ? Kind::ended : live(p) ? Kind::live : Kind::doomed);
    put(own[0], arrivals_[p]);
    put(own[0], graph_.degree(p));
    for (EdgeIndex k = graph_.first_edge[p]; k < graph_.first_edge[p + 1]; ++k) put(own[0], graph_.edge.code(k));
  }
  const std::vector<Parcel> came = ranks_.exchange(std::move(own));
  Mail<ByParity> flows(ranks_);  // of each rank's positions of the tier
  Mail<ArrivalNews> news(ranks_);
  if (ranks_.root()) WholeTier(graph_, tier.tier(), came).solve(largest, totals_.play.error, flows, news);
  Parcel error;
  put(error, totals_.play.error);
  totals_.play.error = ParcelReader(ranks_.broadcast(0, std::move(error))).get<double>();
  const auto told = flows.exchange();
  for (PositionIndex i = 0; i < tier.size(); ++i) arrivals_[tier.begin() + i] = told[0][i];
  for (const auto& letters : news.exchange()) {
    for (std::size_t k = 0; k < letters.size(); ++k) {
      const ArrivalNews one = letters[k];
      arrivals_[one.place].even += one.even;
      arrivals_[one.place].odd += one.odd;
    }
  }
}

// In the order of the tier's numbers: each rank goes on with what those before it have come to.
void RankedPlay::add_up(const RankedTier& tier) {
  totals_.plies = 0;
  for (int r = 0; r < ranks_.size(); ++r) {
    if (r == ranks_.rank()) add_own(tier, totals_);
    Parcel bytes;
    put(bytes, totals_);
    totals_ = ParcelReader(ranks_.broadcast(r, std::move(bytes))).get<Totals>();
  }
  plies_ += totals_.plies;
}

void RankedPlay::add_own(const RankedTier& tier, Totals& totals) const {
  RandomPlay& play = totals.play;
  for (PositionIndex p = tier.begin(); p < tier.end(); ++p) {
    const ByParity& a = arrivals_[p];
    if (graph_.ended(p)) {
      const MarginRank rank = graph_.end_rank[p];
      if (rank == 0) {
        play.tie += a.even + a.odd;
      } else {
        play.first += rank > 0 ? a.even : a.odd;
        play.second += rank > 0 ? a.odd : a.even;
      }
    } else if (live(p)) {
      totals.plies += (a.even + a.odd) * static_cast<double>(graph_.degree(p));
    } else if (a.even != 0 || a.odd != 0) {
      totals.trapped = true;
      play.endless += a.even + a.odd;
    }
  }
}

RandomPlay RankedPlay::result() const {
  RandomPlay out = totals_.play;
  if (totals_.trapped) {
    out.endless = std::max(out.endless, std::numeric_limits<double>::min());
  } else {
    out.plies = plies_;
  }
  return out;
}

}  // namespace plenum
