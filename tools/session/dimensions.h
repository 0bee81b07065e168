// SPDX-License-Identifier: Apache-2.0
// Options with several values: "threat=1..3", "button=off,on", boards "square:2x3,path:3..9". What sweep and compare take.
#pragma once

#include <string>
#include <vector>

#include "variants/rules/variant.h"

namespace plenum {

inline constexpr std::int64_t kMostCombinations = 100'000;

// An option and the values it is to take, in the order given.
struct Dimension {
  std::string name;  // "board" is one too
  std::vector<std::string> values;
};

// "name=value,value,from..to": commas separate values, a range is of whole numbers. Each value is one the option takes.
absl::StatusOr<Dimension> read_dimension(const Description& game, const std::string& text);
// The same without knowing the game: no ranges, any values. Values of "board" are checked.
absl::StatusOr<Dimension> split_setting(const std::string& text);
// What is wrong with a setting that cannot be made.
absl::Status wrong_setting(const Description& game, const std::string& text);
// Everything an option takes; an error if that is too much.
absl::StatusOr<Dimension> all_values(const Option& option);
// "square:2x3,3x3,path:3..9": a range is of a board's one number, a size alone of the shape before it. Each is a board.
absl::StatusOr<Dimension> read_boards(const std::string& text);

// How an option is set to a value, the board among them.
absl::Status set_value(Description& game, const std::string& name, const std::string& value);

}  // namespace plenum
