// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/observed_tiers.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace plenum {
namespace {

constexpr std::size_t kMostSummed = 6;  // classes of which all signed sums are tried

// Whether the last of these rows is a sum of multiples of the others, which are none of each other. Whole numbers: rows are small.
bool depends_on_others(std::vector<std::vector<std::int64_t>> rows) {
  const std::size_t width = rows.front().size();
  std::vector<std::int64_t>& last = rows.back();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::size_t pivot = 0;
    while (pivot < width && rows[r][pivot] == 0) ++pivot;
    if (pivot == width) return &rows[r] == &last;
    for (std::size_t s = r + 1; s < rows.size(); ++s) {
      const std::int64_t by = rows[s][pivot];
      if (by == 0) continue;
      std::int64_t common = 0;
      for (std::size_t k = 0; k < width; ++k) {
        rows[s][k] = rows[s][k] * rows[r][pivot] - rows[r][k] * by;
        common = std::gcd(common, rows[s][k]);
      }
      for (std::size_t k = 0; common > 1 && k < width; ++k) rows[s][k] /= common;
    }
  }
  return false;
}

}  // namespace

std::uint64_t StoneCounts::count_stones(CellSet cells) { return static_cast<std::uint64_t>(std::popcount(cells)); }

StoneCounts::StoneCounts(const PlaneLayout& layout, bool exchangeable) {
  const int planes = layout.count() - layout.hidden;
  const int classes = exchangeable ? planes - layout.own : planes;
  if (planes < 2 * layout.own || classes > static_cast<int>(kMostClasses)) return;
  classes_ = static_cast<std::size_t>(classes);
  for (int p = 0; p < planes; ++p) {
    for (const bool second : {false, true}) {
      int k = second ? layout.swapped(p) : p;
      if (exchangeable && k >= layout.own) k -= layout.own;
      shift_[second ? 1 : 0].push_back(8 * k);
    }
  }
}

bool CountChanges::find_or_add(CountChange change) {
  last_ = change;
  const auto at = std::lower_bound(met_.begin(), met_.end(), change);
  if (at != met_.end() && *at == change) return false;
  met_.insert(at, change);
  return true;
}

RisingSums::RisingSums(std::size_t classes) : classes_(classes) {
  std::size_t sums = classes <= kMostSummed ? 1 : 0;
  for (std::size_t k = 0; k < classes && sums != 0; ++k) sums *= 3;
  for (std::size_t code = 1; code < sums; ++code) {
    Weights weights = {};
    std::size_t rest = code;
    for (std::size_t k = 0; k < classes; ++k, rest /= 3)
      weights[k] = static_cast<std::int8_t>(rest % 3 == 2 ? -1 : rest % 3);
    rising_.push_back(weights);
  }
  take_independent();
}

void RisingSums::note(const std::vector<CountChange>& changes) {
  const auto falls = [&](const Weights& weights) {
    return std::any_of(changes.begin(), changes.end(), [&](CountChange change) {
      int by = 0;
      for (std::size_t k = 0; k < classes_; ++k) by += weights[k] * StoneCounts::added(change, k);
      return by < 0;
    });
  };
  if (std::erase_if(rising_, falls) > 0) take_independent();
}

void RisingSums::take_independent() {
  taken_.clear();
  std::vector<std::vector<std::int64_t>> rows;
  for (const Weights& weights : rising_) {
    rows.emplace_back(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(classes_));
    if (depends_on_others(rows)) {
      rows.pop_back();
    } else {
      taken_.push_back(weights);
    }
    if (taken_.size() == classes_) return;
  }
}

RisingSums::Value RisingSums::value(CountWord counts) const {
  Value out = {};
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    int sum = 0;
    for (std::size_t k = 0; k < classes_; ++k) sum += taken_[i][k] * static_cast<int>(counts >> 8 * k & 255);
    out[i] = static_cast<std::int16_t>(sum);
  }
  return out;
}

}  // namespace plenum
