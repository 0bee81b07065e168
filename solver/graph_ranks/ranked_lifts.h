// SPDX-License-Identifier: Apache-2.0
// Which unreduced positions are reachable, of this rank's stored positions (solver/graph/lifts.h).
//
// What group elements do to the cosets is asked of the Lifts of a graph that has only the start. Sets of cosets go along the edges, tier by
// tier; inside a tier the ranks tell one another what is new until nothing is.
//
// Thread-safety: collective to build, in the calling thread; immutable afterwards. Cost: as there, and 6 bytes sent for an edge to another
// rank; a bit a coset and position, in whole bytes. Where positions are fewer than a rank's edges, what is sent is remembered, a byte for each
// position of other ranks while it is built, and not sent again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/cluster/ranks.h"
#include "solver/graph/lifts.h"
#include "solver/graph_ranks/ranked_graph.h"

namespace plenum {

class RankedLifts {
 public:
  RankedLifts(const RankedGraph& graph, Ranks& ranks);

  // As in Lifts, of this rank's places.
  std::uint64_t as_stored(PositionIndex p) const { return positions(p, false); }
  std::uint64_t exchanged(PositionIndex p) const { return positions(p, true); }
  std::uint64_t count(PositionIndex p) const { return elements(p) / graph_.stabilizer_of(p).size(); }
  std::uint64_t elements(PositionIndex p) const;
  bool contains(PositionIndex p, GroupElement g) const { return has(p, lifts_->coset_of(g)); }
  // A bit for each group element: whether that is so.
  void write_reached(PositionIndex p, std::span<std::uint8_t> to) const;

 private:
  class Reaching;
  std::uint64_t positions(PositionIndex p, bool exchanges) const;
  bool has(PositionIndex p, std::size_t coset) const { return (sets_[p * width_ + coset / 8] >> coset % 8 & 1) != 0; }

  const RankedGraph& graph_;
  PositionGraph start_;  // a graph of the start alone
  std::unique_ptr<const Lifts> lifts_;
  std::uint64_t stabilizer_size_ = 1;  // of the start
  std::size_t width_ = 1;              // bytes a position
  std::vector<std::uint8_t> sets_;
  std::vector<bool> exchanges_;  // by coset
  // Up to 8 cosets: of each set of them, the bits of write_reached(), in bytes.
  std::vector<std::uint8_t> reached_by_;
};

}  // namespace plenum
