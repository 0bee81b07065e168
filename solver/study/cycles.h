// SPDX-License-Identifier: Apache-2.0
// All that is known of a solved game's cycles: where they are, what they are worth, and an example that can be checked by hand.
//
//     absl::StatusOr<CycleStudy> study = study_cycles(game);
//     if (study->trap) print(study->trap->positions);
//
// The example is a trap where play can be forced to go round (traps.h); else the position nearest to the start that is worth a
// cycle, with best play from there until a position comes back; else the nearest that lies on a cycle, with a shortest way back to it.
//
// Thread-safety: none needed; uses all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "solver/result/result.h"
#include "solver/study/traps.h"

namespace plenum {

// Unreduced reachable positions that have not ended.
struct CycleCounts {
  std::uint64_t going_on = 0;
  std::uint64_t on_cycles = 0;
  std::uint64_t cycle = 0;
  std::uint64_t forced_cycle = 0;
  CycleCounts& operator+=(const CycleCounts& other) {
    going_on += other.going_on;
    on_cycles += other.on_cycles;
    cycle += other.cycle;
    forced_cycle += other.forced_cycle;
    return *this;
  }
};

struct CycleExample {
  Line line;  // from the start; of an ending, which has none, no moves
  PositionValue value;
  std::vector<ValuedMove> moves;
  std::vector<LineMove> round;  // play until a position comes back; empty if it takes too many positions to find
};

struct CycleStudy {
  bool graph_known = true;      // what lies on cycles, and all traps
  std::uint64_t positions = 0;  // reachable; of an ending legal
  CycleCounts all;
  std::map<int, CycleCounts> by_stones;  // on the board
  Traps traps;
  std::optional<Trap> trap;
  bool trap_not_found = false;          // there is one, but it is too large, or too far from the start (some_trap)
  std::optional<CycleExample> example;  // where there is no trap
};

// Requires a game solved with its statistics, and of a graph with its components. Of an ending the example is the first position met.
// Where no graph is stored, what lies on cycles is not known, and the trap is not always the smallest.
// kUnimplemented where the values of positions were not kept. `go_on` is told how many positions were counted; false from it: kCancelled.
absl::StatusOr<CycleStudy> study_cycles(const Result& game, const std::function<bool(std::uint64_t)>& go_on = {});

}  // namespace plenum
