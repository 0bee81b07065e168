// SPDX-License-Identifier: Apache-2.0
// Where the cells of a board lie in a picture, and their outlines.
//
// Units: a cell is one wide; x grows to the right and y down, as in SVG. Angles turn with the board.
// Thread-safety: immutable. Keeps a reference to the board.
#pragma once

#include <vector>

#include "variants/board/board.h"

namespace plenum {

struct Point {
  double x = 0;
  double y = 0;
};

class BoardPlan {
 public:
  // A board of squares may stand on its first corner.
  BoardPlan(const Board& board, bool on_corner)
      : board_(board), turned_(on_corner && board.look() == Board::Look::squares) {}

  bool turned() const { return turned_; }
  Point centre(Cell c) const;
  std::vector<Point> outline(Cell c) const;

 private:
  const Board& board_;
  bool turned_;
};

}  // namespace plenum
