// SPDX-License-Identifier: Apache-2.0
// What one step of a turn, a move's own or that of a further part, can change cell by cell: for turn_changes.h.
//
// The bare moves there may be are listed by where they lead from and to and by what stood there. What effects do besides is read off
// the board after them, once with nothing known but which cells the step may touch, and again with each bare move known, as far as
// that is not too much. An effect that only carries what cells hold to other cells, each to one, changes no numbers of stones.
// Thread-safety: none; private to turn_changes.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "variants/graph/known_cells.h"
#include "variants/graph/turn_changes.h"

namespace plenum {

// A bare move: which cell loses what (-1: none does), and which comes to hold what.
struct BareStep {
  int from = -1;
  int carried = -1;  // contents, as in KnownCells
  int to = -1;
  int put = -1;
  int replaced = -1;
  KnownCells before;  // with what is known of the cells because the move can be made
};

struct StepChanges {
  std::set<CountChange> sure;  // one of these happens
  std::set<CountChange> besides;
  std::vector<BareStep> bare;  // empty where they are too many to be looked at one by one
};

class StepReader {
 public:
  StepReader(const RuleSet& rules, const Quantities& quantities) : rules_(rules), quantities_(quantities) {}

  StepChanges read(const MoveRule& rule, Player mover);
  // Whether after each of these steps, whatever they have left, the part can be made. What they bring about is `before`'s effect.
  bool always_followed(const MoveRule& before, std::vector<BareStep> steps, const MoveRule& part, Player mover);

 private:
  struct Effect;
  using Copies = std::vector<std::size_t>;  // by cell: the cell whose contents it comes to hold

  bool spend(std::size_t runs, const CellBounds& bounds);
  int kind_of(int content, Player mover) const;
  void add_stone(CountChange& change, int content, std::size_t cell, int by, Player mover) const;
  CountChange change_of(const BareStep& step, Player mover) const;
  std::vector<BareStep> places(const MoveRule& rule, Player mover);
  std::vector<BareStep> carries(const MoveRule& rule, Player mover);
  std::vector<BareStep> removals(const MoveRule& rule, Player mover);
  void read_shapes(const MoveRule& rule, Player mover, StepChanges& out);
  CellSet range(const MoveRule& rule, const CellBounds& from, std::size_t cell, Player mover) const;
  KnownCells path_known(const MoveRule& rule, const BareStep& step, Player mover) const;
  void add_state(const MoveRule& rule, StepChanges& out) const;
  void add_lift(const MoveRule& rule, Player mover, StepChanges& out);
  void add_effects(const MoveRule& rule, Player mover, StepChanges& out);
  KnownCells after(const BareStep& step) const;
  void narrow(const MoveRule& rule, CellSet cells, BareStep& step);
  std::optional<Copies> copies(Effect& effect, const KnownCells& known);

  const RuleSet& rules_;
  const Quantities& quantities_;
  std::size_t spent_ = 0;  // nodes of the rules worked out so far, for all cells at once
};

}  // namespace plenum
