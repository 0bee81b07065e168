// SPDX-License-Identifier: Apache-2.0
// The graph of a game within a limit of memory, for whoever needs the graph itself (cycles, traps, measures).
//
// Thread-safety: no state.
#pragma once

#include "solver/graph/analysis.h"

namespace plenum {

// As solve_game(), but that it refuses before it begins where the memory is known not to be enough.
absl::StatusOr<SolvedGame> solve_graph(const Variant& variant, const Position& start, Extras extras,
                                       const EnumerationLimits& limits, const AnalysisProgressFn& progress);

}  // namespace plenum
