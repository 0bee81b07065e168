// SPDX-License-Identifier: Apache-2.0
// Random expressions against an interpreter of the test's own, cell by cell; what fails is shrunk.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/variants_testing.h"

namespace plenum {
namespace {

using variants_testing::below;
using variants_testing::check;

// A game on `board` in which a stone may go where `to` says.
std::string game(const std::string& board, const std::string& to) {
  return "name = \"T\"\n[options]\nboard = { default = \"" + board + R"toml(" }
[kinds]
x = "first"
o = "second"
n = "nobody"
[state]
holder = { type = "player" }
spent  = { type = "number", each = true, range = [0, 5] }
total  = { type = "number", range = [-3, 3], start = 0 }
flag   = { type = "bool" }
[moves.place]
to = """)toml" +
         to + R"toml("""
put = "x"
[moves.note]
when = "any(none)  | holder == me & spent + total > 99 & flag"
[moves.pass]
[end]
when = "passes == 3"
score = "count(mine)"
)toml";
}

// Random expressions. Types: s a set, f a number for each cell, n a number, t a truth value, p a player.
struct Tree {
  std::string text;
  // The value on a position: for each cell a number (sets: 0 or 1), scaled by kScale; single values in all cells alike.
  std::function<std::vector<std::int64_t>(const Variant&, const Position&)> value;
};
constexpr std::int64_t kScale = 60;  // so that halves, thirds... are whole

using Values = std::vector<std::int64_t>;

class Maker {
 public:
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

 private:
  static Tree leaf(std::string text, std::function<std::int64_t(const Variant&, const Position&, std::size_t)> at) {
    return {std::move(text), [at = std::move(at)](const Variant& v, const Position& p) {
              Values out;
              for (std::size_t c = 0; c < static_cast<std::size_t>(v.board().size()); ++c) out.push_back(at(v, p, c));
              return out;
            }};
  }
  static Tree zip(std::string text, const Tree& a, const Tree& b,
                  std::function<std::int64_t(std::int64_t, std::int64_t)> f) {
    return {std::move(text), [=, f = std::move(f)](const Variant& v, const Position& p) {
              Values x = a.value(v, p);
              const Values y = b.value(v, p);
              for (std::size_t c = 0; c < x.size(); ++c) x[c] = f(x[c], y[c]);
              return x;
            }};
  }
  // From a whole set to a value in each cell.
  static Tree gather(std::string text, const Tree& a,
                     std::function<std::int64_t(const Variant&, const Values&, std::size_t)> f) {
    return {std::move(text), [=, f = std::move(f)](const Variant& v, const Position& p) {
              const Values x = a.value(v, p);
              Values out;
              for (std::size_t c = 0; c < x.size(); ++c) out.push_back(f(v, x, c));
              return out;
            }};
  }
  Tree choice(char type, int depth) {
    const Tree c = truth(depth - 1);
    const Tree a = make(type, depth - 1);
    const Tree b = make(type, depth - 1);
    return {"(if " + c.text + " then " + a.text + " else " + b.text + ")",
            [=](const Variant& v, const Position& p) { return c.value(v, p)[0] != 0 ? a.value(v, p) : b.value(v, p); }};
  }
  static std::int64_t has(CellSet set, std::size_t c) { return static_cast<std::int64_t>(set >> c & 1); }

