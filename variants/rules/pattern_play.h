// SPDX-License-Identifier: Apache-2.0
// What follows for a position of a pattern game (pattern_game.h) without making any move. The player to move is A, the other B.
//
// Threats: A wins where one stone of A's completes a pattern. Else B's threats are the cells with which B would complete one. Two of them
// cannot both be stopped, nor can one whose stopping opens another cell to B that completes a pattern: A has lost. One alone
// forces A to play there.
//
// Following up, where no stone stands above an empty cell of its chain, so that a chain has one open cell, the lowest empty one: B always
// answers in the chain in which A has played. Of a chain with an even number of empty cells B gets every second one. In one with
// an odd number B gets as many but the last; where A plays that, B begins another such chain. There is one if their number is even,
// and B always has an answer: if A cannot complete a pattern with the cells that are not B's by then, those of the odd chains included,
// A cannot win; and B wins if B's own cells complete one. If the number is odd, B leaves one such chain alone, in which B has a threat on a cell that is answered:
// in the end A has to play below it. (Allis 1988 calls these claimeven and the odd threat.)
//
// All of this holds for every way the game may go on, from any position. Where nothing can be proven any() is false.
// Thread-safety: immutable; every thread brings a Scratch of its own. Units: Rules::denominator.
#pragma once

#include <array>
#include <cstdint>

#include "variants/rules/rules.h"

namespace plenum {

class PatternPlay {
 public:
  struct Scratch {
    Workspace work;
    std::array<std::array<std::uint64_t, kLanes>, 5> sets;
    std::array<std::int64_t, kLanes> promise;
  };
  struct Verdict {
    Interval bounds;           // of the value for the player to move, within -worth()..worth()
    std::int64_t promise = 0;  // empty cells that alone are missing from a pattern of his, less those of the other's
    Cell forced = kNoCell;     // if not none, playing elsewhere loses by worth()
  };

  explicit PatternPlay(const Rules& rules);

  bool any() const { return program_.roots() > 0; }
  // Whether following up tells something: chains are proven, some of more than one cell.
  bool follows_up() const { return program_.roots() > kDraws; }
  // What completing a pattern is worth, to whoever does.
  std::int64_t worth() const { return worth_; }

  // Of positions begin..begin + lanes (<= kLanes) that have not ended.
  void judge(const PositionBatch& batch, std::size_t begin, std::size_t lanes, Scratch& scratch,
             Verdict* verdicts) const;

 private:
  // The program's roots.
  static constexpr std::size_t kPromise = 0;  // number
  static constexpr std::size_t kWins = 1;     // cells with which A completes a pattern
  static constexpr std::size_t kThreats = 2;  // with which B would
  static constexpr std::size_t kFurther = 3;  // with which B would after A has played on all of these
  static constexpr std::size_t kDraws = 4;    // truth: A cannot win
  static constexpr std::size_t kLoses = 5;    // truth: B wins

  Program program_;
  std::int64_t worth_ = 0;
};

}  // namespace plenum
