// SPDX-License-Identifier: Apache-2.0
#include "solver/dense/dense_bytes.h"

#include <numeric>

#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

class TableBytes final : public DenseBytes {
 public:
  TableBytes(std::shared_ptr<const TableReader> table, const DenseShape& shape) : table_(std::move(table)) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      number_[i] = table_->find_layer(kDenseLayerNames[i]);
      begin_[i].resize(shape[i].size());
      std::exclusive_scan(shape[i].begin(), shape[i].end(), begin_[i].begin(), std::uint64_t{0});
    }
  }
  bool has(DenseLayer layer) const override { return number_[static_cast<std::size_t>(layer)].has_value(); }
  absl::StatusOr<std::uint8_t> at(DenseLayer layer, std::uint32_t part, std::uint64_t byte) const override {
    const auto i = static_cast<std::size_t>(layer);
    return table_->byte(*number_[i], begin_[i][part] + byte);
  }

 private:
  std::shared_ptr<const TableReader> table_;
  ByDenseLayer<std::optional<std::size_t>> number_;
  ByDenseLayer<std::vector<std::uint64_t>> begin_;  // of each part
};

}  // namespace

absl::StatusOr<std::shared_ptr<const DenseBytes>> table_bytes(std::shared_ptr<const TableReader> table,
                                                              const DenseShape& shape) {
  for (const TableReader::Layer& layer : table->layers()) {
    std::uint64_t wanted = 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (layer.name == kDenseLayerNames[i]) wanted = std::accumulate(shape[i].begin(), shape[i].end(), wanted);
    }
    if (layer.bytes != wanted)
      return damaged_table(table->path(), absl::StrCat("its layer '", layer.name, "' has ", layer.bytes,
                                                       " bytes, and this game takes ", wanted));
  }
  const std::string path = table->path();
  const auto out = std::make_shared<const TableBytes>(std::move(table), shape);
  if (!out->has(DenseLayer::codes) || !out->has(DenseLayer::reached))
    return damaged_table(path, "it has no values of positions");
  return std::shared_ptr<const DenseBytes>(out);
}

absl::Status write_layers(const DenseBytes& bytes, const WriteLayerFn& write) {
  const auto* held = dynamic_cast<const HeldBytes*>(&bytes);
  if (held == nullptr) return absl::FailedPreconditionError("the bytes of this game are in a table already");
  for (std::size_t i = 0; i < kDenseLayerNames.size(); ++i) {
    for (const std::span<const std::uint8_t> part : held->of(static_cast<DenseLayer>(i))) {
      absl::Status written = write(static_cast<DenseLayer>(i), part);
      if (!written.ok()) return written;
    }
  }
  return absl::OkStatus();
}

}  // namespace plenum
