// SPDX-License-Identifier: Apache-2.0
// Traps: sets of positions that cannot be left except at a loss, and in which play goes round for ever.
//
// A trap is a set of positions closed under all moves of both players that keep the value, every position of which can be reached from
// every other by such moves: a bottom component of the value-keeping graph. All of its positions are worth 0 and forced cycles;
// from every forced cycle value-keeping moves lead into a trap, and where there is no forced cycle there is no trap. A trap is the
// certificate of a forced cycle: that it is closed, and what each move out of it loses, can be checked by hand where it is small.
//
// All bottom components are found, so the smallest is the smallest: no search that may miss one. Sizes are of unreduced positions.
//
// Thread-safety: find_traps uses all cores, a tier each; the result does not depend on their number.
// Cost: about 30 ns an inner edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "solver/graph/analysis.h"
#include "solver/result/result.h"

namespace plenum {

struct Traps {
  std::uint64_t count = 0;                       // reachable ones
  std::uint64_t positions = 0;                   // in all of them
  std::map<std::uint64_t, std::uint64_t> sizes;  // how many there are of each size
  std::vector<std::vector<PositionIndex>>
      smallest;  // stored positions of each trap of the least size, one of its images each
};

Traps find_traps(const PositionGraph& graph, const Lifts& lifts, const Solution& solution);

inline constexpr std::size_t kNotListed = ~std::size_t{0};

struct TrapPosition {
  Position position;
  std::vector<ValuedMove> moves;
  std::vector<std::size_t> leads_to;  // by move: the place in Trap::positions, or kNotListed
};

// A trap as it stands on the board.
struct Trap {
  std::uint64_t size = 0;
  std::uint64_t like_it = 0;  // reachable traps of this size, this one included
  bool complete = true;       // all its positions are listed; else as many as kMostListed
  // First those of a shortest cycle in the order of play, then the others from near to far.
  std::vector<TrapPosition> positions;
  std::size_t cycle = 0;  // the length of that cycle
  Line line;              // a shortest one from the start into the trap
};
inline constexpr std::size_t kMostListed = 10'000;

// The smallest trap of a game whose graph is stored; of several, the one nearest the start. Nothing where there is none.
absl::StatusOr<std::optional<Trap>> smallest_trap(const Result& game, const Traps& traps);

// A trap near the start, of a game whose graph is not stored: not always the smallest, nor counted (`like_it` is 0). Nothing where play
// can lead from the nearest forced cycle to more than kMostListed positions, or that is not found (Result::shortest_lines). False from `go_on`: kCancelled.
absl::StatusOr<std::optional<Trap>> some_trap(const Result& game, const std::function<bool()>& go_on);

// A shortest cycle through some position of the list, as places in it in the order of play; empty if there is none. Only moves
// that keep the value are followed; of cycles equally short, the one through the earliest place.
std::vector<std::size_t> shortest_cycle(const std::vector<TrapPosition>& positions);

}  // namespace plenum
