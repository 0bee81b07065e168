// SPDX-License-Identifier: Apache-2.0
#include "variants/words.h"

#include <absl/strings/str_join.h>

namespace plenum {

const std::vector<Word>& words() {
  static const std::vector<Word> table = {
      {"mine", "mine", "the cells that hold a stone of the player at hand", false, false},
      {"theirs", "theirs", "the cells that hold a stone of the opponent", false, false},
      {"stones", "stones", "the cells that hold anything", false, false},
      {"empty", "empty", "the cells that hold nothing", false, false},
      {"cells", "cells", "all cells", false, false},
      {"none", "none", "no cell", false, false},
      {"true", "true", "holds always", false, false},
      {"false", "false", "holds never", false, false},
      {"me", "me", "the player at hand: the one to move, or the one whose score is asked for", false, false},
      {"them", "them", "the opponent of the player at hand", false, false},
      {"first", "first", "the player who moves first in the game", false, false},
      {"second", "second", "the player who moves second in the game", false, false},
      {"nobody", "nobody", "neither player", false, false},
      {"passes", "passes", "how many passes have just been made in a row", false, false},
      {"from", "from", "in the 'to' of a move: the cell the piece leaves", false, false},
      {"placed", "placed", "in 'then': the cells the move put a stone on", false, false},
      {"taken", "taken", "in 'then': the cells the move emptied", false, false},
      {"near", "near(S) or near(S, directions)", "a number for each cell: how many of its neighbours are in S", true,
       false},
      {"joined", "joined(S, seed) or joined(S, seed, directions)",
       "the cells of S connected inside S to a cell of S that is in seed", true, false},
      {"count", "count(S)", "the number of cells in S", true, false},
      {"any", "any(S)", "whether S has a cell", true, false},
      {"before", "before(expression)", "in 'then': the expression on the board before the move", true, false},
      {"row", "row", "a number for each cell: its row, from 1", false, true},
      {"column", "column", "a number for each cell: its column, from 1", false, true},
      {"width", "width", "the number of columns", false, true},
      {"height", "height", "the number of rows", false, true},
      {"edge", "edge", "the cells on the board's edge", false, true},
      {"corner", "corner", "the board's corners", false, true},
      {"left_edge", "left_edge", "the leftmost cells", false, true},
      {"right_edge", "right_edge", "the rightmost cells", false, true},
      {"bottom_edge", "bottom_edge", "the first row", false, true},
      {"top_edge", "top_edge", "the last row", false, true},
      {"adjacent", "adjacent or adjacent(S)",
       "directions: the board's neighbours; adjacent(S) are the cells with a neighbour in S", true, true},
      {"anywhere", "anywhere or anywhere(S)", "directions: every other cell", true, true},
      {"orth", "orth or orth(S)", "directions: up, down, left, right", true, true},
      {"diag", "diag or diag(S)", "directions: the four diagonal ones", true, true},
      {"king", "king or king(S)", "directions: orth and diag", true, true},
      {"up", "up or up(S)", "one direction; up(S) are the cells whose upper neighbour is in S", true, true},
      {"down", "down or down(S)", "one direction", true, true},
      {"left", "left or left(S)", "one direction", true, true},
      {"right", "right or right(S)", "one direction", true, true},
      {"up_left", "up_left or up_left(S)", "one direction", true, true},
      {"up_right", "up_right or up_right(S)", "one direction", true, true},
      {"down_left", "down_left or down_left(S)", "one direction", true, true},
      {"down_right", "down_right or down_right(S)", "one direction", true, true},
  };
  return table;
}

std::string join(const std::vector<std::string>& items) { return absl::StrJoin(items, ", "); }

}  // namespace plenum
