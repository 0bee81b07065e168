// SPDX-License-Identifier: Apache-2.0
// A position, and many positions.
//
// Inside the program everything is seen from the player to move: plane 0.. are the mover's kinds, then the opponent's, then
// nobody's (PlaneLayout); a player in the state is 0 nobody, 1 the mover, 2 the opponent; a number is stored less its
// least value. So the rules need not ask who is to move, and exchanging the players changes one byte.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "variants/graph/rule_set.h"
#include "variants/language/margin.h"

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

inline CellSet occupied_cells(const Position& position) {
  CellSet out = 0;
  for (const CellSet plane : position.planes) out |= plane;
  return out;
}
inline CellSet occupied_cells(const PositionBatch& positions, std::size_t i) {
  CellSet out = 0;
  for (const auto& plane : positions.planes) out |= plane[i];
  return out;
}

}  // namespace plenum
