// SPDX-License-Identifier: Apache-2.0
// The graph of stored positions: what the solvers work on.
//
// Positions are stored up to symmetry, one canonical position for each class. Numbers run tier by tier: tier t
// holds [tier_begin[t], tier_begin[t+1]), and a successor never lies in a lower tier, so a game is solved
// from the last tier to the first, and only moves inside a tier can go round in a cycle.
//
// Invariants
//   - every edge is a ply: the turn always changes, so a successor's value is seen by the opponent of the player to move;
//   - a move is an edge: two moves into one stored position are two edges;
//   - an ended position has no edges; one that has not ended has at least one;
//   - edge e leads from p to q = successor(e); the unreduced successor is r with q = edge_symmetry(e) r, so
//     that a lift g p (g in the group) has the successor g edge_symmetry(e)^-1 q. The symmetry is kept in the lowest bits of edge[e],
//     the successor above them; where they have no room, in `symmetry`;
//   - stabilizer[p] numbers a subgroup in `subgroups` (0: only the identity): the elements that leave p as it is.
//     Empty `stabilizer` means all 0.
//
// Margins are ranks: level[0] = 0 < level[1] < ... are the distinct absolute margins that ended positions have;
// rank r stands for sign(r) * level[|r|]. end_rank is seen from the player to move.
//
// Thread-safety: plain data; concurrent reads are safe.
// Cost: 4 bytes an edge (6 where the symmetry has no room beside the successor), 7 a position (11 from 2^32 edges on, 3
// more where more than 127 margins occur).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "tables/end_ranks.h"
#include "tables/row_offsets.h"
#include "tables/unset_vector.h"
#include "variants/board/group.h"
#include "variants/language/margin.h"

namespace plenum {

// The number of a stored position.
using PositionIndex = std::uint32_t;
using EdgeIndex = std::uint64_t;

// Where the edges of a position lead.
class Successors {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = PositionIndex;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = PositionIndex;
    Iterator(const std::uint32_t* at, int shift) : at_(at), shift_(shift) {}
    PositionIndex operator*() const { return *at_ >> shift_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator old = *this;
      ++at_;
      return old;
    }
    friend bool operator==(Iterator a, Iterator b) { return a.at_ == b.at_; }

   private:
    const std::uint32_t* at_;
    int shift_;
  };
  Successors(std::span<const std::uint32_t> edges, int shift) : edges_(edges), shift_(shift) {}
  Iterator begin() const { return {edges_.data(), shift_}; }
  Iterator end() const { return {edges_.data() + edges_.size(), shift_}; }
  std::size_t size() const { return edges_.size(); }
  bool empty() const { return edges_.empty(); }
  PositionIndex operator[](std::size_t k) const { return edges_[k] >> shift_; }

 private:
  std::span<const std::uint32_t> edges_;
  int shift_;
};

struct PositionGraph {
  std::vector<PositionIndex> tier_begin;  // tiers + 1
  RowOffsets first_edge;                  // positions + 1
  UnsetVector<std::uint32_t> edge;        // edges: the successor, and below it so many bits of the symmetry
  int symmetry_bits = 0;
  UnsetVector<GroupElement> symmetry;     // edges, or empty
  EndRanks end_rank;                      // positions; kNotEnded where play goes on
  std::vector<std::uint16_t> stabilizer;  // positions, or empty
  std::vector<std::vector<GroupElement>> subgroups = {{kIdentity}};
  std::vector<Margin> level = {Margin{0}};
  Group group;
  PositionIndex start = 0;
  GroupElement start_lift = kIdentity;  // the start of the game is start_lift applied to position `start`

  std::size_t size() const { return end_rank.size(); }
  std::size_t tiers() const { return tier_begin.empty() ? 0 : tier_begin.size() - 1; }
  bool ended(PositionIndex p) const { return end_rank.ended(p); }
  Successors successors(PositionIndex p) const {
    return {{edge.data() + first_edge[p], edge.data() + first_edge[p + 1]}, symmetry_bits};
  }
  PositionIndex successor(EdgeIndex e) const { return edge[e] >> symmetry_bits; }
  GroupElement edge_symmetry(EdgeIndex e) const {
    if (!symmetry.empty()) return symmetry[e];
    return static_cast<GroupElement>(edge[e] & ((std::uint32_t{1} << symmetry_bits) - 1));
  }
  std::span<const GroupElement> stabilizer_of(PositionIndex p) const {
    return subgroups[stabilizer.empty() ? 0 : stabilizer[p]];
  }
  MoverValue margin(MarginRank rank) const {
    return {rank >= 0 ? level[static_cast<std::size_t>(rank)] : -level[static_cast<std::size_t>(-rank)]};
  }
};

}  // namespace plenum
