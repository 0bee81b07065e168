// SPDX-License-Identifier: Apache-2.0
// Some positions of a tier worked out again, each by itself with the rules as they are compiled for everything else: no rows, columns or
// maps of bits. Private to solver/bit_*.cpp.
#pragma once

#include <functional>
#include <vector>

#include "solver/bits/bit_sets.h"
#include "solver/dense/judged.h"

namespace plenum {

struct BitSample {
  std::uint32_t number = 0;  // of the class of its set
  Position position;
};
// So many positions of sets with so many stones, the same in every run; by rising classes.
std::vector<BitSample> bit_samples(const BitSets& sets, const BitSets::Tier& tier, const std::vector<Position>& states,
                                   std::size_t samples);

// 1 where who is to move wins, -1 where they lose.
using OutcomeFn = std::function<int(const Position&)>;
// kInternal with the position where its outcome is not that of the end or of the best reply; those of replies are asked for too.
absl::Status check_position(const Rules& rules, Judged& judged, const Position& position, const OutcomeFn& outcome);

}  // namespace plenum
