// SPDX-License-Identifier: Apache-2.0
// All positions reachable from a start, found by several ranks: each rank's part of the graph.
//
// A position belongs at first to the rank that its hash tells. In a round every rank expands some thousands of its positions, sends
// the successors' keys to their ranks, which put them in and answer where. When all are found they are numbered (ranked_numbering.h), tier by
// tier in the order of keys, and go with their edges to the ranks that have these numbers.
//
// Memory: kept within `memory_bytes` a rank, counting what solving will need as well: if one rank would pass it, all stop with
// kResourceExhausted.
// Thread-safety: collective; a rank's positions are expanded and put in by all its threads. The graph does not depend on their number.
// Cost: to another rank some 14 bytes a move while positions are found, and some 12 to number them.
#pragma once

#include <cstdint>
#include <functional>

#include "solver/cluster/ranks.h"
#include "solver/graph/enumerate.h"
#include "solver/graph_ranks/ranked_graph.h"
#include "variants/rules/variant.h"

namespace plenum {

struct RankedLimits {
  EnumerationLimits of_rank;      // most_positions: of all ranks
  std::uint64_t least_moves = 0;  // with fewer, of all ranks, it stops with kUnimplemented
  // For tests: codes are wide from so many places on, and tiers from so many positions on are dealt out in multiples of kParallelGrain.
  std::uint64_t least_wide = ~std::uint64_t{0};
  std::uint64_t least_grained = 16'384;
};

// `progress` is asked of the root alone.
absl::StatusOr<RankedGraph> ranked_enumerate(const Variant& variant, const Position& start, const RankedLimits& limits,
                                             Ranks& ranks, const EnumerationProgressFn& progress = {});

}  // namespace plenum
