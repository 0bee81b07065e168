// SPDX-License-Identifier: Apache-2.0
// A game solved on a dense index: no position is stored, a value is a byte at a place that is computed.
//
//     std::shared_ptr<const DenseGame> game = ...;                  // solve_dense() (solver/method/all_methods.h)
//     game->value(position)->outcome
//
// There are two methods: by rows, for every way to fill the board (dense_rows.h); and in one pass, for the reachable sets of cells
// (one_pass.h). Each says which bytes it keeps; everything that reads values goes through this interface.
//
// Thread-safety: a DenseGame is immutable; its members may be called from any thread.
#pragma once

#include <functional>
#include <memory>

#include "solver/cluster/ranks.h"
#include "solver/dense/dense_bytes.h"
#include "solver/dense/judged.h"
#include "solver/result/game_result.h"
#include "solver/support/object_pool.h"
#include "tables/file/checkpoint.h"
#include "tables/index/dense_index.h"

namespace plenum {

enum class DenseMethod { rows, one_pass };

class DenseGame : public GameResult {
 public:
  DenseGame(DenseMethod method, std::shared_ptr<const DenseBytes> bytes, Data data)
      : GameResult(std::move(data)), method_(method), bytes_(std::move(bytes)) {
    data_.method = method == DenseMethod::rows ? "rows" : "one-pass";
  }
  DenseGame(const DenseGame&) = delete;
  DenseGame& operator=(const DenseGame&) = delete;
  virtual ~DenseGame() = default;

  // Of any positions of the index, reachable or not. Nothing of a position that is not listed there or that has no value; it is not
  // reachable then.
  absl::StatusOr<std::vector<std::optional<PositionValue>>> values(std::span<const Position> positions) const;
  // The same of one; kNotFound where there is nothing.
  absl::StatusOr<PositionValue> value(const Position& position) const;
  virtual absl::StatusOr<bool> reachable(const Position& position) const = 0;
  virtual const DenseIndex& index() const = 0;

  DenseMethod method() const { return method_; }
  const DenseBytes& bytes() const { return *bytes_; }

 private:
  // Which replies read_values() looks at.
  virtual Judged::Wanted wanted() const = 0;
  // The values of at most Judged::kMost positions.
  virtual absl::Status read_values(std::span<const Position> positions, const Judged& judged,
                                   std::span<std::optional<PositionValue>> out) const = 0;

  mutable ObjectPool<Judged> judged_{[this] { return std::make_unique<Judged>(variant().rules()); }};
  DenseMethod method_;
  std::shared_ptr<const DenseBytes> bytes_;
};

struct DenseProgress {
  const char* what = "";
  std::uint64_t boards = 0;
  std::uint64_t of = 0;
  int stones = 0;
};
using DenseProgressFn = std::function<bool(const DenseProgress&)>;  // false: stop

struct DenseOptions {
  bool remoteness = true;                          // and what can be forced at any price; without, values alone
  std::uint64_t memory_bytes = ~std::uint64_t{0};  // for the process as a whole
  const Checkpoint* checkpoint = nullptr;          // finished tiers are kept there, and taken from there
  DenseProgressFn progress;
  // Those that solve it together: then a DenseGame's bytes are PartedBytes, and progress is asked of the root alone.
  Ranks* ranks = &Ranks::alone();
};

// What solving will take: memory of each rank.
struct DensePrediction {
  std::uint64_t boards = 0;       // stored: up to the symmetries of occupied sets, each with all of its flags
  std::uint64_t bytes = 0;        // of memory at the most
  std::uint64_t table_bytes = 0;  // of the table before it is compressed
  double cpu_seconds = 0;         // of all ranks
  double sent_bytes = 0;          // by each rank to others
};

}  // namespace plenum
