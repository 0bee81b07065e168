// SPDX-License-Identifier: Apache-2.0
// From a position to its number and back: what stands between the solvers and the way positions are stored.
//
// Numbers are 0..size()-1; positions are stored in canonical form only. find() does not bring its argument to that form.
// Thread-safety: const members may be called from any thread.
#pragma once

#include <cstddef>
#include <optional>

#include "tables/position_graph.h"
#include "variants/graph/position.h"

namespace plenum {

class PositionStore {
 public:
  PositionStore() = default;
  PositionStore(const PositionStore&) = delete;
  PositionStore& operator=(const PositionStore&) = delete;
  virtual ~PositionStore() = default;

  virtual std::size_t size() const = 0;
  virtual std::optional<PositionIndex> find(const Position& canonical) const = 0;
  virtual Position position(PositionIndex index) const = 0;
  virtual std::size_t bytes() const = 0;  // of memory
};

}  // namespace plenum
