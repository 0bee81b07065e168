// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/solve.h"

namespace plenum {

Solution solve(const PositionGraph& graph, Stop* stop, std::atomic<std::uint64_t>* solved) {
  Solution solution;
  solution.value.resize(graph.size());
  solution.remoteness.resize(graph.size());
  solution.facts.resize(graph.size());
  for (std::size_t t = graph.tiers(); t-- > 0 && !(stop != nullptr && stop->stopped());) {
    const Tier tier(graph, t, stop);
    solve_values(graph, tier, solution, stop);
    solve_facts(graph, tier, solution, stop);
    if (solved != nullptr) *solved = graph.size() - tier.begin();
    if (stop != nullptr) stop->ask();
  }
  return solution;
}

}  // namespace plenum
