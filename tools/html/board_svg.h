// SPDX-License-Identifier: Apache-2.0
// Positions as pictures: a board with what stands on it, values on its cells, and the moves made, in SVG.
//
//     const BoardPictures pictures(variant);
//     page += pictures.parts();                              // once in a document: what all pictures share
//     page += pictures.svg({.label = "the start", .men = variant.rules().letters(start)});
//
// How parts look is the matter of picture_style.h, by their classes: cell, man, letter, mark, arrow; each also differs from the others in
// shape or in text, so that colour alone says nothing. A page with a script takes a board with empty layers, board(), and puts men, marks
// and arrows there as they are made here; the report's pictures are whole.
//
// Units: as in board_plan.h. Thread-safety: immutable.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/html/board_plan.h"
#include "variants/rules/variant.h"

namespace plenum {

// What a move that begins or ends on a cell is worth to who makes it.
struct CellMark {
  std::string worth;      // one of worths(); "unknown"; empty: there is no mark
  std::string text = {};  // by how much
};
// "wins", "cycle", "tie", "loses": each has a shape and a letter.
const std::vector<std::string>& worths();

struct BoardDrawing {
  std::string label = {};  // for those who do not see it
  std::vector<std::string> men =
      {};  // by cell, in the letters of kinds (Rules::letters); empty: nothing stands anywhere
  std::vector<CellMark> marks = {};  // by cell; empty: none
  std::vector<MoveStep> steps = {};  // of a move: arrows, and rings where something is put
};

class BoardPictures {
 public:
  // Keeps a reference to the variant.
  explicit BoardPictures(const Variant& variant);

  // What all pictures of a document share: the ground and the heads of arrows.
  std::string parts() const;
  // The heads alone, where boards are made by board().
  static std::string arrow_heads();
  std::string svg(const BoardDrawing& drawing) const;
  // A man among words, in an em.
  std::string man_picture(const std::string& letter) const;
  // A man of this player among words, whatever its kind; empty if no kind is his.
  std::string player_picture(Player player) const;

  // The board as an element with nothing on it, each cell in a group with its name as data-cell, and empty groups for what may come there:
  // "men", "marks", "arrows".
  std::string board() const;
  // What stands together on a cell, and a mark of a cell: round its centre as 0, 0.
  std::string men(const std::string& letters) const { return men_on(letters, {}); }
  static std::string mark(const CellMark& mark, bool filled);
  // The arrows of a move, and rings where something is put, where they belong.
  std::string arrows(const std::vector<MoveStep>& steps) const;
  // An empty text for the number of an arrow, beside the centre of the cell where it ends as 0, 0.
  static std::string arrow_number();

 private:
  struct Kind {
    std::string tone;     // a class
    std::string glyph;    // empty: the body says it
    bool square = false;  // nobody's
  };
  Kind kind_of(const std::string& letter) const;
  static std::string stone(const Kind& kind, Point at, double r);
  // The cells and the lines that join them.
  std::string ground() const;
  std::string look() const;
  // "-0.6 -0.6 3.2 3.2"
  std::string view_box() const;
  std::string men_on(const std::string& letters, Point at) const;
  std::string arrow(Cell from, Cell to) const;
  std::string polygon(Cell cell, const std::string& classes) const;

  const Variant& variant_;
  const Board& board_;
  BoardPlan plan_;
  std::map<std::string, Kind> kinds_;  // by letter
};

}  // namespace plenum
