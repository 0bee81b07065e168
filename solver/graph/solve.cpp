// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/solve.h"

namespace plenum {

Solution solve(const PositionGraph& graph, Stop* stop, SolveProgress* progress) {
  const auto begin = [&](const char* stage) {
    if (progress != nullptr) progress->stage = stage;
    if (stop != nullptr) stop->ask();
  };
  Solution solution;
  solution.value.resize(graph.size());
  solution.remoteness.resize(graph.size());
  solution.facts.resize(graph.size());
  for (std::size_t t = graph.tiers(); t-- > 0 && !(stop != nullptr && stop->stopped());) {
    begin("predecessors");
    const Tier tier(graph, t, stop);
    begin("values and remoteness");
    solve_values(graph, tier, solution, stop);
    begin("facts");
    solve_facts(graph, tier, solution, stop);
    if (progress != nullptr) progress->solved = graph.size() - tier.begin();
    if (stop != nullptr) stop->ask();
  }
  return solution;
}

}  // namespace plenum
