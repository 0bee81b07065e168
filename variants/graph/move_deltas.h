// SPDX-License-Identifier: Apache-2.0
// How much a move can change each quantity of a position, by structure alone: stones by kind, numbers of the state,
// "somebody is noted in a state". Tiers, and how many plies a goal is away at least, are derived from it.
#pragma once

#include <utility>
#include <vector>

#include "variants/graph/rule_set.h"

namespace plenum {

// Bounds of what a move does to each quantity, as its mover sees the state (of a number kept for each player, the slot
// is the mover's own and its partner the opponent's); kinds are themselves.
struct MoveDelta {
  std::vector<Interval> kinds;             // flows aside
  std::vector<std::pair<int, int>> flows;  // from a kind to a kind (-1: nothing), any number of cells or none
  std::vector<Interval> slots;
  std::vector<Interval> noted;
  bool repeated = false;  // a part of the turn is made any number of times
};

// A whole move of `mover`, its further parts made or left out: every turn it may come to is within one of these.
std::vector<MoveDelta> move_deltas(const RuleSet& rules, const MoveRule& move, Player mover);

// What a step, a move's own or a further part's, does to a slot of the state: to a number, or to "somebody is noted".
struct StateChange {
  Interval number;
  Interval noted;
};
StateChange state_change(const RuleSet& rules, const MoveRule& step, std::size_t slot);

// Bounds of the change of a weighted sum, by kind and by slot. Weights up to a million do not overflow.
Interval weighed(const RuleSet& rules, const MoveDelta& change, const std::vector<int>& kind_weight,
                 const std::vector<int>& slot_weight);

// A kind's plane for a given mover.
inline int plane_for(const PlaneChoice& plane, Player mover) {
  return mover == Player::first ? plane.if_first : plane.if_second;
}

}  // namespace plenum
