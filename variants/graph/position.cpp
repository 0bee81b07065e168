// SPDX-License-Identifier: Apache-2.0
#include "variants/graph/position.h"

#include <algorithm>

namespace plenum {

PositionBatch::PositionBatch(int plane_count, int slot_count)
    : planes(static_cast<std::size_t>(plane_count)), state(static_cast<std::size_t>(slot_count)) {}

void PositionBatch::grow(std::size_t wanted) {
  if (wanted <= capacity()) return;
  const std::size_t n = std::max(wanted, 2 * capacity());
  for (auto& plane : planes) plane.resize(n);
  for (auto& slot : state) slot.resize(n);
  passes.resize(n);
  mover_is_first.resize(n);
}

void PositionBatch::set(std::size_t i, const Position& p) {
  for (std::size_t k = 0; k < planes.size(); ++k) planes[k][i] = p.planes[k];
  for (std::size_t s = 0; s < state.size(); ++s) state[s][i] = p.state[s];
  passes[i] = p.passes;
  mover_is_first[i] = p.mover == Player::first ? 1 : 0;
}

void PositionBatch::push(const Position& p) {
  grow(size + 1);
  set(size++, p);
}

void PositionBatch::read(std::size_t i, Position& p) const {
  for (std::size_t k = 0; k < planes.size(); ++k) p.planes[k] = planes[k][i];
  for (std::size_t s = 0; s < state.size(); ++s) p.state[s] = state[s][i];
  p.passes = passes[i];
  p.mover = mover_is_first[i] != 0 ? Player::first : Player::second;
}

void PositionBatch::copy(std::size_t from, std::size_t to) {
  for (auto& plane : planes) plane[to] = plane[from];
  copy_state(*this, from, to);
}

void PositionBatch::copy_state(const PositionBatch& other, std::size_t from, std::size_t to) {
  for (std::size_t s = 0; s < state.size(); ++s) state[s][to] = other.state[s][from];
  passes[to] = other.passes[from];
  mover_is_first[to] = other.mover_is_first[from];
}

void PositionBatch::take(const PositionBatch& other, std::size_t from) {
  size = other.size - from;
  grow(size);
  const auto part = [&](const auto& source, auto& target) {
    std::copy(source.begin() + static_cast<std::ptrdiff_t>(from),
              source.begin() + static_cast<std::ptrdiff_t>(other.size), target.begin());
  };
  for (std::size_t p = 0; p < planes.size(); ++p) part(other.planes[p], planes[p]);
  for (std::size_t s = 0; s < state.size(); ++s) part(other.state[s], state[s]);
  part(other.passes, passes);
  part(other.mover_is_first, mover_is_first);
}

Position PositionBatch::at(std::size_t i) const {
  Position p;
  read(i, p);
  return p;
}

}  // namespace plenum
