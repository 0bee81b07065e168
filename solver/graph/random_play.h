// SPDX-License-Identifier: Apache-2.0
// How the game ends when both players choose every move at random, all moves of a position equally likely.
//
// One pass from the start carries the expected number of visits forward, tier by tier; inside a tier, or inside each of its
// components, it is a system of linear equations (expected_visits.h). Who is to move at the start is called `first`, and every edge is a ply; so
// who is to move in a stored position follows from the parity of the ply alone, and visits are kept by parity. Two
// moves to one stored position are two edges and count twice. From a position from which no end can be reached, play
// never ends: what arrives there is `endless`.
//
// Thread-safety: a graph that is not const is nobody else's meanwhile, since the edges of tiers are turned round in their place
// (tier.h); uses all cores inside a tier; the result is the same, bit for bit, for any
// number of threads.
// Cost: 17 bytes a position, 28 for each of the largest tier, and about 70 for each of its largest component; about 10 ns an edge and
// 100 ns an inner one, more where play mixes slowly.
#pragma once

#include <span>

#include "solver/graph/tier.h"
#include "solver/result/game_result.h"
#include "tables/position_graph.h"

namespace plenum {

// The largest component of a tier, in stored positions; size 0: none has a cycle.
struct LargestComponent {
  LocalIndex size = 0;
  PositionIndex member = 0;
};

// `largest` is that of each tier, if it is known (components.h): the result is the same without it.
RandomPlay random_play(PositionGraph& graph, std::span<const LargestComponent> largest = {});
// The same of a copy.
RandomPlay random_play(const PositionGraph& graph, std::span<const LargestComponent> largest = {});

}  // namespace plenum