  Tree set(int depth) {
    switch (depth <= 0 ? *below(5) : *below(13)) {
      case 0:
        return leaf("mine", [](const Variant&, const Position& p, std::size_t c) { return has(p.planes[0], c); });
      case 1:
        return leaf("theirs", [](const Variant&, const Position& p, std::size_t c) { return has(p.planes[1], c); });
      case 2:
        return leaf("n", [](const Variant&, const Position& p, std::size_t c) { return has(p.planes[2], c); });
      case 3:
        return leaf("x", [](const Variant&, const Position& p, std::size_t c) {
          return has(p.planes[p.mover == Player::first ? 0 : 1], c);
        });
      case 4:
        return leaf("empty", [](const Variant&, const Position& p, std::size_t c) {
          return 1 - has(p.planes[0] | p.planes[1] | p.planes[2], c);
        });
      case 5:
      case 6: {
        const Tree a = set(depth - 1);
        const Tree b = *below(3) == 0 ? truth(depth - 1) : set(depth - 1);
        if (*below(2) == 0) return zip("(" + a.text + " & " + b.text + ")", a, b, [](auto x, auto y) { return x & y; });
        return zip("(" + a.text + " | " + b.text + ")", a, b, [](auto x, auto y) { return x | y; });
      }
      case 7: {
        const Tree a = set(depth - 1);
        return zip("!" + a.text, a, a, [](auto x, auto) { return 1 - x; });
      }
      case 8: {
        const Tree a = set(depth - 1);
        const std::string name = std::array{"adjacent", "right", "left", "anywhere"}[*below(4)];
        return gather(name + "(" + a.text + ")", a, [name](const Variant& v, const Values& x, std::size_t c) {
          return around(v, name, x, c) > 0 ? 1 : 0;
        });
      }
      case 9: {
        const Tree a = set(depth - 1);
        const Tree b = set(depth - 1);
        return {"joined(" + a.text + ", " + b.text + ")", [=](const Variant& v, const Position& p) {
                  const Values within = a.value(v, p);
                  Values out = b.value(v, p);
                  for (std::size_t c = 0; c < out.size(); ++c) out[c] &= within[c];
                  for (std::size_t round = 0; round < out.size(); ++round) {
                    for (std::size_t c = 0; c < out.size(); ++c)
                      out[c] |= within[c] & (around(v, "adjacent", out, c) > 0 ? 1 : 0);
                  }
                  return out;
                }};
      }
      case 10:
        return choice('s', depth);
      default:
        return compare(field(depth - 1), *below(2) == 0 ? field(depth - 1) : number(depth - 1));
    }
  }
  static std::int64_t around(const Variant& v, const std::string& direction, const Values& x, std::size_t c) {
    std::int64_t out = 0;
    for (std::size_t d = 0; d < x.size(); ++d) out += has((*v.board().direction(direction))[c], d) * x[d];
    return out;
  }
  Tree compare(const Tree& a, const Tree& b) {
    const std::string op = std::array{"==", "!=", "<", "<=", ">", ">="}[*below(6)];
    return zip("(" + a.text + " " + op + " " + b.text + ")", a, b, [op](auto x, auto y) -> std::int64_t {
      if (op == "==") return x == y;
      if (op == "!=") return x != y;
      if (op == "<") return x < y;
      if (op == "<=") return x <= y;
      return op == ">" ? x > y : x >= y;
    });
  }
  Tree arithmetic(char type, int depth) {
    const Tree a = make(type, depth - 1);
    switch (*below(4)) {
      case 0: {
        const Tree b = make(*below(2) == 0 ? type : 'n', depth - 1);
        return zip("(" + a.text + " + " + b.text + ")", a, b, [](auto x, auto y) { return x + y; });
      }
      case 1: {
        const Tree b = make(*below(2) == 0 ? type : 'n', depth - 1);
        return zip("(" + a.text + " - " + b.text + ")", a, b, [](auto x, auto y) { return x - y; });
      }
      case 2: {
        const auto factor = static_cast<std::int64_t>(*below(7)) - 3;
        return zip(
            "(" + a.text + " * " + (factor < 0 ? "(-" + std::to_string(-factor) + ")" : std::to_string(factor)) + ")",
            a, a, [factor](auto x, auto) { return x * factor; });
      }
      default:
        return zip("-" + a.text, a, a, [](auto x, auto) { return -x; });
    }
  }
  Tree field(int depth) {
    switch (depth <= 0 ? *below(2) : *below(6)) {
      case 0:
        return leaf("column", [](const Variant& v, const Position&, std::size_t c) {
          return kScale * (*v.board().coordinate("column"))[c];
        });
      case 1:
      case 2: {
        const Tree a = set(depth - 1);
        const std::string name = std::array{"adjacent", "right", "anywhere"}[*below(3)];
        return gather(
            "near(" + a.text + ", " + name + ")", a,
            [name](const Variant& v, const Values& x, std::size_t c) { return kScale * around(v, name, x, c); });
      }
      case 3:
        return choice('f', depth);
      default:
        return arithmetic('f', depth);
    }
  }
  Tree number(int depth) {
    switch (depth <= 0 ? *below(4) : *below(9)) {
      case 0: {
        const unsigned n = *below(6);
        return leaf(std::to_string(n), [n](const Variant&, const Position&, std::size_t) {
          return kScale * static_cast<std::int64_t>(n);
        });
      }
      case 1:
        return leaf("spent", [](const Variant&, const Position& p, std::size_t) { return kScale * p.state[1]; });
      case 2:
        return leaf("total", [](const Variant&, const Position& p, std::size_t) { return kScale * (p.state[3] - 3); });
      case 3: {
        const auto n = static_cast<std::int64_t>(*below(9));
        const auto d = static_cast<std::int64_t>(1 + *below(5));
        return leaf("(" + std::to_string(n) + " / " + std::to_string(d) + ")",
                    [=](const Variant&, const Position&, std::size_t) { return kScale * n / d; });
      }
      case 4:
      case 5: {
        const Tree a = set(depth - 1);
        return gather("count(" + a.text + ")", a, [](const Variant&, const Values& x, std::size_t) {
          return kScale * std::count(x.begin(), x.end(), 1);
        });
      }
      case 6:
        return choice('n', depth);
      case 7: {
        const Tree a = set(depth - 1);
        const Tree b = set(depth - 1);
        const auto count = [](const Values& x) { return std::count(x.begin(), x.end(), 1); };
        return {"count(" + a.text + ") * count(" + b.text + ")", [=](const Variant& v, const Position& p) {
                  return Values(a.value(v, p).size(), kScale * count(a.value(v, p)) * count(b.value(v, p)));
                }};
      }
      default:
        return arithmetic('n', depth);
    }
  }
  Tree truth(int depth) {
    switch (depth <= 0 ? *below(2) : *below(7)) {
      case 0:
        return leaf("flag", [](const Variant&, const Position& p, std::size_t) { return p.state[4] != 0 ? 1 : 0; });
      case 1:
        return leaf("true", [](const Variant&, const Position&, std::size_t) { return 1; });
      case 2: {
        const Tree a = set(depth - 1);
        return gather("any(" + a.text + ")", a, [](const Variant&, const Values& x, std::size_t) {
          return std::count(x.begin(), x.end(), 1) > 0 ? 1 : 0;
        });
      }
      case 3: {
        const Tree a = player();
        const Tree b = player();
        return zip("(" + a.text + " == " + b.text + ")", a, b, [](auto x, auto y) -> std::int64_t { return x == y; });
      }
      case 4:
        return choice('t', depth);
      case 5: {
        const Tree a = truth(depth - 1);
        const Tree b = truth(depth - 1);
        return zip("(" + a.text + " == " + b.text + ")", a, b, [](auto x, auto y) -> std::int64_t { return x == y; });
      }
      default:
        return compare(number(depth - 1), number(depth - 1));
    }
  }
  // 0 nobody, 1 the mover, 2 the other.
  Tree player() {
    switch (*below(5)) {
      case 0:
        return leaf("me", [](const Variant&, const Position&, std::size_t) { return 1; });
      case 1:
        return leaf("them", [](const Variant&, const Position&, std::size_t) { return 2; });
      case 2:
        return leaf("nobody", [](const Variant&, const Position&, std::size_t) { return 0; });
      case 3:
        return leaf("first",
                    [](const Variant&, const Position& p, std::size_t) { return p.mover == Player::first ? 1 : 2; });
      default:
        return leaf("holder", [](const Variant&, const Position& p, std::size_t) { return p.state[0]; });
    }
  }
};

