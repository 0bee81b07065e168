// SPDX-License-Identifier: Apache-2.0
// What can be forced or reached besides the value: the facts of one tier.
//
// Play that never ends counts 0, so a value of 0 alone does not say whether the game ends. The facts do (solution.h):
// "can force an end that is no loss" tells ties from cycles, "can force an end at any price" says who can
// make play go on for ever, "an end at 0 can be reached" tells forced cycles from others. Higher tiers read them,
// so they are kept for every position.
//
// Each "can force" is an attractor, the least set with: an end of the wanted kind belongs to it; the mover's
// set contains a position with a successor in the opponent's... set (the turn has changed), the opponent's one all of
// whose successors are in the mover's. Both attractors and the reachability are computed in one pass over the
// inner predecessors, with counts of the successors still missing. A position worth more than 0 to a player is in
// both their sets from the beginning.
//
// Thread-safety: one call at a time for a Solution; uses all cores; the result does not depend on their number.
// Cost: about 30 ns an inner edge, 5 ns an outer one; 8 bytes a position of the tier while it runs.
#include <vector>

#include "solver/graph/solve.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

// More successors than a position can have: some successor outside the tier never joins the set.
constexpr std::int32_t kNever = 1 << 30;

// How many successors are still missing from the mover's sets, as the movers there see it; at 0 the position
// belongs to the opponent's.
struct Missing {
  std::int32_t ends = 0;
  std::int32_t forces_end = 0;
};

// A position and facts of it that its predecessors have not heard of.
struct News {
  LocalIndex position;
  Facts facts;
};

// The facts that follow at once from one successor q, for a predecessor worth `value`.
Facts through(Facts of_successor, MarginRank value) {
  return static_cast<Facts>(((of_successor & kOtherEnds) != 0 ? kMoverEnds : 0) |
                            ((of_successor & kOtherForcesEnd) != 0 ? kMoverForcesEnd : 0) |
                            ((of_successor & kEndReachable) != 0 && value == 0 ? kEndReachable : 0));
}

Facts of_value(MarginRank value) {
  if (value == 0) return 0;
  return static_cast<Facts>(value > 0 ? kMoverEnds | kMoverForcesEnd : kOtherEnds | kOtherForcesEnd);
}

Facts of_missing(const Missing& m) {
  return static_cast<Facts>((m.ends == 0 ? kOtherEnds : 0) | (m.forces_end == 0 ? kOtherForcesEnd : 0));
}

// What value and outside successors say about p, which has not ended.
Facts outside_facts(const PositionGraph& graph, const Tier& tier, const Solution& solution, PositionIndex p,
                    Missing& missing) {
  const MarginRank value = solution.value[p];
  Facts facts = of_value(value);
  std::int32_t inner = 0;
  for (const PositionIndex q : graph.successors(p)) {
    if (tier.inner(graph, q)) {
      ++inner;
      continue;
    }
    const Facts f = solution.facts[q];
    facts |= through(f, value);
    if ((f & kMoverEnds) == 0) missing.ends = kNever;
    if ((f & kMoverForcesEnd) == 0) missing.forces_end = kNever;
  }
  missing.ends += inner;
  missing.forces_end += inner;
  return facts | of_missing(missing);
}

// Passes the news of q on to its predecessors.
template <bool kShared>
void spread(const Tier& tier, Solution& solution, std::vector<Missing>& missing, const News& news,
            std::vector<News>& found) {
  for (const LocalIndex p : tier.predecessors(news.position)) {
    const PositionIndex position = tier.begin() + p;
    Facts facts = through(news.facts, solution.value[position]);
    if ((news.facts & kMoverEnds) != 0 && fetch_add<kShared>(missing[p].ends, -1) == 1) facts |= kOtherEnds;
    if ((news.facts & kMoverForcesEnd) != 0 && fetch_add<kShared>(missing[p].forces_end, -1) == 1) {
      facts |= kOtherForcesEnd;
    }
    const auto fresh = static_cast<Facts>(facts & ~fetch_or<kShared>(solution.facts[position], facts));
    if (fresh != 0) found.push_back({p, fresh});
  }
}

}  // namespace

void solve_facts(const PositionGraph& graph, const Tier& tier, Solution& solution, Stop* stop) {
  std::vector<Missing> missing(tier.acyclic() ? 0 : tier.size());
  for_ranges(tier.begin(), tier.end(), stop, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      if (graph.ended(p)) solution.facts[p] = facts_of_end(graph.end_rank[p]);
    }
  });
  for_ranges(tier.begin(), tier.end(), stop, [&](auto, std::size_t from, std::size_t to) {
    Missing none;
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      if (graph.ended(p)) continue;
      Missing& m = missing.empty() ? none = {} : missing[i - tier.begin()];
      solution.facts[p] = outside_facts(graph, tier, solution, p, m);
    }
  });
  if (tier.acyclic() || (stop != nullptr && stop->stopped())) return;

  const auto has_news = [&](LocalIndex i) {
    const PositionIndex p = tier.begin() + i;
    return solution.facts[p] != 0 && !graph.ended(p);
  };
  // Counted first: this is where most memory is held, and a vector that grows takes up to three times what it holds.
  std::size_t count = 0;
  for (LocalIndex i = 0; i < tier.size(); ++i) count += has_news(i) ? 1 : 0;
  std::vector<News> news;
  news.reserve(count);
  for (LocalIndex i = 0; i < tier.size(); ++i) {
    if (has_news(i)) news.push_back({i, solution.facts[tier.begin() + i]});
  }
  std::vector<News> found;
  while (!news.empty() && !(stop != nullptr && stop->stopped())) {
    expand_frontier(news, found, stop, [&](auto shared, const News& item, std::vector<News>& out) {
      spread<decltype(shared)::value>(tier, solution, missing, item, out);
    });
    news.swap(found);
    found.clear();
  }
}

}  // namespace plenum
