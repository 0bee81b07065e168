// SPDX-License-Identifier: Apache-2.0
// Rows of edges that come in any order, put where they belong without being held twice: first where the part of the graph will be that they
// are in, in the order in which they come; then each part is put in order by itself.
//
// Header only. Thread-safety: begin() from one thread; put_in_order() uses all cores.
// Cost: 2 bytes a position, and the edges of a part for each thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "solver/graph_ranks/ranked_graph.h"
#include "solver/support/parallel.h"

namespace plenum {

class ComingRows {
 public:
  // Requires that degrees are known and edges have room.
  explicit ComingRows(RankedGraph& graph) : graph_(graph), order_((graph.size() + kPart - 1) >> kPartBits) {
    for (std::size_t part = 0; part < order_.size(); ++part) next_.push_back(graph.first_edge[part << kPartBits]);
  }
  // Where the edges of p go for now: to be counted up as they are entered.
  EdgeIndex& begin(PositionIndex p) {
    const std::size_t part = p >> kPartBits;
    order_[part].push_back(static_cast<std::uint16_t>(p % kPart));
    return next_[part];
  }
  // When all have come.
  void put_in_order() {
    for_each_index(order_.size(), [&](std::size_t part) { put_in_order(part); });
  }

 private:
  static constexpr int kPartBits = 14;
  static constexpr std::size_t kPart = std::size_t{1} << kPartBits;

  void put_in_order(std::size_t part) {
    const std::size_t begin = part << kPartBits;
    const std::size_t end = std::min<std::size_t>(begin + kPart, graph_.size());
    const EdgeIndex first = graph_.first_edge[begin];
    const std::size_t each = graph_.edge.code_bytes();
    const std::uint8_t* const here = graph_.edge.bytes_at(first);
    const std::vector<std::uint8_t> came(here, here + (graph_.first_edge[end] - first) * each);
    const std::uint8_t* from = came.data();
    for (const std::uint16_t p : order_[part]) {
      const std::size_t bytes = graph_.degree(static_cast<PositionIndex>(begin + p)) * each;
      std::copy(from, from + bytes, graph_.edge.bytes_at(graph_.first_edge[begin + p]));
      from += bytes;
    }
  }

  RankedGraph& graph_;
  std::vector<std::vector<std::uint16_t>> order_;  // of each part: its positions in the order in which their edges came
  std::vector<EdgeIndex> next_;                    // of each part
};

}  // namespace plenum
