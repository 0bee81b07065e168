// SPDX-License-Identifier: Apache-2.0
// What is counted of a solved graph's positions, whoever holds them: a process the whole graph, or a rank its part of it.
//
// Header only: a template over the graph and its lifts. Thread-safety: works in the calling thread. Cost: some nanoseconds a position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "solver/result/solution.h"
#include "solver/result/summary.h"

namespace plenum {

// second_moves(p): whether second is to move in the stored position; moves(p): how many there are.
template <typename Graph, typename LiftsOf, typename SecondMoves, typename Moves>
Statistics count_positions(const Graph& graph, const Solution& solution, const LiftsOf& lifts,
                           const SecondMoves& second_moves, const Moves& moves) {
  Statistics out;
  const auto levels = static_cast<MarginRank>(graph.level.size());
  std::vector<std::uint64_t> by_rank(2 * graph.level.size() + 1, 0);  // not ended, seen from first, from -levels on
  const auto at = [&](MarginRank rank) -> std::uint64_t& { return by_rank[static_cast<std::size_t>(rank + levels)]; };
  for (PositionIndex p = 0; p < graph.size(); ++p) {
    const std::uint64_t as_stored = lifts.as_stored(p);
    const std::uint64_t exchanged = lifts.exchanged(p);
    const std::uint64_t all = as_stored + exchanged;
    if (all == 0) continue;
    ++out.canonical;
    out.reachable += all;
    const bool exchange = second_moves(p);
    const std::uint64_t first_to_move = exchange ? exchanged : as_stored;
    const std::uint64_t second_to_move = exchange ? as_stored : exchanged;
    const MarginRank rank = solution.value[p];
    const std::uint64_t for_first = rank > 0 ? first_to_move : rank < 0 ? second_to_move : 0;
    const std::uint64_t for_second = rank > 0 ? second_to_move : rank < 0 ? first_to_move : 0;
    if (graph.ended(p)) {
      out.ended += all;
      out.ended_first += for_first;
      out.ended_second += for_second;
      out.ended_tie += rank == 0 ? all : 0;
      continue;
    }
    out.first += for_first;
    out.second += for_second;
    if (rank == 0) {
      (solution.is_tie(p) ? out.tie : out.cycle) += all;
      if (solution.is_forced_cycle(p)) out.forced_cycle += all;
      at(0) += all;
    } else {
      const MarginRank win = rank > 0 ? rank : static_cast<MarginRank>(-rank);
      at(win) += for_first;
      at(static_cast<MarginRank>(-win)) += for_second;
    }
    const std::uint64_t made = moves(p);
    out.moves += made * all;
    out.most_moves = std::max(out.most_moves, made);
  }
  for (MarginRank rank = static_cast<MarginRank>(1 - levels); rank < levels; ++rank) {
    if (at(rank) > 0) out.margins[FirstValue{graph.margin(rank).margin}] += at(rank);
  }
  return out;
}

}  // namespace plenum
