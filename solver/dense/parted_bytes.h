// SPDX-License-Identifier: Apache-2.0
// The bytes of a game on a dense index of which each rank has some (dense_bytes.h).
//
// Thread-safety: at() is collective, from the main thread: all ranks ask for the same bytes, in the same order. The rest is immutable.
// Cost: a gathering of all ranks for a byte; what is read so are the values of the start and of the openings.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "solver/cluster/ranked_table.h"
#include "solver/dense/dense_bytes.h"

namespace plenum {

class PartedBytes final : public DenseBytes {
 public:
  struct Part {
    std::uint64_t bytes = 0;   // of all ranks
    std::vector<Segment> own;  // in rising order
  };
  using Parts = std::vector<Part>;
  PartedBytes(Ranks& ranks, ByDenseLayer<Parts> layers, std::shared_ptr<const void> owner)
      : ranks_(ranks), layers_(std::move(layers)), owner_(std::move(owner)) {}

  bool has(DenseLayer layer) const override { return !of(layer).empty(); }
  absl::StatusOr<std::uint8_t> at(DenseLayer layer, std::uint32_t part, std::uint64_t byte) const override;
  const Parts& of(DenseLayer layer) const { return layers_[static_cast<std::size_t>(layer)]; }
  // The parts of a layer one after the other, as in a table.
  Part whole(DenseLayer layer) const;
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  Ranks& ranks_;
  ByDenseLayer<Parts> layers_;
  std::shared_ptr<const void> owner_;
};

}  // namespace plenum
