// SPDX-License-Identifier: Apache-2.0
#include "variants/board/shifts.h"

#include <algorithm>
#include <bit>
#include <map>

namespace plenum {

std::vector<ShiftMask> shifts_of(const Relation& relation) {
  std::map<int, CellSet> by_shift;
  for (std::size_t c = 0; c < relation.size(); ++c) {
    for (CellSet rest = relation[c]; rest != 0; rest &= rest - 1)
      by_shift[std::countr_zero(rest) - static_cast<int>(c)] |= cell_bit(static_cast<Cell>(c));
  }
  std::vector<ShiftMask> out;
  out.reserve(by_shift.size());
  for (const auto& [shift, mask] : by_shift) out.push_back({shift, mask});
  return out;
}

std::vector<std::vector<ShiftMask>> addends_of(const Relation& relation) {
  std::vector<ShiftMask> steps = shifts_of(relation);
  std::stable_sort(steps.begin(), steps.end(), [](const ShiftMask& a, const ShiftMask& b) {
    return std::popcount(a.mask) > std::popcount(b.mask);
  });
  std::vector<std::vector<ShiftMask>> out;
  std::vector<CellSet> used;
  for (const ShiftMask& step : steps) {
    std::size_t k = 0;
    while (k < out.size() && (used[k] & step.mask) != 0) ++k;
    if (k == out.size()) {
      out.emplace_back();
      used.push_back(0);
    }
    out[k].push_back(step);
    used[k] |= step.mask;
  }
  return out;
}

}  // namespace plenum
