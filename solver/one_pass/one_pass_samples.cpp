// SPDX-License-Identifier: Apache-2.0
#include "solver/one_pass/one_pass_samples.h"

#include <algorithm>
#include <bit>

#include "solver/dense/judged.h"
#include "tables/index/dense_batch.h"

namespace plenum {
namespace {

constexpr std::size_t kSamples = 64;  // places of the index that are looked at
constexpr std::size_t kBatches = 2;   // of boards one after the other, at each

CellSet set_of(const PositionBatch& positions, std::size_t i) {
  CellSet out = 0;
  for (const auto& plane : positions.planes) out |= plane[i];
  return out;
}

class Sampler {
 public:
  Sampler(const Variant& variant, const DenseIndex& index) : index_(index), cursor_(index), judged_(variant.rules()) {}

  // The moves from some boards, the first of them at `begin`.
  void look(BoardIndex begin, std::uint32_t layer) {
    cursor_.seek(begin);
    for (std::size_t batch = 0; batch < kBatches && cursor_.board() < index_.boards(); ++batch) {
      judged_.clear();
      for (; !judged_.full() && cursor_.board() < index_.boards(); cursor_.next()) {
        Position p;
        std::copy_n(cursor_.planes(), p.planes.size(), p.planes.begin());
        index_.read_layer(layer % index_.layers(), p);
        judged_.ask(p);
      }
      judged_.look(Judged::Wanted::moves_alone);
      positions_ += judged_.size();
      successors_ += judged_.replies().size;
      for (std::size_t r = 0; r < judged_.replies().size; ++r)
        learn(set_of(judged_.asked(), judged_.parent(r)), set_of(judged_.replies(), r));
    }
  }
  double successors() const {
    return positions_ == 0 ? 0 : static_cast<double>(successors_) / static_cast<double>(positions_);
  }
  const BlocksAhead& ahead() const { return ahead_; }

 private:
  void learn(CellSet from, CellSet to) {
    const int more = std::popcount(to) - std::popcount(from);
    if (more == 0) ahead_.images = true;
    if (more <= 0) return;
    ahead_.steps |= 1U << more;
    if ((from & ~to) != 0) ahead_.all = true;
  }

  const DenseIndex& index_;
  BoardCursor cursor_;
  Judged judged_;
  std::size_t positions_ = 0;
  std::size_t successors_ = 0;
  BlocksAhead ahead_{.steps = 0};
};

}  // namespace

OnePassSamples sample_moves(const Variant& variant, const DenseIndex& index) {
  Sampler sampler(variant, index);
  for (std::uint32_t k = 0; k < kSamples; ++k) sampler.look(index.boards() * k / kSamples, k);
  const double successors = sampler.successors();
  // The smallest tiers too: a turn may add more stones while there are few.
  for (int stones = 0; stones <= index.cells(); ++stones)
    sampler.look(index.begin(stones), static_cast<std::uint32_t>(stones));
  return {successors, sampler.ahead()};
}

}  // namespace plenum
