// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/solve.h"

#include "solver/graph/facts.h"
#include "solver/graph/retrograde.h"
#include "solver/graph/tier.h"

namespace plenum {

Solution solve(const PositionGraph& graph, const ProgressFn& progress, Stop* stop) {
  Solution solution;
  solution.value.resize(graph.size());
  solution.remoteness.resize(graph.size());
  solution.facts.resize(graph.size());
  for (std::size_t t = graph.tiers(); t-- > 0 && !(stop != nullptr && stop->stopped());) {
    const Tier tier(graph, t, stop);
    solve_values(graph, tier, solution, stop);
    solve_facts(graph, tier, solution, stop);
    if (progress) progress({graph.tiers() - t, graph.size() - tier.begin()});
  }
  return solution;
}

}  // namespace plenum
