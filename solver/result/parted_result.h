// SPDX-License-Identifier: Apache-2.0
// What a rank has of a game that several solved: the whole summary, and a part of each layer of its table. To look at positions, the
// ranks write the table (RankedTable) and open it.
//
// Thread-safety: immutable.
#pragma once

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
  // `owner` holds the bytes. The summary and the names and lengths of layers are the same on all ranks.
  PartedResult(Summary summary, TableShape shape, std::vector<Layer> layers, std::shared_ptr<const void> owner,
               std::optional<Measures> measures = {})
      : Result(std::move(summary)),
        shape_(shape),
        layers_(std::move(layers)),
        owner_(std::move(owner)),
        measures_(std::move(measures)) {}

  absl::StatusOr<PositionValue> value(const Position& /*position*/) const override { return elsewhere(); }
  absl::StatusOr<bool> reachable(const Position& /*position*/) const override { return elsewhere(); }
  TableShape shape() const override { return shape_; }
  std::span<const Layer> own_layers() const { return layers_; }
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
};

}  // namespace plenum
