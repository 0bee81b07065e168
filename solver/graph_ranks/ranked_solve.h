// SPDX-License-Identifier: Apache-2.0
// Solves a game whose positions are stored by several ranks: what solve_game (solver/graph/analysis.h) finds out, each rank with a part of
// the graph.
//
//     absl::StatusOr<RankedSolved> solved = ranked_solve(variant, variant.rules().start(), {}, ranks);
//
// Positions are found and numbered (ranked_enumerate.h), solved from the last tier to the first (ranked_values.h), and then, from the first
// tier on, it is seen which are reached and how play goes round. At last what a table keeps is sorted by key (ranked_layers.h).
//
// Thread-safety: collective. Summary and table are those of one process, whatever the number of ranks and threads.
// Errors, on all ranks alike: as solve_game; kUnimplemented, with the reason, for what one rank has to do alone.
#pragma once

#include "solver/graph/analysis.h"
#include "solver/graph_ranks/ranked_enumerate.h"
#include "solver/graph_ranks/ranked_layers.h"

namespace plenum {

struct RankedOptions {
  RankedLimits limits;
  Extras extras;
  AnalysisProgressFn progress;  // asked of the root
  // Tiers of so many positions and more, whose positions nearly all lead to one another, have their equations solved by all ranks; others by
  // the root. For tests: no less than RankedLimits::least_grained.
  std::uint64_t least_shared_equations = 16'384;
};

// What a rank has of it. Summary and measures are the same on all.
struct RankedSolved {
  Summary summary;
  std::shared_ptr<const RankedLayers> layers;
  Measures measures;
};
absl::StatusOr<RankedSolved> ranked_solve(const Variant& variant, const Position& start, const RankedOptions& options,
                                          Ranks& ranks);

}  // namespace plenum
