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
//   - edge e leads from p to q = successor[e]; the unreduced successor is r with q = symmetry[e] r, so
//     that a lift g p (g in the group) has the successor g symmetry[e]^-1 q. Empty `symmetry` means all identity;
//   - stabilizer[p] numbers a subgroup in `subgroups` (0: only the identity): the elements that leave p as it is.
//     Empty `stabilizer` means all 0.
//
// Margins are ranks: level[0] = 0 < level[1] < ... are the distinct absolute margins that ended positions have;
// rank r stands for sign(r) * level[|r|]. end_rank is seen from the player to move.
//
// Thread-safety: plain data; concurrent reads are safe.
// Cost: 4-6 bytes an edge, about 16 a position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "variants/board/group.h"
#include "variants/language/margin.h"

namespace plenum {

// The number of a stored position.
using PositionIndex = std::uint32_t;
using EdgeIndex = std::uint64_t;
using MarginRank = std::int32_t;

inline constexpr MarginRank kNotEnded = std::numeric_limits<MarginRank>::min();

struct PositionGraph {
  std::vector<PositionIndex> tier_begin;  // tiers + 1
  std::vector<EdgeIndex> first_edge;      // positions + 1
  std::vector<PositionIndex> successor;   // edges
  std::vector<GroupElement> symmetry;     // edges, or empty
  std::vector<MarginRank> end_rank;       // positions; kNotEnded where play goes on
  std::vector<std::uint16_t> stabilizer;  // positions, or empty
  std::vector<std::vector<GroupElement>> subgroups = {{kIdentity}};
  std::vector<Margin> level = {Margin{0}};
  Group group;
  PositionIndex start = 0;
  GroupElement start_lift = kIdentity;  // the start of the game is start_lift applied to position `start`

  std::size_t size() const { return end_rank.size(); }
  std::size_t tiers() const { return tier_begin.empty() ? 0 : tier_begin.size() - 1; }
  bool ended(PositionIndex p) const { return end_rank[p] != kNotEnded; }
  std::span<const PositionIndex> successors(PositionIndex p) const {
    return {successor.data() + first_edge[p], successor.data() + first_edge[p + 1]};
  }
  GroupElement edge_symmetry(EdgeIndex e) const { return symmetry.empty() ? kIdentity : symmetry[e]; }
  std::span<const GroupElement> stabilizer_of(PositionIndex p) const {
    return subgroups[stabilizer.empty() ? 0 : stabilizer[p]];
  }
  MoverValue margin(MarginRank rank) const {
    return {rank >= 0 ? level[static_cast<std::size_t>(rank)] : -level[static_cast<std::size_t>(-rank)]};
  }
};

}  // namespace plenum
