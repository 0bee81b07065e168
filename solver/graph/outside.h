// SPDX-License-Identifier: Apache-2.0
// What the edges that lead out of a tier say of its positions, and what follows where there are no others.
//
// They are summed up in the entries of the solution: in place of the value the best that they offer (kNoFloor: there are none), the
// plies to it, and in place of the facts what they offer of these. Nothing of the graph but its inner edges is needed
// after that.
//
// Header only. Thread-safety: calls for different positions may run at the same time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "solver/graph/tier.h"
#include "solver/result/solution.h"

namespace plenum {

inline constexpr MarginRank kNoFloor = std::numeric_limits<MarginRank>::min();

// Besides facts: some successor outside never belongs to the mover's set, so that the opponent cannot force it.
inline constexpr Facts kOtherNeverEnds = 32;
inline constexpr Facts kOtherNeverForcesEnd = 64;

// The facts that follow at once from one successor, for a predecessor worth 0; elsewhere no end at 0 is reached.
inline Facts through(Facts of_successor) {
  return static_cast<Facts>(((of_successor & kOtherEnds) != 0 ? kMoverEnds : 0) |
                            ((of_successor & kOtherForcesEnd) != 0 ? kMoverForcesEnd : 0) |
                            (of_successor & kEndReachable));
}

inline Facts facts_of_value(MarginRank value) {
  if (value == 0) return 0;
  return static_cast<Facts>(value > 0 ? kMoverEnds | kMoverForcesEnd : kOtherEnds | kOtherForcesEnd);
}

// What is known at first, once the value is: of what lies outside, and of the value.
inline Facts first_facts(MarginRank value, Facts outside, bool has_inner) {
  constexpr Facts kOffered = kMoverEnds | kMoverForcesEnd;
  const int offered = outside & (value == 0 ? kOffered | kEndReachable : kOffered);
  const int forced = has_inner ? 0
                               : ((outside & kOtherNeverEnds) == 0 ? kOtherEnds : 0) |
                                     ((outside & kOtherNeverForcesEnd) == 0 ? kOtherForcesEnd : 0);
  return static_cast<Facts>(facts_of_value(value) | offered | forced);
}

// What is known so far of the successors outside.
struct OutsideSum {
  MarginRank floor = kNoFloor;
  Ply plies;
  int facts = 0;

  void add(MarginRank value, Ply remoteness, Facts f) {
    const MarginRank worth = -value;
    if (worth > floor) {
      floor = worth;
      plies = remoteness.next();
    } else if (worth == floor && worth != 0) {
      const Ply more = remoteness.next();
      plies = worth > 0 ? std::min(plies, more) : std::max(plies, more);
    }
    facts |= through(f) | ((f & kMoverEnds) == 0 ? kOtherNeverEnds : 0) |
             ((f & kMoverForcesEnd) == 0 ? kOtherNeverForcesEnd : 0);
  }
  void enter(PositionIndex p, Solution& solution) const {
    solution.value[p] = floor;
    solution.remoteness[p] = floor == kNoFloor || floor == 0 ? Ply{} : plies;
    solution.facts[p] = static_cast<Facts>(facts);
  }
};

// Enters what lies outside the tier that ends with `end`, of a position that has not ended. Returns how many inner edges it has.
inline std::uint32_t enter_outside(const PositionGraph& graph, PositionIndex end, PositionIndex p, Solution& solution) {
  std::uint32_t inner = 0;
  OutsideSum sum;
  for (const PositionIndex q : graph.successors(p)) {
    if (is_inner(graph, end, q)) {
      ++inner;
    } else {
      sum.add(solution.value[q], solution.remoteness[q], solution.facts[q]);
    }
  }
  sum.enter(p, solution);
  return inner;
}

}  // namespace plenum
