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

class Sampler {
 public:
  Sampler(const Variant& variant, const DenseIndex& index) : index_(index), cursor_(index), judged_(variant.rules()) {}

  // Calls fn(judged) with the moves of some boards from `begin` on, batch by batch.
  template <typename Fn>
  void look(BoardIndex begin, std::uint32_t layer, const Fn& fn) {
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
      fn(judged_);
    }
  }
  // All over the index.
  template <typename Fn>
  void look_everywhere(const Fn& fn) {
    for (std::uint32_t k = 0; k < kSamples; ++k) look(index_.boards() * k / kSamples, k, fn);
  }

 private:
  const DenseIndex& index_;
  BoardCursor cursor_;
  Judged judged_;
};

}  // namespace

double sample_successors(const Variant& variant, const DenseIndex& index) {
  double positions = 0;
  double successors = 0;
  Sampler(variant, index).look_everywhere([&](const Judged& judged) {
    positions += static_cast<double>(judged.size());
    successors += static_cast<double>(judged.replies().size);
  });
  return positions == 0 ? 0 : successors / positions;
}

BlocksAhead sample_ahead(const Variant& variant, const DenseIndex& index) {
  BlocksAhead out{.steps = 0};
  const auto learn = [&](const Judged& judged) {
    for (std::size_t r = 0; r < judged.replies().size; ++r) {
      const CellSet from = occupied_cells(judged.asked(), judged.parent(r));
      const CellSet to = occupied_cells(judged.replies(), r);
      const int more = std::popcount(to) - std::popcount(from);
      if (more == 0) out.images = true;
      if (more <= 0) continue;
      out.steps |= 1U << more;
      if ((from & ~to) != 0) out.all = true;
    }
  };
  Sampler sampler(variant, index);
  sampler.look_everywhere(learn);
  // The smallest tiers too: a turn may add more stones while there are few.
  for (int stones = 0; stones <= index.cells(); ++stones)
    sampler.look(index.begin(stones), static_cast<std::uint32_t>(stones), learn);
  return out;
}

}  // namespace plenum
