// SPDX-License-Identifier: Apache-2.0
// What games meet in which every move is chosen by chance: which moves there are, and how they end.
//
// Always the same games of the same rules, and few enough to take a moment.
//
// Thread-safety: no state.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "variants/rules/variant.h"

namespace plenum {

struct RandomGames {
  // A move as it was legal somewhere.
  struct Example {
    Position before;
    Successor move;
  };
  std::uint64_t games = 0;
  std::uint64_t positions = 0;           // whose moves were looked at, as often as they were met
  std::uint64_t ended_by_rule = 0;       // games
  std::uint64_t ended_without_move = 0;  // games
  std::uint64_t unfinished = 0;          // games, after kMostPlies
  std::optional<Position> stuck;         // without a move, not ended by a rule
  // By RuleSet::moves and ::parts: the first that was legal; nothing of those that never were. Empty of piece games.
  std::vector<std::optional<Example>> moves;
  std::vector<std::optional<Example>> parts;

  static constexpr int kGames = 100;
  static constexpr int kMostPlies = 300;
};

// Requires that the game has a start. An error is one of the rules.
absl::StatusOr<RandomGames> play_random_games(const Variant& variant);

}  // namespace plenum
