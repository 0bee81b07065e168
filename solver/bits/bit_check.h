// SPDX-License-Identifier: Apache-2.0
// Some positions of a tier worked out again, each by itself with the rules as they are compiled for everything else: no rows, columns or
// maps of bits. Private to solver/bit_*.cpp.
#pragma once

#include <vector>

#include "solver/result/game_result.h"
#include "tables/index/dense_index.h"

namespace plenum {

// Draws so many positions of sets with so many stones, the same in every run; `value` has those of this tier and of the next. kInternal
// with the position where a value is not that of the best reply.
absl::Status check_samples(const DenseIndex& index, const Variant& variant, const std::vector<Position>& states,
                           int stones, int samples, const ValueFn& value);

}  // namespace plenum
