// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of the unreduced reachable graph that have a cycle in them.
//
// They are found on the stored graph, tier by tier (only moves inside a tier can go round), and then lifted. For a
// component C of stored positions and a position v of it, carry the symmetries along a spanning tree: a potential
// a(q) for each q in C, so that going from g v along the tree one arrives at g a(q) q. Let H be the subgroup that the
// closed walks from v and the stabilizers a(q) Stab(q) a(q)^-1 generate. Then the unreduced component of g v
// holds the lifts g H a(q) of each q, that is sum over q of |H| / |Stab(q)| positions, and |lifts of v| / |H|
// such components are reachable. (A walk that comes back to v as h v comes back to v itself after |h| turns, so
// each component of C with a cycle lifts to components with cycles, and no other does.)
//
// Sources: strong_components.h; voltage graphs (Gross and Tucker, Topological Graph Theory).
// Thread-safety: uses all cores, a tier each; the result does not depend on their number.
// Cost: about 40 ns an inner edge and 30 bytes a position, of the tiers at work.
#pragma once

#include <vector>

#include "solver/graph/lifts.h"
#include "solver/graph/random_play.h"
#include "solver/result/game_result.h"
#include "tables/position_graph.h"

namespace plenum {

// Sets `largest`, if there is one, to the largest component of each tier.
Components find_components(const PositionGraph& graph, const Lifts& lifts,
                           std::vector<LargestComponent>* largest = nullptr);

}  // namespace plenum
