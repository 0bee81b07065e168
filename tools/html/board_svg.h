// SPDX-License-Identifier: Apache-2.0
// Positions as pictures: a board with what stands on it, values on its cells, and the moves made, in SVG.
//
//     const BoardPictures pictures(variant);
//     page += pictures.parts();                              // once in a document: what all pictures share
//     page += pictures.svg({.label = "the start", .men = variant.rules().letters(start)});
//
// How parts look is the style's of the page they stand in, by their classes: cell, man, letter, value, arrow; each also differs from
// the others in shape or in text, so that colour alone says nothing.
//
// Units: as in board_plan.h. Thread-safety: immutable.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/html/board_plan.h"
#include "variants/rules/variant.h"

namespace plenum {

// What a cell is worth: a class of the style, and a few signs.
struct CellMark {
  std::string kind;  // "first", "second", "tie", "cycle"
  std::string text;  // empty: there is none
};

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

  // The board without anything on it, each cell in a group with its name as data-cell.
  std::string ground() const;
  // In a square of -1.1..1.1: what one stone of these letters looks like.
  std::string man(const std::string& letter) const;
  // "-0.6 -0.6 3.2 3.2"
  std::string view_box() const;
  // What all pictures of a document share: the ground and the heads of arrows.
  std::string parts() const;
  std::string svg(const BoardDrawing& drawing) const;
  // A man among words, in an em.
  std::string man_picture(const std::string& letter) const;

 private:
  struct Kind {
    std::string tone;     // a class
    std::string glyph;    // empty: the body says it
    bool square = false;  // nobody's
  };
  Kind kind_of(const std::string& letter) const;
  std::string stone(const std::string& letter, double x, double y, double r) const;
  std::string men_on(const std::string& letters, Point at) const;
  std::string mark_on(const CellMark& mark, Cell cell, bool filled) const;
  std::string arrow(Cell from, Cell to) const;
  std::string polygon(Cell cell, const std::string& classes) const;

  const Variant& variant_;
  const Board& board_;
  BoardPlan plan_;
  std::map<std::string, Kind> kinds_;  // by letter
};

}  // namespace plenum
