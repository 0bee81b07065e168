// SPDX-License-Identifier: Apache-2.0
// How often random play comes to each position of one tier, or a component of it: the linear equations behind random_play.h.
//
// With b(q) the expected arrivals at q from outside the tier and d(p) the number of edges of p, each edge of p carries
// the flow z(p) = visits(p) / d(p), and d(q) z(q) = b(q) + the sum of z over q's inner predecessors. Who is to
// move matters for the result, and the turn changes with every edge; so there are two flows, even and odd
// plies, each fed by the other: D even = b_even + N odd and D odd = b_odd + N even. The even one is put into the other equation, so
// that one flow remains: with P = D^-1 N, (1 - P^2) odd = D^-1 (b_odd + N D^-1 b_even).
//
// Method: BiCGSTAB (van der Vorst) in floats; the true residual is worked out in doubles now and then and takes the place of the one
// that iterations follow (van der Vorst and Ye), until it is down to rounding. Where floats do not bring it there, doubles do,
// with residuals in extended precision if visits are many. Plain iteration shrinks the error only by the chance to stay
// in the tier, 300 sweeps where one ply in ten leaves it and 300,000 at one in ten thousand; the Krylov method needs
// about 25 products of 1 - P^2 for either. Very small tiers, and small ones on which it fails, are eliminated without
// subtractions (Grassmann, Taksar and Heyman), which is exact however seldom play leaves the tier.
//
// Errors: a residual r is mass that appears or gets lost, so no probability of a result is off by more than |r|_1.
// Thread-safety: uses all cores; sums are taken in a fixed order, so the result does not depend on their number.
// Cost: about 5 ns an inner edge and product of 1 - P^2; 45 bytes a position while it runs, 100 where floats do not do.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/graph/tier.h"

namespace plenum {

// An expected number, split by the ply's parity: at even plies the player to move is the one who was at the start.
struct ByParity {
  double even = 0;
  double odd = 0;
};

// On entry flow[q] is what arrives at q from outside the tier, on return what each edge of q carries. degree[q] is the
// number of q's edges; 0 leaves q out (its flow stays as it is). From every position with a degree, play must be
// able to leave these positions. Returns a bound on the error in the probability of any event after the tier, up to
// rounding in the bound itself.
double solve_visits(const InnerEdges& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow);

// The same for small tiers (elimination.cpp); the error returned is an estimate, proportional to the size.
double eliminate(const InnerEdges& tier, std::span<const std::uint32_t> degree, std::span<ByParity> flow);

}  // namespace plenum
