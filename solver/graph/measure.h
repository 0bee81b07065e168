// SPDX-License-Identifier: Apache-2.0
// All measures of a solved graph (solver/result/measures.h).
//
// Thread-safety: works in the calling thread, on what is not changed meanwhile.
// Cost: some 80 passes over the moves for two states a position, more where play can go round; measuring_bytes() of memory.
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

// What it holds at the most beside the solved graph.
inline std::uint64_t measuring_bytes(const PositionGraph& graph, bool cyclic) {
  return graph.size() * 320 + graph.edge.size() * (cyclic ? 100 : 2);
}

// `cyclic`: whether play can go round. Nothing where equations could not be solved, or `stop` said so.
std::optional<Measures> measure(const Variant& variant, const Position& start, const PositionStore& store,
                                const PositionGraph& graph, const Solution& solution, const Lifts& lifts, bool cyclic,
                                Stop* stop);

}  // namespace plenum
