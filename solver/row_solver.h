// SPDX-License-Identifier: Apache-2.0
// Values of all positions of a board, a row of positions at a time, without a stored graph.
//
// Positions live in a dense index; all colourings of one occupied set are a block, and a move maps the block to another one
// (row_game.h). A block is evaluated by reading the blocks of its successors: the least code and the "and" of all (dense_code.h)
// give the new codes. Tiers are worked through from the most stones down; in a tier all positions begin unresolved, and blocks are
// evaluated again as long as a block that they read has changed.
//
// Why this ends at the right values: a code moves only away from "unresolved". What is entered as won or lost by t has an end
// by t within so many plies; and by induction on those plies everything that can be forced is found. So the order of evaluation does not
// matter, and the result is the same for any number of threads.
//
// The position after one pass is not stored: its value follows from the same moves as its twin's without the pass, and what the game
// is worth if it ends.
//
// Thread-safety: uses all cores; evaluations write to buffers of their own, which are copied into place between them.
// Source: value iteration with all of Romein and Bal's levels at once, by blocks as in Gasser's sweeps.
#pragma once

#include <functional>
#include <vector>

#include "solver/row_game.h"

namespace plenum {

struct DenseValues {
  std::vector<std::vector<DenseCode>> codes;  // [state][board]; no pass made
};

struct RowProgress {
  int stones = 0;            // of the tier at hand
  std::uint64_t boards = 0;  // solved
  std::uint64_t of = 0;
};
using RowProgressFn = std::function<bool(const RowProgress&)>;  // false: stop

struct RowCosts {
  std::uint64_t evaluated = 0;   // positions
  std::uint64_t mapped = 0;      // positions times moves of theirs that a block has
  std::uint64_t most_bytes = 0;  // held of a tier's moves
};

// The codes of a block's positions by row, with no pass made and after one, from those of its successors.
class RowEvaluator {
 public:
  explicit RowEvaluator(const RowGame& game) : game_(game) {}
  void evaluate(const RowBlock& rows, const DenseValues& values);
  const DenseCode* codes(std::uint32_t state) const { return codes_[state].data(); }
  const DenseCode* passed(std::uint32_t state) const { return passed_[state].data(); }

 private:
  const RowGame& game_;
  std::vector<DenseCode> row_;
  std::vector<DenseCode> all_after_;           // of a pass
  std::vector<std::vector<DenseCode>> least_;  // [state][row]
  std::vector<std::vector<DenseCode>> all_;
  std::vector<std::vector<DenseCode>> codes_;
  std::vector<std::vector<DenseCode>> passed_;
};

// All blocks with so many stones, their moves kept if they fit.
class RowTier {
 public:
  static absl::StatusOr<RowTier> make(const RowGame& game, int stones, std::uint64_t memory_bytes);
  std::size_t size() const { return blocks_.size(); }
  BlockIndex first() const { return first_; }
  const RowBlock& block(std::size_t i) const { return blocks_[i]; }
  // Blocks of this tier with a move into block i.
  const std::vector<std::uint32_t>& readers(std::size_t i) const { return readers_[i]; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  BlockIndex first_ = 0;
  std::vector<RowBlock> blocks_;
  std::vector<std::vector<std::uint32_t>> readers_;
  std::uint64_t bytes_ = 0;
};

// Enters the codes of one tier. Requires those of all tiers with more stones.
RowCosts solve_tier(const RowGame& game, const RowTier& tier, DenseValues& values);

// All tiers.
absl::StatusOr<RowCosts> solve_rows(const RowGame& game, std::uint64_t memory_bytes, DenseValues& values,
                                    const RowProgressFn& progress);

}  // namespace plenum
