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
// Facts that a position, `at`, hears of a successor.
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
  std::vector<Facts> untold(acyclic ? 0 : tier.size(), 0);  // what predecessors have not heard of
  std::vector<PositionIndex> waiting;                       // positions with such
  const auto to_tell = [&](PositionIndex i, Facts facts) {
    if (untold[i] == 0) waiting.push_back(i);
    untold[i] |= facts;
  };
  for (PositionIndex i = 0; i < tier.size(); ++i) {
    const PositionIndex p = tier.begin() + i;
    if (graph.ended(p)) continue;
    const Facts outside = solution.facts[p];
    solution.facts[p] =
        static_cast<Facts>(first_facts(solution.value[p], outside, !acyclic && open[i] != 0) | (outside & kSomeEnd));
    if (acyclic) continue;
    if (solution.facts[p] != 0) to_tell(i, solution.facts[p]);
    if ((outside & kOtherNeverEnds) != 0) ends[i] += kNeverJoins;
    if ((outside & kOtherNeverForcesEnd) != 0) forces_end[i] += kNeverJoins;
  }
  if (acyclic) return;
  const auto hear = [&](PositionIndex at, Facts of_successor) {
    const PositionIndex p = tier.begin() + at;
    int facts = through(of_successor) | (of_successor & kSomeEnd);
    if (solution.value[p] != 0) facts &= ~kEndReachable;
    if ((of_successor & kMoverEnds) != 0 && ends[at]-- == 1) facts |= kOtherEnds;
    if ((of_successor & kMoverForcesEnd) != 0 && forces_end[at]-- == 1) facts |= kOtherForcesEnd;
    const auto fresh = static_cast<Facts>(facts & ~solution.facts[p]);
    if (fresh == 0) return;
    solution.facts[p] |= fresh;
    to_tell(at, fresh);
  };
  Mail<RankedNews> mail(ranks);
  const auto tell = [&](PositionIndex i) {
    const Facts facts = std::exchange(untold[i], 0);
    for (const std::uint32_t source : tier.predecessors(i)) {
      const RankedTier::Member p = tier.member(source);
      if (p.rank == graph.rank) {
        hear(p.at, facts);
      } else {
        mail.add(p.rank, {p.at, facts});
      }
    }
  };
  mail.until_done(waiting, tell, [&](const RankedNews& one, std::size_t /*rank*/) { hear(one.at, one.facts); });
}

}  // namespace plenum
