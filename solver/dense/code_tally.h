// SPDX-License-Identifier: Apache-2.0
// Counts of unreduced positions by the code of the player to move, ended or not.
// Thread-safety: as of an array.
#pragma once

#include <algorithm>
#include <array>

#include "solver/dense/value_byte.h"
#include "solver/result/summary.h"

namespace plenum {

// By whom a position is reached, or who is to move: 1 first, 2 second, 3 either. The same with the players exchanged.
constexpr unsigned exchanged_movers(unsigned movers) { return (movers >> 1 | movers << 1) & 3U; }

struct CodeTally {
  using ByCode = std::array<std::array<std::uint64_t, 2>, 256>;  // for first and for second to move
  ByCode going_on = {};
  ByCode ended = {};
  std::uint64_t canonical = 0;
  std::uint64_t moves = 0;
  std::uint64_t most_moves = 0;

  // So many positions for each of the movers.
  void add(unsigned movers, std::uint64_t positions, ValueByte code, bool over, std::uint64_t moves_of_each,
           bool counted) {
    if (counted) ++canonical;
    for (std::size_t who = 0; who < 2; ++who) {
      if ((movers >> who & 1) == 0) continue;
      (over ? ended : going_on)[code][who] += positions;
      if (!over) moves += moves_of_each * positions;
    }
    if (!over) most_moves = std::max(most_moves, moves_of_each);
  }
  void add(const CodeTally& other) {
    for (std::size_t code = 0; code < going_on.size(); ++code) {
      for (std::size_t who = 0; who < going_on[code].size(); ++who) {
        going_on[code][who] += other.going_on[code][who];
        ended[code][who] += other.ended[code][who];
      }
    }
    canonical += other.canonical;
    moves += other.moves;
    most_moves = std::max(most_moves, other.most_moves);
  }
  Statistics statistics() const {
    Statistics out;
    out.canonical = canonical;
    out.moves = moves;
    out.most_moves = most_moves;
    for (std::size_t code = 0; code < going_on.size(); ++code) {
      for (const Player mover : {Player::first, Player::second}) {
        const std::size_t who = mover == Player::first ? 0 : 1;
        const FirstValue value = to_first(MoverValue{{units_of(static_cast<ValueByte>(code))}}, mover);
        const std::int64_t units = value.margin.units;
        const Outcome level = code == kUnresolved ? Outcome::cycle : Outcome::tie;
        const Outcome outcome = units > 0 ? Outcome::first : units < 0 ? Outcome::second : level;
        out.add(outcome, value, false, going_on[code][who]);
        out.add(outcome, value, true, ended[code][who]);
      }
    }
    return out;
  }
};

}  // namespace plenum
