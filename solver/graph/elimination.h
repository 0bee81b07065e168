// SPDX-License-Identifier: Apache-2.0
// The equations of expected_visits.h for small tiers, solved by elimination without subtractions.
//
// The chain has two states a position, one for each parity of the ply. States are eliminated one by one; what a state
// passes on is shared out over those left, in proportion to their rates. Rates only ever get added, multiplied and
// divided, so every result keeps its relative accuracy, however seldom play leaves the tier: no iteration and no
// residual can promise that.
//
// Source: Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov chains (1985).
// Thread-safety: works in the calling thread. Cost: 8/3 n^3 multiplications and 32 n^2 bytes for n positions.
#pragma once

#include <cstdint>
#include <span>

#include "solver/graph/expected_visits.h"
#include "solver/graph/tier.h"

namespace plenum {

// As solve_visits(); the error returned is an estimate, proportional to the size.
double eliminate(const Tier& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow);

}  // namespace plenum
