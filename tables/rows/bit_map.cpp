// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/bit_map.h"

#include <algorithm>
#include <utility>

#include "tables/rows/bit_kernels.h"
#include "variants/program/kernels.h"

namespace plenum {
namespace {

constexpr int kInside = 6;  // axes of a word
// Bits whose number is 0 on an axis.
constexpr std::array<std::uint64_t, kInside> kLow = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                                     0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};

}  // namespace

void BitMap::set(std::span<const std::uint8_t> from) {
  const int axes = static_cast<int>(from.size());
  const int inside = std::min(axes, kInside);
  plan_.exchanges = 0;
  plan_.turns = 0;
  // What each place inside a word holds: at first its own axis; places whose axis is not wanted inside are exchanged.
  std::array<int, kInside> held = {0, 1, 2, 3, 4, 5};
  std::array<bool, kInside> wanted = {};
  for (int i = 0; i < inside; ++i) {
    if (from[static_cast<std::size_t>(i)] < inside) wanted[from[static_cast<std::size_t>(i)]] = true;
  }
  // Axes between words, as they are gathered: where they are in the source, and what they hold after the exchanges.
  struct Between {
    int source;
    int holds;
    int place;  // inside, that it is exchanged with; -1: none
  };
  std::array<Between, kMostBitAxes> between = {};
  int count = 0;
  std::array<int, kMostBitAxes> target_of = {};  // by axis of the source
  for (int i = 0; i < axes; ++i) target_of[from[static_cast<std::size_t>(i)]] = i;
  const auto comes_inside = [&](int axis) { return target_of[static_cast<std::size_t>(axis)] < inside; };
  // Words of a target that lie together first, so that groups of four stay together.
  std::array<bool, kMostBitAxes> taken = {};
  int near = 0;
  for (int t = inside; t < std::min(axes, inside + 2); ++t) {
    const int axis = from[static_cast<std::size_t>(t)];
    if (axis < inside) continue;
    between[static_cast<std::size_t>(count++)] = {axis, axis, -1};
    taken[static_cast<std::size_t>(axis)] = true;
    ++near;
  }
  const bool groups = near == 2;
  // Then others, so that exchanges are of words at least four apart.
  for (int axis = inside; axis < axes && count < 2; ++axis) {
    if (taken[static_cast<std::size_t>(axis)] || comes_inside(axis)) continue;
    between[static_cast<std::size_t>(count++)] = {axis, axis, -1};
    taken[static_cast<std::size_t>(axis)] = true;
  }
  // A place that wants an axis from between, and is not wanted itself, gets it at once; others are put in order later.
  std::array<bool, kInside> given = {};
  for (const bool at_once : {true, false}) {
    for (int i = 0; i < inside; ++i) {
      const int axis = from[static_cast<std::size_t>(i)];
      if (axis < inside || taken[static_cast<std::size_t>(axis)]) continue;
      int place = i;
      if (wanted[static_cast<std::size_t>(place)] || given[static_cast<std::size_t>(place)]) {
        if (at_once) continue;
        place = 0;
        while (wanted[static_cast<std::size_t>(place)] || given[static_cast<std::size_t>(place)]) ++place;
      }
      given[static_cast<std::size_t>(place)] = true;
      taken[static_cast<std::size_t>(axis)] = true;
      held[static_cast<std::size_t>(place)] = axis;
      between[static_cast<std::size_t>(count++)] = {axis, place, place};
    }
  }
  for (int axis = inside; axis < axes; ++axis) {
    if (!taken[static_cast<std::size_t>(axis)]) between[static_cast<std::size_t>(count++)] = {axis, axis, -1};
  }
  for (int k = 0; k < count; ++k) {
    const Between& one = between[static_cast<std::size_t>(k)];
    if (one.place < 0) continue;
    plan_.exchange[plan_.exchanges++] = {std::uint32_t{1} << k, std::uint32_t{1} << one.place,
                                         kLow[static_cast<std::size_t>(one.place)]};
  }
  for (int i = 0; i < inside; ++i) {
    int at = i;
    while (held[static_cast<std::size_t>(at)] != from[static_cast<std::size_t>(i)]) ++at;
    if (at == i) continue;
    std::swap(held[static_cast<std::size_t>(at)], held[static_cast<std::size_t>(i)]);
    // Bits that are 1 on the lower axis and 0 on the higher change places with those the other way round.
    const std::uint32_t shift = (1U << at) - (1U << i);
    plan_.turn[plan_.turns++] = {shift, ~kLow[static_cast<std::size_t>(i)] & kLow[static_cast<std::size_t>(at)]};
  }
  const int piece_axes = std::min(count, kPieceAxes);
  plan_.piece = 1U << piece_axes;
  plan_.groups = groups;
  plan_.outer = count - piece_axes;
  plan_.load[0] = 0;
  plan_.store[0] = 0;
  for (int k = 0; k < count; ++k) {
    const Between& one = between[static_cast<std::size_t>(k)];
    const std::uint32_t load = 1U << (one.source - inside);
    const std::uint32_t store = 1U << (target_of[static_cast<std::size_t>(one.holds)] - inside);
    if (k >= piece_axes) {
      plan_.load_stride[k - piece_axes] = load;
      plan_.store_stride[k - piece_axes] = store;
      continue;
    }
    const std::uint32_t half = 1U << k;
    for (std::uint32_t i = 0; i < half; ++i) {
      plan_.load[half + i] = plan_.load[i] + load;
      plan_.store[half + i] = plan_.store[i] + store;
    }
  }
}

void BitMap::apply(const std::uint64_t* source, std::uint64_t* target) const {
  bit_kernels().permute(plan_, source, target);
}

}  // namespace plenum
