// SPDX-License-Identifier: Apache-2.0
// Retrograde analysis with margins and endless play: values and remoteness of one tier.
//
// Each player maximises their own margin, and play that never ends counts 0. Seen from the end, a position is
// resolved as a win by t once one of its successors is a loss by t, and as a loss by t once nothing better is left.
// The absolute margins t > 0 are worked off from the largest, and for each t the plies from the fewest, with a bucket
// of positions a ply. So the first value found is the exact one and the first ply the remoteness; a position is
// resolved once and an inner edge is looked at once. What is never resolved is worth 0.
//
// Successors outside the tier, or ended, are summed up beforehand: the best value they offer (the floor) and the
// plies to it. An acyclic tier is nothing but its floors.
//
// Sources: Romein and Bal (awari), Gasser, Gévay and Danner (mill games); multi-valued retrograde analysis.
// Thread-safety: one call at a time for a Solution; uses all cores; the result does not depend on their number.
// Cost: about 20 ns an inner edge, 5 ns an outer one; 16 bytes a position of the tier while it runs.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "solver/graph/solve.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

constexpr MarginRank kNoFloor = std::numeric_limits<MarginRank>::min();
// The count of open successors of a position that is resolved: negative, and so low that it stays negative.
constexpr std::int32_t kResolved = std::numeric_limits<std::int32_t>::min() / 2;

// What is known about a position of the tier before it is resolved.
struct Candidate {
  std::int32_t open = 0;        // inner successors that are not (yet) wins of the opponent
  MarginRank floor = kNoFloor;  // the best that a successor outside the tier offers
  Ply plies;                    // to that end, where floor != 0: the fewest of a win, the most of a loss
};

Candidate evaluate_outside(const PositionGraph& graph, const Tier& tier, const Solution& solution, PositionIndex p) {
  Candidate c;
  for (const PositionIndex q : graph.successors(p)) {
    if (tier.inner(graph, q)) {
      ++c.open;
      continue;
    }
    const MarginRank worth = -solution.value[q];
    if (worth > c.floor) {
      c.floor = worth;
      if (worth != 0) c.plies = solution.remoteness[q].next();
    } else if (worth == c.floor && worth != 0) {
      const Ply plies = solution.remoteness[q].next();
      c.plies = worth > 0 ? std::min(c.plies, plies) : std::max(c.plies, plies);
    }
  }
  return c;
}

class Retrograde {
 public:
  Retrograde(const PositionGraph& graph, const Tier& tier, Solution& solution, Stop* stop)
      : graph_(graph), tier_(tier), solution_(solution), stop_(stop), candidate_(tier.size()) {}

  void run() {
    for_ranges(0, tier_.size(), stop_, [&](auto, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const auto p = static_cast<PositionIndex>(tier_.begin() + i);
        candidate_[i] = evaluate_outside(graph_, tier_, solution_, p);
        if (graph_.ended(p)) candidate_[i].open = kResolved;
      }
    });
    sort_by_floor();
    for (std::size_t t = graph_.level.size() - 1; t > 0 && !stopped(); --t) resolve_level(static_cast<MarginRank>(t));
  }

 private:
  bool stopped() const { return stop_ != nullptr && stop_->stopped(); }

  // Numbers the positions with floor t or -t as by_floor_[floor_begin_[t] .. floor_begin_[t + 1]).
  void sort_by_floor() {
    const auto level = [](MarginRank floor) { return static_cast<std::size_t>(floor < 0 ? -floor : floor); };
    floor_begin_.assign(graph_.level.size() + 2, 0);
    for (const Candidate& c : candidate_) {
      if (c.floor != kNoFloor && c.floor != 0) ++floor_begin_[level(c.floor) + 2];
    }
    for (std::size_t i = 1; i < floor_begin_.size(); ++i) floor_begin_[i] += floor_begin_[i - 1];
    by_floor_.resize(floor_begin_.back());
    for (LocalIndex i = 0; i < candidate_.size(); ++i) {
      const MarginRank floor = candidate_[i].floor;
      if (floor != kNoFloor && floor != 0) by_floor_[floor_begin_[level(floor) + 1]++] = i;
    }
  }

  void resolve_level(MarginRank t) {
    const std::size_t level = static_cast<std::size_t>(t);
    for (std::size_t i = floor_begin_[level]; i < floor_begin_[level + 1]; ++i) {
      const LocalIndex p = by_floor_[i];
      const Candidate& c = candidate_[p];
      if (c.floor == t && c.open >= 0) bucket(c.plies).seeds.push_back(p);
      if (c.floor == -t && c.open == 0) {
        resolve(p, -t, c.plies);
        bucket(c.plies).resolved.push_back(p);
      }
    }
    for (Ply ply; ply.count < buckets_.size() && !stopped(); ply = ply.next()) {
      // Taken out, since new buckets may move the old ones.
      Bucket now = std::exchange(buckets_[ply.count], {});
      expand_frontier(now.seeds, now.resolved, stop_, [&](auto, LocalIndex p, std::vector<LocalIndex>& resolved) {
        if (candidate_[p].open < 0) return;
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

  Bucket& bucket(Ply ply) {
    if (ply.count >= buckets_.size()) buckets_.resize(ply.count + 1);
    return buckets_[ply.count];
  }

  void resolve(LocalIndex p, MarginRank value, Ply plies) {
    candidate_[p].open = kResolved;
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
      if (exchange<kShared>(candidate_[p].open, kResolved) < 0) continue;
      enter(p, t, ply.next());
      found.push_back({p, ply.next()});
    }
  }

  // q is a win by t: a predecessor that has nothing else left loses by t. That happens to a predecessor once, and
  // never to one that win_through() claims at the same time, since all its inner successors are wins.
  template <bool kShared>
  void lose_through(LocalIndex q, MarginRank t, Ply ply, std::vector<Found>& found) {
    for (const LocalIndex p : tier_.predecessors(q)) {
      Candidate& c = candidate_[p];
      if (fetch_add<kShared>(c.open, -1) != 1 || c.floor > -t) continue;
      const Ply plies = c.floor == -t ? std::max(ply.next(), c.plies) : ply.next();
      exchange<kShared>(c.open, kResolved);  // atomically, as others have counted it down just before
      enter(p, -t, plies);
      found.push_back({p, plies});
    }
  }

  const PositionGraph& graph_;
  const Tier& tier_;
  Solution& solution_;
  Stop* stop_;
  std::vector<Candidate> candidate_;
  std::vector<LocalIndex> by_floor_;
  std::vector<std::size_t> floor_begin_;
  std::vector<Bucket> buckets_;
  std::vector<Found> found_;
};

}  // namespace

void solve_values(const PositionGraph& graph, const Tier& tier, Solution& solution, Stop* stop) {
  for_ranges(tier.begin(), tier.end(), stop, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      solution.value[p] = graph.ended(p) ? graph.end_rank[p] : 0;
      solution.remoteness[p] = {};
    }
  });
  if (!tier.acyclic()) {
    Retrograde(graph, tier, solution, stop).run();
    return;
  }
  for_ranges(tier.begin(), tier.end(), stop, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      if (graph.ended(p)) continue;
      const Candidate c = evaluate_outside(graph, tier, solution, p);
      solution.value[p] = c.floor;
      if (c.floor != 0) solution.remoteness[p] = c.plies;
    }
  });
}

}  // namespace plenum
