// SPDX-License-Identifier: Apache-2.0
// Turns of several parts: chains of any length, parts that must be made, orders that mean nothing, and how such turns are written.
#include <string>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"

namespace plenum::variants_testing::turns_test {
namespace {

const char* const kJumps =
    "[moves.jump]\nfrom = \"mine\"\njump = \"orth\"\nover = \"theirs\"\nto = \"empty\"\nthen = \"jumped -> empty\"\n"
    "next = \"on\"\n[parts.on]\nfrom = \"placed\"\njump = \"orth\"\nover = \"theirs\"\nto = \"empty\"\nthen = "
    "\"jumped -> empty\"\nnext = \"on\"\n";
const std::string kThree(3, 'x');
const char* const kStuck = "[end]\nstuck = \"loses\"\n";

TEST(Turns, ACaptureGoesOnAsLongAsItCan) {
  const Variant v = made(on_board("square:7x1", std::string(kJumps) + kStuck));
  EXPECT_EQ(outcomes(v, "xo1o1o1 1"), (Outcomes{{"a1-c1,c1-e1,e1-g1", "6x 2"}}));
  EXPECT_EQ(outcomes(v, "xo1oo2 1"), (Outcomes{{"a1-c1", "2xoo2 2"}}));
  EXPECT_TRUE(v.tiers().acyclic());  // a stone is taken by every turn
}

TEST(Turns, AnOptionalPartMayEndTheTurn) {
  const Variant v = made(on_board("square:7x1", std::string(kJumps) + "optional = true\n" + kStuck));
  EXPECT_EQ(outcomes(v, "xo1o1o1 1"),
            (Outcomes{{"a1-c1", "2xo1o1 2"}, {"a1-c1,c1-e1", "4xo1 2"}, {"a1-c1,c1-e1,e1-g1", "6x 2"}}));
}

// Seven parts: more than are kept beside a move.
TEST(Turns, LongTurnsAreWrittenOut) {
  const Variant v =
      made(on_board("path:16",
                    "[moves.go]\nfrom = \"mine\"\nstep = \"adjacent\"\nto = \"empty\"\nnext = \"on\"\n[parts.on]\n"
                    "from = \"placed\"\nstep = \"adjacent\"\nto = \"empty & !trail\"\nnext = \"on\"\n[end]\nstuck = "
                    "\"loses\"\n"));
  const Outcomes found = outcomes(v, "x14o 1");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.begin()->first, "1-2,2-3,3-4,4-5,5-6,6-7,7-8,8-9,9-10,10-11,11-12,12-13,13-14,14-15");
  EXPECT_EQ(found.begin()->second, "14xo 2");
  EXPECT_TRUE(find_move(v.rules(), position(v, "x14o 1"), Span::whole("move", found.begin()->first)).ok());
}

// Hops as far as one likes, but never twice to one cell: the trail knows where the turn has been.
TEST(Turns, TheTrailKnowsWhereATurnHasBeen) {
  const Variant v =
      made(on_board("cycle:4",
                    "[moves.go]\nfrom = \"mine\"\nstep = \"adjacent\"\nto = \"empty\"\nnext = \"on\"\n[parts.on]\n"
                    "from = \"placed\"\nstep = \"adjacent\"\nto = \"empty & !trail\"\nnext = \"on\"\noptional = true\n"
                    "[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "x3 1"), (Outcomes{{"1-2", "1x2 2"},
                                           {"1-2,2-3", "2x1 2"},
                                           {"1-2,2-3,3-4", "3x 2"},
                                           {"1-4", "3x 2"},
                                           {"1-4,4-3", "2x1 2"},
                                           {"1-4,4-3,3-2", "1x2 2"}}));
}

