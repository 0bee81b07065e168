// SPDX-License-Identifier: Apache-2.0
// What a solver finds out about each stored position: its value, its remoteness and what can be forced there.
//
// Everything is seen from the player to move (the mover), so that a position and its exchange share one entry.
// An ended position is entered too: its value is its end rank, its remoteness 0, its facts those of an end. A
// reader of successors therefore never asks whether one has ended.
//
// Invariants
//   - value > 0 implies mover_ends and mover_forces_end, and excludes other_ends; value < 0 the same with the
//     players exchanged;
//   - value = 0: mover_ends and other_ends are free, each implies the same player's ..._forces_end, and
//     mover_ends or other_ends implies end_reachable;
//   - end_reachable only where value = 0;
//   - remoteness is 0 where value = 0 and where the game has ended, and at least 1 elsewhere.
//
// Definitions: value, remoteness, tie, cycle, forced cycle, endless as in solver/README.md.
// Thread-safety: plain data. Cost: 9 bytes a position.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "tables/position_graph.h"

namespace plenum {

// A number of plies: single turns of one player.
struct Ply {
  std::uint32_t count = 0;
  friend constexpr auto operator<=>(Ply, Ply) = default;
  constexpr Ply next() const { return {count + 1}; }
};

// Bits of Solution::facts.
using Facts = std::uint8_t;
inline constexpr Facts kMoverEnds = 1;        // the mover can force the game to END with margin >= 0 for them
inline constexpr Facts kOtherEnds = 2;        // the opponent can force it to END with margin >= 0 for the opponent
inline constexpr Facts kEndReachable = 4;     // an end at 0 can be reached while every turn keeps the value 0
inline constexpr Facts kMoverForcesEnd = 8;   // the mover can force an end at any price
inline constexpr Facts kOtherForcesEnd = 16;  // the opponent can

struct Solution {
  std::vector<MarginRank> value;  // the mover's; 0 for ties and cycles alike
  std::vector<Ply> remoteness;    // plies to the end where value != 0
  std::vector<Facts> facts;

  bool has(PositionIndex p, Facts bits) const { return (facts[p] & bits) != 0; }
  // Worth 0 (an end at 0 included), and one of the players can bring about such an end.
  bool is_tie(PositionIndex p) const { return value[p] == 0 && has(p, kMoverEnds | kOtherEnds); }
  // Worth 0, and nobody can make the game end without the other's consent, except at a loss.
  bool is_cycle(PositionIndex p) const { return value[p] == 0 && !has(p, kMoverEnds | kOtherEnds); }
  // A cycle that even both together cannot end at 0.
  bool is_forced_cycle(PositionIndex p) const { return is_cycle(p) && !has(p, kEndReachable); }
  // The mover (the opponent) can make play go on for ever, whatever it costs.
  bool mover_endless(PositionIndex p) const { return !has(p, kOtherForcesEnd); }
  bool other_endless(PositionIndex p) const { return !has(p, kMoverForcesEnd); }
};

// The facts of an ended position of this rank.
constexpr Facts facts_of_end(MarginRank rank) {
  return static_cast<Facts>((rank >= 0 ? kMoverEnds : 0) | (rank <= 0 ? kOtherEnds : 0) |
                            (rank == 0 ? kEndReachable : 0) | kMoverForcesEnd | kOtherForcesEnd);
}

}  // namespace plenum
