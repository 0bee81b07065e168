// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of a graph that ranks share, lifted to the unreduced graph (solver/graph/components.h says how).
//
// In each tier positions that nothing inside leads to, or that lead to nothing inside, go first. Then the component of one position with many
// moves is what it leads to and what leads to it. Of the rest each position hears of the greatest number that leads to it: those that hear
// of their own are roots, and what leads to a root and has heard of it is the root's component. So on until nothing is left. How a component
// lifts is found by a walk from its root, in which every rank notes the elements that close a circle.
//
// Thread-safety: collective; works in the calling thread. The result does not depend on the number of ranks.
// Cost: 15 bytes a position of the tier and some 60 ns an inner edge; 4 to 10 bytes sent for an edge to another rank, several times.
// Sources: Fleischer, Hendrickson and Pinar (forward-backward); Orzan (colouring); Slota, Rajamanickam and Madduri (both, after trimming).
#pragma once

#include <cstdint>
#include <vector>

#include "solver/graph_ranks/ranked_lifts.h"
#include "solver/graph_ranks/ranked_tier.h"
#include "solver/result/summary.h"

namespace plenum {

// The largest component of a tier, in stored positions; size 0: none has a cycle.
struct RankedLargest {
  std::uint64_t size = 0;
  std::size_t rank = 0;    // that has its root
  PositionIndex root = 0;  // a place there
};

class RankedComponents {
 public:
  RankedComponents(const RankedGraph& graph, const RankedLifts& lifts, Ranks& ranks)
      : graph_(graph), lifts_(lifts), ranks_(ranks) {}

  // Tier by tier. Sets `component` to what ranked_strong_components() finds; nothing where the tier has no inner edges.
  RankedLargest add(const RankedTier& tier, std::vector<std::uint32_t>& component);
  // Of all tiers so far, on all ranks; without cycle_bits.
  Components all() const;

 private:
  const RankedGraph& graph_;
  const RankedLifts& lifts_;
  Ranks& ranks_;
  Components own_;  // those whose roots this rank has
};

// To which component each of this rank's positions of the tier belongs: the number of its root, as a source (RankedTier::member), or kAlone.
// Some components may be of one position that does not lead to itself.
inline constexpr std::uint32_t kAlone = ~std::uint32_t{0};
std::vector<std::uint32_t> ranked_strong_components(const RankedGraph& graph, const RankedTier& tier, Ranks& ranks);

}  // namespace plenum
