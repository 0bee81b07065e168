// SPDX-License-Identifier: Apache-2.0
// Where a kind of piece goes, for many places of another man at once.
//
// On a board that is full but for one man, who may stand anywhere, a set of cells says a lot: those of that man's cells for which a
// way is open, those that he can come from. A whole row of 64 positions is then worked on by a few operations on words.
//
//     ways.each(Way::Direction::forward, from, occupied, [&](Cell to, CellSet moves, CellSet captures) { ... });
//
// calls with every cell that the piece reaches, and with where the one man may stand for it by the power to move and by that to
// capture. He is in `between` only: what stands on the cells themselves is for the caller to judge.
//
// All is derived from PieceTables: nothing is known here of any game. Thread-safety: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "variants/pieces/piece_set.h"

namespace plenum {

class PieceWays {
 public:
  PieceWays() = default;
  PieceWays(const PieceSet& set, std::size_t owner, std::size_t kind);

  // Whether some cell is reached by one of the two powers and not by the other.
  bool split() const { return split_; }
  // All that it could capture from a cell if nothing stood between.
  CellSet captures_from(Cell from) const { return captures_from_[from]; }

  enum class Direction { forward, back };  // from a cell on; or to it
  // By both powers; a cell may come several times. `occupied` by others, whether or not on the two cells themselves.
  template <typename Visit>
  void each(Direction direction, Cell at, CellSet occupied, const Visit& visit) const {
    for (const Lane& lane : lanes_[direction == Direction::forward ? 0 : 1][at]) {
      if (lane.only_if) {
        const CellSet open = lane.needs_empty                 ? (lane.between & occupied) == 0 ? ~lane.between : 0
                             : (lane.between & occupied) != 0 ? ~CellSet{0}
                                                              : lane.between;
        if (open != 0) visit(lane.cells[0], lane.moves ? open : 0, lane.captures ? open : 0);
      } else if (lane.over_hurdle) {
        over(lane, occupied, visit);
      } else {
        CellSet open = ~CellSet{0};
        for (std::size_t i = 0; i < lane.cells.size(); ++i) {
          const Cell cell = lane.cells[i];
          if ((lane.counted >> cell & 1) != 0) visit(cell, lane.moves ? open : 0, lane.captures ? open : 0);
          if ((occupied >> cell & 1) != 0) break;
          open &= ~cell_bit(cell);
        }
      }
    }
  }

  // From where it gets to one of `targets` by that power, with these cells occupied.
  CellSet sources(CellSet targets, bool captures, CellSet occupied) const {
    CellSet out = 0;
    each_source(targets, captures, occupied, [&](CellSet found) { out |= found; });
    return out;
  }
  // How many ways lead from `from` to `targets` by the power to move.
  std::uint64_t count(CellSet from, CellSet targets, CellSet occupied) const {
    std::uint64_t out = 0;
    each_source(targets, false, occupied,
                [&](CellSet found) { out += static_cast<std::uint64_t>(__builtin_popcountll(found & from)); });
    return out;
  }

 private:
  // Cells one after another in one direction.
  struct Lane {
    std::vector<Cell> cells;
    CellSet counted = ~CellSet{0};  // where it may begin, of a lane that leads back
    bool moves = true;
    bool captures = true;
    bool over_hurdle = false;
    bool only_if = false;  // a single step that depends on what is `between`
    bool needs_empty = false;
    CellSet between = 0;
  };
  // The same direction from everywhere, as shifts of sets.
  struct Fill {
    int shift = 0;           // of a cell's number, one step on
    CellSet back_steps = 0;  // cells from which a step back stays on the board
    int range = 0;
    CellSet origins = 0;
    bool moves = true;
    bool captures = true;
    bool over_hurdle = false;
    CellSet back(CellSet set) const {
      set &= back_steps;
      return shift >= 0 ? set >> shift : set << -shift;
    }
  };

  // Calls with sets of cells from where it gets to one of `targets`: once for each way from a cell.
  template <typename Visit>
  void each_source(CellSet targets, bool captures, CellSet occupied, const Visit& visit) const {
    for (const Fill& fill : fills_) {
      if (captures ? !fill.captures : !fill.moves) continue;
      CellSet near = targets;  // no hurdle passed yet
      CellSet far = 0;         // one
      for (int n = 0; n < fill.range; ++n) {
        near = fill.back(near);
        if (!fill.over_hurdle) {
          if (near == 0) break;
          visit(near & fill.origins);
          near &= ~occupied;
          continue;
        }
        far = fill.back(far);
        visit(far & fill.origins);
        far = (far & ~occupied) | (near & occupied);
        near &= ~occupied;
      }
    }
    for (const ConditionalStep& step : steps_) {
      if (captures ? !step.captures : !step.moves) continue;
      for (std::size_t c = 0; c < kMaxCells; ++c) {
        if ((step.to[c] & targets) == 0) continue;
        const CellSet between = step.between[c] & occupied;
        if (step.needs_empty ? between == 0 : between != 0) visit(CellSet{1} << c);
      }
    }
  }

  // Exactly one occupied cell has to be passed.
  template <typename Visit>
  void over(const Lane& lane, CellSet occupied, const Visit& visit) const {
    CellSet passed = 0;
    for (const Cell cell : lane.cells) {
      const CellSet hurdles = passed & occupied;
      if ((hurdles & (hurdles - 1)) != 0) break;
      const CellSet open = hurdles == 0 ? passed : ~passed | hurdles;
      if (open != 0 && (lane.counted >> cell & 1) != 0) visit(cell, lane.moves ? open : 0, lane.captures ? open : 0);
      passed |= cell_bit(cell);
    }
  }

  void add(const PieceSet& set, int dx, int dy, Fill fill);
  void add_leaps(const PieceSet& set, const PieceTables& tables);
  void add_step(const PieceSet& set, const ConditionalStep& step);

  std::array<std::array<std::vector<Lane>, kMaxCells>, 2> lanes_;  // by direction
  std::vector<Fill> fills_;
  std::vector<ConditionalStep> steps_;
  ByCell captures_from_ = {};
  bool split_ = false;
};

}  // namespace plenum
