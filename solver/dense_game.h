// SPDX-License-Identifier: Apache-2.0
// A game solved for every way to fill its board: no position is stored, a value is a byte at a place that is computed.
//
//     absl::StatusOr<DenseGame> game = solve_dense(variant, variant.rules().start(), {});
//     game->value(position)->outcome
//
// The bytes are in memory, or are read from a table file block by block. Positions after a pass have none of their own: their
// values are those of the moves from there.
//
// Thread-safety: a DenseGame is immutable; its members may be called from any thread.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "solver/game_result.h"
#include "solver/row_reach.h"
#include "tables/checkpoint.h"

namespace plenum {

// The layers of bytes, in the order in which they stand in a table.
enum class DenseLayer { codes, facts, plies, reached };
inline constexpr std::array<const char*, 4> kDenseLayerNames = {"codes", "facts", "plies", "reached"};

// Where the bytes are: [state][board] of each layer.
class DenseBytes {
 public:
  DenseBytes() = default;
  DenseBytes(const DenseBytes&) = delete;
  DenseBytes& operator=(const DenseBytes&) = delete;
  virtual ~DenseBytes() = default;
  virtual bool has(DenseLayer layer) const = 0;
  // kDataLoss where a table is damaged.
  virtual absl::StatusOr<std::uint8_t> at(DenseLayer layer, std::uint32_t state, BoardIndex board) const = 0;
};

enum class DenseStage { solve, count };
struct DenseProgress {
  DenseStage stage = DenseStage::solve;
  std::uint64_t boards = 0;
  std::uint64_t of = 0;
  int stones = 0;
};
using DenseProgressFn = std::function<bool(const DenseProgress&)>;  // false: stop

struct DenseOptions {
  RowOptions rows;                                 // facts and remoteness, or values alone
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  const Checkpoint* checkpoint = nullptr;          // finished tiers are kept there, and taken from there
  DenseProgressFn progress;
};

class DenseGame : public GameResult {
 public:
  DenseGame(std::shared_ptr<const RowGame> rows, std::shared_ptr<const DenseBytes> bytes, Data data)
      : GameResult(std::move(data)), rows_(std::move(rows)), bytes_(std::move(bytes)) {}

  // Of any position of the board, reachable or not.
  absl::StatusOr<PositionValue> value(const Position& position) const;
  absl::StatusOr<bool> reachable(const Position& position) const;

  const RowGame& rows() const { return *rows_; }
  const DenseBytes& bytes() const { return *bytes_; }

 private:
  std::shared_ptr<const RowGame> rows_;
  std::shared_ptr<const DenseBytes> bytes_;
};

// What solving will take. Builds a block of each tier to see how many moves it has; the costs of these, and how often a block is
// evaluated, are those measured on other boards.
struct DensePrediction {
  std::uint64_t boards = 0;       // stored: up to the symmetries of occupied sets, in every state
  std::uint64_t bytes = 0;        // of memory at the most
  std::uint64_t table_bytes = 0;  // of the table before it is compressed
  double cpu_seconds = 0;
};
absl::StatusOr<DensePrediction> predict_dense(const RowGame& game, const RowOptions& options);
// Whether a game's boards are many enough that they are better solved so than stored one by one.
bool prefers_dense(const RowGame& game);

// kUnimplemented, with what stands in the way, for games that cannot be solved so; kResourceExhausted, with what is needed.
absl::StatusOr<DenseGame> solve_dense(const Variant& variant, const Position& start, const DenseOptions& options);

// The layers of a solved game, piece by piece, in the order of a table: calls write(layer, bytes).
using WriteLayerFn = std::function<absl::Status(DenseLayer layer, std::span<const std::uint8_t> bytes)>;
absl::Status write_layers(const DenseGame& game, const WriteLayerFn& write);
// The bytes of a table; kDataLoss if its layers are not those of this game.
absl::StatusOr<std::shared_ptr<const DenseBytes>> table_bytes(const RowGame& game,
                                                              std::shared_ptr<const TableReader> table);

}  // namespace plenum
