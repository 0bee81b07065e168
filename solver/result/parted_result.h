// SPDX-License-Identifier: Apache-2.0
// What a rank has of a game that several solved: the whole summary, and a part of each layer of its table. To look at single positions,
// the ranks write the table (RankedTable) and open it. Where a rank can hand out positions of its own, ranks can count them together
// (histograms.h).
//
// Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/cluster/ranked_table.h"
#include "solver/result/result.h"

namespace plenum {

class PartedResult final : public Result {
 public:
  struct Layer {
    std::string name;
    std::uint64_t bytes = 0;  // of all ranks
    std::vector<Segment> own;
  };
  // `owner` holds the bytes. The summary and the names and lengths of layers are the same on all ranks. `positions` hands out those of this
  // rank: each is one rank's, and they are in the order of ranks.
  PartedResult(Summary summary, TableShape shape, std::vector<Layer> layers, std::shared_ptr<const void> owner,
               std::optional<Measures> measures = {}, SharedResult positions = nullptr)
      : Result(std::move(summary)),
        shape_(shape),
        layers_(std::move(layers)),
        owner_(std::move(owner)),
        measures_(std::move(measures)),
        positions_(std::move(positions)) {}

  absl::StatusOr<PositionValue> value(const Position& /*position*/) const override { return elsewhere(); }
  absl::StatusOr<bool> reachable(const Position& /*position*/) const override { return elsewhere(); }
  // The same on all ranks whether there are any: a rank without positions has an empty part.
  std::size_t parts() const override {
    return positions_ == nullptr ? 0 : std::max<std::size_t>(1, positions_->parts());
  }
  absl::Status each(std::size_t part, Fold fold, const VisitFn& visit) const override {
    return positions_ == nullptr ? elsewhere() : positions_->each(part, fold, visit);
  }
  TableShape shape() const override { return shape_; }
  std::optional<Measures> measured() const override { return measures_; }
  using Result::write_layers;
  bool whole() const override { return false; }
  absl::Status write_layers(RankedTable& table) const override {
    for (const Layer& layer : layers_) {
      absl::Status written = table.write(layer.name, layer.bytes, layer.own);
      if (!written.ok()) return written;
    }
    return absl::OkStatus();
  }

 private:
  static absl::Status elsewhere() { return absl::UnimplementedError("other ranks have a part of it"); }
  TableShape shape_;
  std::vector<Layer> layers_;
  std::shared_ptr<const void> owner_;
  std::optional<Measures> measures_;
  SharedResult positions_;
};

}  // namespace plenum
