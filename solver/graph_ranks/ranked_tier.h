// SPDX-License-Identifier: Apache-2.0
// One tier of a graph that ranks share, with the predecessors inside it of this rank's positions.
//
// An inner edge leads from a position of the tier to one of it that has not ended. Every rank tells the others where its inner edges lead;
// a rank then has, for each of its positions, those that lead to it, if wanted in rising order of their numbers in the tier.
//
// Thread-safety: collective to build; immutable afterwards. Cost: 4 bytes an inner edge and 4 a position of the tier; 8 bytes sent for an
// edge to another rank, some 15 ns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/graph_ranks/mail.h"
#include "solver/graph_ranks/ranked_graph.h"

namespace plenum {

// How many inner edges lead to each of this rank's positions, by place. Collective. Cost: 4 bytes sent for each position of another rank, and
// held while its tier is counted; for each edge to another rank where edges are fewer.
std::vector<std::uint32_t> count_inner(const RankedGraph& graph, Ranks& ranks);

class RankedTier {
 public:
  // A position of the tier: whose it is, and how many of that rank's positions of the tier come before it.
  struct Member {
    std::size_t rank;
    PositionIndex at;
  };

  // `inner`: of count_inner(). Predecessors rise only if they are to be `sorted`.
  RankedTier(const RankedGraph& graph, std::size_t tier, std::span<const std::uint32_t> inner, bool sorted,
             Ranks& ranks);

  std::size_t tier() const { return tier_; }
  PositionIndex begin() const { return begin_; }
  PositionIndex end() const { return end_; }
  std::size_t size() const { return end_ - begin_; }
  // Whether no rank has any.
  bool acyclic() const { return acyclic_; }
  // Requires !acyclic(). To be read by member().
  std::span<const std::uint32_t> predecessors(std::size_t i) const {
    return {sources_.data() + first_[i], sources_.data() + first_[i + 1]};
  }
  Member member(std::uint32_t source) const { return {source >> shift_, source & ((std::uint32_t{1} << shift_) - 1)}; }
  std::uint32_t source(const Member& m) const { return static_cast<std::uint32_t>(m.rank << shift_) | m.at; }
  // All of them, row by row: of those that lead to i, rows()[i] is the first.
  std::span<std::uint32_t> sources() { return sources_; }
  const RowOffsets& rows() const { return first_; }
  // Forgets the predecessors.
  void release() {
    UnsetVector<std::uint32_t>().swap(sources_);
    first_ = {};
  }

 private:
  std::size_t tier_;
  PositionIndex begin_;
  PositionIndex end_;
  bool acyclic_ = true;
  int shift_ = 31;
  RowOffsets first_;
  UnsetVector<std::uint32_t> sources_;
};

}  // namespace plenum
