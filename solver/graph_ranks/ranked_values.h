// SPDX-License-Identifier: Apache-2.0
// Values, remoteness and facts of a graph that ranks share, tier by tier from the last; as solver/graph finds them (solve.h,
// retrograde.cpp, facts.cpp).
//
// In each tier, ranks ask one another what lies outside of it. Then values spread backwards in steps of a ply and a margin: a
// position that a step resolves is told to the ranks of its predecessors, and all ranks take the next step together. Facts spread likewise.
//
// Thread-safety: collective; works in the calling thread. The result does not depend on the number of ranks.
// Cost: some 13 bytes for an outer edge to another rank, 4 to 15 for an inner one; 9 bytes a position for the result, and 17 of the tier at
// hand besides its inner edges.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "solver/graph_ranks/ranked_graph.h"
#include "solver/graph_ranks/ranked_tier.h"
#include "solver/result/solution.h"

namespace plenum {

// Besides the facts of a solution: that an end can be reached, if both want it at any price.
inline constexpr Facts kSomeEnd = 128;

// Collective: what is being done, and how many positions of all ranks are solved; the same answer on all ranks, false: give up.
using RankedProgressFn = std::function<bool(const char* stage, std::uint64_t positions)>;

// By place, with kSomeEnd; not whole if `go_on` said no. `inner`: of count_inner().
Solution ranked_values(const RankedGraph& graph, std::span<const std::uint32_t> inner, Ranks& ranks,
                       const RankedProgressFn& go_on);

// Enters value and remoteness of the tier's positions, and then their facts, where what lies outside has been entered (outside.h).
// `open`: how many inner edges each has. False: given up.
bool ranked_retrograde(const RankedGraph& graph, const RankedTier& tier, std::span<const std::uint32_t> open,
                       Solution& solution, Ranks& ranks, const std::function<bool()>& go_on);
void ranked_facts(const RankedGraph& graph, const RankedTier& tier, std::vector<std::uint32_t>& open,
                  Solution& solution, Ranks& ranks);

}  // namespace plenum
