// SPDX-License-Identifier: Apache-2.0
// Games that one pass over all boards solves: every move adds stones, or is a pass in a row that ends.
//
// All boards whose sets of cells are reachable are numbered (dense_index.h), and no position, move or graph is stored. Tiers are worked
// through from the most stones down, in a tier from the most passes down: each position is expanded once, its successors are
// placed and their bytes read. Before that, a pass upwards from the start tells which positions are reachable; both statistics come with
// the values.
//
//     absl::StatusOr<std::shared_ptr<const OnePassGame>> game = solve_one_pass(variant, variant.rules().start(), {});
//     (*game)->value(position)->outcome
//
// Unreachable positions are worked out like the others, unless they are not asked for. Nothing says that the rules make sense
// there: a player may be without a move where the description does not say what that means, a number may leave its range, a margin be
// too large for its byte. Such a position has no value, nor has one with a move to it; it is an error only if it is reachable. Which sets
// are reachable is found by trying some positions of each; a successor on a set that was not found is added, and all begins again.
//
// Several ranks deal out the boards of each tier in stripes, and work at one stripe each at a time (one_pass_window.h): the values that it
// may read of others are fetched before, and what is reached of others is told them afterwards.
//
// With a checkpoint each finished tier of either pass is kept: of the second its bytes and counts, of the first what is reached there
// and, as moves may add several stones, what is reached so far beyond it. The sets are kept too, so that a solve that is taken up has
// the same index.
//
// Invariants
//   - no byte depends on the number of threads and ranks, or on whether the solve was taken up;
//   - what is reachable is the same seen through the symmetries of the index (Folding::keeping), so that a board counts for all
//     its images; in a block whose set is symmetric to itself, reached bits are brought to all images before they are used.
//
// Thread-safety: solving uses all cores; a solved game is immutable.
// Memory: a byte a position for its value, one for its remoteness, which may be left out, and two bits (one where the players are
// not exchanged) for its being reached; 6 bytes a set of cells.
// Cost: see solver/README.md.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/dense/dense_game.h"
#include "solver/dense/value_byte.h"

namespace plenum {

inline constexpr ValueByte kNoValue = 255;  // of an unreachable position

struct OnePassOptions : DenseOptions {
  bool counts = true;       // which positions are reachable, and the statistics
  bool whole_board = true;  // unreachable positions too; without, which ones are reachable is found out in any case
  std::size_t samples = 8;  // positions of a set, at least, that are tried to find the sets after it
};

struct OnePassCosts {
  std::uint64_t evaluated = 0;   // positions
  std::uint64_t successors = 0;  // of these
  std::uint64_t reached = 0;     // stored positions that are reachable
  std::uint64_t followed = 0;    // successors of these
  int attempts = 0;              // more than 1: sets were missing at first
};

// The bytes: parts are the layers of the index. Codes and plies have a byte a board, and none where passes have ended the game; reached
// has two bits a board (as it stands; exchanged), or one where the players are not exchanged; sets are the least of each block, in
// their order, four bytes each, the lowest first. Codes are seen from the player to move; plies are 0 where the value is.
class OnePassGame final : public DenseGame {
 public:
  OnePassGame(std::shared_ptr<const DenseIndex> index, std::shared_ptr<const DenseBytes> bytes, Data data,
              OnePassCosts costs = {})
      : DenseGame(DenseMethod::one_pass, std::move(bytes), std::move(data)), index_(std::move(index)), costs_(costs) {}

  // There are values of any position whose cells are listed, but where kNoValue is, and of what is unreachable only if the whole board
  // was asked for; `plies` only where they were asked for.
  // Requires that counts were asked for.
  absl::StatusOr<bool> reachable(const Position& position) const override;
  const DenseIndex& index() const override { return *index_; }
  const OnePassCosts& costs() const { return costs_; }
  // The statistics of GameResult are there if they were asked for; those of the whole board, of every position of the boards numbered
  // that has a value, where moreover the start looks the same under all symmetries.

 private:
  Judged::Wanted wanted() const override { return Judged::Wanted::no_replies; }
  absl::Status read_values(std::span<const Position> positions, const Judged& judged,
                           std::span<std::optional<PositionValue>> out) const override;

  std::shared_ptr<const DenseIndex> index_;
  OnePassCosts costs_;
};

// Why this game needs another solver, if it does.
std::optional<std::string> one_pass_obstacle(const Variant& variant);

// What solving holds besides what the process held before: of several ranks each its share, and so many boards of
// others at a time.
std::uint64_t one_pass_bytes(const DenseIndex& index, const Variant& variant, const OnePassOptions& options,
                             BoardIndex others = 0, int ranks = 1);

// kUnimplemented where there is an obstacle, also one found on the way (a margin of more than kMostUnits); kResourceExhausted with need
// and allowance; kCancelled; and what is wrong with the description, as solve_game() would say.
absl::StatusOr<std::shared_ptr<const OnePassGame>> solve_one_pass(const Variant& variant, const Position& start,
                                                                  const OnePassOptions& options);
// As open_dense(); of a game that began at `start`.
absl::StatusOr<std::shared_ptr<const OnePassGame>> open_one_pass(const Variant& variant, const Position& start,
                                                                 std::shared_ptr<const TableReader> table);
// Which sets are reachable, and how many successors a board has, is found by expanding some positions of each size; how many boards are
// reachable, and so expanded twice, is not known and taken to be 0.7 of them.
absl::StatusOr<DensePrediction> predict_one_pass(const Variant& variant, const Position& start, bool remoteness,
                                                 int ranks = 1);
// The index of a table; kDataLoss if it lists no sets as an index does.
absl::StatusOr<std::shared_ptr<const DenseIndex>> one_pass_index(const Variant& variant, const Position& start,
                                                                 const TableReader& table);
// Lengths of the layers in a table.
DenseShape one_pass_shape(const DenseIndex& index, const RuleSet& rules);

}  // namespace plenum
