// SPDX-License-Identifier: Apache-2.0
// Value and facts of a position in one byte, so that a position's byte follows from its successors' by a minimum and an "and".
//
//     128 - 2r   the mover loses by r          126 down to 6
//     128 + 2 [the opponent cannot force an end at 0 or better for themselves] + [the mover can]
//     131 + 2r   the mover wins by r           133 up to 253
//     255        no position
// r is the margin in units of the variant, up to kMostUnits.
//
// The least byte among the successors is what is worst for the opponent, hence best for the mover; among successors worth 0, one
// where the opponent's opponent (the mover) forces an end comes first. The lowest bit of a byte says "its mover can force an end
// at 0 or better", so that the "and" of all tells whether the opponent can wherever play goes.
#pragma once

#include <cstdint>

#include "solver/result/solution.h"

namespace plenum {

using ValueByte = std::uint8_t;

inline constexpr int kMostUnits = 61;
inline constexpr ValueByte kNoSuccessor = 255;
inline constexpr ValueByte kUnresolved = 130;  // worth 0 and nobody forces an end, until more is known
inline constexpr ValueByte kLevelEnd = 129;    // worth 0 and both can force an end; ended at 0
inline constexpr ValueByte kLevelOtherEnds = 128;
inline constexpr ValueByte kLevelMoverEnds = 131;
inline constexpr ValueByte kMostLevel = kLevelMoverEnds;

constexpr ValueByte code_of_margin(std::int64_t units) {
  return static_cast<ValueByte>(units == 0 ? kLevelEnd : units > 0 ? kMostLevel + 2 * units : 128 + 2 * units);
}
constexpr bool is_level(ValueByte c) { return c >= 128 && c <= kMostLevel; }
constexpr bool wins(ValueByte c) { return c > kMostLevel; }  // for the player to move
// What a decided position is worth to the other player.
constexpr ValueByte negated(ValueByte c) { return static_cast<ValueByte>(259 - c); }
constexpr std::int64_t units_of(ValueByte c) {
  return is_level(c) ? 0 : wins(c) ? (c - kMostLevel) / 2 : -((128 - c) / 2);
}
constexpr bool mover_ends(ValueByte c) { return (c & 1) != 0; }          // where it is level
constexpr bool other_ends(ValueByte c) { return c == 128 || c == 129; }  // where it is level

// The code of a position whose successors' codes have this least one and this "and".
constexpr ValueByte code_from_successors(ValueByte least, ValueByte all) {
  if (!is_level(least)) return negated(least);
  return static_cast<ValueByte>(128 + ((all & 1) != 0 ? 0 : 2) + (least < 130 ? 1 : 0));
}

}  // namespace plenum
