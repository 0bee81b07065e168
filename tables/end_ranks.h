// SPDX-License-Identifier: Apache-2.0
// How positions have ended, as ranks of margins (position_graph.h): a byte each while no rank is beyond 127, otherwise four.
//
// Header only. Thread-safety: as std::vector; set() of different places at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tables/narrow_or_wide.h"

namespace plenum {

using MarginRank = std::int32_t;

inline constexpr MarginRank kNotEnded = std::numeric_limits<MarginRank>::min();

class EndRanks : public NarrowOrWide<std::int8_t, MarginRank> {
 public:
  MarginRank operator[](std::size_t p) const {
    const std::int8_t* const narrow = narrow_.data();  // null where they are wide: one look tells
    if (narrow == nullptr) return wide_[p];
    return narrow[p] == kNarrowNotEnded ? kNotEnded : narrow[p];
  }
  bool ended(std::size_t p) const {
    const std::int8_t* const narrow = narrow_.data();
    return narrow != nullptr ? narrow[p] != kNarrowNotEnded : wide_[p] != kNotEnded;
  }

  void push_back(MarginRank rank) {
    if (wide_.empty() && !fits(rank)) widen();
    if (wide_.empty()) {
      narrow_.push_back(narrowed(rank));
    } else {
      wide_.push_back(rank);
    }
  }
  // That many, none ended, to be set in any order; no rank will be beyond `greatest`.
  void assign(std::size_t count, MarginRank greatest) {
    *this = {};
    if (fits(greatest)) {
      narrow_.assign(count, kNarrowNotEnded);
    } else {
      wide_.assign(count, kNotEnded);
    }
  }
  void set(std::size_t p, MarginRank rank) {
    if (wide_.empty()) {
      narrow_[p] = narrowed(rank);
    } else {
      wide_[p] = rank;
    }
  }

  friend bool operator==(const EndRanks&, const EndRanks&) = default;

 private:
  static constexpr std::int8_t kNarrowNotEnded = std::numeric_limits<std::int8_t>::min();
  static bool fits(MarginRank rank) { return rank == kNotEnded || (rank > kNarrowNotEnded && rank < 128); }
  static std::int8_t narrowed(MarginRank rank) {
    return rank == kNotEnded ? kNarrowNotEnded : static_cast<std::int8_t>(rank);
  }
  void widen() {
    std::vector<MarginRank> wide;
    for (std::size_t p = 0; p < narrow_.size(); ++p) wide.push_back((*this)[p]);
    wide_.swap(wide);
    std::vector<std::int8_t>().swap(narrow_);
  }
};

}  // namespace plenum
