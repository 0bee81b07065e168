// SPDX-License-Identifier: Apache-2.0
// How many plies away a goal is at least where it says which men stand where: `any(K & k)`, `any(N & corner)`.
//
// For every cell and player: how many moves of theirs it takes at least until the cell can be in the set that the goal asks for. A man gets
// to a cell in no fewer moves than on an empty board, or on one full of hurdles, whichever is fewer; a man that a pawn may become can be
// there at once, as far as is known. What sets have in common takes the more moves, what either has the fewer; whatever else a
// set is made of is taken as met. The players take turns, so the plies follow from the moves of both.
//
// Admissible: only what cannot be done in fewer moves is counted, and each player's moves by themselves.
// Thread-safety: immutable. Cost: a look at every cell for each set in the goal.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "variants/pieces/piece_set.h"
#include "variants/rules/goal_bound.h"

namespace plenum {

class PieceGoalBound final : public GoalBound {
 public:
  static constexpr std::uint8_t kFar = 100;  // moves: never

  // Of rules made with a goal.
  PieceGoalBound(const RuleSet& rules, const PieceSet& pieces);
  bool informative() const override { return informative_; }
  int plies(const Position& position) const override;

  // The fewest moves in which a man of this kind gets from one cell to another.
  int moves(Player owner, std::size_t kind, Cell from, Cell to) const {
    return distance_[static_cast<std::size_t>(owner)][kind][from][to];
  }

 private:
  using ByCellAndCell = std::array<std::array<std::uint8_t, kMaxCells>, kMaxCells>;
  // By cell, the moves that each player needs before the cell can be in a set.
  struct Needs {
    std::array<std::array<std::uint8_t, kMaxCells>, 2> by = {};
  };
  struct Node {
    enum class Op { man, constant, all, any, met, some };  // `some`: truth, whether the set parts[0] has a cell
    Op op = Op::met;
    std::size_t owner = 0;  // man
    std::size_t kind = 0;
    CellSet cells = 0;  // constant
    std::vector<std::size_t> parts;
  };
  class Reader;

  void find_distances();
  Needs needs(std::size_t node, const Position& position) const;
  int plies(std::size_t node, const Position& position) const;

  const PieceSet* set_;
  std::array<std::vector<ByCellAndCell>, 2> distance_;  // by owner, kind, from, to
  std::vector<Node> nodes_;
  std::array<std::size_t, 2> root_ = {};  // where first, where second is to move when the goal holds
  bool informative_ = false;
};

}  // namespace plenum
