// SPDX-License-Identifier: Apache-2.0
// Strong solving of placing games with a bit or two a board and little more than a tier in memory: for boards whose bytes would fit no
// machine.
//
// Every turn puts one stone on an empty cell (placing_rules.h), so the values of all boards with k stones follow from those with k + 1,
// and who is to move from k. All colourings of one set of cells are a row of bits; a move reads the row of a larger set with its axes
// permuted (bit_gather.h), under masks (bit_moves.h). So a board costs no instruction of its own: hundreds go together.
//
//     absl::StatusOr<std::shared_ptr<const BitGame>> game = solve_bits(variant, variant.rules().start(), {});
//     (*game)->start_value().outcome
//
// Of each position two bits are known at the end: whether its mover wins, whether its mover loses; where no position of a tier is
// level one bit does. What remains is counted: every way to colour so many cells, with whatever the flags may be then, unreachable ones
// too; of a start with stones, of the sets of cells that it may grow to. Positions are gone as they have been used (bit_sets.h); only the
// first two tiers are there at the end.
//
// Up to a thousand positions of every tier are worked out again by the rules, one by one, while what follows is there: a value that is
// wrong there stops it all.
//
// With a checkpoint the last finished tier is kept, with all counts so far.
//
// Invariants: no bit and no count depends on the number of threads, or on whether the solve was taken up.
// Thread-safety: solving uses all cores; a solved game is immutable.
// Memory: 3^n / 8 boards on n cells with the square's symmetries, of which a sixth are in the largest tier: 25 cells with two states
// take 4.9 GB. Cost: see solver/README.md.
// Source: bit-sliced retrograde analysis by tiers, one pass.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/dense/dense_game.h"

namespace plenum {

class BitGame final : public GameResult {
 public:
  explicit BitGame(Data data) : GameResult(std::move(data)) {}
  const std::vector<BitTier>& tiers() const { return data_.tiers; }
};

// Called with a tier's stones when it is done: its states, and the value of any of its positions, which are gone later.
using BitVisitor = std::function<void(int stones, const std::vector<Position>& states, const ValueFn& value)>;

struct BitOptions {
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  const Checkpoint* checkpoint = nullptr;
  DenseProgressFn progress;
  BitVisitor visit = {};           // of one rank
  Ranks* ranks = &Ranks::alone();  // each has a part of the rows; the result is the same on all
};

// Why this game needs another solver, if it does.
std::optional<std::string> bits_obstacle(const Variant& variant, const Position& start);
// What solving takes, at the least: where nothing is level. Memory is that of each of so many ranks.
DensePrediction predict_bits(const Variant& variant, const Position& start, int ranks);
// Whether this is better than searching for the value of the start where nothing else fits: no play ends before the board is full, so
// that a search would meet most of it, and it is not likely to take more than some hours.
bool prefers_bits(const Variant& variant, const Position& start, std::uint64_t memory_bytes);

// kUnimplemented where there is an obstacle; kResourceExhausted with need and allowance; kCancelled; kInternal if a check fails.
absl::StatusOr<std::shared_ptr<const BitGame>> solve_bits(const Variant& variant, const Position& start,
                                                          const BitOptions& options);

}  // namespace plenum
