// SPDX-License-Identifier: Apache-2.0
// All measures of a solved graph (solver/result/measures.h).
//
// Thread-safety: works on what is not changed meanwhile. The result does not depend on the number of threads.
// Cost: some 16 passes over the moves for two states a position, 80 one result at a time, and more where play can go round;
// measuring_bytes() of memory.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/graph/lifts.h"
#include "solver/result/measures.h"
#include "solver/result/solution.h"
#include "solver/support/stop.h"
#include "tables/position_store.h"
#include "variants/rules/variant.h"

namespace plenum {

// How large graphs are measured unasked, in edges; ten times as many where play cannot go round. It takes a second or so, much more than
// solving them.
inline constexpr std::uint64_t kMeasuredEdges = 30'000;
inline constexpr std::uint64_t kMeasureAll = ~std::uint64_t{0};

// What it holds at the most beside the solved graph, by so many threads. `together`: some results at a time, faster where play cannot go round.
inline std::uint64_t measuring_bytes(const PositionGraph& graph, bool cyclic, bool together, std::size_t threads) {
  const std::uint64_t of_one = graph.size() * (together ? 130 : 80) + graph.edge.size() * (cyclic ? 100 : 0);
  return graph.size() * 100 + graph.edge.size() * 8 + threads * of_one;
}

// What the moves of a stored position do, of so many images of it.
MoveCounts move_counts(const PositionGraph& graph, const Solution& solution, PositionIndex p, std::uint64_t images);

// `cyclic`: whether play can go round. Nothing where equations could not be solved, or `stop` said so.
std::optional<Measures> measure(const Variant& variant, const Position& start, const PositionStore& store,
                                const PositionGraph& graph, const Solution& solution, const Lifts& lifts, bool cyclic,
                                bool together, std::size_t threads, Stop* stop);

}  // namespace plenum
