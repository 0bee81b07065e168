// SPDX-License-Identifier: Apache-2.0
// What is the same for all positions of a game solved by bits: who is to move with so many stones, and what may be noted then.
// Private to solver/bit_*.cpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "tables/index/dense_index.h"
#include "tables/rows/bit_gather.h"
#include "variants/rows/placing_rules.h"

namespace plenum {

using States = std::vector<Position>;  // their stones do not matter

// Of a row of all colourings of so many cells.
inline std::uint64_t words_of(int stones) { return stones <= 6 ? 1 : std::uint64_t{1} << (stones - 6); }

// As it is kept: a whole vector at least.
inline std::uint64_t row_words(int stones) { return std::max<std::uint64_t>(words_of(stones), kVectorWords); }
// Of a piece of memory for rows on so many cells; smaller where pieces are dealt out.
inline std::size_t bit_piece_words(int cells, bool dealt = false) {
  return std::max<std::size_t>(words_of(cells), dealt ? 512 : 8192);
}

inline CellSet occupied_by(const Position& p) { return p.planes[0] | p.planes[1]; }

inline Player mover_with(const Position& start, int stones) {
  const bool as_start = (stones - std::popcount(occupied_by(start))) % 2 == 0;
  return as_start == (start.mover == Player::first) ? Player::first : Player::second;
}

// The symmetries that leave the start as it is; players are not exchanged.
Folding bits_folding(const Variant& variant, const Position& start);
// Whether play ends when the board is full, and never before.
bool ends_on_full_board(const Variant& variant);

// What ranks fetch of others' rows: so much at a time, questions and answers of both sides with it.
inline constexpr std::uint64_t kBitsFetchedAtOnce = std::uint64_t{4} << 20;
inline constexpr std::uint64_t kBitsFetchBytes = 4 * kBitsFetchedAtOnce;

// What all threads hold besides, with so many states: some rows of the full board each.
std::uint64_t bits_scratch_bytes(int cells, std::uint64_t states);

// By stones, from the start's up: the states that a position with so many may have, seen over all colourings; or more.
std::vector<States> find_bit_states(const Variant& variant, const PlacingRules& rules, const Position& start);

}  // namespace plenum
