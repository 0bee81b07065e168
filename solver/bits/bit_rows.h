// SPDX-License-Identifier: Apache-2.0
// Games that may go round for ever, by a bit a board and threshold: for boards whose bytes would fit no machine.
//
// Of the games that rows take (row_game.h): stones of two players are put, replaced and carried. A threshold asks of every position
// whether a player can force an end with a margin of at least so much (bit_row_solver.h); it is solved for all boards at once, tier by
// tier from the full one, and only two tiers are in memory. Which thresholds are asked follows from what is wanted: one tells who wins, 0
// tells ties from cycles, and by bisection the margins of the start and of every opening are found.
//
//     absl::StatusOr<std::shared_ptr<const BitGame>> game = solve_bit_rows(rows, start, {});
//
// Positions are gone when their tier has been used; what remains is counted, over all boards with either player to move and no pass made.
// Up to a thousand positions of every tier and threshold are worked out again by the rules, one by one.
// With a checkpoint what takes longer is kept: the last finished tier, and finished thresholds with all counts.
//
// Invariants: no bit and no count depends on the number of threads, or on whether the solve was taken up.
// Several ranks share the blocks of a tier; each finds the same summary.
//
// Thread-safety: solving uses all cores, and is collective of several ranks; a solved game is immutable.
// Memory: five planes of a tier and two of the one above: 25 cells with the square's symmetries take 15 GB.
// Cost: on long rows a sweep takes 6 to 13 ns for a vector of 512 boards and a move, where the processor has AVX-512 with VBMI and
// GFNI; a tier takes seven to twelve sweeps.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "solver/bits/bit_pass.h"
#include "solver/rows/row_game.h"

namespace plenum {

struct BitRowOptions {
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  const Checkpoint* checkpoint = nullptr;
  DenseProgressFn progress;
  bool all_margins = false;  // of all positions, not of the start and the openings alone
  // A tier is kept if so much time has passed since one was: what took less is solved again instead.
  std::chrono::seconds keep_after{30};
  Ranks* ranks = &Ranks::alone();
};

// Why this game needs another solver, if it does.
std::optional<std::string> bit_rows_obstacle(const RowGame& rows, const Position& start);
struct BitRowTask {
  bool all_margins = false;
  bool only_outcome = false;
  int ranks = 1;  // of which each has so much memory, and makes use of it
  std::uint64_t memory_bytes = ~std::uint64_t{0};
};
// Of one rank; the least memory that it takes.
DensePrediction predict_bit_rows(const RowGame& rows, const Position& start, const BitRowTask& task);
// Whether all positions were counted by their margins, as far as bits tell.
bool has_all_margins(const Summary& summary);

// kUnimplemented where there is an obstacle; kResourceExhausted with need and allowance; kCancelled, but what finished thresholds tell
// where there are any; kInternal if a check fails.
absl::StatusOr<std::shared_ptr<const BitGame>> solve_bit_rows(std::shared_ptr<const RowGame> rows,
                                                              const Position& start, const BitRowOptions& options);

}  // namespace plenum
