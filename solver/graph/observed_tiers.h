// SPDX-License-Identifier: Apache-2.0
// Tiers that are seen in the graph itself: numbers of stones that no move has lowered.
//
// What moves do to the numbers of stones is noted, move by move, while positions are found. A signed sum of these numbers that no
// move of any position lowers is as good as one that is derived from the rules (variants/rules/tiers.h): it has been checked on every edge there is.
// So a game whose moves shift stones by rules that say nothing of their number falls apart into tiers as well.
//
// Stones are counted by class: kinds that an exchange of the players maps to each other are one class, so that all images
// of a position have the same numbers.
// Thread-safety: StoneCounts is immutable; a CountChanges belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "variants/graph/position.h"

namespace plenum {

inline constexpr std::size_t kMostClasses = 8;

// The numbers of stones of a position: a byte for each class.
using CountWord = std::uint64_t;
// What a move does to them: a byte for each class, 128 more than what it adds.
using CountChange = std::uint64_t;

class StoneCounts {
 public:
  // With more classes than kMostClasses there are none.
  StoneCounts(const PlaneLayout& layout, bool exchangeable);
  std::size_t classes() const { return classes_; }
  CountWord of(const Position& p) const {
    CountWord out = 0;
    const auto& shift = shift_[p.mover == Player::first ? 0 : 1];
    for (std::size_t k = 0; k < shift.size(); ++k) out += CountWord{count_stones(p.planes[k])} << shift[k];
    return out;
  }
  static CountChange change(CountWord before, CountWord after) { return (after | kBias) - before; }
  static int added(CountChange change, std::size_t k) { return static_cast<int>(change >> 8 * k & 255) - 128; }

 private:
  static constexpr std::uint64_t kBias = 0x8080'8080'8080'8080;
  static std::uint64_t count_stones(CellSet cells);

  std::size_t classes_ = 0;
  std::array<std::vector<int>, 2> shift_;  // of a plane, by who is to move
};

// The different changes that were met.
class CountChanges {
 public:
  // Whether it was not known.
  bool add(CountChange change) { return change != last_ && find_or_add(change); }
  const std::vector<CountChange>& all() const { return met_; }
  void clear() {
    met_.clear();
    last_ = 0;
  }

 private:
  bool find_or_add(CountChange change);
  CountChange last_ = 0;          // no change is written so
  std::vector<CountChange> met_;  // in order
};

// Signed sums of the numbers of stones that none of the changes noted so far lowers. Of sums that follow from others only one is kept.
class RisingSums {
 public:
  using Value = std::array<std::int16_t, kMostClasses>;  // of each sum
  explicit RisingSums(std::size_t classes);
  // Leaves out what a new change lowers.
  void note(const std::vector<CountChange>& changes);
  bool empty() const { return taken_.empty(); }
  // Along a move no entry is lowered.
  Value value(CountWord counts) const;

 private:
  using Weights = std::array<std::int8_t, kMostClasses>;
  void take_independent();

  std::size_t classes_;
  std::vector<Weights> rising_;
  std::vector<Weights> taken_;
};

}  // namespace plenum
