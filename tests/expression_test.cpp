// SPDX-License-Identifier: Apache-2.0
// What expressions mean: small ones on given positions, by hand.
#include <string>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"

namespace plenum::variants_testing::expression_test {
namespace {

// A game on `board` in which a stone may go where `to` says.
std::string game(const std::string& board, const std::string& to) {
  return "name = \"T\"\n[options]\nboard = { default = \"" + board + R"toml(" }
four = { default = 4, range = [0, 9] }
lit  = { default = "on" }
mode = { default = "calm", one_of = ["calm", "wild"] }
[kinds]
x = "first"
o = "second"
n = "nobody"
[state]
holder = { type = "player" }
spent  = { type = "number", each = true, range = [0, 5] }
total  = { type = "number", range = [-3, 3], start = 0 }
flag   = { type = "bool" }
[define]
lonely = "cells & near(stones) == 0"
"more(a, b)" = "near(a) > near(b)"
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

std::string places(const Variant& v, const std::string& at) {
  std::string out;
  for (const Successor& s : sure(successors(v.rules(), position(v, at)))) {
    if (s.text.size() < 2 || s.text[1] != '@') continue;
    const std::string cell =
        s.text.substr(2, s.text.find('*') == std::string::npos ? std::string::npos : s.text.find('*') - 2);
    out += (out.empty() ? "" : " ") + cell;
  }
  return out;
}

struct Case {
  const char* board;
  const char* position;
  const char* expression;
  const char* cells;
};

const char* const kAll = "a1 b1 c1 a2 b2 c2 a3 b3 c3";
// On square:3x3 rows are written from the top: x at a3, o at b2 and c2, n at a1.
const char* const kAt = "x2/1oo/n2 1";

const Case kCases[] = {
    // Sets, from both sides.
    {"square:3x3", kAt, "mine", "a3"},
    {"square:3x3", kAt, "theirs", "b2 c2"},
    {"square:3x3", "x2/1oo/n2 2", "mine", "b2 c2"},
    {"square:3x3", "x2/1oo/n2 2", "x", "a3"},
    {"square:3x3", kAt, "stones", "a1 b2 c2 a3"},
    {"square:3x3", kAt, "empty", "b1 c1 a2 b3 c3"},
    {"square:3x3", kAt, "n", "a1"},
    {"square:3x3", kAt, "none", ""},
    {"square:3x3", kAt, "cells", kAll},
    {"square:3x3", kAt, "{a1 c3, b2}", "a1 b2 c3"},
    {"square:3x3", kAt, "cells & true", kAll},
    // Precedence: ! below comparisons, & before |, - before comparisons.
    {"square:3x3", kAt, "!mine & empty", "b1 c1 a2 b3 c3"},
    {"square:3x3", kAt, "!near(mine) == 0", "a2 b3"},
    {"square:3x3", kAt, "!(near(mine) == 0)", "a2 b3"},
    {"square:3x3", kAt, "mine | theirs & none", "a3"},
    {"square:3x3", kAt, "(mine | theirs) & none", ""},
    {"square:3x3", kAt, "mine | !theirs & stones", "a1 a3"},
    {"square:3x3", kAt, "!!mine", "a3"},
    {"square:3x3", kAt, "near(stones) == 1 + 1 * 2", "a2"},
    {"square:3x3", kAt, "near(stones) + 1 == 1 + 1 * 2", "b1 b3"},
    {"square:3x3", kAt, "near(stones) == 10 - 5 - 3", "b1 b3"},
    {"square:3x3", kAt, "row - 3 == - 1", "a2 b2 c2"},
    {"square:3x3", kAt, "cells & any(mine) == any(theirs)", kAll},
    {"square:3x3", kAt, "if any(n) & !any(empty) then cells else mine", "a3"},
    // The greatest and the least, of cells and of numbers.
    {"square:3x3", kAt, "max(row, column) == 2", "b1 a2 b2"},
    {"square:3x3", kAt, "max(row, 2 * column, 3) == 3", "a1 a2 a3"},
    {"square:3x3", kAt, "min(near(stones), 2) > near(theirs)", "b1 a2 b3"},
    {"square:3x3", kAt, "cells & max(count(mine), 2) == min(2, 7, count(stones) / 3 * 2)", kAll},
    // Neighbours and directions.
    {"square:3x3", kAt, "near(mine) > near(theirs)", ""},
    {"square:3x3", kAt, "near(mine) >= 1", "a2 b3"},
    {"square:3x3", kAt, "near(stones, diag) > 1", "b2"},
    {"square:3x3", kAt, "near(mine, up | right) > 0", "a2"},
    {"square:3x3", kAt, "up(mine)", "a2"},
    {"square:3x3", kAt, "up(!mine)", "a1 b1 c1 b2 c2"},
    {"square:3x3", kAt, "!up(mine)", "a1 b1 c1 b2 c2 a3 b3 c3"},
    {"square:3x3", kAt, "diag(mine)", "b2"},
    {"square:3x3", kAt, "anywhere(mine)", "a1 b1 c1 a2 b2 c2 b3 c3"},
    {"square:3x3", kAt, "near(stones, anywhere) == 3", "a1 b2 c2 a3"},
    {"torus:3x3", "3/3/x2 1", "up(mine)", "a3"},
    {"torus:2x1", "x1 1", "near(mine) == 1", "b1"},
    {"cylinder:3x3", "3/3/x2 1", "right(mine) | down(mine) | up(mine)", "c1 a2"},
    {"cylinder:3x2", "3/x2 1", "empty & far_edge", "a2 b2 c2"},
    {"hexhex:2", "2/1x1/2 1", "near(mine) == 1", "a1 a2 b1 b3 c1 c2"},
    {"hexhex:2", "2/1x1/2 1", "up_left(mine)", "a2"},
    {"path:4", "1x2 1", "left(mine)", "3"},
    {"cycle:4", "x3 1", "left(mine)", "2"},
    // Coordinates and regions.
    {"square:3x3", kAt, "row == 2 & column != 2", "a2 c2"},
    {"square:3x3", kAt, "(row + column) % 2 == 0", "a1 c1 b2 a3 c3"},
    {"square:3x3", kAt, "(row - 3) % 2 == 1", "a2 b2 c2"},
    {"square:3x3", kAt, "row * 2 > height", "a2 b2 c2 a3 b3 c3"},
    {"square:3x3", kAt, "!edge | corner", "a1 c1 b2 a3 c3"},
    {"square:3x3", kAt, "row / 2 == 1 / 2", "a1 b1 c1"},
    {"square:3x3", kAt, "row / 2 + near(mine) / 3 > 5 / 3", "b3"},
    // Connection.
    {"square:3x3", kAt, "joined(stones, {c2})", "b2 c2"},
    {"square:3x3", kAt, "joined(stones, {a1 b1})", "a1"},
    {"square:3x3", kAt, "joined(stones, mine, king)", "a1 b2 c2 a3"},
    {"square:3x3", kAt, "joined(empty, {b1})", "b1 c1"},
    {"square:3x3", kAt, "joined(empty, stones)", ""},
    // Counts, options, definitions, choices.
    {"square:3x3", kAt, "if count(stones) == four then mine else none", "a3"},
    {"square:3x3", kAt, "if four > 4 then cells else mine", "a3"},
    {"square:3x3", kAt, "cells & lit & mode == 'calm' & 'wild' != mode", kAll},
    {"square:3x3", kAt, "lonely", "a1 a3"},
    {"square:3x3", kAt, "more(theirs, mine)", "b1 c1 b2 c2 c3"},
    {"square:3x3", kAt, "more(theirs, mine | n)", "c1 b2 c2 c3"},
    {"square:3x3", kAt, "near(mine) * four >= 4", "a2 b3"},
    {"square:3x3", kAt, "near(stones) >= count(mine)", "b1 c1 a2 b2 c2 b3 c3"},
    {"square:3x3", kAt, "near(mine) - near(theirs) == -1", "b1 c1 b2 c2 c3"},
    // State and players.
    {"square:3x3", "3/3/3 1 holder=first", "if holder == me then {a1} else {b1}", "a1"},
    {"square:3x3", "3/3/3 2 holder=first", "if holder == me then {a1} else {b1}", "b1"},
    {"square:3x3", "3/3/3 2 holder=first", "if holder == first & me == second & them == first then {a1} else none",
     "a1"},
    {"square:3x3", "3/3/3 2", "if holder == nobody & holder != me then {a1} else none", "a1"},
    {"square:3x3", "3/3/3 2 spent=1,4", "column == spent - 1", "c1 c2 c3"},
    {"square:3x3", "3/3/3 1 spent=1,4", "column == spent + 1", "b1 b2 b3"},
    {"square:3x3", "3/3/3 1 total=-2", "column + total == 0", "b1 b2 b3"},
    {"square:3x3", "3/3/3 1 total=-2", "near(cells) >= total * -1 - spent + 1", "b1 a2 b2 c2 b3"},
    {"square:3x3", "3/3/3 1 flag=on", "if flag == (passes > 0) then none else {a1}", "a1"},
    {"square:3x3", "3/3/3 1 passes=2", "if passes == 2 then {a1} else none", "a1"},
    {"square:3x3", "3/3/3 1 passes=2", "if passes < 2 | passes >= 3 then none else {a1}", "a1"},
};

TEST(Expressions, ByHand) {
  for (const Case& c : kCases) {
    // Every state is read somewhere, so that all may be written in positions.
    const Variant v =
        made(game(c.board, std::string("(") + c.expression + ") & (cells | flag | holder == me | spent + total > 0)"));
    const RuleSet& rules = v.rule_set();
    for (const StateSlot& slot : rules.slots) EXPECT_TRUE(slot.live) << slot.name;
    EXPECT_EQ(places(v, c.position), c.cells) << c.board << " " << c.position << "\n" << c.expression;
  }
}

}  // namespace
}  // namespace plenum::variants_testing::expression_test
