// SPDX-License-Identifier: Apache-2.0
// Options with several values: "threat=1..3", "button=off,on", boards "square:2x3,path:3..9". What sweep and compare take.
#pragma once

#include <string>
#include <vector>

#include "variants/variant.h"

namespace plenum {

inline constexpr std::size_t kMostCombinations = 100'000;

// An option and the values it is to take, in the order given.
struct Dimension {
  std::string name;  // "board" is one too
  std::vector<std::string> values;
};

// "name=value,value,from..to": commas separate values, a range is of whole numbers. Each value is one the option takes.
absl::StatusOr<Dimension> read_dimension(const Description& game, const std::string& text);
// "square:2x3,path:3..9": a range is of a board's one number. Each is a board.
absl::StatusOr<Dimension> read_boards(const std::string& text);

// How an option is set to a value, the board among them.
absl::Status set_value(Description& game, const std::string& name, const std::string& value);

}  // namespace plenum
