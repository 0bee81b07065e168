// SPDX-License-Identifier: Apache-2.0
// Random expressions: what the compiled program says of whole batches of positions, against an evaluation cell by cell.
//
// An expression is made together with a function that evaluates it naively, so the comparison uses neither the parser nor the rule
// graph nor the bit slices on one of its sides.
#include <functional>
#include <random>

#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>

#include "variants/variant.h"

namespace plenum {
namespace {

struct View {
  const Board* board;
  CellSet mine;
  CellSet theirs;
  CellSet red;
  bool mover_is_first;
};

template <typename T>
struct Pair {
  std::string text;
  std::function<T(const View&)> value;
};
using Cells = Pair<CellSet>;
using Truth = Pair<bool>;
using Number = Pair<std::int64_t>;
using Field = Pair<std::vector<std::int64_t>>;

class Maker {
 public:
  Maker(const Board& board, std::uint64_t seed) : board_(board), random_(seed) {}

  Cells cells(int depth) {
    switch (depth <= 0 ? below(7) : below(15)) {
      case 0:
        return {"mine", [](const View& v) { return v.mine; }};
      case 1:
        return {"theirs", [](const View& v) { return v.theirs; }};
      case 2:
        return {"empty", [](const View& v) { return v.board->all() & ~(v.mine | v.theirs | v.red); }};
      case 3:
        return {"stones", [](const View& v) { return v.mine | v.theirs | v.red; }};
      case 4:
        return {"red", [](const View& v) { return v.red; }};
      case 5:
        return literal();
      case 6:
        return {"x", [](const View& v) { return v.mover_is_first ? v.mine : v.theirs; }};
      case 7: {
        const Cells a = cells(depth - 1);
        return {"!(" + a.text + ")", [a](const View& v) { return v.board->all() & ~a.value(v); }};
      }
      case 8: {
        const Cells a = cells(depth - 1);
        const Cells b = cells(depth - 1);
        return {"(" + a.text + " & " + b.text + ")", [a, b](const View& v) { return a.value(v) & b.value(v); }};
      }
      case 9: {
        const Cells a = cells(depth - 1);
        const Truth b = truth(depth - 1);
        return {"(" + a.text + " | " + b.text + ")",
                [a, b](const View& v) { return a.value(v) | (b.value(v) ? v.board->all() : 0); }};
      }
      case 10: {
        const std::string name = direction();
        const Cells a = cells(depth - 1);
        return {name + "(" + a.text + ")", [a, name](const View& v) {
                  return where(
                      v, [&, set = a.value(v)](std::size_t c) { return ((*v.board->direction(name))[c] & set) != 0; });
                }};
      }
      case 11: {
        const Cells a = cells(depth - 1);
        const Cells b = cells(depth - 1);
        return {"joined(" + a.text + ", " + b.text + ")", [a, b](const View& v) {
                  const CellSet within = a.value(v);
                  CellSet reached = within & b.value(v);
                  for (int i = 0; i < v.board->size(); ++i) {
                    reached |=
                        within & where(v, [&](std::size_t c) { return (v.board->adjacent()[c] & reached) != 0; });
                  }
                  return reached;
                }};
      }
      case 12: {
        const Truth c = truth(depth - 1);
        const Cells a = cells(depth - 1);
        const Cells b = cells(depth - 1);
        return {"(if " + c.text + " then " + a.text + " else " + b.text + ")",
                [a, b, c](const View& v) { return c.value(v) ? a.value(v) : b.value(v); }};
      }
      default: {
        const Field a = field(depth - 1);
        const Field b = field(depth - 1);
        const std::string op = comparison();
        return {"(" + a.text + " " + op + " " + b.text + ")", [a, b, op](const View& v) {
                  const auto x = a.value(v);
                  const auto y = b.value(v);
                  return where(v, [&](std::size_t c) { return compare(x[c], op, y[c]); });
                }};
      }
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string comparison() {
    const char* const all[] = {"==", "!=", "<", "<=", ">", ">="};
    return all[below(6)];
  }
  std::string direction() {
    const std::vector<std::string> names = board_.direction_names();
    return names[below(names.size())];
  }
  static bool compare(std::int64_t a, const std::string& op, std::int64_t b) {
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    return op == ">" ? a > b : a >= b;
  }
  template <typename Predicate>
  static CellSet where(const View& v, Predicate holds) {
    CellSet out = 0;
    for (int c = 0; c < v.board->size(); ++c) {
      if (holds(static_cast<std::size_t>(c))) out |= cell_bit(static_cast<Cell>(c));
    }
    return out;
  }
  Cells literal() {
    CellSet set = 0;
    std::string text = "{";
    for (int c = 0; c < board_.size(); ++c) {
      if (below(3) != 0) continue;
      set |= cell_bit(static_cast<Cell>(c));
      absl::StrAppend(&text, " ", board_.cell_name(static_cast<Cell>(c)));
    }
    return {text + " }", [set](const View&) { return set; }};
  }

  Truth truth(int depth) {
    switch (depth <= 0 ? below(3) : below(6)) {
      case 0:
        return {"me == first", [](const View& v) { return v.mover_is_first; }};
      case 1:
        return {"any(red)", [](const View& v) { return v.red != 0; }};
      case 2:
        return {"false", [](const View&) { return false; }};
      case 3: {
        const Cells a = cells(depth - 1);
        return {"any(" + a.text + ")", [a](const View& v) { return a.value(v) != 0; }};
      }
      case 4: {
        const Truth a = truth(depth - 1);
        const Truth b = truth(depth - 1);
        return {"((" + a.text + ") & !(" + b.text + "))", [a, b](const View& v) { return a.value(v) && !b.value(v); }};
      }
      default: {
        const Number a = number(depth - 1);
        const Number b = number(depth - 1);
        const std::string op = comparison();
        return {"(" + a.text + " " + op + " " + b.text + ")",
                [a, b, op](const View& v) { return compare(a.value(v), op, b.value(v)); }};
      }
    }
  }

  Number number(int depth) {
    switch (depth <= 0 ? below(2) : below(6)) {
      case 0: {
        const auto n = static_cast<std::int64_t>(below(6));
        return {absl::StrCat(n), [n](const View&) { return n; }};
      }
      case 1: {
        const Cells a = cells(depth - 1);
        return {"count(" + a.text + ")", [a](const View& v) { return std::int64_t{std::popcount(a.value(v))}; }};
      }
      case 2: {
        const Number a = number(depth - 1);
        const Number b = number(depth - 1);
        return {"(" + a.text + " + " + b.text + ")", [a, b](const View& v) { return a.value(v) + b.value(v); }};
      }
      case 3: {
        const Number a = number(depth - 1);
        const Number b = number(depth - 1);
        return {"(" + a.text + " - 2 * " + b.text + ")", [a, b](const View& v) { return a.value(v) - 2 * b.value(v); }};
      }
      case 4: {
        const Number a = number(depth - 1);
        const Number b = number(depth - 1);
        return {"(" + a.text + " * " + b.text + ")", [a, b](const View& v) { return a.value(v) * b.value(v); }};
      }
      default: {
        const Truth c = truth(depth - 1);
        const Number a = number(depth - 1);
        const Number b = number(depth - 1);
        return {"(if " + c.text + " then " + a.text + " else " + b.text + ")",
                [a, b, c](const View& v) { return c.value(v) ? a.value(v) : b.value(v); }};
      }
    }
  }

  Field field(int depth) {
    const auto each = [](const Field& a, const Field& b, auto f) {
      return [a, b, f](const View& v) {
        auto x = a.value(v);
        const auto y = b.value(v);
        for (std::size_t c = 0; c < x.size(); ++c) x[c] = f(x[c], y[c]);
        return x;
      };
    };
    switch (depth <= 0 ? below(2) : below(8)) {
      case 0:
      case 1: {
        const Cells a = cells(depth - 1);
        const std::string name = below(2) == 0 ? "adjacent" : direction();
        const std::string text = name == "adjacent" ? "near(" + a.text + ")" : "near(" + a.text + ", " + name + ")";
        return {text, [a, name](const View& v) {
                  std::vector<std::int64_t> out;
                  for (const CellSet around : *v.board->direction(name))
                    out.push_back(std::popcount(around & a.value(v)));
                  return out;
                }};
      }
      case 2: {
        const Field a = field(depth - 1);
        const Field b = field(depth - 1);
        return {"(" + a.text + " + " + b.text + ")", each(a, b, [](auto x, auto y) { return x + y; })};
      }
      case 3: {
        const Field a = field(depth - 1);
        const Field b = field(depth - 1);
        return {"(" + a.text + " - " + b.text + ")", each(a, b, [](auto x, auto y) { return x - y; })};
      }
      case 4: {
        const Field a = field(depth - 1);
        return {"(3 - 2 * " + a.text + ")", each(a, a, [](auto x, auto) { return 3 - 2 * x; })};
      }
      case 5: {
        const Truth c = truth(depth - 1);
        const Field a = field(depth - 1);
        const Field b = field(depth - 1);
        return {"(if " + c.text + " then " + a.text + " else " + b.text + ")",
                [a, b, c](const View& v) { return c.value(v) ? a.value(v) : b.value(v); }};
      }
      case 6: {
        if (const auto* columns = board_.coordinate("column")) {
          const std::vector<std::int64_t> values(columns->begin(), columns->end());
          return {"(column % 2 + column)", [values](const View&) {
                    auto out = values;
                    for (std::int64_t& x : out) x += x % 2;
                    return out;
                  }};
        }
        return field(depth - 1);
      }
      default: {
        const Number n = number(depth - 1);
        const Field a = field(depth - 1);
        return {"(" + a.text + " - " + n.text + ")", [a, n](const View& v) {
                  auto out = a.value(v);
                  for (std::int64_t& x : out) x -= n.value(v);
                  return out;
                }};
      }
    }
  }

  const Board& board_;
  std::mt19937_64 random_;
};

TEST(RandomExpressions, ProgramAgreesWithNaiveEvaluation) {
  int varied = 0;
  int games = 0;
  for (const char* name : {"square:3x3", "hexhex:2", "king:4x3", "torus:3x4", "path:6", "edges:a-b b-c c-a d",
                           "square:7x5", "hexhex:4", "hexhex:5", "square:8x8"}) {
    const Board board = *Board::parse(Span::whole("board", name));
    for (std::uint64_t seed = 0; seed < 60; ++seed, ++games) {
      Maker maker(board, seed * 1000 + static_cast<std::uint64_t>(board.size()));
      const Cells expression = maker.cells(4);
      const std::string text = absl::StrCat(
          "name = 'random'\noptions.board.default = '", name, "'\nkinds.red = 'nobody'\nmoves.place.to = \"",
          expression.text, "\"\nmoves.pass = {}\nend = { when = 'passes == 2', score = 'count(mine)' }\n");
      const absl::StatusOr<Description> description = parse_description({"random.toml", text, true}, "");
      ASSERT_TRUE(description.ok()) << description.status() << "\n" << text;
      const absl::StatusOr<Rules> rules = Rules::compile(*description, board);
      ASSERT_TRUE(rules.ok()) << rules.status() << "\n" << text;
      PositionBatch batch(rules->set().layout.count(), 0);
      std::mt19937_64 random(seed);
      std::vector<View> views;
      for (int i = 0; i < 300; ++i) {
        Position p;
        const CellSet a = random() & board.all();
        const CellSet b = random() & random() & board.all();
        p.planes[0] = a & ~b & random();
        p.planes[1] = a & ~b & ~p.planes[0];
        p.planes[2] = b & random();
        p.mover = random() % 2 == 0 ? Player::first : Player::second;
        batch.push(p);
        views.push_back({&board, p.planes[0], p.planes[1], p.planes[2], p.mover == Player::first});
      }
      Rules::Scratch scratch(*rules);
      ASSERT_TRUE(rules->expand(batch, scratch).ok());
      std::vector<CellSet> found(views.size(), 0);
      for (std::size_t i = 0; i < scratch.successors.size; ++i) {
        if (scratch.move[i].to != kNoCell) found[scratch.parent[i]] |= cell_bit(scratch.move[i].to);
      }
      CellSet any = 0;
      CellSet all = board.all();
      for (std::size_t i = 0; i < views.size(); ++i) {
        ASSERT_EQ(found[i], expression.value(views[i])) << name << ": " << expression.text << "\n"
                                                        << to_text(rules->set(), batch.at(i));
        any |= found[i];
        all &= found[i];
      }
      varied += any != all ? 1 : 0;
    }
  }
  EXPECT_GE(varied * 2, games);  // at least half of them depend on the position
}

}  // namespace
}  // namespace plenum
