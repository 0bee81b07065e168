// SPDX-License-Identifier: Apache-2.0
// How many plies away a goal is at least: a lower bound derived from the goal and from what the moves can change.
//
// What a goal needs of counts is read off it: `count(x) >= 5`, `any(line(x, 4))` (four stones at least), sums and
// differences of stones by kind, of numbers of the state, of passes, joined by & | !. A set that is not known by what
// stands on its cells alone is replaced by a larger one where many cells are wanted and by a smaller one where few are;
// whatever else a goal says is taken as met. How much one ply of each player can change such a sum at most is derived
// from the moves (move_deltas.h), and the players take turns: if first's plies can add 1 to the count of x and second's
// nothing, three more stones with first to move take five plies. Of conditions joined by & the farthest counts, by |
// the nearest.
//
// Admissible: a goal that is reached in t plies meets what was read off it, every sum of which has then changed by no
// more than the gains of those t plies together; so t is no less than the bound. Likewise where no number of plies is
// enough - a count that never falls has passed what is wanted, or the players' gains cancel - the goal can never hold
// again (kNever). An inverse of moves does not exist in the language, so this, and not a search from the goal
// backwards, is what narrows a search.
//
// Of pieces it is read off where men have to stand (piece_goal_bound.h); GoalBound is what both give.
//
// Source: pattern "relax what the moves do" of admissible heuristics (Pearl, Heuristics, 1984).
// Thread-safety: immutable. Cost: a population count a kind, and some ten operations for each comparison of the goal.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "variants/graph/position.h"
#include "variants/graph/rule_set.h"

namespace plenum {

class GoalBound {
 public:
  static constexpr int kNever = std::numeric_limits<int>::max();

  virtual ~GoalBound() = default;
  // False: plies() is 0 everywhere.
  virtual bool informative() const = 0;
  // So many plies are needed at least from here; 0 where the goal may hold, kNever where it can never hold again.
  virtual int plies(const Position& position) const = 0;
};

// By counts, as above.
class CountGoalBound final : public GoalBound {
 public:
  // Of rules made with a goal.
  explicit CountGoalBound(const RuleSet& rules);
  bool informative() const override { return informative_; }
  int plies(const Position& position) const override;

 private:
  // constant + weights by kind, by slot, of passes: at least 0 where the goal holds.
  struct Sum {
    std::vector<int> kinds;
    std::vector<int> slots;  // as first sees them
    int passes = 0;
    std::int64_t constant = 0;
    std::array<std::int64_t, 2> gain = {};  // the most that one ply of first, of second adds
  };
  struct Node {
    enum class Op { met, never, sum, all, any };
    Op op = Op::met;
    std::size_t sum = 0;
    std::vector<std::size_t> parts;
  };
  struct Quantities;
  class Reader;

  int plies(std::size_t node, const Quantities& at) const;
  void find_gains(const RuleSet& rules);

  std::vector<PlaneChoice> plane_of_;
  std::array<std::vector<std::size_t>, 2> unused_;  // planes that hold no kind where first, where second is to move
  std::vector<StateSlot> slots_;
  std::vector<Sum> sums_;
  std::vector<Node> nodes_;
  std::array<std::size_t, 2> root_ = {};  // where first is to move when the goal holds, where second is
  bool informative_ = false;
};

}  // namespace plenum
