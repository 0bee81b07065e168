// SPDX-License-Identifier: Apache-2.0
// One tier of the graph, or a part of one, with the predecessors of its positions inside it.
//
// Retrograde analysis works from a position to its predecessors, but the graph stores successors. Only the inner
// edges, those between two positions of the tier that have not ended, have to be followed backwards: everything
// outside the tier is already known when its turn comes. Edges are most of what a graph holds. So a Tier does not copy them: it
// turns the graph's own edges round (edge_turn.h) until it is told to give them back.
//
// Invariants
//   - until a Tier with inner edges gives them back, the graph has no edges of the tier's positions, only their number;
//   - afterwards it has the same, the inner ones of a position before the others and in the order of where they lead;
//   - edges that occur more than once occur as often among the predecessors;
//   - a row's entries ascend, so that sums over a row are the same for any number of threads;
//   - an acyclic tier (no inner edges) has no rows at all.
//
// Thread-safety: building and giving back use all cores; immutable in between. Cost: 4 or 8 bytes a position and hardly
// more, for a part of a tier 4 an edge besides; about 8 ns an edge, and as much to give them back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tables/position_graph.h"
#include "tables/row_offsets.h"

namespace plenum {

// A position's number within its tier: p - begin; or among the members of a part.
using LocalIndex = std::uint32_t;
inline constexpr LocalIndex kNoMember = ~LocalIndex{0};

class InnerEdges {
 public:
  InnerEdges() = default;
  // Of some positions of a tier, in rising order: place[p - begin] is where p stands among them, or kNoMember. A copy.
  InnerEdges(const PositionGraph& graph, std::span<const PositionIndex> members, PositionIndex begin,
             std::span<const LocalIndex> place);

  // Whether there are none.
  bool acyclic() const { return sources_.empty(); }
  // Requires !acyclic(). LocalIndex each.
  Successors predecessors(LocalIndex q) const {
    return {{sources_.data() + first_[q], sources_.data() + first_[q + 1]}, shift_};
  }

 protected:
  RowOffsets first_;
  UnsetVector<std::uint32_t>
      sources_;  // of a Tier, symmetries below them, and behind them the edges that are not inner
  int shift_ = 0;
};

class Tier : public InnerEdges {
 public:
  // `has_inner`: whether it has inner edges, if that is known.
  Tier(PositionGraph& graph, std::size_t tier, std::optional<bool> has_inner = std::nullopt);
  Tier(const Tier&) = delete;
  Tier& operator=(const Tier&) = delete;

  PositionIndex begin() const { return begin_; }
  PositionIndex end() const { return end_; }
  std::size_t size() const { return end_ - begin_; }
  // Gives the graph its edges again, and is acyclic() from then on.
  void give_back();

 private:
  void turn();
  EdgeIndex first_of(LocalIndex p) const { return graph_.first_edge[begin_ + p] - graph_.first_edge[begin_]; }

  PositionGraph& graph_;
  PositionIndex begin_;
  PositionIndex end_;
  UnsetVector<GroupElement> symmetry_;  // of sources_, where the graph has them apart
  EdgeIndex inner_ = 0;
};

// Whether an edge from a tier that ends with `end` to q is an inner one.
inline bool is_inner(const PositionGraph& graph, PositionIndex end, PositionIndex q) {
  return q < end && !graph.ended(q);
}

}  // namespace plenum
