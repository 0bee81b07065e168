// SPDX-License-Identifier: Apache-2.0
// Everything about all positions of a board, a row of positions at a time, without a stored graph.
//
// Positions live in a dense index; all colourings of one occupied set are a block, and a move maps the block to another one
// (row_game.h). A block is evaluated by reading the blocks of its successors. Tiers are worked through from the most stones down; in
// a tier all positions begin with nothing known, and blocks are evaluated again as long as a block that they read has changed.
// That is done three times a tier (stages): for the codes (value and who forces an end at 0: value_byte.h); for what can be forced at any
// price and reached by keeping the value; and for remoteness. Each stage is a byte a position; the last two may be left out.
//
// Why this ends at the right bytes: each stage only moves one way. What is entered as won or lost by t has an end by t within so many
// plies; and by induction on those plies everything that can be forced is found. Remoteness only falls, from "unknown": after n rounds
// it is right wherever it is at most n. So the order of evaluation does not matter, and the result is the same for any number of
// threads.
//
// The position after one pass is not stored: its bytes follow from the same moves as its twin's without the pass, and what the game
// is worth if it ends.
//
// Thread-safety: uses all cores; evaluations write to buffers of their own, which are copied into place between them.
// Source: value iteration with all of Romein and Bal's levels at once, by blocks as in Gasser's sweeps.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "solver/rows/row_sweep.h"
#include "tables/file/checkpoint.h"

namespace plenum {

// Facts as bits such that a position's follow from the "and" of its successors': clear bits of the last two mean "yes".
inline constexpr std::uint8_t kRowMoverForcesEnd = 1;
inline constexpr std::uint8_t kRowOtherCannotForceEnd = 2;
// No end at 0 by moves that keep the value 0; also where the value is not 0.
inline constexpr std::uint8_t kRowNoLevelEnd = 4;
inline constexpr std::uint8_t kRowNothingKnown = kRowOtherCannotForceEnd | kRowNoLevelEnd;
constexpr std::uint8_t row_facts_of_end(ValueByte end) {
  return static_cast<std::uint8_t>(kRowMoverForcesEnd | (is_level(end) ? 0 : kRowNoLevelEnd));
}
// `all`: the "and" of the successors' facts.
constexpr std::uint8_t row_facts(std::uint8_t all, ValueByte code) {
  const bool level_end = (all & kRowNoLevelEnd) == 0 && is_level(code);
  return static_cast<std::uint8_t>(((all & kRowOtherCannotForceEnd) == 0 ? kRowMoverForcesEnd : 0) |
                                   ((all & kRowMoverForcesEnd) != 0 ? 0 : kRowOtherCannotForceEnd) |
                                   (level_end ? 0 : kRowNoLevelEnd));
}

inline constexpr std::uint8_t kUnknownPlies = 255;  // more than a byte holds: 255 and more
// From the fewest and the most plies of the successors that keep the value.
constexpr std::uint8_t row_plies(ValueByte code, std::uint8_t fewest, std::uint8_t most) {
  const std::uint8_t plies = wins(code) ? fewest : most;
  return is_level(code) ? 0 : plies >= kUnknownPlies - 1 ? kUnknownPlies : static_cast<std::uint8_t>(plies + 1);
}

// By state and board, with no pass made. Empty: left out.
struct DenseValues {
  BoardBytes codes;
  BoardBytes facts;
  BoardBytes plies;
};

struct RowProgress {
  int stones = 0;            // of the tier at hand
  std::uint64_t boards = 0;  // solved
  std::uint64_t of = 0;
};
using RowProgressFn = std::function<bool(const RowProgress&)>;  // false: stop

// The codes after one pass, of the own blocks of a tier, by state and local place and row order, once its codes are known. Requires that
// those are there that are read of others (RowMirrors).
StateBytes passed_codes(const RowGame& game, const RowTier& tier, const DenseValues& values);

// Whole rows cost less where they are folded in as they are read (tables/rows/row_fold.h).
double default_few_changes();

struct RowOptions {
  bool facts = true;
  bool plies = true;
  double few_changes =
      default_few_changes();  // of a tier's bytes in a round: from there on they are followed back one by one
  bool keep_added = true;     // folds of moves that add a stone (AddedFolds): faster, in more memory
  Ranks* ranks = &Ranks::alone();
};

// Collective: all tiers, of which each rank has its own blocks' values afterwards (own_boards()). Those that are in the checkpoint
// are taken from there, and the others kept there. Progress is asked of the root alone.
absl::StatusOr<RowCosts> solve_rows(const RowGame& game, const RowOptions& options, const Checkpoint* checkpoint,
                                    DenseValues& values, const RowProgressFn& progress);

}  // namespace plenum
