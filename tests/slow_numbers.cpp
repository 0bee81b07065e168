// SPDX-License-Identifier: Apache-2.0
// Random numbers, fields, truths and players, with their meanings.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/slow_expressions.h"

namespace plenum::slow {

Tree Maker::compare(const Tree& a, const Tree& b, bool fields) {
  const std::string op = std::array{"==", "!=", "<", "<=", ">", ">="}[*below(6)];
  const auto holds = [op](const Fraction& x, const Fraction& y) {
    if (op == "==") return x == y;
    if (op == "!=") return !(x == y);
    if (op == "<") return x < y;
    if (op == "<=") return !(y < x);
    return op == ">" ? y < x : !(x < y);
  };
  const std::string text = "(" + a.text + " " + op + " " + b.text + ")";
  if (!fields) return leaf(text, [=](const World& w) { return truth_of(holds(a.value(w).number, b.value(w).number)); });
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

std::vector<Fraction> Maker::spread(const Value& v, const World& w) {
  return v.field.empty() ? std::vector<Fraction>(w.cells.size(), v.number) : v.field;
}

Tree Maker::arithmetic(char type, int depth) {
  const Tree a = make(type, depth - 1);
  const Tree b = make(*below(2) == 0 ? type : 'n', depth - 1);
  const unsigned which = *below(6);
  const auto factor = static_cast<std::int64_t>(*below(7)) - 3;
  const std::string times = factor < 0 ? "(-" + std::to_string(-factor) + ")" : std::to_string(factor);
  const std::string text = which == 0   ? "(" + a.text + " + " + b.text + ")"
                           : which == 1 ? "(" + a.text + " - " + b.text + ")"
                           : which == 2 ? "(" + a.text + " * " + times + ")"
                           : which == 4 ? "max(" + a.text + ", " + b.text + ")"
                           : which == 5 ? "min(" + b.text + ", " + a.text + ")"
                                        : "-" + a.text;
  const auto result = [=](const Fraction& x, const Fraction& y) {
    if (which == 4 || which == 5) return (x < y) == (which == 4) ? y : x;
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

Tree Maker::field(int depth) {
  if (board_.coordinate("column") != nullptr && *below(8) == 0) {
    return leaf("column", [](const World& w) {
      Value out;
      for (const int n : *w.board->coordinate("column")) out.field.push_back(whole(n));
      return out;
    });
  }
  if (rich && *below(4) == 0) return heights(depth);
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

Tree Maker::heights(int depth) {
  const std::vector<std::string> steps = named_steps();
  if (steps.empty() || *below(3) == 0) {
    return leaf("pile", [](const World& w) {
      Value out;
      for (const int kind : w.cells) out.field.push_back(whole(height_of(kind)));
      return out;
    });
  }
  const std::string by = steps[*below(static_cast<unsigned>(steps.size()))];
  const Tree from = set(depth - 1);
  return leaf("sown(" + from.text + ", " + by + ")", [=](const World& w) {
    std::vector<std::int64_t> got(w.cells.size(), 0);
    each(from.set(w), [&](int c) {
      int at = c;
      for (int left = height_of(w.cells[static_cast<std::size_t>(c)]); left > 0; --left) {
        at = step(*w.board, by, at);
        if (at < 0) return;
        ++got[static_cast<std::size_t>(at)];
      }
    });
    Value out;
    for (const std::int64_t n : got) out.field.push_back(whole(n));
    return out;
  });
}

Tree Maker::constant() {
  const auto n = static_cast<std::int64_t>(*below(9));
  const auto d = static_cast<std::int64_t>(1 + *below(5));
  if (*below(2) == 0) return leaf(std::to_string(n), [n](const World&) { return number_of(whole(n)); });
  return leaf("(" + std::to_string(n) + " / " + std::to_string(d) + ")",
              [=](const World&) { return number_of(Fraction::of(n, d)); });
}

Tree Maker::number_word() {
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

Tree Maker::number(int depth) {
  if (depth <= 0) return number_word();
  switch (*below(12)) {
    case 0:
      return number_word();
    case 1:
    case 2: {
      const Tree a = set(depth - 1);
      if (rich && *below(2) == 0) {
        return leaf("pile(" + a.text + ")", [=](const World& w) {
          std::int64_t sum = 0;
          each(a.set(w), [&](int c) { sum += height_of(w.cells[static_cast<std::size_t>(c)]); });
          return number_of(whole(sum));
        });
      }
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

Ways Maker::joining() {
  for (;;) {
    Ways by = directions(false, 0);
    if (by.text.find("ward") == std::string::npos) return by;
  }
}

Tree Maker::shares(const std::string& part, const Tree& factor) {
  return {"count(" + part + ") * " + factor.text, [=](const World& w) {
            return number_of(whole(size_of(w.locals.at(part).value.set)) * factor.value(w).number);
          }};
}

Tree Maker::loop(const std::string& word, int depth, const std::function<Tree(const std::string&)>& of) {
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

Tree Maker::truth(int depth) {
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

Tree Maker::player() {
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

}  // namespace plenum::slow
