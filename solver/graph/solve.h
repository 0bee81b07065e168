// SPDX-License-Identifier: Apache-2.0
// Solves a whole graph of positions, tier by tier from the last.
//
//   const Solution solution = solve(graph, [](const Progress& p) { report(p.positions); });
//   if (solution.is_tie(graph.start)) ...
//
// Values come first, then the facts, which read them; both use the same transposed inner edges, so these are built
// once a tier and only one tier's are in memory.
//
// Thread-safety: `graph` is only read; uses all cores (limit them with tbb::global_control). The result is the same,
// bit for bit, for any number of threads. `progress` is called in the calling thread, after each tier.
// Cost: about 75 ns an inner edge, 15 ns an outer one; 9 bytes a position for the result.
#pragma once

#include <cstddef>
#include <functional>

#include "solver/result/solution.h"
#include "solver/support/stop.h"
#include "tables/position_graph.h"

namespace plenum {

// How far solve() has come.
struct Progress {
  std::size_t tiers = 0;
  std::size_t positions = 0;
};
using ProgressFn = std::function<void(const Progress&)>;

// Once `stop` says so it returns soon, with a solution that is not whole.
Solution solve(const PositionGraph& graph, const ProgressFn& progress = {}, Stop* stop = nullptr);

}  // namespace plenum
