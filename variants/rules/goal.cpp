// SPDX-License-Identifier: Apache-2.0
#include "variants/rules/goal.h"

#include <algorithm>
#include <array>

namespace plenum {

Goal::Goal(const Rules& rules)
    : layout_(rules.set().layout),
      slots_(static_cast<int>(rules.set().slots.size())),
      program_(rules.set().graph, std::vector<NodeId>{rules.set().goal}, rules.set().number_bounds()) {}

void Goal::holds(const PositionBatch& batch, Workspace& work, std::vector<std::uint8_t>& out) const {
  if (out.size() < batch.size) out.resize(batch.size);
  InputPointers pointers;
  std::array<std::uint64_t, kLanes> found;
  for (std::size_t begin = 0; begin < batch.size; begin += kLanes) {
    const std::size_t lanes = std::min(kLanes, batch.size - begin);
    program_.run(program_input(batch, begin, pointers), lanes, work);
    program_.read_set(0, lanes, work, found.data());
    for (std::size_t k = 0; k < lanes; ++k) out[begin + k] = found[k] != 0 ? 1 : 0;
  }
}

bool Goal::holds(const Position& position) const {
  PositionBatch batch(layout_.count(), slots_);
  batch.push(position);
  Workspace work;
  std::vector<std::uint8_t> out;
  holds(batch, work, out);
  return out[0] != 0;
}

}  // namespace plenum
