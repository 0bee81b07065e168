// SPDX-License-Identifier: Apache-2.0
// Random expressions of the language, each with its meaning on a World (slow_world.h); for tests only.
//
//     Maker maker(board);
//     const Tree tree = maker.make('s', 4);      // tree.text for the description, tree.value(world) for what it is
//     maker.definitions();                       // the [define] lines that the texts rely on
#pragma once

#include <algorithm>
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

  // Types: s a set, f a number for each cell, n a number, t a truth value, p a player.
  Tree make(char type, int depth) {
    switch (type) {
      case 's':
        return set(depth);
      case 'f':
        return field(depth);
      case 'n':
        return number(depth);
      case 't':
        return truth(depth);
      default:
        return player();
    }
  }

  std::string definitions() const { return definitions_.empty() ? "" : "[define]\n" + definitions_; }

  Ways directions(bool straight, int depth = 1) {
    std::vector<std::string> words = steps_;
    if (!steps_.empty()) words.emplace_back("adjacent");
    const bool rows = std::find(steps_.begin(), steps_.end(), "up_left") != steps_.end();
    const bool grid = std::find(steps_.begin(), steps_.end(), "up") != steps_.end();
    if (grid) {
      for (const char* word : {"orth", "diag", "king", "forward", "backward"}) words.emplace_back(word);
    }
    if (rows) {
      for (const char* word : {"forward_left", "forward_right", "backward_left", "backward_right"})
        words.emplace_back(word);
    }
    if (!straight) {
      words.emplace_back("adjacent");
      words.emplace_back("anywhere");
    }
    if (depth > 0 && *below(4) == 0) {
      const Ways a = directions(straight, depth - 1);
      const Ways b = directions(straight, depth - 1);
      if (*below(2) == 0) {
        return {"(if me == first then " + a.text + " else " + b.text + ")",
                [=](const World& w) { return w.viewer == 0 ? a.of(w) : b.of(w); }};
      }
      return {"(" + a.text + " | " + b.text + ")", [=](const World& w) {
                Words out = a.of(w);
                for (const std::string& one : b.of(w)) out.push_back(one);
                return out;
              }};
    }
    const std::string word = words[*below(static_cast<unsigned>(words.size()))];
    return {word, [word](const World& w) -> Words {
              static const std::map<std::string, std::pair<std::string, std::string>> turned = {
                  {"forward", {"up", "down"}},
                  {"backward", {"down", "up"}},
                  {"forward_left", {"up_left", "down_right"}},
                  {"forward_right", {"up_right", "down_left"}},
                  {"backward_left", {"down_left", "up_right"}},
                  {"backward_right", {"down_right", "up_left"}}};
              const auto found = turned.find(word);
              if (found == turned.end()) return {word};
              return {w.viewer == 0 ? found->second.first : found->second.second};
            }};
  }

  bool straight_possible() const { return !steps_.empty(); }
  bool shapes_possible() const { return !steps_.empty() && (flat() || grid()); }
  // A figure that can be placed on this board, and how it may be turned.
  std::pair<std::string, std::string> figure() {
    const std::vector<std::string> rows = {"x", "xx", std::string(3, 'x'), "x.x", ".xx"};
    const std::vector<std::string> blocks = {"xx/x.", "x./xx", "x/x", ".x/xx", "x./.x", "x.x/.x.", "xx/.x/.x"};
    if (flat() || *below(3) == 0) return {rows[*below(5)], "none"};
    return {blocks[*below(7)], std::array{"none", "rotate", "all"}[*below(3)]};
  }

 private:
  bool flat() const { return steps_.size() == 2; }
  bool grid() const { return steps_.size() == 8; }

  static Tree leaf(std::string text, std::function<Value(const World&)> value) {
    return {std::move(text), std::move(value)};
  }
  static Tree set_leaf(std::string text, std::function<CellSet(const World&)> set) {
    return {std::move(text), [set = std::move(set)](const World& w) { return set_of(set(w)); }};
  }
  Tree choice(char type, int depth) {
    const Tree c = truth(depth - 1);
    const Tree a = make(type, depth - 1);
    const Tree b = make(type, depth - 1);
    return {"(if " + c.text + " then " + a.text + " else " + b.text + ")",
            [=](const World& w) { return c.truth(w) ? a.value(w) : b.value(w); }};
  }

  // A definition with a set and a number as parameters, used once.
  Tree defined(char type, int depth) {
    const Tree a = set(depth - 1);
    const Tree b = *below(2) == 0 ? number(depth - 1) : loop("sum", std::max(1, depth - 1));
    const std::string id = std::to_string(++names_);
    const std::string first = "p" + id;
    const std::string second = "q" + id;
    std::vector<std::string> sets = {first};
    std::vector<std::string> numbers = {second};
    std::vector<std::string> parts;
    std::swap(sets, sets_);
    std::swap(numbers, numbers_);
    std::swap(parts, parts_);
    Tree body = make(type, depth);
    if (type == 'n' && *below(2) == 0) {  // an argument that goes through groups, inside such a loop
      body = loop("sum", depth, [&](const std::string& part) { return shares(part, number_word()); });
    }
    std::swap(sets, sets_);
    std::swap(numbers, numbers_);
    std::swap(parts, parts_);
    definitions_ += "\"d" + id + "(" + first + ", " + second + ")\" = \"" + body.text + "\"\n";
    return {"d" + id + "(" + a.text + ", " + b.text + ")", [=](const World& w) {
              World inner = w;
              inner.locals.clear();
              for (const auto& [name, argument] : {std::pair{first, a}, std::pair{second, b}})
                inner.locals[name] = {argument.value(w),
                                      [argument = argument, w] { return argument.value(on_board_before(w)); }};
              return body.value(inner);
            }};
  }

  Tree set_word() {
    std::vector<Tree> words = {
        set_leaf("mine", [](const World& w) { return w.owned(w.viewer); }),
        set_leaf("theirs", [](const World& w) { return w.owned(1 - w.viewer); }),
        set_leaf("n", [](const World& w) { return w.holding(kNobodys); }),
        set_leaf("x", [](const World& w) { return w.holding(kFirsts); }),
        set_leaf("empty", [](const World& w) { return w.holding(kNothing); }),
        set_leaf("stones", [](const World& w) { return w.board->all() & ~w.holding(kNothing); }),
    };
    if (several) words.push_back(set_leaf("y", [](const World& w) { return w.holding(kFirstsToo); }));
    if (board_.region("top_edge") && board_.region("bottom_edge")) {
      const CellSet top = *board_.region("top_edge");
      const CellSet bottom = *board_.region("bottom_edge");
      words.push_back(set_leaf("far_edge", [=](const World& w) { return w.viewer == 0 ? top : bottom; }));
      words.push_back(set_leaf("home_edge", [=](const World& w) { return w.viewer == 0 ? bottom : top; }));
    }
    for (int twice = 0; twice < 2; ++twice) {
      if (place.placed) {
        words.push_back(set_leaf("placed", [](const World& w) { return w.placed; }));
        words.push_back(set_leaf("taken", [](const World& w) { return w.taken; }));
      }
      if (place.changed) words.push_back(set_leaf("changed", [](const World& w) { return w.changed; }));
      if (place.origin) words.push_back(set_leaf("from", [](const World& w) { return w.origin; }));
    }
    for (const std::vector<std::string>* list : {&sets_, &sets_, &parts_, &parts_, &parts_}) {
      for (const std::string& name : *list)
        words.push_back(leaf(name, [name](const World& w) { return w.locals.at(name).value; }));
    }
    return words[*below(static_cast<unsigned>(words.size()))];
  }

  Tree set(int depth) {
    if (depth <= 0) return set_word();
    switch (*below(20)) {
      case 0:
        return set_word();
      case 1:
      case 2: {
        const Tree a = set(depth - 1);
        const bool by_truth = *below(3) == 0;
        const Tree b = by_truth ? truth(depth - 1) : set(depth - 1);
        const bool meet = *below(2) == 0;
        return set_leaf("(" + a.text + (meet ? " & " : " | ") + b.text + ")", [=](const World& w) {
          const CellSet y = !by_truth ? b.set(w) : b.truth(w) ? w.board->all() : 0;
          return meet ? a.set(w) & y : a.set(w) | y;
        });
      }
      case 3: {
        const Tree a = set(depth - 1);
        return set_leaf("(!" + a.text + ")", [=](const World& w) { return w.board->all() & ~a.set(w); });
      }
      case 4: {
        const Tree a = set(depth - 1);
        Ways by = directions(false, 0);
        return set_leaf(by.text + "(" + a.text + ")", [=](const World& w) {
          const CellSet s = a.set(w);
          CellSet out = 0;
          each(w.board->all(), [&](int c) {
            if ((beside(*w.board, by.of(w), c) & s) != 0) out |= cell_bit(static_cast<Cell>(c));
          });
          return out;
        });
      }
      case 5: {
        const Tree a = set(depth - 1);
        const Tree b = set(depth - 1);
        const bool plain = *below(2) == 0;
        const Ways by = plain ? neighbours() : directions(false);
        return set_leaf("joined(" + a.text + ", " + b.text + (plain ? "" : ", " + by.text) + ")",
                        [=](const World& w) { return flood(*w.board, a.set(w), b.set(w), by.of(w)); });
      }
      case 6:
        return choice('s', depth);
      case 7:
      case 8:
      case 9:
        return compare(field(depth - 1), *below(2) == 0 ? field(depth - 1) : number(depth - 1), true);
      case 10:
      case 11:
      case 12:
      case 13:
      case 14:
        return straight_set(depth);
      case 15:
      case 16:
        if (!place.before) return set(depth - 1);
        {
          const Tree a = set(depth - 1);
          return set_leaf("before(" + a.text + ")", [=](const World& w) { return a.set(on_board_before(w)); });
        }
      default:
        return definitions_left_-- > 0 ? defined('s', depth - 1) : set(depth - 1);
    }
  }

  static Ways neighbours() {
    return {"adjacent", [](const World&) { return Words{"adjacent"}; }};
  }

  Tree straight_set(int depth) {
    const Tree a = set(depth - 1);
    if (!straight_possible()) {
      if (!with_lines)
        return set_leaf("adjacent(" + a.text + ")", [=](const World& w) {
          CellSet out = 0;
          each(w.board->all(), [&](int c) {
            if ((beside(*w.board, {"adjacent"}, c) & a.set(w)) != 0) out |= cell_bit(static_cast<Cell>(c));
          });
          return out;
        });
      return set_leaf("line(" + a.text + ")", [=](const World& w) { return covered(w.board->lines(), a.set(w)); });
    }
    const bool plain = *below(2) == 0;
    const Ways by = plain ? Ways{"", [](const World& w) { return all_steps(*w.board); }} : directions(true);
    const std::string comma = plain ? "" : ", " + by.text;
    switch (*below(shapes_possible() ? 4 : 3)) {
      case 0: {
        const int k = static_cast<int>(1 + *below(4));
        return set_leaf("line(" + a.text + ", " + std::to_string(k) + comma + ")",
                        [=](const World& w) { return line(*w.board, a.set(w), k, by.of(w)); });
      }
      case 1: {
        const Tree s = set(depth - 1);
        const Tree b = set(depth - 1);
        return set_leaf("between(" + a.text + ", " + s.text + ", " + b.text + comma + ")",
                        [=](const World& w) { return between(*w.board, a.set(w), s.set(w), b.set(w), by.of(w)); });
      }
      case 2: {
        const Tree t = set(depth - 1);
        const Ways along = directions(true);
        return set_leaf("ray(" + a.text + ", " + along.text + ", " + t.text + ")",
                        [=](const World& w) { return ray(*w.board, a.set(w), along.of(w), t.set(w)); });
      }
      default: {
        const auto [shape, turns] = figure();
        return set_leaf("pattern(" + a.text + ", '" + shape + "'" + (turns == "none" ? "" : ", '" + turns + "'") + ")",
                        [=, shape = shape, turns = turns](const World& w) {
                          return covered(copies(*w.board, shape, turns), a.set(w));
                        });
      }
    }
  }

  Tree compare(const Tree& a, const Tree& b, bool fields) {
    const std::string op = std::array{"==", "!=", "<", "<=", ">", ">="}[*below(6)];
    const auto holds = [op](const Fraction& x, const Fraction& y) {
      if (op == "==") return x == y;
      if (op == "!=") return !(x == y);
      if (op == "<") return x < y;
      if (op == "<=") return !(y < x);
      return op == ">" ? y < x : !(x < y);
    };
    const std::string text = "(" + a.text + " " + op + " " + b.text + ")";
    if (!fields)
      return leaf(text, [=](const World& w) { return truth_of(holds(a.value(w).number, b.value(w).number)); });
    return set_leaf(text, [=](const World& w) {
      const std::vector<Fraction> x = spread(a.value(w), w);
      const std::vector<Fraction> y = spread(b.value(w), w);
      CellSet out = 0;
      for (std::size_t c = 0; c < x.size(); ++c) {
        if (holds(x[c], y[c])) out |= cell_bit(static_cast<Cell>(c));
      }
      return out;
    });
  }
  // A number is the same on every cell.
  static std::vector<Fraction> spread(const Value& v, const World& w) {
    return v.field.empty() ? std::vector<Fraction>(w.cells.size(), v.number) : v.field;
  }

  Tree arithmetic(char type, int depth) {
    const Tree a = make(type, depth - 1);
    const Tree b = make(*below(2) == 0 ? type : 'n', depth - 1);
    const unsigned which = *below(4);
    const auto factor = static_cast<std::int64_t>(*below(7)) - 3;
    const std::string times = factor < 0 ? "(-" + std::to_string(-factor) + ")" : std::to_string(factor);
    const std::string text = which == 0   ? "(" + a.text + " + " + b.text + ")"
                             : which == 1 ? "(" + a.text + " - " + b.text + ")"
                             : which == 2 ? "(" + a.text + " * " + times + ")"
                                          : "-" + a.text;
    const auto result = [=](const Fraction& x, const Fraction& y) {
      return which == 0 ? x + y : which == 1 ? x - y : which == 2 ? x * whole(factor) : -x;
    };
    return leaf(text, [=](const World& w) {
      const Value x = a.value(w);
      const Value y = b.value(w);
      if (type == 'n') return number_of(result(x.number, y.number));
      Value out;
      const std::vector<Fraction> left = spread(x, w);
      const std::vector<Fraction> right = spread(y, w);
      for (std::size_t c = 0; c < left.size(); ++c) out.field.push_back(result(left[c], right[c]));
      return out;
    });
  }

  Tree field(int depth) {
    if (board_.coordinate("column") != nullptr && *below(8) == 0) {
      return leaf("column", [](const World& w) {
        Value out;
        for (const int n : *w.board->coordinate("column")) out.field.push_back(whole(n));
        return out;
      });
    }
    switch (depth <= 0 ? 0 : *below(6)) {
      case 3:
        return choice('f', depth);
      case 4:
      case 5:
        return arithmetic('f', depth);
      default:
        break;
    }
    const Tree a = set(depth - 1);
    const Ways by = directions(false);
    return leaf("near(" + a.text + ", " + by.text + ")", [=](const World& w) {
      const CellSet s = a.set(w);
      Value out;
      each(w.board->all(), [&](int c) { out.field.push_back(whole(size_of(beside(*w.board, by.of(w), c) & s))); });
      return out;
    });
  }

  Tree constant() {
    const auto n = static_cast<std::int64_t>(*below(9));
    const auto d = static_cast<std::int64_t>(1 + *below(5));
    if (*below(2) == 0) return leaf(std::to_string(n), [n](const World&) { return number_of(whole(n)); });
    return leaf("(" + std::to_string(n) + " / " + std::to_string(d) + ")",
                [=](const World&) { return number_of(Fraction::of(n, d)); });
  }

  Tree number_word() {
    switch (*below(3 + 3 * static_cast<unsigned>(numbers_.size()))) {
      case 0:
        return constant();
      case 1:
        return leaf("spent",
                    [](const World& w) { return number_of(whole(w.spent[static_cast<std::size_t>(w.viewer)])); });
      case 2:
        return leaf("total", [](const World& w) { return number_of(whole(w.total)); });
      default: {
        const std::string name = numbers_[*below(static_cast<unsigned>(numbers_.size()))];
        return leaf(name, [name](const World& w) { return w.locals.at(name).value; });
      }
    }
  }

  Tree number(int depth) {
    if (depth <= 0) return number_word();
    switch (*below(12)) {
      case 0:
        return number_word();
      case 1:
      case 2: {
        const Tree a = set(depth - 1);
        return leaf("count(" + a.text + ")", [=](const World& w) { return number_of(whole(size_of(a.set(w)))); });
      }
      case 3:
        return choice('n', depth);
      case 4: {
        const Tree a = number(depth - 1);
        const Tree b = number(depth - 1);
        return leaf(a.text + " * " + b.text,
                    [=](const World& w) { return number_of(a.value(w).number * b.value(w).number); });
      }
      case 5:
        return arithmetic('n', depth);
      case 6:
        if (!parts_.empty()) {  // shares of a part
          const std::string name = parts_[*below(static_cast<unsigned>(parts_.size()))];
          const Tree a = *below(2) == 0 ? constant() : number(depth - 1);
          return leaf("(" + a.text + " / count(" + name + "))", [=](const World& w) {
            return number_of(a.value(w).number * Fraction::of(1, size_of(w.locals.at(name).value.set)));
          });
        }
        return number(depth - 1);
      case 7: {
        const Tree a = set(depth - 1);
        const Ways by = joining();
        return leaf("count(groups(" + a.text + ", " + by.text + "))", [=](const World& w) {
          return number_of(whole(static_cast<std::int64_t>(groups(*w.board, a.set(w), by.of(w)).size())));
        });
      }
      case 8:
        return definitions_left_-- > 0 ? defined('n', depth - 1) : number(depth - 1);
      default:
        return loop(std::array{"sum", "max", "min", "count"}[*below(4)], depth);
    }
  }
  // What joins a group may not depend on the player.
  Ways joining() {
    for (;;) {
      Ways by = directions(false, 0);
      if (by.text.find("ward") == std::string::npos) return by;
    }
  }

  // The size of a part times a number.
  static Tree shares(const std::string& part, const Tree& factor) {
    return {"count(" + part + ") * " + factor.text, [=](const World& w) {
              return number_of(whole(size_of(w.locals.at(part).value.set)) * factor.value(w).number);
            }};
  }

  Tree loop(const std::string& word, int depth, const std::function<Tree(const std::string&)>& of = nullptr) {
    const Tree over = set(depth - 1);
    const bool plain = *below(2) == 0;
    const Ways by = plain ? neighbours() : joining();
    const std::string name = "g" + std::to_string(++names_);
    parts_.push_back(name);
    const bool counts = word == "count" || word == "any" || word == "all";
    Tree body = of ? of(name) : counts ? truth(depth - 1) : number(depth - 1);
    if (!of && !counts && *below(3) == 0) body = shares(name, body);
    parts_.pop_back();
    return leaf(word + "(" + name + " in groups(" + over.text + (plain ? "" : ", " + by.text) + "): " + body.text + ")",
                [=](const World& w) {
                  std::vector<Fraction> found;
                  std::int64_t holding = 0;
                  World inner = w;
                  for (const CellSet part : groups(*w.board, over.set(w), by.of(w))) {
                    inner.locals[name] = {set_of(part), nullptr};
                    const Value one = body.value(inner);
                    found.push_back(one.number);
                    holding += one.truth ? 1 : 0;
                  }
                  if (word == "count") return number_of(whole(holding));
                  if (word == "any") return truth_of(holding > 0);
                  if (word == "all") return truth_of(holding == static_cast<std::int64_t>(found.size()));
                  if (found.empty()) return number_of(whole(0));
                  if (word == "max") return number_of(*std::max_element(found.begin(), found.end()));
                  if (word == "min") return number_of(*std::min_element(found.begin(), found.end()));
                  Fraction sum;
                  for (const Fraction& one : found) sum = sum + one;
                  return number_of(sum);
                });
  }

  Tree truth(int depth) {
    switch (depth <= 0 ? *below(2) : *below(10)) {
      case 0:
        return leaf("flag", [](const World& w) { return truth_of(w.flag); });
      case 1:
        return leaf("true", [](const World&) { return truth_of(true); });
      case 2: {
        const Tree a = set(depth - 1);
        return leaf("any(" + a.text + ")", [=](const World& w) { return truth_of(a.set(w) != 0); });
      }
      case 3: {
        const Tree a = player();
        const Tree b = player();
        return leaf("(" + a.text + " == " + b.text + ")",
                    [=](const World& w) { return truth_of(a.value(w).player == b.value(w).player); });
      }
      case 4:
        return choice('t', depth);
      case 5: {
        const Tree a = truth(depth - 1);
        const Tree b = truth(depth - 1);
        return leaf("(" + a.text + " == " + b.text + ")",
                    [=](const World& w) { return truth_of(a.truth(w) == b.truth(w)); });
      }
      case 6:
        return loop(*below(2) == 0 ? "any" : "all", depth);
      case 7:
        if (!with_passes) return truth(depth - 1);
        return leaf("(passes > 0)", [](const World& w) { return truth_of(w.passes > 0); });
      case 8: {
        const Tree a = truth(depth - 1);
        return leaf("(!" + a.text + ")", [=](const World& w) { return truth_of(!a.truth(w)); });
      }
      default:
        return compare(number(depth - 1), number(depth - 1), false);
    }
  }

  Tree player() {
    switch (*below(5)) {
      case 0:
        return leaf("me", [](const World& w) { return player_of(w.viewer + 1); });
      case 1:
        return leaf("them", [](const World& w) { return player_of(2 - w.viewer); });
      case 2:
        return leaf("nobody", [](const World&) { return player_of(0); });
      case 3:
        return leaf("first", [](const World&) { return player_of(1); });
      default:
        return leaf("holder", [](const World& w) { return player_of(w.holder); });
    }
  }

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
