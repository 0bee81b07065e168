// SPDX-License-Identifier: Apache-2.0
// A goal: one truth expression more, asked of positions of a game, with the game's own names, definitions and options.
//
//     auto variant = Variant::make(description, Span::whole("--goal", "count(x) >= 5"));
//     const Goal goal(variant->rules());
//     goal.holds(batch, work, out);          // out[i]: 0 or 1
//
// It is elaborated with the rules, as one root more: a state or a count of passes that the goal reads is then part of a
// position even where no rule reads it, a symmetry of the game is one only if the goal is the same under it, and errors
// are those of any other key. It is read as `when` of a move is: `mine` are the stones of the player to move, `me` that
// player; kinds by name, `first` and `second` are who they are. (`when` of [end] does not know `mine`: what it says
// must hold for both.)
//
// Thread-safety: immutable; every thread brings a Workspace of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "variants/rules/rules.h"

namespace plenum {

class Goal {
 public:
  // Of rules made with a goal.
  explicit Goal(const Rules& rules);

  // Of all positions of the batch; `out` grows as needed.
  void holds(const PositionBatch& batch, Workspace& work, std::vector<std::uint8_t>& out) const;
  bool holds(const Position& position) const;

 private:
  PlaneLayout layout_;
  int slots_ = 0;
  Program program_;
};

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
// Of pieces it is read off which men have to stand where: `any(K & k)`, `any(N & corner)`. For every cell and player: how many moves
// of theirs it takes at least until the cell can be in the set that the goal asks for. A man gets to a cell in no fewer moves than on
// an empty board, or on one full of hurdles, whichever is fewer; a man that a pawn may become can be there at once, as far as is
// known. What sets have in common takes the more moves, what either has the fewer; whatever else a set is made of is taken as met. The
// players take turns, so the plies follow from the moves of both.
// Admissible: only what cannot be done in fewer moves is counted, and each player's moves by themselves.
//
// Source: pattern "relax what the moves do" of admissible heuristics (Pearl, Heuristics, 1984).
// Thread-safety: immutable. Cost: a population count a kind, and some ten operations for each comparison of the goal; of pieces, a look
// at every cell for each set in it.
class GoalBound {
 public:
  static constexpr int kNever = std::numeric_limits<int>::max();

  virtual ~GoalBound() = default;
  // False: plies() is 0 everywhere.
  virtual bool informative() const = 0;
  // So many plies are needed at least from here; 0 where the goal may hold, kNever where it can never hold again.
  virtual int plies(const Position& position) const = 0;
};

// Of rules made with a goal; of pieces, which outlive it.
std::unique_ptr<const GoalBound> count_goal_bound(const RuleSet& rules);
std::unique_ptr<const GoalBound> piece_goal_bound(const RuleSet& rules, const PieceSet& pieces);

}  // namespace plenum
