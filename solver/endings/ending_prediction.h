// SPDX-License-Identifier: Apache-2.0
// What solving an ending takes, before it is begun: the materials that it leads to, their positions, memory and time.
//
// Sizes are exact: they come from the numbering of positions itself. Moves are those of some positions of each material, the same ones
// every time. Memory is what solve_ending refuses by, on as many threads as there are here: never less than it takes, and
// some 10 to 25 % more. Time is rough, by a usual time a move.
//
// Thread-safety: pure functions. Cost: the numbering of each material, without a byte for its positions; pawns take some 100 bytes
// for each way to place them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/endings/ending.h"

namespace plenum {

struct EndingPrediction {
  struct Table {
    std::string material;
    std::uint64_t positions = 0;  // numbered, also those that are not legal
    std::uint64_t bytes = 0;
  };
  std::vector<Table> tables;  // that asked for first, each before those that it leads to
  std::uint64_t positions = 0;
  std::uint64_t table_bytes = 0;
  std::uint64_t bytes = 0;        // of the process while it solves
  std::uint64_t least_bytes = 0;  // where tables that are not needed are given up (EndingOptions::find)
  double moves = 0;               // made, roughly
  double cpu_seconds = 0;         // roughly
};

// Errors: kInvalidArgument where the variant is no ending, kUnimplemented where a piece that promotes goes back or sideways,
// kResourceExhausted where there are more positions than numbers for them.
absl::StatusOr<EndingPrediction> predict_ending(const Variant& variant);

}  // namespace plenum
