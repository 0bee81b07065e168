// SPDX-License-Identifier: Apache-2.0
// Solves a whole graph of positions, tier by tier from the last.
//
//   const Solution solution = solve(graph);
//   if (solution.is_tie(graph.start)) ...
//
// Values come first (retrograde.cpp), then the facts (facts.cpp), which read them; both use the same transposed inner edges, so
// these are built once a tier and only one tier's are in memory.
//
// Thread-safety: `graph` is only read; uses all cores (limit them with tbb::global_control). The result is the same,
// bit for bit, for any number of threads. One call at a time for a Solution.
// Cost: about 75 ns an inner edge, 15 ns an outer one; 9 bytes a position for the result.
#pragma once

#include <atomic>
#include <cstdint>

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
Solution solve(const PositionGraph& graph, Stop* stop = nullptr, SolveProgress* progress = nullptr);

// Enters value and remoteness of the tier's positions. Requires those of all later tiers.
void solve_values(const PositionGraph& graph, const Tier& tier, Solution& solution, Stop* stop = nullptr);

// Enters the facts of the tier's positions. Requires their values, and values and facts of all later tiers.
void solve_facts(const PositionGraph& graph, const Tier& tier, Solution& solution, Stop* stop = nullptr);

}  // namespace plenum