// A stone must be followed by a second one beside it: without `required` it may stand alone where none fits.
TEST(Turns, ARequiredPartMustBeMade) {
  const std::string rules = "[moves.p]\nto = \"empty\"\nnext = \"q\"\n[parts.q]\nto = \"empty & near(placed) > 0\"\n";
  const Variant lenient = made(on_board("path:4", rules + kStuck));
  EXPECT_EQ(outcomes(lenient, "1x2 1"),
            (Outcomes{{"1", "xx2 2"}, {"3,4", "1" + kThree + " 2"}, {"4,3", "1" + kThree + " 2"}}));
  const Variant strict = made(on_board("path:4", rules + "required = true\n" + kStuck));
  EXPECT_EQ(outcomes(strict, "1x2 1"), (Outcomes{{"3,4", "1" + kThree + " 2"}, {"4,3", "1" + kThree + " 2"}}));
  EXPECT_TRUE(sure(end_state(strict.rules(), position(strict, "1x1x 1"))).ended);
  // Where its `when` does not hold, it is not asked for.
  const Variant sometimes = made(on_board("path:4", rules + "required = true\nwhen = \"count(mine) > 1\"\n" + kStuck));
  EXPECT_EQ(outcomes(sometimes, "xo1o 1"), Outcomes{});
  EXPECT_EQ(outcomes(sometimes, "1o1o 1"), (Outcomes{{"1", "xo1o 2"}, {"3", "1oxo 2"}}));
}

// A part that must be made may leave a player without a move, though a stone could be put.
TEST(Turns, ARequiredPartMayLeaveNoMove) {
  const std::string rules =
      "[moves.p]\nto = \"empty\"\nnext = \"q\"\n[parts.q]\nto = \"empty & near(placed) > 0\"\n%[end]\nwhen = "
      "\"!any(empty)\"\nscore = \"count(mine)\"\nstuck = \"loses\"\n";
  const auto with = [&](const std::string& key) {
    return made(on_board("path:3", std::string(rules).replace(rules.find('%'), 1, key)));
  };
  EXPECT_TRUE(with("").rule_set().always_a_move);
  const Variant strict = with("required = true\n");
  EXPECT_FALSE(strict.rule_set().always_a_move);
  EXPECT_EQ(sure(end_state(strict.rules(), position(strict, "xo1 1"))).margin.margin.units, -1);
}

TEST(Turns, OrdersThatMeanNothingCountOnce) {
  const std::string rules =
      "[moves.p]\nto = \"empty\"\nnext = \"more\"\n[parts.more]\nto = \"empty\"\nwhen = \"count(stones) < 3\"\nnext = "
      "\"more\"\n";
  const Variant all = made(on_board("path:4", rules + kStuck));
  EXPECT_EQ(outcomes(all, "4 1").size(), 24u);
  // The last of the three is known by `placed`, the two before it in either order come to the same.
  const Variant merged = made(on_board("path:4", rules + "any_order = true\n" + kStuck));
  const Outcomes found = outcomes(merged, "4 1");
  EXPECT_EQ(found.size(), 4u * 3);
  std::map<std::string, int> to;
  for (const auto& [text, position] : found) ++to[position];
  EXPECT_EQ(to.size(), 4u);
  // Any order may be given.
  const Successor s = sure(find_move(merged.rules(), position(merged, "4 1"), Span::whole("move", "4,2,1")));
  EXPECT_EQ(merged.rules().write(s.position), "xx1x 2");
}

// A part that never ends is an error that says what helps; no hang, no crash.
TEST(Turns, EndlessTurnsAreRefused) {
  const auto message = [](const std::string& board, const std::string& rules) {
    const Variant v = made(on_board(board, rules + kStuck));
    const auto found = successors(v.rules(), v.rules().start());
    return found.ok() ? "fine" : std::string(found.status().message());
  };
  const std::string there_and_back =
      "[start]\nx = \"{1}\"\n[moves.go]\nfrom = \"mine\"\nstep = \"adjacent\"\nto = \"empty\"\nnext = "
      "\"on\"\n[parts.on]\nfrom = "
      "\"mine\"\nstep = \"adjacent\"\nto = \"empty\"\nnext = \"on\"\n";
  EXPECT_NE(message("path:2", there_and_back).find("more than 64 parts"), std::string::npos);
  EXPECT_NE(message("path:2", there_and_back).find("the part 'on'"), std::string::npos);
  const std::string shuffle =
      "[moves.p]\nto = \"empty\"\nnext = \"more\"\n[parts.more]\nto = \"empty\"\nnext = \"more\"\n";
  EXPECT_NE(message("path:12", shuffle).find("any_order = true"), std::string::npos);
  EXPECT_EQ(message("path:12", shuffle + "any_order = true\n"), "fine");
}

