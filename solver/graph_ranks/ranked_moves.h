// SPDX-License-Identifier: Apache-2.0
// What the moves of stored positions do, of a game that ranks share: which of them keep the value.
//
// Collective, from the main thread. Cost: 8 bytes sent for each move to another rank's position.
#pragma once

#include "solver/graph_ranks/ranked_graph.h"
#include "solver/graph_ranks/ranked_lifts.h"
#include "solver/result/measures.h"
#include "solver/result/solution.h"
#include "variants/rules/variant.h"

namespace plenum {

// Measures by position alone, of all ranks, as count_moves() has them (solver/study/move_counts.h).
Measures ranked_moves(const Variant& variant, const RankedGraph& graph, const Solution& solution,
                      const RankedLifts& lifts, Ranks& ranks);

}  // namespace plenum
