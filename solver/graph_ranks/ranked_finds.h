// SPDX-License-Identifier: Apache-2.0
// What a rank has found, before it is numbered: its positions by address, and its edges in the order of the queue.
//
// Header only: data. Thread-safety: a shard's list belongs to one thread, and so does a block.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "solver/graph/found_positions.h"
#include "solver/graph_ranks/ranked_graph.h"

namespace plenum {

// Positions of this rank expanded together: queue[begin..] and their successors in order. A successor's place is its address there.
struct RankedBlock {
  std::size_t begin = 0;
  std::vector<std::uint32_t> first;  // parents + 1
  EdgeCodes edge;
};

template <std::size_t kWords>
using RankedFinds = FoundPositions<kWords, std::deque<RankedBlock>>;

}  // namespace plenum
