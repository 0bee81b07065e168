// SPDX-License-Identifier: Apache-2.0
// Players and margins: the two units that every folder shares.
//
// A margin is one player's score minus the other's. Scores may be fractions (half a point, a zone of k
// cells worth 1/k), so a variant fixes one common denominator for all its margins (Rules::denominator) and a Margin is
// an exact integer number of those units. Zero is a level game.
//
// Whose margin it is, is part of the type: a value seen from the player to move (MoverValue) and one seen
// from the player who moves first in the game (FirstValue) do not mix; to_first and to_mover convert.
#pragma once

#include <compare>
#include <cstdint>

namespace plenum {

enum class Player : std::uint8_t { first = 0, second = 1 };

constexpr Player other(Player p) { return p == Player::first ? Player::second : Player::first; }

// Units: 1/denominator of the variant at hand.
struct Margin {
  std::int64_t units = 0;
  friend constexpr auto operator<=>(Margin, Margin) = default;
  constexpr Margin operator-() const { return {-units}; }
};

struct MoverValue {
  Margin margin;
  friend constexpr auto operator<=>(MoverValue, MoverValue) = default;
  constexpr MoverValue operator-() const { return {-margin}; }
};

struct FirstValue {
  Margin margin;
  friend constexpr auto operator<=>(FirstValue, FirstValue) = default;
};

constexpr int sign(std::int64_t v) { return (v > 0) - (v < 0); }

constexpr FirstValue to_first(MoverValue v, Player mover) { return {mover == Player::first ? v.margin : -v.margin}; }
constexpr MoverValue to_mover(FirstValue v, Player mover) { return {mover == Player::first ? v.margin : -v.margin}; }

}  // namespace plenum
