// SPDX-License-Identifier: Apache-2.0
// A position, many positions, and how positions are written.
//
// Inside the program everything is seen from the player to move: plane 0.. are the mover's kinds, then the opponent's, then
// nobody's (PlaneLayout); a player in the state is 0 nobody, 1 the mover, 2 the opponent; a number is stored less its
// least value. So the rules need not ask who is to move, and exchanging the players changes one byte.
//
// Written, a position is like chess's FEN: rows from the last to the first with "/" between, runs of empty cells as decimal
// numbers, kinds as letters; then the player to move, 1 or 2; then flags as name=value in alphabetical order, left out at
// their starting value: "x1/3/2 2 button=first passes=1". Printing and then parsing gives the same position.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "variants/diagnostic.h"
#include "variants/margin.h"
#include "variants/rule_set.h"

namespace plenum {

inline constexpr int kMaxSlots = 12;

struct Position {
  std::array<CellSet, kMaxPlanes> planes = {};
  std::array<std::uint8_t, kMaxSlots> state = {};
  std::uint8_t passes = 0;
  Player mover = Player::first;
  friend bool operator==(const Position&, const Position&) = default;
};

// A structure of arrays; the arrays may be longer than `size`.
struct PositionBatch {
  std::size_t size = 0;
  std::vector<std::vector<std::uint64_t>> planes;
  std::vector<std::vector<std::uint8_t>> state;
  std::vector<std::uint8_t> passes;
  std::vector<std::uint8_t> mover_is_first;

  PositionBatch() = default;
  PositionBatch(int plane_count, int slot_count);
  void grow(std::size_t wanted);  // at least; keeps what is there
  std::size_t capacity() const { return passes.size(); }
  void clear() { size = 0; }
  void push(const Position& p);
  void set(std::size_t i, const Position& p);
  Position at(std::size_t i) const;
  // Position `from` again as position `to`.
  void copy(std::size_t from, std::size_t to);
  // All but the stones of `other`'s position `from` in position `to`.
  void copy_state(const PositionBatch& other, std::size_t from, std::size_t to);
  // Becomes what `other` holds from `from` on.
  void take(const PositionBatch& other, std::size_t from);
  // As at(), into `p`, whose planes and slots that the game does not use are left alone.
  void read(std::size_t i, Position& p) const;
};

std::string to_text(const RuleSet& rules, const Position& position);
absl::StatusOr<Position> parse_position(const RuleSet& rules, const Span& text);
// The start of the game.
Position start_position(const RuleSet& rules);

}  // namespace plenum
