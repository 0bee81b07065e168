// SPDX-License-Identifier: Apache-2.0
#include "tables/rows/bit_map.h"

#include <algorithm>
#include <utility>

#include "tables/rows/bit_kernels.h"
#include "variants/board/bits.h"

namespace plenum {
namespace {

constexpr int kInside = kAxisBits.size();  // axes of a word

// How axes get to their places: those inside a word, and those between words in the order in which words are gathered.
class BitPlanner {
 public:
  explicit BitPlanner(std::span<const std::uint8_t> from)
      : from_(from), axes_(static_cast<int>(from.size())), inside_(std::min(axes_, kInside)) {
    for (int i = 0; i < inside_; ++i) {
      if (at(i) < inside_) wanted_[static_cast<std::size_t>(at(i))] = true;
    }
    for (int i = 0; i < axes_; ++i) target_of_[static_cast<std::size_t>(at(i))] = i;
    place_near();
    place_inside();
    for (int axis = inside_; axis < axes_; ++axis) {
      if (!taken_[static_cast<std::size_t>(axis)]) gather(axis, axis, -1);
    }
  }

  void write(BitMap::Plan& plan) {
    plan.groups = groups_;
    write_exchanges(plan);
    write_turns(plan);
    write_offsets(plan);
  }

 private:
  // An axis between words: where it is in the source, what it holds after the exchanges, and the place inside that it is exchanged
  // with; -1: none.
  struct Between {
    int source;
    int holds;
    int place;
  };

  int at(int i) const { return from_[static_cast<std::size_t>(i)]; }
  void gather(int source, int holds, int place) {
    between_[static_cast<std::size_t>(count_++)] = {source, holds, place};
    taken_[static_cast<std::size_t>(source)] = true;
  }

  void place_near() {
    // Words of a target that lie together first, so that groups of four stay together.
    for (int t = inside_; t < std::min(axes_, inside_ + 2); ++t) {
      if (at(t) >= inside_) gather(at(t), at(t), -1);
    }
    groups_ = count_ == 2;
    // Then others, so that exchanges are of words at least four apart.
    for (int axis = inside_; axis < axes_ && count_ < 2; ++axis) {
      const bool comes_inside = target_of_[static_cast<std::size_t>(axis)] < inside_;
      if (!taken_[static_cast<std::size_t>(axis)] && !comes_inside) gather(axis, axis, -1);
    }
  }

  // A place that wants an axis from between, and is not wanted itself, gets it at once; others are put in order later.
  void place_inside() {
    std::array<bool, kInside> given = {};
    for (const bool at_once : {true, false}) {
      for (int i = 0; i < inside_; ++i) {
        const int axis = at(i);
        if (axis < inside_ || taken_[static_cast<std::size_t>(axis)]) continue;
        int place = i;
        if (wanted_[static_cast<std::size_t>(place)] || given[static_cast<std::size_t>(place)]) {
          if (at_once) continue;
          place = 0;
          while (wanted_[static_cast<std::size_t>(place)] || given[static_cast<std::size_t>(place)]) ++place;
        }
        given[static_cast<std::size_t>(place)] = true;
        held_[static_cast<std::size_t>(place)] = axis;
        gather(axis, place, place);
      }
    }
  }

  void write_exchanges(BitMap::Plan& plan) const {
    plan.exchanges = 0;
    for (int k = 0; k < count_; ++k) {
      const int place = between_[static_cast<std::size_t>(k)].place;
      if (place < 0) continue;
      plan.exchange[plan.exchanges++] = {std::uint32_t{1} << k, std::uint32_t{1} << place,
                                         ~kAxisBits[static_cast<std::size_t>(place)]};
    }
  }

  void write_turns(BitMap::Plan& plan) {
    plan.turns = 0;
    for (int i = 0; i < inside_; ++i) {
      int place = i;
      while (held_[static_cast<std::size_t>(place)] != at(i)) ++place;
      if (place == i) continue;
      std::swap(held_[static_cast<std::size_t>(place)], held_[static_cast<std::size_t>(i)]);
      // Bits that are 1 on the lower axis and 0 on the higher change places with those the other way round.
      const std::uint32_t shift = (1U << place) - (1U << i);
      plan.turn[plan.turns++] = {shift,
                                 kAxisBits[static_cast<std::size_t>(i)] & ~kAxisBits[static_cast<std::size_t>(place)]};
    }
  }

  void write_offsets(BitMap::Plan& plan) const {
    const int piece_axes = std::min(count_, BitMap::kPieceAxes);
    plan.piece = 1U << piece_axes;
    plan.outer = count_ - piece_axes;
    plan.load[0] = 0;
    plan.store[0] = 0;
    for (int k = 0; k < count_; ++k) {
      const Between& one = between_[static_cast<std::size_t>(k)];
      const std::uint32_t load = 1U << (one.source - inside_);
      const std::uint32_t store = 1U << (target_of_[static_cast<std::size_t>(one.holds)] - inside_);
      if (k >= piece_axes) {
        plan.load_stride[k - piece_axes] = load;
        plan.store_stride[k - piece_axes] = store;
        continue;
      }
      const std::uint32_t half = 1U << k;
      for (std::uint32_t i = 0; i < half; ++i) {
        plan.load[half + i] = plan.load[i] + load;
        plan.store[half + i] = plan.store[i] + store;
      }
    }
  }

  std::span<const std::uint8_t> from_;
  int axes_;
  int inside_;
  // What each place inside a word holds: at first its own axis; places whose axis is not wanted inside are exchanged.
  std::array<int, kInside> held_ = {0, 1, 2, 3, 4, 5};
  std::array<bool, kInside> wanted_ = {};
  std::array<int, kMostBitAxes> target_of_ = {};  // by axis of the source
  std::array<bool, kMostBitAxes> taken_ = {};
  std::array<Between, kMostBitAxes> between_ = {};
  int count_ = 0;
  bool groups_ = false;
};

}  // namespace

void BitMap::set(std::span<const std::uint8_t> from) { BitPlanner(from).write(plan_); }

void BitMap::apply(const std::uint64_t* source, std::uint64_t* target) const {
  bit_kernels().permute(plan_, source, target);
}

}  // namespace plenum
