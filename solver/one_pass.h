// SPDX-License-Identifier: Apache-2.0
// Games that one pass over all boards solves: every move adds stones, or is a pass in a row that ends.
//
// All boards whose sets of cells can arise are numbered (dense_index.h), and no position, move or graph is stored. Tiers are worked
// through from the most stones down, in a tier from the most passes down: each position is expanded once, its successors are
// placed and their bytes read. Before that, a pass upwards from the start tells which positions can arise; both statistics come with
// the values.
//
//     absl::StatusOr<OnePassGame> game = solve_one_pass(variant, variant.rules().start(), {});
//     game->value(position)->outcome
//
// Positions that cannot arise are worked out like the others, unless they are not asked for. Nothing says that the rules make sense
// there: a player may be without a move where the description does not say what that means, a number may leave its range, a margin be
// too large for its byte. Such a position has no value, nor has one with a move to it; it is an error only if it can arise. Which sets
// can arise is found by trying some positions of each; a successor on a set that was not found is added, and all begins again.
//
// Invariants
//   - no byte depends on the number of threads;
//   - what can arise is the same seen through the symmetries of the index (Folding::keeping), so that a board counts for all
//     its images; in a block whose set is symmetric to itself, reached bits are brought to all images before they are used.
//
// Thread-safety: solving uses all cores; a solved game is immutable.
// Memory: a byte a position for its value, one for its remoteness, which may be left out, and two bits (one where the players are
// not exchanged) for its being reached; 6 bytes a set of cells.
// Cost: see solver/README.md.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/dense_code.h"
#include "solver/game_result.h"
#include "tables/big_bytes.h"
#include "tables/dense_index.h"

namespace plenum {

inline constexpr DenseCode kNoValue = 255;  // of a position that cannot arise

struct OnePassProgress {
  enum class Stage { reach, values };
  Stage stage = Stage::reach;
  int stones = 0;               // of the tier at hand
  std::uint64_t positions = 0;  // done
  std::uint64_t of = 0;
};
using OnePassProgressFn = std::function<bool(const OnePassProgress&)>;  // false: stop

struct OnePassOptions {
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  bool remoteness = true;
  bool counts = true;       // which positions can arise, and the statistics
  bool whole_board = true;  // positions that cannot arise too; without, which ones can is found out in any case
  std::size_t samples = 8;  // positions of a set, at least, that are tried to find the sets after it
  OnePassProgressFn progress;
};

struct OnePassCosts {
  std::uint64_t evaluated = 0;   // positions
  std::uint64_t successors = 0;  // of these
  std::uint64_t reached = 0;     // stored positions that can arise
  std::uint64_t followed = 0;    // successors of these
  int attempts = 0;              // more than 1: sets were missing at first
};

class OnePassGame {
 public:
  const Variant& variant() const { return *variant_; }
  const Position& start() const { return start_; }
  const DenseIndex& index() const { return *index_; }

  // Of any position whose cells are listed; nullopt for others and where kNoValue is, and for what cannot arise if the whole board was
  // not asked for. `plies` only where they were asked for.
  std::optional<PositionValue> value(const Position& position) const;
  // Whether it can arise from the start. Requires that counts were asked for.
  bool reachable(const Position& position) const;
  // Seen from the player to move. Remoteness: 0 where the value is 0.
  const std::vector<BigBytes>& codes() const { return codes_; }  // [layer][board]; empty: ended by passes, not kept
  const std::vector<BigBytes>& remoteness() const { return remoteness_; }

  const std::optional<Statistics>& statistics() const { return statistics_; }
  // Of every position of the boards numbered, whoever is to move and whatever the state, that has a value. Only if it was asked for,
  // and where the start looks the same under all symmetries.
  const std::optional<Statistics>& whole_board() const { return whole_board_; }
  const OnePassCosts& costs() const { return costs_; }
  std::uint64_t bytes() const;

 private:
  friend class OnePassSolver;
  friend absl::StatusOr<OnePassGame> solve_one_pass(const Variant& variant, const Position& start,
                                                    const OnePassOptions& options);
  std::uint8_t reached(DenseIndex::Place place) const;

  std::shared_ptr<const Variant> variant_;
  Position start_;
  std::shared_ptr<const DenseIndex> index_;
  std::vector<BigBytes> codes_;
  std::vector<BigBytes> remoteness_;
  std::vector<BigBytes> reached_;  // [layer]; bits_ a board
  int bits_ = 1;                   // reached as it stands; exchanged
  std::optional<Statistics> statistics_;
  std::optional<Statistics> whole_board_;
  OnePassCosts costs_;
};

// Why this game needs another solver, if it does.
std::optional<std::string> one_pass_obstacle(const Variant& variant);

// What solving holds besides what the process held before.
std::uint64_t one_pass_bytes(const DenseIndex& index, const Variant& variant, const OnePassOptions& options);

// kUnimplemented where there is an obstacle, also one found on the way (a margin of more than kMostUnits); kResourceExhausted with need
// and allowance; kCancelled; and what is wrong with the description, as solve_game() would say.
absl::StatusOr<OnePassGame> solve_one_pass(const Variant& variant, const Position& start,
                                           const OnePassOptions& options);

}  // namespace plenum
