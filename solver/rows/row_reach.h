// SPDX-License-Identifier: Apache-2.0
// Which positions of a board are reachable, by rows; and all counts, of these and of the whole board.
//
// A position is reached as it stands or with the players exchanged (its mover is the second player then), after no pass, one, or two,
// which end the game: six bits a board and state. Tiers are worked through from the fewest stones up; in a tier, blocks with
// something new send it on along their moves until nothing is new. As the start looks the same under all symmetries of the board, so do
// the bits of an unreduced position and its images, and a board counts for as many as its set has images.
//
// Thread-safety: uses all cores; blocks are locked while something is added to them. The result does not depend on the order.
#pragma once

#include "solver/graph/analysis.h"
#include "solver/rows/row_solver.h"

namespace plenum {

// Bit of a position's being reached.
constexpr std::uint8_t reached_bit(int passes, bool exchanged) {
  return static_cast<std::uint8_t>(1U << (2 * passes + (exchanged ? 1 : 0)));
}

struct RowCounts {
  Statistics reachable;
  Statistics all;  // every board, whoever is to move and whatever the state, reachable or not
};

// Collective, as solve_rows(): each rank has its own blocks' bits afterwards, and all counts; of the values those of others are there only
// meanwhile. Tiers that are in the checkpoint are taken from there, and the others kept there. kUnimplemented if the start is not the same
// under all symmetries of the board.
absl::StatusOr<RowCounts> count_rows(const RowGame& game, const Position& start, DenseValues& values,
                                     const Checkpoint* checkpoint, BoardBytes& reached, const RowProgressFn& progress,
                                     Ranks& ranks = Ranks::alone());

}  // namespace plenum
