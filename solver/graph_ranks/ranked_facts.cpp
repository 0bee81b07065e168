// SPDX-License-Identifier: Apache-2.0
// The facts of one tier that ranks share (facts.cpp of the room graph), and from where an end can be reached.
#include <utility>
#include <vector>

#include "solver/graph/outside.h"
#include "solver/graph_ranks/ranked_values.h"

namespace plenum {
namespace {

// More successors than a position can have: some successor outside the tier never joins the set.
constexpr std::uint32_t kNeverJoins = 1U << 30;

#pragma pack(push, 1)
// Facts of a position that another one, `at`, has not heard of.
struct RankedNews {
  PositionIndex at;
  Facts facts;
};
#pragma pack(pop)

}  // namespace

void ranked_facts(const RankedGraph& graph, const RankedTier& tier, std::vector<std::uint32_t>& open,
                  Solution& solution, Ranks& ranks) {
  const bool acyclic = tier.acyclic();
  std::vector<std::uint32_t>& ends = open;  // successors still missing from the mover's sets
  std::vector<std::uint32_t> forces_end(open);
  std::vector<RankedNews> news;
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    const PositionIndex p = tier.begin() + i;
    if (graph.ended(p)) continue;
    const Facts outside = solution.facts[p];
    solution.facts[p] =
        static_cast<Facts>(first_facts(solution.value[p], outside, !acyclic && open[i] != 0) | (outside & kSomeEnd));
    if (acyclic) continue;
    if (solution.facts[p] != 0) news.push_back({i, solution.facts[p]});
    if ((outside & kOtherNeverEnds) != 0) ends[i] += kNeverJoins;
    if ((outside & kOtherNeverForcesEnd) != 0) forces_end[i] += kNeverJoins;
  }
  if (acyclic) return;
  std::vector<RankedNews> found;
  const auto hear = [&](PositionIndex at, Facts of_successor) {
    const PositionIndex p = tier.begin() + at;
    int facts = through(of_successor) | (of_successor & kSomeEnd);
    if (solution.value[p] != 0) facts &= ~kEndReachable;
    if ((of_successor & kMoverEnds) != 0 && ends[at]-- == 1) facts |= kOtherEnds;
    if ((of_successor & kMoverForcesEnd) != 0 && forces_end[at]-- == 1) facts |= kOtherForcesEnd;
    const auto fresh = static_cast<Facts>(facts & ~solution.facts[p]);
    if (fresh == 0) return;
    solution.facts[p] |= fresh;
    found.push_back({at, fresh});
  };
  Mail<RankedNews> mail(ranks);
  const auto tell = [&](std::size_t i) {
    for (const std::uint32_t source : tier.predecessors(news[i].at)) {
      const RankedTier::Member p = tier.member(source);
      if (p.rank == graph.rank) {
        hear(p.at, news[i].facts);
      } else {
        mail.add(p.rank, {p.at, news[i].facts});
      }
    }
  };
  const auto heard = [&](const RankedNews& one, std::size_t /*rank*/) { hear(one.at, one.facts); };
  while (mail.in_rounds(news.size(), tell, heard)) {
    news.swap(found);
    found.clear();
  }
}

}  // namespace plenum
