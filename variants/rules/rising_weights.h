// SPDX-License-Identifier: Apache-2.0
// Weights under which no change of a list lowers the weighted sum and as many as possible raise it: a linear program, in fractions.
//
// A change can be raised unless it is part of a circle: changes, each so and so often, that come to nothing together. Where the simplex
// method finds such a circle, its changes need not be raised any more; where it finds none, the prices of the last table are the
// weights, and they raise all that is in no circle. No result depends on rounding; where numbers outgrow 63 bits, or the work a limit,
// there is none.
// Thread-safety: a function of its arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "variants/graph/turn_changes.h"

namespace plenum {

// Whole weights for the quantities 0..quantities - 1, without a common divisor; nullopt if no change can be raised.
std::optional<std::vector<std::int64_t>> rising_weights(const std::vector<CountChange>& changes,
                                                        std::size_t quantities);

// The weighted sum of a change.
std::int64_t weighed(const CountChange& change, const std::vector<std::int64_t>& weights);

}  // namespace plenum
