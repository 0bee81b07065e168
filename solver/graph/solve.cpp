// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/solve.h"

#include "solver/support/parallel.h"

namespace plenum {
namespace {

// Enters the ends of a tier, and what lies outside it; positions without an inner edge are then done. Returns the inner edges of each, or
// nothing where no position has one.
std::vector<std::uint32_t> begin_tier(const PositionGraph& graph, PositionIndex begin, PositionIndex end,
                                      Solution& solution, Stop* stop) {
  for_ranges(begin, end, stop, [&](auto, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      if (!graph.ended(p)) continue;
      solution.value[p] = graph.end_rank[p];
      solution.facts[p] = facts_of_end(graph.end_rank[p]);
    }
  });
  std::vector<std::uint32_t> inner(end - begin);
  std::atomic<bool> any = false;
  for_ranges(begin, end, stop, [&](auto, std::size_t from, std::size_t to) {
    bool any_here = false;
    for (std::size_t i = from; i < to; ++i) {
      const auto p = static_cast<PositionIndex>(i);
      if (graph.ended(p)) continue;
      inner[i - begin] = enter_outside(graph, end, p, solution);
      any_here |= inner[i - begin] != 0;
    }
    if (any_here) any.store(true, std::memory_order_relaxed);
  });
  if (!any) inner.clear();
  return inner;
}

}  // namespace

Solution solve(PositionGraph& graph, Stop* stop, SolveProgress* progress) {
  const auto begin = [&](const char* stage) {
    if (progress != nullptr) progress->stage = stage;
    if (stop != nullptr) stop->ask();
  };
  Solution solution;
  solution.value.resize(graph.size());
  solution.remoteness.resize(graph.size());
  solution.facts.resize(graph.size());
  for (std::size_t t = graph.tiers(); t-- > 0 && !(stop != nullptr && stop->stopped());) {
    begin("values and remoteness");
    std::vector<std::uint32_t> inner = begin_tier(graph, graph.tier_begin[t], graph.tier_begin[t + 1], solution, stop);
    begin("predecessors");
    Tier tier(graph, t, !inner.empty());
    begin("values and remoteness");
    if (!tier.acyclic()) solve_values(graph, tier, inner, solution, stop);
    begin("facts");
    solve_facts(graph, tier, inner, solution, stop);
    begin("predecessors");
    tier.give_back();
    if (progress != nullptr) progress->solved = graph.size() - tier.begin();
    if (stop != nullptr) stop->ask();
  }
  return solution;
}

Solution solve(const PositionGraph& graph, Stop* stop, SolveProgress* progress) {
  PositionGraph copy = graph;
  return solve(copy, stop, progress);
}

}  // namespace plenum
