// SPDX-License-Identifier: Apache-2.0
// One stage of solving a tier by rows: every position's byte from those of its successors, until nothing changes.
//
// First whole blocks are evaluated, again as long as a block that they read has changed. When few bytes change any more, what changed
// is followed back instead: through the row maps turned round to the positions with a move there, and only those whose byte can
// change by it are evaluated again, in the tiles of their rows that hold any.
//
// Invariant of the second part: a position that is not marked has the byte that follows from its successors as they are, and the same
// holds after a pass. A change (was, is) of a successor leaves that so unless touched() says otherwise.
//
// Of several ranks each evaluates its own blocks, and after a part of these all of them exchange what has changed: a block as a whole, or
// the bytes that did. Each entered what others changed, in their place, before it goes on.
//
// Thread-safety: uses all cores; the result is the same for any number of threads and ranks.
// Cost: on 19 cells a position's byte changes 1.5 times, and whole blocks are evaluated 10 times in the largest tiers; in the last rounds
// less than one byte in a hundred changes.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "solver/rows/row_tier.h"

namespace plenum {

using Bytes = std::vector<std::uint8_t>;
using StateBytes = std::vector<Bytes>;  // [state]

struct RowCosts {
  std::uint64_t evaluated = 0;   // positions
  std::uint64_t mapped = 0;      // positions times moves that their block has
  std::uint64_t most_bytes = 0;  // held of a tier's moves
};

// One byte for each position of a block, from those of its successors. By row; the results stay until the next evaluate().
class RowStage {
 public:
  RowStage() = default;
  RowStage(const RowStage&) = delete;
  RowStage& operator=(const RowStage&) = delete;
  virtual ~RowStage() = default;
  // Of these rows, of others anything; empty: of all. Where there are passes, a row and the one after a pass are asked for together.
  virtual void evaluate(const RowBlock& rows, std::span<const std::uint32_t> asked) = 0;
  // A successor's byte becomes another one; its code.
  struct Change {
    std::uint8_t was = 0;
    std::uint8_t is = 0;
    ValueByte code = 0;
  };
  // Whether that may change the byte of a position that is `here` and whose code is this.
  virtual bool touched(const Change& change, std::uint8_t here, ValueByte code) const = 0;
  const std::uint8_t* result(std::uint32_t state) const { return result_[state].data(); }
  // The same after a pass.
  const std::uint8_t* passed(std::uint32_t state) const { return passed_[state].data(); }

 protected:
  StateBytes result_;
  StateBytes passed_;
};
using MakeStage = std::function<std::unique_ptr<RowStage>()>;

struct SweepTask {
  MakeStage make;
  std::uint8_t unknown = 0;      // what positions begin with
  BoardBytes* bytes = nullptr;   // of the whole board
  StateBytes* passed = nullptr;  // after one pass: of own blocks, by state and local place and row order; made here
  // Codes likewise; null: they are what is found.
  const BoardBytes* codes = nullptr;
  const StateBytes* passed_codes = nullptr;
  double few = 0;               // of the bytes changed in a round: from there on changes are followed back
  std::function<bool()> go_on;  // false: stop; the root alone is asked
};

// Collective. Requires that of the next tier the bytes are there that are read of it. What is read of others in this tier is there
// afterwards. kCancelled.
absl::StatusOr<RowCosts> sweep(const RowGame& game, const RowTier& tier, const SweepTask& task);

}  // namespace plenum
