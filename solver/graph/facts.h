// SPDX-License-Identifier: Apache-2.0
// What can be forced or reached besides the value: the facts of one tier.
//
// Play that never ends counts 0, so a value of 0 alone does not say whether the game ends. The facts do (solution.h):
// "can force an end that is no loss" tells ties from cycles, "can force an end at any price" says who can
// make play go on for ever, "an end at 0 can be reached" tells forced cycles from others. Higher tiers read them,
// so they are kept for every position.
//
// Each "can force" is an attractor, the least set with: an end of the wanted kind belongs to it; the mover's
// set contains a position with a successor in the opponent's... set (the turn has changed), the opponent's one all of
// whose successors are in the mover's. Both attractors and the reachability are computed in one pass over the
// inner predecessors, with counts of the successors still missing. A position worth more than 0 to a player is in
// both their sets from the beginning.
//
// Thread-safety: one call at a time for a Solution; uses all cores; the result does not depend on their number.
// Cost: about 30 ns an inner edge, 5 ns an outer one; 8 bytes a position of the tier while it runs.
#pragma once

#include "solver/graph/tier.h"
#include "solver/result/solution.h"
#include "solver/support/stop.h"
#include "tables/position_graph.h"

namespace plenum {

// Enters the facts of the tier's positions. Requires their values, and values and facts of all later tiers.
void solve_facts(const PositionGraph& graph, const Tier& tier, Solution& solution, Stop* stop = nullptr);

}  // namespace plenum
