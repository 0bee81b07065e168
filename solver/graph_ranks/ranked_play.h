// SPDX-License-Identifier: Apache-2.0
// Random play (solver/graph/random_play.h) on a graph that ranks share, with the same numbers to the last bit.
//
// Of a tier without inner edges, and of a large one whose positions nearly all lead to one another, each rank works out its part; of another
// large one components go to ranks (ranked_play_components.h). A small tier goes to the root as a whole. Each works out what one process
// would, in the same order, and what leaves a tier is added up in the order in which one process adds it.
//
// Thread-safety: collective; all cores inside a rank for the equations of large tiers. Cost: 16 bytes a position; 20 bytes and 30 ns a move from
// a tier; a component that is not most of its tier is held by the rank that solves it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "solver/graph/expected_visits.h"
#include "solver/graph_ranks/ranked_components.h"
#include "solver/graph_ranks/ranked_tier.h"
#include "solver/result/solution.h"
#include "solver/result/summary.h"

namespace plenum {

class RankedPlay {
 public:
  // `solution`: with kSomeEnd (ranked_values.h).
  RankedPlay(const RankedGraph& graph, const Solution& solution, std::uint64_t least_shared, Ranks& ranks);
  // Tier by tier, from the first. Its sources are used up. `component`, `largest`: of RankedComponents::add().
  void pass(RankedTier& tier, std::span<const std::uint32_t> component, const RankedLargest& largest);
  // After the last tier: the same on all ranks. `first` is who is to move at the start.
  RandomPlay result() const;

 private:
  class WholeTier;
  // What is added up position by position, from rank to rank.
  struct Totals {
    double plies = 0;
    RandomPlay play;
    bool trapped = false;
  };

  bool live(PositionIndex p) const;
  bool visited(PositionIndex p) const { return live(p) && (arrivals_[p].even != 0 || arrivals_[p].odd != 0); }
  void divide(const RankedTier& tier);
  bool solve_shared(RankedTier& tier);
  void solve_at_root(const RankedTier& tier, const RankedLargest& largest);
  std::vector<std::uint32_t> degrees(const RankedTier& tier) const;
  void push_outwards(RankedTier& tier, std::span<const std::uint64_t> keys);
  void push_own(const TierPlaces& places, PositionIndex p);
  void bring(PositionIndex q, const ByParity& flow) {
    arrivals_[q].even += flow.odd;
    arrivals_[q].odd += flow.even;
  }
  void add_up(const RankedTier& tier);
  void add_own(const RankedTier& tier, Totals& totals) const;

  struct Free {
    void operator()(ByParity* p) const { std::free(p); }
  };
  const RankedGraph& graph_;
  const Solution& solution_;
  const std::uint64_t least_shared_;
  Ranks& ranks_;
  // As in Walk (random_play.cpp), by place.
  std::unique_ptr<ByParity[], Free> arrivals_;
  Totals totals_;
  double plies_ = 0;
};

}  // namespace plenum
