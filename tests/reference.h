// SPDX-License-Identifier: Apache-2.0
// A naive solver, for tests only: every set straight from its definition, by sweeps until nothing changes.
//
// It shares neither code nor ideas with the solvers it checks: no tiers, no buckets, no counts, no predecessors. Each
// margin, each player and each fact is a fixpoint of its own over the whole graph. Components come from the closure
// of reachability.
//
// Cost: cubic and worse; meant for graphs of some hundred positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tables/position_graph.h"

namespace plenum::reference {

using Set = std::vector<bool>;

// All relative to the player to move.
struct NaiveSolution {
  std::vector<MarginRank> value;
  std::vector<std::uint32_t> remoteness;
  Set mover_ends;
  Set other_ends;
  Set end_reachable;
  Set mover_forces_end;
  Set other_forces_end;
  Set cycle;
  Set forced_cycle;
};

NaiveSolution solve(const PositionGraph& graph);

using Digraph = std::vector<std::vector<std::size_t>>;

Set reachable(const Digraph& graph, std::size_t start);

struct NaiveComponents {
  std::uint64_t count = 0;
  std::uint64_t largest = 0;
  std::uint64_t positions = 0;
  Set on_cycle;
};

// Of the strongly connected components of the reachable part, those with a cycle.
NaiveComponents components(const Digraph& graph, std::size_t start);

// Sets from every position of which exactly the set itself can be reached, and nothing that has ended.
struct NaiveTraps {
  std::map<std::uint64_t, std::uint64_t> sizes;  // how many there are of each size
  Set smallest;                                  // positions in a trap of the least size
};

// Of those reachable; `keeping` has the moves that keep the value, from positions worth 0.
NaiveTraps traps(const Digraph& keeping, const Set& reached, const Set& ended);

// Plies from `start` to each position; kUnreachable.
inline constexpr std::uint32_t kUnreachable = ~std::uint32_t{0};
std::vector<std::uint32_t> distances(const Digraph& graph, std::size_t start);

}  // namespace plenum::reference