TEST(Expressions, AgainstCellByCell) {
  check(1500, [] {
    const char* const boards[] = {"square:3x3", "path:6",     "king:3x2",  "torus:3x3",
                                  "cycle:5",    "square:6x6", "square:8x8"};
    const std::string board = boards[*below(7)];
    const Tree tree = Maker().make('s', 4);
    RC_LOG(tree.text);
    const auto made_here =
        variants_testing::make(game(board, "(" + tree.text + ") & (cells | flag | holder == me | spent + total > 0)"));
    if (!made_here.ok()) {
      RC_LOG(std::string(made_here.status().message()));
      RC_FAIL("does not compile");
    }
    const Variant& v = *made_here;
    for (int k = 0; k < 4; ++k) {
      const Position p = *variants_testing::positions(v.rule_set(), 1);
      RC_LOG(to_text(v.rule_set(), p));
      const Values expected = tree.value(v, p);
      CellSet legal = 0;
      const auto all = variants_testing::sure(successors(v.rules(), p));
      for (const Successor& s : all) legal |= s.move.first.to == kNoCell ? 0 : cell_bit(s.move.first.to);
      CellSet set = 0;
      for (std::size_t c = 0; c < expected.size(); ++c) set |= static_cast<CellSet>(expected[c]) << c;
      RC_ASSERT(variants_testing::names(v.board(), legal) == variants_testing::names(v.board(), set));
    }
  });
}

}  // namespace
}  // namespace plenum
