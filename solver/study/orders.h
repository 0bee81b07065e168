// SPDX-License-Identifier: Apache-2.0
// Whether the order in which cells change matters where an effect goes on by itself (`repeat`, `spread`): asserted by trying.
//
// The rules change all cells at once that qualify. Here they are compiled again to change one cell at a time, the first that
// qualifies in some order of the cells; every move of every reachable position is made by both, and the results compared.
// This is exhaustive over positions and a sample of orders (the board's, the reverse, and drawn ones); where OrderNote says
// `proven`, no order can matter.
//
// Thread-safety: none needed; uses all cores. Cost: a whole expansion of all positions for each order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/graph/enumerate.h"
#include "variants/rules/variant.h"

namespace plenum {

struct OrderDifference {
  std::string position;
  std::string move;
  std::string together;    // what the rules make of it
  std::string one_by_one;  // what this order of the cells does
  std::vector<std::string> order;
};

struct OrderReport {
  std::vector<OrderNote> effects;
  std::uint64_t positions = 0;  // unreduced, not ended
  std::uint64_t moves = 0;
  std::size_t orders = 0;
  std::optional<OrderDifference> difference;
};

// Errors: those of compiling and of enumerate().
absl::StatusOr<OrderReport> compare_orders(const Description& description, std::size_t orders,
                                           const EnumerationLimits& limits);

}  // namespace plenum
