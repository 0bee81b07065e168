// SPDX-License-Identifier: Apache-2.0
// Random expressions of the language, each with its meaning on a World (slow_world.h); for tests only.
//
//     Maker maker(board);
//     const Tree tree = maker.make('s', 4);      // tree.text for the description, tree.value(world) for what it is
//     maker.definitions();                       // the [define] lines that the texts rely on
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/slow_world.h"

namespace plenum::slow {

struct Tree {
  std::string text;
  std::function<Value(const World&)> value;

  CellSet set(const World& w) const { return value(w).set; }
  bool truth(const World& w) const { return value(w).truth; }
};

struct Ways {
  std::string text;
  std::function<Words(const World&)> of;
};

inline Value set_of(CellSet set) {
  Value out;
  out.set = set;
  return out;
}
inline Value number_of(Fraction n) {
  Value out;
  out.number = n;
  return out;
}
inline Value truth_of(bool b) {
  Value out;
  out.truth = b;
  return out;
}
inline Value player_of(int who) {
  Value out;
  out.player = who;
  return out;
}

// Which words make sense where an expression stands.
struct Place {
  bool origin = false;
  bool placed = false;
  bool changed = false;
  bool before = false;
};

class Maker {
 public:
  explicit Maker(const Board& board) : board_(board), steps_(all_steps(board)) {}

  Place place;
  bool with_lines = false;  // the board declares lines
  bool with_passes = false;
  bool several = false;  // first has two kinds
  bool rich = false;     // there are kinds that each has, and piles

  // Types: s a set, f a number for each cell, n a number, t a truth value, p a player.
  Tree make(char type, int depth);

  std::string definitions() const { return definitions_.empty() ? "" : "[define]\n" + definitions_; }

  Ways directions(bool straight, int depth = 1);
  // The same, or the way that the move went where that is known: for what looks along lines.
  Ways ways(bool straight, int depth = 1);

  bool straight_possible() const { return !steps_.empty(); }
  std::vector<std::string> named_steps() const {
    std::vector<std::string> out = steps_;
    std::erase_if(out, [](const std::string& name) { return name.find(':') != std::string::npos; });
    return out;
  }
  bool shapes_possible() const { return !steps_.empty() && (flat() || grid()); }
  // A figure that can be placed on this board, and how it may be turned.
  std::pair<std::string, std::string> figure();

  // How many lie on each cell, or get there from a set by sowing.
  Tree heights(int depth);

 private:
  bool shaped() const { return board_.look() != Board::Look::points; }
  bool flat() const { return shaped() && steps_.size() == 2; }
  bool grid() const { return shaped() && steps_.size() == 8; }

  static Tree leaf(std::string text, std::function<Value(const World&)> value);
  static Tree set_leaf(std::string text, std::function<CellSet(const World&)> set);
  Tree choice(char type, int depth);

  // A definition with a set and a number as parameters, used once.
  Tree defined(char type, int depth);

  Tree set_word();

  Tree set(int depth);

  static Ways neighbours();

  Tree straight_set(int depth);

  Tree compare(const Tree& a, const Tree& b, bool fields);
  // A number is the same on every cell.
  static std::vector<Fraction> spread(const Value& v, const World& w);

  Tree arithmetic(char type, int depth);

  Tree field(int depth);

  Tree constant();

  Tree number_word();

  Tree number(int depth);
  // What joins a group may not depend on the player.
  Ways joining();

  // The size of a part times a number.
  static Tree shares(const std::string& part, const Tree& factor);

  Tree loop(const std::string& word, int depth, const std::function<Tree(const std::string&)>& of = nullptr);

  Tree truth(int depth);

  Tree player();

  const Board& board_;
  std::vector<std::string> steps_;
  std::vector<std::string> sets_;     // parameters in sight
  std::vector<std::string> numbers_;  // likewise
  std::vector<std::string> parts_;    // of the loops around
  std::string definitions_;
  int definitions_left_ = 3;
  int names_ = 0;
};

}  // namespace plenum::slow
