// SPDX-License-Identifier: Apache-2.0
// Retrograde analysis with margins and endless play: values and remoteness of one tier.
//
// Each player maximises their own margin, and play that never ends counts 0. Seen from the end, a position is
// resolved as a win by t once one of its successors is a loss by t, and as a loss by t once nothing better is left.
// The absolute margins t > 0 are worked off from the largest, and for each t the plies from the fewest, with a bucket
// of positions a ply. So the first value found is the exact one and the first ply the remoteness; a position is
// resolved once and an inner edge is looked at once. What is never resolved is worth 0.
//
// Successors outside the tier, or ended, have been summed up beforehand (outside.h): the best value they offer (the floor) and the
// plies to it stand where the value will. An acyclic tier is nothing but its floors.
//
// Sources: Romein and Bal (awari), Gasser, Gévay and Danner (mill games); multi-valued retrograde analysis.
// Thread-safety: one call at a time for a Solution; uses all cores; the result does not depend on their number.
// Cost: about 10 ns an inner edge; 8 bytes a position of the tier while it runs.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "solver/graph/solve.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

// The count of open successors of a position that is resolved: negative, and so low that it stays negative.
constexpr std::int32_t kResolved = std::numeric_limits<std::int32_t>::min() / 2;

class Retrograde {
 public:
  Retrograde(const PositionGraph& graph, const Tier& tier, std::span<const std::uint32_t> inner, Solution& solution,
             Stop* stop)
      : graph_(graph), tier_(tier), solution_(solution), stop_(stop), open_(inner.begin(), inner.end()) {}

  void run() {
    for_ranges(0, tier_.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        if (graph_.ended(tier_.begin() + static_cast<LocalIndex>(i))) open_[i] = kResolved;
      }
    });
    sort_by_floor();
    for (std::size_t t = graph_.level.size() - 1; t > 0 && !stopped(); --t) resolve_level(static_cast<MarginRank>(t));
    for_ranges(0, tier_.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        if (open_[i] >= 0) enter(static_cast<LocalIndex>(i), 0, {});
      }
    });
  }

 private:
  bool stopped() const { return stop_ != nullptr && stop_->stopped(); }

  // Numbers the positions with floor t or -t as by_floor_[floor_begin_[t] .. floor_begin_[t + 1]).
  void sort_by_floor() {
    const auto level = [](MarginRank rank) { return static_cast<std::size_t>(rank < 0 ? -rank : rank); };
    floor_begin_.assign(graph_.level.size() + 2, 0);
    const auto has_floor = [&](LocalIndex i) { return open_[i] >= 0 && floor(i) != kNoFloor && floor(i) != 0; };
    for (LocalIndex i = 0; i < tier_.size(); ++i) {
      if (has_floor(i)) ++floor_begin_[level(floor(i)) + 2];
    }
    for (std::size_t i = 1; i < floor_begin_.size(); ++i) floor_begin_[i] += floor_begin_[i - 1];
    by_floor_.resize(floor_begin_.back());
    for (LocalIndex i = 0; i < tier_.size(); ++i) {
      if (has_floor(i)) by_floor_[floor_begin_[level(floor(i)) + 1]++] = i;
    }
  }

  void resolve_level(MarginRank t) {
    const std::size_t level = static_cast<std::size_t>(t);
    for (std::size_t i = floor_begin_[level]; i < floor_begin_[level + 1]; ++i) {
      const LocalIndex p = by_floor_[i];
      if (open_[p] < 0) continue;
      if (floor(p) == t) bucket(floor_plies(p)).seeds.push_back(p);
      if (floor(p) == -t && open_[p] == 0) {
        resolve(p, -t, floor_plies(p));
        bucket(floor_plies(p)).resolved.push_back(p);
      }
    }
    for (Ply ply; ply.count < buckets_.size() && !stopped(); ply = ply.next()) {
      // Taken out, since new buckets may move the old ones.
      Bucket now = std::exchange(buckets_[ply.count], {});
      expand_frontier(now.seeds, now.resolved, stop_, [&](auto, LocalIndex p, std::vector<LocalIndex>& resolved) {
        if (open_[p] < 0) return;
        resolve(p, t, ply);
        resolved.push_back(p);
      });
      if (now.resolved.empty()) continue;
      expand_frontier(now.resolved, found_, stop_, [&](auto shared, LocalIndex q, std::vector<Found>& found) {
        if (solution_.value[tier_.begin() + q] == t) {
          lose_through<decltype(shared)::value>(q, t, ply, found);
        } else {
          win_through<decltype(shared)::value>(q, t, ply, found);
        }
      });
      for (const auto& [p, plies] : found_) bucket(plies).resolved.push_back(p);
      found_.clear();
    }
    buckets_.clear();
  }

  // A position resolved ahead of its bucket: its value and remoteness are final, its predecessors' turn comes then.
  struct Found {
    LocalIndex position;
    Ply plies;
  };
  struct Bucket {
    std::vector<LocalIndex> seeds;     // wins through outside successors, unless resolved in a lower bucket
    std::vector<LocalIndex> resolved;  // entered already
  };

  // Of a position that is not resolved.
  MarginRank floor(LocalIndex p) const { return solution_.value[tier_.begin() + p]; }
  Ply floor_plies(LocalIndex p) const { return solution_.remoteness[tier_.begin() + p]; }

  Bucket& bucket(Ply ply) {
    if (ply.count >= buckets_.size()) buckets_.resize(ply.count + 1);
    return buckets_[ply.count];
  }

  void resolve(LocalIndex p, MarginRank value, Ply plies) {
    open_[p] = kResolved;
    enter(p, value, plies);
  }

  void enter(LocalIndex p, MarginRank value, Ply plies) {
    solution_.value[tier_.begin() + p] = value;
    solution_.remoteness[tier_.begin() + p] = plies;
  }

  // q is a loss by t: its predecessors win by t. No lower bucket can claim them any more.
  template <bool kShared>
  void win_through(LocalIndex q, MarginRank t, Ply ply, std::vector<Found>& found) {
    for (const LocalIndex p : tier_.predecessors(q)) {
      if (exchange<kShared>(open_[p], kResolved) < 0) continue;
      enter(p, t, ply.next());
      found.push_back({p, ply.next()});
    }
  }

  // q is a win by t: a predecessor that has nothing else left loses by t. That happens to a predecessor once, and
  // never to one that win_through() claims at the same time, since all its inner successors are wins.
  template <bool kShared>
  void lose_through(LocalIndex q, MarginRank t, Ply ply, std::vector<Found>& found) {
    for (const LocalIndex p : tier_.predecessors(q)) {
      if (fetch_add<kShared>(open_[p], -1) != 1 || floor(p) > -t) continue;
      const Ply plies = floor(p) == -t ? std::max(ply.next(), floor_plies(p)) : ply.next();
      exchange<kShared>(open_[p], kResolved);  // atomically, as others have counted it down just before
      enter(p, -t, plies);
      found.push_back({p, plies});
    }
  }

  const PositionGraph& graph_;
  const Tier& tier_;
  Solution& solution_;
  Stop* stop_;
  std::vector<std::int32_t> open_;  // inner successors that are not (yet) wins of the opponent
  std::vector<LocalIndex> by_floor_;
  std::vector<std::size_t> floor_begin_;
  std::vector<Bucket> buckets_;
  std::vector<Found> found_;
};

}  // namespace

void solve_values(const PositionGraph& graph, const Tier& tier, std::span<const std::uint32_t> inner,
                  Solution& solution, Stop* stop) {
  Retrograde(graph, tier, inner, solution, stop).run();
}

}  // namespace plenum
