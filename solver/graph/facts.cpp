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
// Cost: about 15 ns an inner edge; 9 bytes a position of the tier while it runs, 4 of them given to it.
#include <mutex>
#include <vector>

#include "solver/graph/solve.h"
#include "solver/support/parallel.h"

namespace plenum {
namespace {

// More successors than a position can have: some successor outside the tier never joins the set.
constexpr std::uint32_t kNever = 1U << 30;

// How many successors are still missing from the mover's sets, as the movers there see it; at 0 the position
// belongs to the opponent's.
struct Missing {
  std::vector<std::uint32_t>& ends;
  std::vector<std::uint32_t>& forces_end;
};

// A position and facts of it that its predecessors have not heard of.
struct News {
  LocalIndex position;
  Facts facts;
};

// Passes the news of q on to its predecessors.
template <bool kShared>
void spread(const Tier& tier, Solution& solution, const Missing& missing, const News& news, std::vector<News>& found) {
  for (const LocalIndex p : tier.predecessors(news.position)) {
    const PositionIndex position = tier.begin() + p;
    Facts facts = through(news.facts);
    if (solution.value[position] != 0) facts = static_cast<Facts>(facts & ~kEndReachable);
    if ((news.facts & kMoverEnds) != 0 && fetch_add<kShared>(missing.ends[p], ~0U) == 1) facts |= kOtherEnds;
    if ((news.facts & kMoverForcesEnd) != 0 && fetch_add<kShared>(missing.forces_end[p], ~0U) == 1)
      facts |= kOtherForcesEnd;
    const auto fresh = static_cast<Facts>(facts & ~fetch_or<kShared>(solution.facts[position], facts));
    if (fresh != 0) found.push_back({p, fresh});
  }
}

// What was known at first, passed on; what comes of it goes into `found`, in no particular order.
void spread_first(const Tier& tier, Solution& solution, const Missing& missing, const std::vector<Facts>& first,
                  std::vector<News>& found, Stop* stop) {
  std::mutex adding;
  for_ranges(0, first.size(), stop, [&](auto shared, std::size_t from, std::size_t to) {
    std::vector<News> here;
    for (std::size_t i = from; i < to; ++i) {
      if (first[i] != 0)
        spread<decltype(shared)::value>(tier, solution, missing, {static_cast<LocalIndex>(i), first[i]}, here);
    }
    const std::lock_guard lock(adding);
    found.insert(found.end(), here.begin(), here.end());
  });
}

}  // namespace

void solve_facts(const PositionGraph& graph, const Tier& tier, std::vector<std::uint32_t>& inner, Solution& solution,
                 Stop* stop) {
  const bool acyclic = tier.acyclic();
  std::vector<std::uint32_t>& ends = inner;
  std::vector<std::uint32_t> forces_end(inner);
  std::vector<Facts> first(inner.size());  // 0 where there is nothing to pass on
  for_ranges(tier.begin(), tier.end(), stop, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      if (graph.ended(p)) continue;
      const std::size_t k = i - tier.begin();
      const Facts outside = solution.facts[p];
      solution.facts[p] = first_facts(solution.value[p], outside, !acyclic && inner[k] != 0);
      if (acyclic) continue;
      first[k] = solution.facts[p];
      if ((outside & kOtherNeverEnds) != 0) ends[k] += kNever;
      if ((outside & kOtherNeverForcesEnd) != 0) forces_end[k] += kNever;
    }
  });
  if (acyclic) return;
  const Missing missing = {ends, forces_end};
  std::vector<News> news;
  spread_first(tier, solution, missing, first, news, stop);
  std::vector<Facts>().swap(first);
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