TEST(Turns, JumpedIsWhatWasJumpedOver) {
  const Variant v = made(on_board("square:5x2",
                                  "[moves.jump]\nfrom = \"mine\"\njump = \"king\"\nto = \"empty\"\nthen = "
                                  "\"jumped -> theirs\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "x4/xx3 1"), (Outcomes{{"a1-c1", "x4/1ox2 2"}}));
  // Around a ring of four a cell is reached over either neighbour: over both, where both may be jumped.
  const std::string ring =
      "[moves.jump]\nfrom = \"mine\"\njump = \"left | right\"\nover = \"theirs\"\nto = \"empty\"\n"
      "then = \"jumped -> empty\"\n[end]\nstuck = \"loses\"\n";
  const Variant round = made(on_board("torus:4x1", ring));
  EXPECT_EQ(outcomes(round, "xo1o 1"), (Outcomes{{"a1-c1", "2x1 2"}}));
  EXPECT_EQ(outcomes(round, "xo2 1"), (Outcomes{{"a1-c1", "2x1 2"}}));
}

TEST(Turns, MovesWrittenAlikeAreToldApart) {
  const Variant v =
      made(on_board("path:4",
                    "[moves.approach]\nfrom = \"mine\"\nstep = \"adjacent\"\nto = \"empty\"\nthen = \"theirs & "
                    "near(placed) > 0 -> empty\"\nlegal = \"any(changed)\"\n[moves.withdraw]\nfrom = \"mine\"\nstep = "
                    "\"adjacent\"\nto = \"empty\"\nthen = \"theirs & near(taken) > 0 -> empty\"\nlegal = "
                    "\"any(changed)\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "ox1o 1"), (Outcomes{{"2-3:approach", "o1x1 2"}, {"2-3:withdraw", "2xo 2"}}));
  const Position at = position(v, "ox1o 1");
  EXPECT_EQ(v.rules().write(sure(find_move(v.rules(), at, Span::whole("move", "2-3:withdraw"))).position), "2xo 2");
  const auto both = find_move(v.rules(), at, Span::whole("move", "2-3"));
  ASSERT_FALSE(both.ok());
  EXPECT_NE(std::string(both.status().message()).find("2-3:approach"), std::string::npos) << both.status();
}

// What is chosen stands behind its part, and definitions know it.
TEST(Turns, AChoiceIsPartOfTheMove) {
  const Variant v =
      made(on_board("path:3",
                    "[define]\nwide = \"chosen == 2\"\n[moves.p]\nto = \"{2} & empty\"\nnext = \"q\"\n[parts.q]\n"
                    "from = \"theirs & near(placed) > 0\"\nchoose = [1, 2]\nthen = \"if wide: theirs -> empty\"\n" +
                        std::string(kStuck)));
  EXPECT_EQ(outcomes(v, "o1o 1"),
            (Outcomes{{"2,x1=1", "1xo 2"}, {"2,x1=2", "1x1 2"}, {"2,x3=1", "ox1 2"}, {"2,x3=2", "1x1 2"}}));
}

TEST(Turns, WordsOfTurnsHaveTheirPlaces) {
  const auto error = [](const std::string& rules) {
    const auto v = make(on_board("path:3", rules + kStuck));
    return v.ok() ? "none" : std::string(v.status().message());
  };
  EXPECT_NE(error("[moves.p]\nto = \"empty & !trail\"\n").find("'trail' is known only"), std::string::npos);
  EXPECT_NE(error("[moves.p]\nto = \"empty & chosen\"\n").find("'chosen' is known only"), std::string::npos);
  EXPECT_NE(error("[moves.p]\nto = \"empty & along\"\n").find("'along' is known only"), std::string::npos);
  EXPECT_NE(error("[moves.p]\nto = \"empty\"\nthen = \"jumped -> empty\"\n").find("'jumped' is known only"),
            std::string::npos);
  EXPECT_NE(
      error("[moves.p]\nto = \"empty\"\nnext = \"q\"\n[parts.q]\nto = \"empty\"\noptional = true\nrequired = true\n")
          .find("keep one of the two"),
      std::string::npos);
}

}  // namespace
}  // namespace plenum::variants_testing::turns_test
