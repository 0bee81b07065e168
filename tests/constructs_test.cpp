// SPDX-License-Identifier: Apache-2.0
// Small examples of the language's constructs, each of which was once got wrong.
#include <string>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"

namespace plenum::variants_testing::constructs_test {
namespace {

// The argument of a definition is itself a sum over groups, and stands inside the definition's.
TEST(Constructs, LoopsInsideLoopsByDefinitions) {
  const std::string rules =
      "[define]\n\"weigh(n)\" = \"sum(g in groups(mine): count(g) * count(g) * n)\"\n[moves.p]\nto = \"empty\"\n"
      "[end]\nwhen = \"!any(empty)\"\nscore = \"weigh(sum(h in groups(theirs): count(h) * count(h)))\"\n"
      "tiebreak = \"if any(g in groups(mine): any(h in groups(g): count(h) > 2)) then 1 else 0\"\n";
  const Variant v = made(on_board("path:6", rules));
  // Squares of groups: 4 + 1 = 5 for x, 1 + 4 = 5 for o; 4 + 4 = 8 and 1 + 1 = 2.
  EXPECT_EQ(sure(end_state(v.rules(), position(v, "xxoxoo 1"))).margin.margin.units, 0);
  EXPECT_EQ(sure(end_state(v.rules(), position(v, "xxoxxo 1"))).margin.margin.units, 0);
  const Variant lone = made(on_board("path:6",
                                     "[define]\n\"weigh(n)\" = \"sum(g in groups(x): count(g) * count(g) * n)\"\n"
                                     "[moves.p]\nto = \"empty\"\n[end]\nwhen = \"!any(empty)\"\nscore = \"if me "
                                     "== first then weigh(sum(h in groups(o): count(h) * count(h))) else 0\"\n"));
  EXPECT_EQ(sure(end_state(lone.rules(), position(lone, "xxoxoo 1"))).margin.margin.units, 25);
  EXPECT_EQ(sure(end_state(lone.rules(), position(lone, "xxoxxo 2"))).margin.margin.units, -16);
}

// A further part that asks at once which cell it leaves and what the part before placed or took.
TEST(Constructs, PartsKnowWhatWasPlaced) {
  const Variant v = made(on_board("path:4",
                                  "[moves.p]\nto = \"empty\"\nnext = \"q\"\n[parts.q]\nfrom = \"mine & !placed\"\nto = "
                                  "\"empty & adjacent(from) & adjacent(placed)\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "x3 1"), (Outcomes{{"2", "xx2 2"}, {"3,1-2", "1xx1 2"}, {"4", "x2x 2"}}));
}

// Passes in a row end when the turn does, not between its parts.
TEST(Constructs, PassesStandUntilTheTurnEnds) {
  const Variant v =
      made(on_board("path:3",
                    "[moves.p]\nto = \"empty & {1}\"\nnext = \"q\"\n[parts.q]\nwhen = \"passes == 1\"\nto = \"empty & "
                    "{3}\"\n[moves.pass]\n[end]\nwhen = \"passes == 2\"\nscore = \"count(mine)\"\n"));
  EXPECT_EQ(outcomes(v, "3 1"), (Outcomes{{"1", "x2 2"}, {"pass", "3 2 passes=1"}}));
  EXPECT_EQ(outcomes(v, "3 1 passes=1"), (Outcomes{{"1,3", "x1x 2"}, {"pass", "3 2 passes=2"}}));
}

TEST(Constructs, NothingIsTakenFromAnEmptyCell) {
  const Variant v = made(on_board("path:3", "[moves.take]\nfrom = \"!mine\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "xo1 1"), (Outcomes{{"2-off", "x2 2"}}));
  EXPECT_TRUE(sure(end_state(v.rules(), position(v, "x2 1"))).ended);
}

// Where two clauses claim a cell the earlier wins, also if the cell holds its kind already.
TEST(Constructs, TheEarlierClauseWins) {
  const Variant v =
      made(on_board("path:4",
                    "[moves.p]\nto = \"empty\"\nthen = \"theirs & {1} -> theirs, theirs -> mine, placed -> "
                    "empty\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "oo2 1"), (Outcomes{{"3", "ox2 2"}, {"4", "ox2 2"}}));
  const Variant rounds = made(on_board("path:4",
                                       "[moves.p]\nto = \"empty\"\nthen = \"repeat: empty & {4} -> empty, empty & "
                                       "near(theirs | mine) > 0 -> mine\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(rounds, "1ooo 1"), (Outcomes{{"1", "xooo 2"}}));
  const std::string three = std::string(3, 'x') + "1 2";
  const std::string four = std::string(4, 'x') + " 2";
  EXPECT_EQ(outcomes(rounds, "4 1"), (Outcomes{{"1", three}, {"2", three}, {"3", three}, {"4", four}}));
}

TEST(Constructs, TheEarlierAssignmentWins) {
  const Variant v =
      made(on_board("path:2",
                    "[state]\nlast = { type = \"number\", range = [0, 3] }\n[moves.p]\nto = \"empty\"\nwhen = "
                    "\"last < 3\"\nthen = \"last = 1, last = 2\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "2 1"), (Outcomes{{"1", "x1 2 last=1"}, {"2", "1x 2 last=1"}}));
}

// "forward" is somebody's, so it does not belong where nobody in particular is looking.
TEST(Constructs, ForwardNeedsAPlayer) {
  for (const char* when : {"any(forward(stones))", "any(ray(stones, forward, empty))"}) {
    const auto v = make(on_board("square:2x2", "[moves.p]\nto = \"empty\"\n[end]\nwhen = \"" + std::string(when) +
                                                   "\"\nscore = \"count(mine)\"\n"));
    ASSERT_FALSE(v.ok()) << when;
    EXPECT_EQ(under_caret(std::string(v.status().message())).substr(0, 7), "forward");
  }
}

// Dots around a figure are not part of it.
TEST(Constructs, FiguresAreTrimmed) {
  for (const char* shape : {"xx", ".xx", "xx.", "../xx"}) {
    const Variant v = made(on_board(
        "square:3x2", "[moves.p]\nto = \"empty\"\nshape = \"" + std::string(shape) + "\"\n[end]\nstuck = \"loses\"\n"));
    EXPECT_EQ(outcomes(v, "3/3 1").size(), 4u) << shape;
  }
}

// A figure of one cell is written as a placement there, and is the same move if it leads to the same.
TEST(Constructs, FiguresOfOneCell) {
  const Variant v = made(on_board(
      "path:2", "[moves.a]\nto = \"empty\"\n[moves.b]\nto = \"empty\"\nshape = \"x\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(sure(successors(v.rules(), position(v, "2 1"))).size(), 2u);
}

// On a board of one row there is nothing above, but "up" is still a straight direction.
TEST(Constructs, DirectionsThatLeadNowhere) {
  for (const char* board : {"square:3x1", "king:3x1", "hexrect:3x1"}) {
    const std::string up = std::string(board) == "hexrect:3x1" ? "up_left" : "up";
    const Variant v = made(on_board(board, "[moves.go]\nfrom = \"mine\"\nto = \"empty\"\nslide = \"" + up +
                                               " | right\"\n[moves.p]\nto = \"empty & !line(stones, 2, " + up +
                                               ") & !ray(mine, " + up + ", empty)\"\n[end]\nstuck = \"loses\"\n"));
    EXPECT_EQ(outcomes(v, "1x1 1").size(), 3u) << board;
  }
  EXPECT_EQ(outcomes(made(on_board("square:3x1",
                                   "[moves.go]\nfrom = \"mine\"\nto = \"empty\"\nslide = \"diag\"\n[moves.p]\n"
                                   "to = \"empty & !line(stones, 2, diag)\"\n[end]\nstuck = \"loses\"\n")),
                     "1x1 1")
                .size(),
            2u);
  EXPECT_EQ(
      outcomes(made(on_board("square:1x1", "[moves.p]\nto = \"empty & line(empty, 1)\"\n[end]\nstuck = \"loses\"\n")),
               "1 1")
          .size(),
      1u);
}

// A board by its edges, a ring a-b-c-d-e-f with the line b-g-e across, and a direction round the ring.
std::string ring(const std::string& rest) {
  return "name = \"R\"\n[board]\nedges = \"a-b-c-d-e-f-a b-g-e\"\nlines = \"b-g-e\"\n"
         "directions = { round = \"a-b-c-d-e-f-a\" }\n" +
         rest + "[end]\nstuck = \"loses\"\n";
}

TEST(Constructs, DirectionsOfABoardByItsEdges) {
  const auto moves = [](const std::string& rules, const std::string& at) { return outcomes(made(ring(rules)), at); };
  const auto go = [](const std::string& how) { return "[moves.go]\nfrom = \"mine\"\nto = \"empty\"\n" + how + "\n"; };
  // Cells are a b c d e f g.
  EXPECT_EQ(moves(go("slide = \"round\""), "x2o3 1"), (Outcomes{{"a-b", "1x1o3 2"}, {"a-c", "2xo3 2"}}));
  EXPECT_EQ(moves(go("slide = \"lines\""), "x5x 1"), (Outcomes{{"g-b", "xx5 2"}, {"g-e", "x3x2 2"}}));
  EXPECT_EQ(moves(go("step = \"lines | round\""), "2x1o2 1"), (Outcomes{{"c-d", "3xo2 2"}}));
  EXPECT_EQ(moves(go("jump = \"lines\"\nover = \"theirs\"\nthen = \"jumped -> empty\""), "xx4o 1"),
            (Outcomes{{"b-e", "x3x2 2"}}));
  EXPECT_EQ(moves(go("step = \"adjacent\"\nthen = \"ray(placed, onward, theirs) -> empty\""), "1x1oo2 1"),
            (Outcomes{{"b-a", "x2oo2 2"}, {"b-c", "2x4 2"}, {"b-g", "3o2x 2"}}));
  EXPECT_EQ(moves("[moves.p]\nto = \"empty & round(mine)\"\n", "x6 1"), (Outcomes{{"f", "x4x1 2"}}));
  EXPECT_EQ(moves("[moves.p]\nto = \"empty\"\nthen = \"between(placed, theirs, mine) -> mine\"\n", "1x1x1oo 1").at("e"),
            "1x1xxox 2");
}

// A definition may be of directions, and is then used like one.
TEST(Constructs, DirectionsByName) {
  const Variant v = made(on_board("path:5",
                                  "[define]\nway = \"if me == first then right else left\"\n[moves.p]\nto = \"empty & "
                                  "way(mine)\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "2x2 1"), (Outcomes{{"2", "1xx2 2"}}));
  EXPECT_EQ(outcomes(v, "2o2 2"), (Outcomes{{"4", "2oo1 1"}}));
}

// So many steps round a ring, more than it has cells.
TEST(Constructs, DistancesRoundARing) {
  const auto far = [](int steps) {
    return outcomes(
        made(on_board("cycle:5", "[moves.go]\nfrom = \"mine\"\nto = \"cells\"\njump = \"right\"\ndistance = \"" +
                                     std::to_string(steps) + "\"\n[end]\nstuck = \"loses\"\n")),
        "x4 1");
  };
  EXPECT_EQ(far(4), (Outcomes{{"1-5", "4x 2"}}));
  EXPECT_EQ(far(5), Outcomes());  // no piece goes to where it is
  EXPECT_EQ(far(7), (Outcomes{{"1-3", "2x2 2"}}));
  EXPECT_EQ(far(249), (Outcomes{{"1-5", "4x 2"}}));
}

// A choice is a move of its own: no pass, and a part may follow.
TEST(Constructs, ChoicesAlone) {
  const Variant v = made(on_board(
      "path:2",
      "[state]\nbid = { type = \"number\", range = [0, 9] }\n[moves.offer]\nwhen = \"bid == 0\"\nchoose = [3, 5]\nthen "
      "= \"bid = chosen\"\nnext = \"put\"\n[parts.put]\nwhen = \"bid == 5\"\nto = \"empty & {2}\"\n[moves.pass]\n"
      "[end]\nwhen = \"passes == 2\"\nscore = \"bid\"\n"));
  EXPECT_EQ(outcomes(v, "2 1 passes=1"),
            (Outcomes{{"3", "2 2 bid=3"}, {"5,2", "1x 2 bid=5"}, {"pass", "2 2 passes=2"}}));
  EXPECT_EQ(outcomes(v, "2 1 bid=3"), (Outcomes{{"pass", "2 2 bid=3 passes=1"}}));
}

// `near` and `step` alone still mean the neighbours.
TEST(Constructs, LinesDoNotChangeNeighbours) {
  const Variant v = made(ring("[moves.p]\nto = \"empty & near(stones) == 0\"\n"));
  EXPECT_EQ(outcomes(v, "x6 1"), (Outcomes{{"c", "x1x4 2"}, {"d", "x2x3 2"}, {"e", "x3x2 2"}, {"g", "x5x 2"}}));
}

// What is forward for one player is backward for the other: with the board turned over, the rules are the same.
TEST(Constructs, ForwardKeepsTheExchange) {
  for (const char* to :
       {"empty & near(stones, forward) == 0", "empty & forward(stones)", "empty & far_edge",
        "empty & ray(home_edge, forward, cells)", "empty & line(stones, 2, forward | backward_left)"}) {
    const Variant v =
        made(on_board("square:3x3", "[moves.p]\nto = \"" + std::string(to) + "\"\n[end]\nstuck = \"loses\"\n"));
    EXPECT_TRUE(v.symmetries().has_exchange()) << to;
  }
}

// Straight over one cell to the cell behind it, where that is on the board; what was jumped over lies between.
TEST(Constructs, JumpsOverOneCell) {
  const auto jumper = [](const std::string& way) {
    return made(on_board("square:4x3", "[moves.jump]\nfrom = \"mine\"\n" + way + "\n[end]\nstuck = \"loses\"\n"));
  };
  const Variant takes = jumper(
      "to = \"empty\"\njump = \"orth\"\nover = \"theirs\"\n"
      "then = \"between(taken, theirs, placed) -> empty\"");
  EXPECT_EQ(outcomes(takes, "4/o3/xo2 1"), (Outcomes{{"a1-c1", "4/o3/2x1 2"}, {"a1-a3", "x3/4/1o2 2"}}));
  EXPECT_EQ(outcomes(takes, "4/1o2/xxo1 1"), (Outcomes{{"b1-d1", "4/1o2/x2x 2"}, {"b1-b3", "1x2/4/x1o1 2"}}));
  const Variant any = jumper("to = \"empty | theirs\"\njump = \"king\"");
  EXPECT_EQ(outcomes(any, "4/1o2/xxo1 1"), (Outcomes{{"a1-c1", "4/1o2/1xx1 2"},
                                                     {"a1-c3", "2x1/1o2/1xo1 2"},
                                                     {"b1-d1", "4/1o2/x1ox 2"},
                                                     {"b1-b3", "1x2/1o2/x1o1 2"}}));
  const Variant forth = jumper("to = \"empty\"\njump = \"forward\"");
  EXPECT_EQ(outcomes(forth, "1o2/x3/x3 1"), (Outcomes{{"a1-a3", "xo2/x3/4 2"}}));
  EXPECT_EQ(outcomes(forth, "1o2/xo2/x3 2"), (Outcomes{{"b3-b1", "4/xo2/xo2 1"}}));
  EXPECT_TRUE(any.symmetries().has_exchange());
}

// Two moves of one text: neither is taken for the other.
TEST(Constructs, MovesOfOneTextAreToldApartByWhereTheyLead) {
  const Variant v = made(on_board("path:3",
                                  "[moves.plain]\nto = \"empty\"\n[moves.turning]\nto = \"empty & adjacent(theirs)\"\n"
                                  "then = \"theirs -> mine\"\n[end]\nstuck = \"loses\"\n"));
  const auto found = [&](const std::string& at, const std::string& move) {
    const auto out = find_move(v.rules(), position(v, at), Span::whole("move", move));
    return out.ok() ? v.rules().write(out->position) : std::string(out.status().message());
  };
  EXPECT_EQ(found("o2 1", "3"), "o1x 2");
  EXPECT_NE(found("o2 1", "2").find("'2' may be 2:plain or 2:turning"), std::string::npos) << found("o2 1", "2");
  EXPECT_EQ(found("o2 1", "2:turning"), "xx1 2");
}

// As many steps as there are stones on the line, over one's own.
TEST(Constructs, JumpsOfADistance) {
  const Variant v =
      made(on_board("square:4x3",
                    "[moves.go]\nfrom = \"mine\"\njump = \"orth | diag\"\ndistance = \"count(stones & along)\"\nover = "
                    "\"!theirs\"\nto = \"!mine\"\n[end]\nstuck = \"loses\"\n"));
  // In the row three stones: three steps, over one's own. In the column one, as on the diagonal.
  EXPECT_EQ(outcomes(v, "4/4/xx1o 1"), (Outcomes{{"a1-d1", "4/4/1x1x 2"},
                                                 {"a1-a2", "4/x3/1x1o 2"},
                                                 {"a1-b2", "4/1x2/1x1o 2"},
                                                 {"b1-b2", "4/1x2/x2o 2"},
                                                 {"b1-a2", "4/x3/x2o 2"},
                                                 {"b1-c2", "4/2x1/x2o 2"}}));
  EXPECT_EQ(outcomes(v, "4/4/xo2 1"), (Outcomes{{"a1-a2", "4/x3/1o2 2"}, {"a1-b2", "4/1x2/1o2 2"}}));
}

TEST(Constructs, SlidesToTheEnd) {
  const Variant v = made(on_board(
      "square:4x2",
      "[moves.go]\nfrom = \"mine\"\nslide = \"orth\"\nfar = true\nto = \"empty\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "3o/x3 1"), (Outcomes{{"a1-d1", "3o/3x 2"}, {"a1-a2", "x2o/4 2"}}));
  EXPECT_EQ(outcomes(v, "4/x2o 1"), (Outcomes{{"a1-c1", "4/2xo 2"}, {"a1-a2", "x3/3o 2"}}));
}

// A line of stones beyond where the piece went, or behind where it came from.
TEST(Constructs, TheWayOfAMove) {
  const std::string step = "from = \"mine\"\nstep = \"king\"\nto = \"empty\"\nlegal = \"any(changed)\"\n";
  const Variant v =
      made(on_board("square:5x2", "[moves.approach]\n" + step +
                                      "then = \"ray(placed, onward, theirs) -> empty\"\n[moves.withdraw]\n" + step +
                                      "then = \"ray(taken, reverse, theirs) -> empty\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "5/ox1oo 1"), (Outcomes{{"b1-c1:approach", "5/o1x2 2"}, {"b1-c1:withdraw", "5/2xoo 2"}}));
  EXPECT_EQ(outcomes(v, "2o2/1x3 1"), Outcomes{});
  // Not twice the same way in a row.
  const Variant turning =
      made(on_board("square:3x2",
                    "[moves.go]\nfrom = \"mine\"\nstep = \"orth\"\nto = \"empty\"\nnext = \"on\"\n[parts.on]\nfrom = "
                    "\"placed\"\nstep = \"orth\"\nto = \"empty & !trail & !reverse(placed)\"\noptional = true\n[end]\n"
                    "stuck = \"loses\"\n"));
  EXPECT_EQ(
      outcomes(turning, "3/x2 1"),
      (Outcomes{{"a1-b1", "3/1x1 2"}, {"a1-b1,b1-b2", "1x1/3 2"}, {"a1-a2", "x2/3 2"}, {"a1-a2,a2-b2", "1x1/3 2"}}));
}

TEST(Constructs, StonesAreCarried) {
  const auto after = [](const std::string& board, const std::string& effect, const std::string& at) {
    const Variant v = made(on_board(
        board, "[moves.pass]\nthen = \"" + effect + "\"\n[end]\nwhen = \"passes == 9\"\nscore = \"count(mine)\"\n"));
    const Outcomes found = outcomes(v, at);
    return found.size() == 1 ? found.begin()->second.substr(0, found.begin()->second.find(' ')) : "?";
  };
  EXPECT_EQ(after("square:3x3", "carry row == 1 by right", "xox/3/ox1 1"), "xox/3/1ox");
  EXPECT_EQ(after("square:3x3", "carry row == 1 by left", "3/3/oxx 1"), "3/3/xx1");
  EXPECT_EQ(after("square:3x3", "carry column <= 2 & row <= 2 by turn_left", "2x/x1o/o2 1"), "2x/2o/xo1");
  EXPECT_EQ(after("square:3x3", "carry cells by turn_right", "3/3/xo1 1"), "x2/o2/3");
  EXPECT_EQ(after("square:3x2", "carry cells by turn_round", "xo1/3 1"), "3/1ox");
  EXPECT_EQ(after("square:3x2", "carry cells by mirror_columns", "xo1/2x 1"), "1ox/x2");
  EXPECT_EQ(after("square:3x2", "if count(mine) > 9: carry cells by mirror_rows", "xo1/3 1"), "xo1/3");
  const auto error = [](const std::string& board, const std::string& effect) {
    const auto v = make(on_board(board, "[moves.pass]\nthen = \"" + effect + "\"\n[end]\nstuck = \"loses\"\n"));
    return v.ok() ? "none" : std::string(v.status().message());
  };
  EXPECT_NE(error("square:3x2", "carry cells by turn_left").find("do not fall on one another"), std::string::npos);
  EXPECT_NE(error("square:3x3", "carry mine by turn_left").find("fixed cells"), std::string::npos);
  EXPECT_NE(error("square:3x3", "carry cells by orth").find("one direction is meant"), std::string::npos);
  // On a ring a piece may have come both ways, and a stone can go but one.
  const auto ring =
      make(on_board("torus:4x1",
                    "[moves.go]\nfrom = \"mine\"\nstep = \"right\"\nto = \"empty\"\nthen = \"carry cells by "
                    "onward\"\n[end]\nstuck = \"loses\"\n"));
  ASSERT_FALSE(ring.ok());
  EXPECT_NE(std::string(ring.status().message()).find("the one way or the other"), std::string::npos) << ring.status();
  EXPECT_NE(error("hexhex:2", "carry cells by turn_left").find("cannot be turned on the board"), std::string::npos);
}

// What is carried is neither more nor less: games that place a stone and turn the board end.
TEST(Constructs, TurningKeepsTheNumberOfStones) {
  const Variant v = made(on_board(
      "square:2x2", "[moves.p]\nto = \"empty\"\nthen = \"carry cells by turn_left\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_TRUE(v.tiers().acyclic());
  EXPECT_EQ(outcomes(v, "2/1o 1"), (Outcomes{{"a1", "1o/1x 2"}, {"a2", "1o/x1 2"}, {"b2", "xo/2 2"}}));
}

TEST(Constructs, EffectsHaveNames) {
  const Variant v = made(on_board(
      "path:4",
      "[define]\nshut = \"between(placed, theirs, mine)\"\nflip = \"shut -> mine\"\nboth = [\"flip\", \"if "
      "any(changed): placed -> theirs\"]\n[moves.p]\nto = \"empty\"\nthen = \"both\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "xo2 1"), (Outcomes{{"3", "xxo1 2"}, {"4", "xo1x 2"}}));
  // A condition is judged once, before all that the name stands for.
  const Variant once = made(on_board("path:4",
                                     "[define]\nclear = [\"theirs -> empty\", \"placed -> theirs\"]\n[moves.p]\nto = "
                                     "\"empty\"\nthen = \"if any(theirs): clear\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(once, "o3 1"), (Outcomes{{"2", "1o2 2"}, {"3", "2o1 2"}, {"4", "3o 2"}}));
  const auto error = [](const std::string& define, const std::string& then) {
    const auto w = make(on_board("path:4", "[define]\n" + define + "\n[moves.p]\nto = \"empty\"\nthen = \"" + then +
                                               "\"\n[end]\nstuck = \"loses\"\n"));
    return w.ok() ? "none" : std::string(w.status().message());
  };
  EXPECT_NE(error("flip = \"theirs -> mine\"", "flop").find("did you mean 'flip'"), std::string::npos);
  EXPECT_NE(error("flip = \"theirs -> mine\"", "flip & mine -> empty").find("is an effect"), std::string::npos);
  EXPECT_NE(error("a = \"if any(mine): b\"\nb = \"if any(theirs): a\"", "a").find("uses itself"), std::string::npos);
}

}  // namespace
}  // namespace plenum::variants_testing::constructs_test
