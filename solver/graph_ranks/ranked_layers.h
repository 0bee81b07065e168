// SPDX-License-Identifier: Apache-2.0
// What a table keeps of a solved game (solver/graph/graph_table.h), sorted by key across ranks: each has a piece of every layer.
//
// A sample of the keys says which rank gets which of them; each sorts what it gets.
//
// Thread-safety: collective to make; immutable afterwards. Cost: 9 bytes a position, its key, and a bit for each symmetry; three times that
// while it is made; some 300 ns a position.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "solver/graph/graph_table.h"
#include "solver/graph_ranks/ranked_graph.h"
#include "solver/graph_ranks/ranked_lifts.h"
#include "solver/result/parted_result.h"
#include "solver/result/solution.h"
#include "variants/rules/variant.h"

namespace plenum {

class RankedLayers {
 public:
  // kUnimplemented for margins that do not fit their bytes.
  static absl::StatusOr<std::shared_ptr<const RankedLayers>> of(const Variant& variant, const RankedGraph& graph,
                                                                const Solution& solution, const RankedLifts& lifts,
                                                                Ranks& ranks);
  std::vector<PartedResult::Layer> layers() const;

  // This rank's positions.
  const GraphTable& own() const { return own_; }

 private:
  explicit RankedLayers(GraphTable own) : own_(std::move(own)) {}

  std::uint64_t before_ = 0;  // on lower ranks
  std::uint64_t all_ = 0;
  GraphTable own_;
};

inline std::vector<PartedResult::Layer> RankedLayers::layers() const {
  const auto own = own_.layers();
  std::vector<PartedResult::Layer> out;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::uint64_t each = own_.layer_bytes(k);
    out.push_back({kGraphLayers[k], all_ * each, {{before_ * each, own[k]}}});
  }
  return out;
}

}  // namespace plenum
