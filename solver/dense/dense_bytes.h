// SPDX-License-Identifier: Apache-2.0
// The bytes of a game solved on a dense index: in memory, or in a table file and read block by block.
//
// A layer is one thing that is known of all positions (DenseLayer). It is cut into parts, one for each state or each layer of the
// index, which may be empty; in a table the parts of a layer follow one another without gaps.
//
// Thread-safety: immutable; members may be called from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "tables/file/table_file.h"

namespace plenum {

// In the order in which they stand in a table. `sets`: which sets of cells the index lists, where not all.
enum class DenseLayer { codes, facts, plies, reached, sets };
inline constexpr std::array<const char*, 5> kDenseLayerNames = {"codes", "facts", "plies", "reached", "sets"};
template <typename T>
using ByDenseLayer = std::array<T, kDenseLayerNames.size()>;

class DenseBytes {
 public:
  DenseBytes() = default;
  DenseBytes(const DenseBytes&) = delete;
  DenseBytes& operator=(const DenseBytes&) = delete;
  virtual ~DenseBytes() = default;
  virtual bool has(DenseLayer layer) const = 0;
  // kDataLoss where a table is damaged.
  virtual absl::StatusOr<std::uint8_t> at(DenseLayer layer, std::uint32_t part, std::uint64_t byte) const = 0;
};

// In memory that `owner` holds.
class HeldBytes final : public DenseBytes {
 public:
  using Parts = std::vector<std::span<const std::uint8_t>>;
  HeldBytes(ByDenseLayer<Parts> layers, std::shared_ptr<const void> owner)
      : layers_(std::move(layers)), owner_(std::move(owner)) {}
  bool has(DenseLayer layer) const override { return !of(layer).empty(); }
  absl::StatusOr<std::uint8_t> at(DenseLayer layer, std::uint32_t part, std::uint64_t byte) const override {
    return of(layer)[part][byte];
  }
  const Parts& of(DenseLayer layer) const { return layers_[static_cast<std::size_t>(layer)]; }

 private:
  ByDenseLayer<Parts> layers_;
  std::shared_ptr<const void> owner_;
};

// Lengths of the parts of each layer that a game may have; empty: none of that name.
using DenseShape = ByDenseLayer<std::vector<std::uint64_t>>;

// The bytes of a table; kDataLoss if its layers are not of this shape, or if there are no codes or nothing is reached.
absl::StatusOr<std::shared_ptr<const DenseBytes>> table_bytes(std::shared_ptr<const TableReader> table,
                                                              const DenseShape& shape);

// Bytes held in memory, piece by piece, in the order of a table: calls write(layer, bytes).
using WriteLayerFn = std::function<absl::Status(DenseLayer layer, std::span<const std::uint8_t> bytes)>;
absl::Status write_layers(const DenseBytes& bytes, const WriteLayerFn& write);

}  // namespace plenum
