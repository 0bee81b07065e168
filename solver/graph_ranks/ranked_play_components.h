// SPDX-License-Identifier: Apache-2.0
// Random play through a large tier that falls apart into components, each solved by one of the ranks (solver/graph/tier_walk.h).
//
// Components are gone through by level; those of a level go to the ranks in turn, the largest first, a few at a time. What one brings to
// later ones is added up there when their turn comes, in the order in which one process adds it.
//
// Thread-safety: collective. Cost: some 60 bytes a position of the tier; at a time the components that a rank solves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/graph/expected_visits.h"
#include "solver/graph_ranks/ranked_tier.h"

namespace plenum {

// By this rank's positions of a tier. `arrivals`: what arrives, and afterwards at those with a degree what each edge carries. `degree`: 0 where
// play has ended or no end can be reached. `component`: of ranked_strong_components(). The tier's sources are used up. Adds to `error` what
// one process does. Components of `least_shared` members and more are solved by all ranks where they are most of the work. Returns keys by which what leaves the positions has to be added up.
std::vector<std::uint64_t> play_components(const RankedGraph& graph, RankedTier& tier,
                                           std::span<const std::uint32_t> component,
                                           std::span<const std::uint32_t> degree, std::span<ByParity> arrivals,
                                           double& error, std::uint64_t least_shared, Ranks& ranks);

}  // namespace plenum
