// SPDX-License-Identifier: Apache-2.0
// Solves a whole graph of positions, tier by tier from the last.
//
//   const Solution solution = solve(graph);
//   if (solution.is_tie(graph.start)) ...
//
// What lies outside a tier is looked at first (outside.h). Then its inner edges are turned round, values are found (retrograde.cpp), then
// the facts (facts.cpp), which read them; and the edges are turned back.
//
// Thread-safety: uses all cores (limit them with tbb::global_control). The result is the same, bit for bit, for any number of
// threads. One call at a time for a Solution, and nobody else may read a graph that is not const meanwhile: its tiers' edges are turned round in
// their place, and when all is done those inside a tier come first and in the order of where they lead.
// Cost: about 50 ns an inner edge, 10 ns an outer one; 9 bytes a position for the result, and 9 and more of the tier at hand.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/graph/outside.h"
#include "solver/graph/tier.h"
#include "solver/result/solution.h"
#include "solver/support/stop.h"
#include "tables/position_graph.h"

namespace plenum {

// How far it is, for whoever `stop` asks.
struct SolveProgress {
  std::atomic<std::uint64_t> solved = 0;  // positions
  std::atomic<const char*> stage = "";
};

// Once `stop`, which is asked before each stage of a tier, says so it returns soon, with a solution that is not whole.
Solution solve(PositionGraph& graph, Stop* stop = nullptr, SolveProgress* progress = nullptr);
// The same of a copy.
Solution solve(const PositionGraph& graph, Stop* stop = nullptr, SolveProgress* progress = nullptr);

// Enters value and remoteness of the tier's positions, where what lies outside has been entered and the tier is not acyclic. `inner`: the
// inner edges of each.
void solve_values(const PositionGraph& graph, const Tier& tier, std::span<const std::uint32_t> inner,
                  Solution& solution, Stop* stop = nullptr);

// Enters the facts of the tier's positions. Requires their values, and that the facts of what lies outside have been entered. `inner` is
// used up.
void solve_facts(const PositionGraph& graph, const Tier& tier, std::vector<std::uint32_t>& inner, Solution& solution,
                 Stop* stop = nullptr);

}  // namespace plenum
