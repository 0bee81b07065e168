// SPDX-License-Identifier: Apache-2.0
// What one pass will take: the index that it would begin with, and how many successors the boards of it have, by some of each part.
#include <algorithm>
#include <cmath>

#include "solver/one_pass/one_pass.h"
#include "solver/one_pass/one_pass_sets.h"
#include "solver/support/memory.h"
#include "tables/index/dense_batch.h"

namespace plenum {
namespace {

constexpr std::size_t kSamples = 64;     // places of the index that are looked at
constexpr std::size_t kBatches = 2;      // of boards one after the other, at each
constexpr std::size_t kSamplesASet = 2;  // a solve takes more: it begins again where it has missed a set
constexpr double kNs = 30;               // a position, measured on boards of 9 to 20 cells
constexpr double kNsASuccessor = 17;     // made, placed, and its value read
constexpr double kReachedShare = 0.7;    // of the boards, which are expanded once more; it is not known before

DenseIndex first_index(const Variant& variant, const Position& start) {
  const Folding folding = Folding::keeping(variant, start);
  return {variant, folding, find_sets(variant, folding, start, {}, kSamplesASet)};
}

// Counts the successors of some boards.
class Sampler {
 public:
  Sampler(const Variant& variant, const DenseIndex& index)
      : rules_(variant.rules()), index_(index), scratch_(rules_), batch_(variant.rules().batch()) {
    batch_.grow(kLanes);
  }

  void sample(BoardIndex from, std::uint32_t layer) {
    BoardCursor cursor(index_);
    cursor.seek(from);
    for (std::size_t k = 0; k < kBatches && cursor.board() < index_.boards(); ++k) {
      batch_.clear();
      for (; batch_.size < kLanes && cursor.board() < index_.boards(); cursor.next()) {
        Position p;
        std::copy_n(cursor.planes(), p.planes.size(), p.planes.begin());
        index_.read_layer(layer, p);
        batch_.push(p);
      }
      const std::size_t positions = batch_.size;
      rules_.judge(batch_, scratch_, ended_, margin_);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < positions; ++i) {
        if (ended_[i] == 0) batch_.copy(i, kept++);
      }
      batch_.size = kept;
      expand();
      positions_ += static_cast<double>(positions);
    }
  }
  double seconds_a_position() const {
    return positions_ > 0 ? 1e-9 * (kNs + kNsASuccessor * successors_ / positions_) : 0;
  }

 private:
  // Where a move goes wrong, all are made one by one.
  void expand() {
    if (batch_.size == 0) return;
    if (rules_.expand(batch_, scratch_).ok()) {
      successors_ += static_cast<double>(scratch_.successors.size);
      return;
    }
    if (batch_.size == 1) return;
    const PositionBatch all = batch_;
    for (std::size_t i = 0; i < all.size; ++i) {
      batch_.clear();
      batch_.push(all.at(i));
      expand();
    }
  }

  const Rules& rules_;
  const DenseIndex& index_;
  Rules::Scratch scratch_;
  PositionBatch batch_;
  std::vector<std::uint8_t> ended_;
  std::vector<std::int64_t> margin_;
  double positions_ = 0;
  double successors_ = 0;
};

}  // namespace

absl::StatusOr<DensePredictions> predict_one_pass(const Variant& variant, const Position& start) {
  if (const auto obstacle = one_pass_obstacle(variant)) return absl::UnimplementedError(*obstacle);
  const DenseIndex index = first_index(variant, start);
  Sampler sampler(variant, index);
  for (std::size_t k = 0; k < kSamples; ++k)
    sampler.sample(index.boards() * k / kSamples, static_cast<std::uint32_t>(k % index.layers()));
  const double boards = static_cast<double>(index.boards() * index.layers());
  DensePredictions out;
  out.method = DenseMethod::one_pass;
  const DenseShape shape = one_pass_shape(index, variant.rule_set());
  const auto fill = [&](bool remoteness, DensePrediction& to) {
    OnePassOptions options;
    options.remoteness = remoteness;
    to.boards = index.boards() * index.layers();
    to.bytes = base_memory() + one_pass_bytes(index, variant, options);
    for (const DenseLayer layer : {DenseLayer::codes, DenseLayer::plies, DenseLayer::reached, DenseLayer::sets}) {
      if (layer == DenseLayer::plies && !remoteness) continue;
      for (const std::uint64_t bytes : shape[static_cast<std::size_t>(layer)]) to.table_bytes += bytes;
    }
    to.cpu_seconds = boards * sampler.seconds_a_position() * (1 + kReachedShare);
  };
  fill(true, out.whole);
  fill(false, out.values);
  return out;
}

std::uint64_t one_pass_boards(const Variant& variant) {
  const DenseIndex index = first_index(variant, variant.rules().start());
  return index.boards() * index.layers();
}

}  // namespace plenum
