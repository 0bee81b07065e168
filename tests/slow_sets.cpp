// SPDX-License-Identifier: Apache-2.0
// Random directions, figures, definitions and sets of cells, with their meanings.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/slow_expressions.h"

namespace plenum::slow {

Tree Maker::make(char type, int depth) {
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

Ways Maker::directions(bool straight, int depth) {
  std::vector<std::string> words = named_steps();
  if (board_.direction("lines") != nullptr) words.emplace_back("lines");
  if (!board_.straight("adjacent").empty()) words.emplace_back("adjacent");
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

Ways Maker::ways(bool straight, int depth) {
  if (!place.placed || !straight_possible() || *below(4) != 0) return directions(straight, depth);
  const bool back = *below(2) == 0;
  return {back ? "reverse" : "onward", [back](const World& w) {
            const Board& board = *w.board;
            Words out;
            for (const std::string& one : all_steps(board)) {
              if ((ray(board, w.taken, {one}, board.all()) & w.placed) == 0) continue;
              out.push_back(back ? "back:" + one : one);
            }
            return out;
          }};
}

std::pair<std::string, std::string> Maker::figure() {
  const std::vector<std::string> rows = {"x", "xx", std::string(3, 'x'), "x.x", ".xx"};
  const std::vector<std::string> blocks = {"xx/x.", "x./xx", "x/x", ".x/xx", "x./.x", "x.x/.x.", "xx/.x/.x"};
  if (flat() || *below(3) == 0) return {rows[*below(5)], "none"};
  return {blocks[*below(7)], std::array{"none", "rotate", "all"}[*below(3)]};
}

Tree Maker::leaf(std::string text, std::function<Value(const World&)> value) {
  return {std::move(text), std::move(value)};
}

Tree Maker::set_leaf(std::string text, std::function<CellSet(const World&)> set) {
  return {std::move(text), [set = std::move(set)](const World& w) { return set_of(set(w)); }};
}

Tree Maker::choice(char type, int depth) {
  const Tree c = truth(depth - 1);
  const Tree a = make(type, depth - 1);
  const Tree b = make(type, depth - 1);
  return {"(if " + c.text + " then " + a.text + " else " + b.text + ")",
          [=](const World& w) { return c.truth(w) ? a.value(w) : b.value(w); }};
}

Tree Maker::defined(char type, int depth) {
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

Tree Maker::set_word() {
  std::vector<Tree> words = {
      set_leaf("mine", [](const World& w) { return w.owned(w.viewer); }),
      set_leaf("theirs", [](const World& w) { return w.owned(1 - w.viewer); }),
      set_leaf("n", [](const World& w) { return w.holding(kNobodys); }),
      set_leaf("x", [](const World& w) { return w.holding(kFirsts); }),
      set_leaf("empty", [](const World& w) { return w.holding(kNothing); }),
      set_leaf("stones", [](const World& w) { return w.board->all() & ~w.holding(kNothing); }),
  };
  if (several) words.push_back(set_leaf("y", [](const World& w) { return w.holding(kFirstsToo); }));
  if (rich) {
    const auto own = [](const World& w, int who) { return w.holding(who == 0 ? kFirstsOwn : kSecondsOwn); };
    words.push_back(set_leaf("c", [=](const World& w) { return own(w, 0) | own(w, 1); }));
    words.push_back(set_leaf("my_c", [=](const World& w) { return own(w, w.viewer); }));
    words.push_back(set_leaf("their_c", [=](const World& w) { return own(w, 1 - w.viewer); }));
    words.push_back(set_leaf("second_c", [=](const World& w) { return own(w, 1); }));
    words.push_back(set_leaf("p", [](const World& w) { return w.piles(); }));
    words.push_back(set_leaf("p_2", [](const World& w) { return w.holding(kPiles + 1); }));
  }
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
      if (!place.changed) words.push_back(set_leaf("trail", [](const World& w) { return w.trail; }));
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

Tree Maker::set(int depth) {
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
      Ways by = ways(false, 0);
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

Ways Maker::neighbours() {
  return {"adjacent", [](const World&) { return Words{"adjacent"}; }};
}

Tree Maker::straight_set(int depth) {
  const Tree a = set(depth - 1);
  if (!straight_possible()) {
    return set_leaf("adjacent(" + a.text + ")", [=](const World& w) {
      CellSet out = 0;
      each(w.board->all(), [&](int c) {
        if ((beside(*w.board, {"adjacent"}, c) & a.set(w)) != 0) out |= cell_bit(static_cast<Cell>(c));
      });
      return out;
    });
  }
  if (with_lines && *below(3) == 0)
    return set_leaf("line(" + a.text + ")", [=](const World& w) { return covered(w.board->lines(), a.set(w)); });
  const bool plain = *below(2) == 0;
  const Ways by = plain ? Ways{"", [](const World& w) { return all_steps(*w.board); }} : ways(true);
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
      const Ways along = ways(true);
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

}  // namespace plenum::slow
