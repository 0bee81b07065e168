// SPDX-License-Identifier: Apache-2.0
// One tier of the graph, or a part of one, with the predecessors of its positions inside it.
//
// Retrograde analysis works from a position to its predecessors, but the graph stores successors. Only the inner
// edges, those between two positions of the tier that have not ended, have to be followed backwards: everything
// outside the tier is already known when its turn comes. So they are transposed for one tier at a time, into
// compressed rows, and thrown away after it.
//
// Invariants
//   - edges that occur more than once occur as often among the predecessors;
//   - a row's entries ascend, so that sums over a row are the same for any number of threads;
//   - an acyclic tier (no inner edges) has no rows at all.
//
// Thread-safety: building uses all cores; immutable afterwards. Cost: 4 bytes an inner edge and 8 a position; about
// 25 ns an inner edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/support/stop.h"
#include "tables/position_graph.h"

namespace plenum {

// A position's number within its tier: p - begin; or among the members of a part.
using LocalIndex = std::uint32_t;
inline constexpr LocalIndex kNoMember = ~LocalIndex{0};

class InnerEdges {
 public:
  InnerEdges() = default;
  // Of some positions of a tier, in rising order: place[p - begin] is where p stands among them, or kNoMember.
  InnerEdges(const PositionGraph& graph, std::span<const PositionIndex> members, PositionIndex begin,
             std::span<const LocalIndex> place);

  // Whether there are none.
  bool acyclic() const { return sources_.empty(); }
  // Requires !acyclic().
  std::span<const LocalIndex> predecessors(LocalIndex q) const {
    return {sources_.data() + first_[q], sources_.data() + first_[q + 1]};
  }

 protected:
  std::vector<EdgeIndex> first_;
  std::vector<LocalIndex> sources_;
};

class Tier : public InnerEdges {
 public:
  // Stopped, it is not whole, but may be handed on to whoever looks at `stop` too.
  Tier(const PositionGraph& graph, std::size_t tier, Stop* stop = nullptr);

  PositionIndex begin() const { return begin_; }
  PositionIndex end() const { return end_; }
  std::size_t size() const { return end_ - begin_; }
  // Whether an edge from this tier to q is an inner one.
  bool inner(const PositionGraph& graph, PositionIndex q) const { return q < end_ && !graph.ended(q); }

 private:
  PositionIndex begin_;
  PositionIndex end_;
};

}  // namespace plenum
