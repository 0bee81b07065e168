// SPDX-License-Identifier: Apache-2.0
// The lists of plenum bench (data/bench.json): workloads that are timed, and games with the method that each takes.
#pragma once

#include <string>
#include <vector>

#include "solver/method/method.h"
#include "tables/file/json_text.h"
#include "tools/console/game_arguments.h"

namespace plenum {

// A game of which it is known which method it takes.
struct ChoiceCase {
  std::string name;  // "tic-tac-toe square:4x4 k=4 in 1G"
  GameArguments game;
  std::string memory;  // as in --memory, so that the machine's does not matter
  std::string method;  // that `choose` takes
};

// A section of the file, or of the data folder's if there is no path; an array.
absl::StatusOr<Json> read_bench_list(const std::string& path, const std::string& section);
absl::StatusOr<std::vector<ChoiceCase>> read_choice_cases(const std::string& path);

// Whether all that are asked for are among the names.
absl::Status check_names(const std::vector<std::string>& wanted, const std::vector<std::string>& names);
// All are wanted if none is named.
bool is_wanted(const std::vector<std::string>& wanted, const std::string& name);

}  // namespace plenum
