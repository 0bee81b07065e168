// SPDX-License-Identifier: Apache-2.0
// Compiled rules: Populace against a slow account of its rules in plain loops over cells; batches; effects, state, ends.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/slow_populace.h"
#include "tests/variants_testing.h"

namespace plenum::variants_testing::rules_test {
namespace {

SlowPopulace::Options any_options() {
  SlowPopulace::Options out;
  out.threat = static_cast<int>(1 + *below(6));
  out.button = *below(2) == 0;
  const char* const landings[] = {"any", "no_drop", "no_drop_lifted"};
  out.move_to = landings[*below(3)];
  out.move = *below(4) != 0;
  out.replace = *below(4) != 0;
  return out;
}

Variant populace_on(const std::string& board, const SlowPopulace::Options& options) {
  std::vector<std::string> settings = options.settings();
  settings.push_back("board=" + board);
  return populace(settings);
}

TEST(Populace, AsItsRulesAreTold) {
  check(700, [] {
    const SlowPopulace::Options options = any_options();
    const std::string name = *below(4) == 0 ? *boards(64) : *boards(12);
    const Variant v = populace_on(name, options);
    const SlowPopulace slow(v.board(), options);
    std::vector<SlowPopulace::State> states;
    PositionBatch batch = v.rules().batch();
    const unsigned density = 1 + *below(4);
    for (unsigned k = 1 + *below(6); k > 0; --k) {
      SlowPopulace::State s;
      for (int c = 0; c < v.board().size(); ++c) {
        const auto drawn = static_cast<int>(*below(2 + density));
        s.cells.push_back(drawn > 2 ? 0 : drawn);
      }
      s.mover = static_cast<int>(1 + *below(2));
      s.passes = static_cast<int>(*below(2));
      if (options.button) s.holder = static_cast<int>(*below(3));
      RC_LOG(slow.text(s));
      batch.push(position(v, slow.text(s)));
      RC_ASSERT(v.rules().write(batch.at(batch.size - 1)) == slow.text(s));
      states.push_back(std::move(s));
    }
    Rules::Scratch scratch(v.rules());
    RC_ASSERT(v.rules().expand(batch, scratch).ok());
    // Text of the move and of the position after it, whether it has ended, and by how much.
    using Found = std::multiset<std::pair<std::string, std::string>>;
    std::vector<Found> found(states.size());
    std::vector<Found> expected(states.size());
    for (std::size_t i = 0; i < scratch.successors.size; ++i) {
      std::string after = v.rules().write(scratch.successors.at(i));
      if (scratch.ended[i] != 0) after += " ends " + std::to_string(2 * scratch.margin[i] / v.rules().denominator());
      found[scratch.parent[i]].emplace(v.rules().write(batch.at(scratch.parent[i]), scratch.move_of(i)), after);
    }
    for (std::size_t k = 0; k < states.size(); ++k) {
      for (const auto& [move, next] : slow.moves(states[k])) {
        expected[k].emplace(move,
                            slow.text(next) + (next.passes == 2 ? " ends " + std::to_string(slow.margin(next)) : ""));
      }
      RC_ASSERT(found[k] == expected[k]);
    }
  });
}

TEST(Populace, SequencesOfMoves) {
  for (const char* board : {"path:4", "square:2x3", "hexhex:2", "cycle:5", "torus:2x2", "edges:a-b-c-a d"}) {
    for (const SlowPopulace::Options& options :
         {SlowPopulace::Options{}, SlowPopulace::Options{1, true, "no_drop_lifted", true, true},
          SlowPopulace::Options{3, true, "no_drop", true, false}}) {
      const Variant v = populace_on(board, options);
      const SlowPopulace slow(v.board(), options);
      PositionBatch batch = v.rules().batch();
      batch.push(v.rules().start());
      for (int depth = 1; depth <= 4; ++depth) {
        Rules::Scratch scratch(v.rules());
        ASSERT_TRUE(v.rules().expand(batch, scratch).ok());
        EXPECT_EQ(scratch.successors.size,
                  slow.perft({std::vector<int>(static_cast<std::size_t>(v.board().size()), 0)}, depth))
            << board << " " << depth;
        batch.clear();
        for (std::size_t i = 0; i < scratch.successors.size; ++i) {
          if (scratch.ended[i] == 0) batch.push(scratch.successors.at(i));
        }
      }
    }
  }
}

// One by one, and hundreds together in one batch and in a scratch used before.
TEST(Batches, GiveWhatSinglesGive) {
  check(25, [] {
    const Variant v = populace_on(*boards(20), any_options());
    PositionBatch batch = v.rules().batch();
    for (unsigned k = 1 + *below(700); k > 0; --k) batch.push(*positions(v.rule_set(), 1));
    Rules::Scratch scratch(v.rules());
    Rules::Scratch single(v.rules());
    RC_ASSERT(v.rules().expand(batch, scratch).ok());
    using Item = std::tuple<Move, std::string, bool, std::int64_t>;
    std::vector<std::multiset<Item>> found(batch.size);
    const auto item = [&](const Rules::Scratch& s, std::size_t i) {
      return Item{s.move_of(i), v.rules().write(s.successors.at(i)), s.ended[i] != 0,
                  s.ended[i] != 0 ? s.margin[i] : 0};
    };
    for (std::size_t i = 0; i < scratch.successors.size; ++i) found[scratch.parent[i]].insert(item(scratch, i));
    for (std::size_t k = 0; k < batch.size; ++k) {
      PositionBatch one = v.rules().batch();
      one.push(batch.at(k));
      RC_ASSERT(v.rules().expand(one, single).ok());
      std::multiset<Item> alone;
      for (std::size_t i = 0; i < single.successors.size; ++i) alone.insert(item(single, i));
      RC_ASSERT(alone == found[k]);
    }
  });
}

// Tiny games: their legal moves and what they lead to.
std::map<std::string, std::string> outcomes(const Variant& v, const std::string& at) {
  std::map<std::string, std::string> out;
  for (const Successor& s : sure(successors(v.rules(), position(v, at)))) {
    EXPECT_EQ(out.count(s.text), 0u) << s.text << " twice";
    out[s.text] = v.rules().write(s.position) + (s.ended ? " ends " + v.margin_text(s.margin.margin) : "");
  }
  return out;
}
using Outcomes = std::map<std::string, std::string>;

std::string game(const std::string& board, const std::string& rest) {
  return "name = \"T\"\n[options]\nboard = { default = \"" + board + "\" }\n" + rest;
}

TEST(Games, MenInHand) {
  const std::string men = R"toml(extends = "populace"
[options]
men = { default = 2, range = [1, 9] }
[state]
hand = { type = "number", each = true, range = [0, "men"], start = "men" }
[moves.place]
when = "hand > 0"
then = "hand = hand - 1"
)toml";
  const Variant v = made(men, {"board=path:3", "move=off", "replace=off"});
  EXPECT_EQ(
      outcomes(v, "3 1"),
      (Outcomes{{"1", "x2 2 hand=1,2"}, {"2", "1x1 2 hand=1,2"}, {"3", "2x 2 hand=1,2"}, {"pass", "3 2 passes=1"}}));
  EXPECT_EQ(outcomes(v, "x1x 1 hand=0,1"), (Outcomes{{"pass", "x1x 2 hand=0,1 passes=1"}}));
  EXPECT_EQ(outcomes(v, "o2 2 hand=1,1"),
            (Outcomes{{"2", "oo1 1 hand=1,0"}, {"3", "o1o 1 hand=1,0"}, {"pass", "o2 1 hand=1,1 passes=1"}}));
  // Without the guard the number leaves its range: an error that names the move and the position.
  const Variant careless = made(men + "[moves.place2]\nto = \"empty\"\nthen = \"hand = hand - 2\"\n", {"board=path:3"});
  const auto wrong = successors(careless.rules(), position(careless, "3 2 hand=2,1"));
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.status().message().find("the move 1 of 'place2' drives a number of the state out of its range"),
            std::string::npos)
      << wrong.status();
  EXPECT_NE(wrong.status().message().find("3 2 hand=2,1"), std::string::npos) << wrong.status();
}

TEST(Games, NumbersAndFlags) {
  const Variant v = made(game("path:2", R"toml([state]
level = { type = "number", range = [-2, 2], start = 1 }
hot   = { type = "bool" }
last  = { type = "player", start = "second" }
[moves.up]
to = "empty & {1}"
then = ["level = level + 1, hot = !hot", "if hot: last = me"]
[moves.rest]
then = "level = -level"
[end]
when  = "level > 1 | passes == 3"
score = "level * count(mine) + (if last == me then 1/3 else 0)"
)toml"));
  EXPECT_EQ(v.rules().denominator(), 3);
  EXPECT_EQ(outcomes(v, "2 1"),
            (Outcomes{{"1", "x1 2 hot=on last=first level=2 ends -7/3"}, {"pass", "2 2 level=-1 passes=1"}}));
  EXPECT_EQ(outcomes(v, "1x 2 level=-1 hot=on"), (Outcomes{{"1", "ox 1 level=0"}, {"pass", "1x 1 hot=on passes=1"}}));
  EXPECT_EQ(outcomes(v, "2 2 level=-2 passes=1"),
            (Outcomes{{"1", "o1 1 hot=on level=-1"}, {"pass", "2 1 level=2 passes=2 ends -1/3"}}));
}

TEST(Games, NoMoveLeft) {
  const std::string place = "[moves.place]\nto = \"empty & near(stones) == 0\"\n[end]\n";
  const std::map<std::string, std::int64_t> ends = {{"loses", -1}, {"wins", 1}, {"ties", 0}};
  for (const auto& [word, margin] : ends) {
    const Variant v = made(game("path:3", place + "stuck = \"" + word + "\"\n"));
    const EndState end = sure(end_state(v.rules(), position(v, "1x1 2")));
    EXPECT_TRUE(end.ended);
    EXPECT_EQ(end.margin.margin.units, margin) << word;
    EXPECT_FALSE(sure(end_state(v.rules(), position(v, "x2 2"))).ended);
  }
  const Variant scores = made(game("path:5", place + "stuck = \"scores\"\nscore = \"count(mine) / 2\"\n"));
  EXPECT_EQ(scores.margin_text(sure(end_state(scores.rules(), position(scores, "x1x1o 2"))).margin.margin), "-0.5");
  const Variant passes = made(game("path:3",
                                   "[moves.place]\nto = \"empty & near(mine) == 0 & near(theirs) < 2\"\n[end]\nwhen = "
                                   "\"passes == 2\"\nscore = \"count(mine)\"\nstuck = \"pass\"\n"));
  EXPECT_EQ(outcomes(passes, "1x1 1"), (Outcomes{{"pass", "1x1 2 passes=1"}}));
  EXPECT_EQ(outcomes(passes, "1x1 2 passes=1"), (Outcomes{{"1", "ox1 1"}, {"3", "1xo 1"}}));
  EXPECT_EQ(outcomes(passes, "1x1 1 passes=1"), (Outcomes{{"pass", "1x1 2 passes=2 ends -1"}}));
  const Variant unsaid = made(game(
      "path:3",
      "[moves.place]\nto = \"empty & near(stones) == 0\"\n[end]\nwhen = \"!any(empty)\"\nscore = \"count(mine)\"\n"));
  EXPECT_NE(end_state(unsaid.rules(), position(unsaid, "1x1 2")).status().message().find("1x1 2"), std::string::npos);
}

TEST(Games, ChoiceOfKinds) {
  const std::string kinds = "[kinds]\nw = \"first\"\nb = \"second\"\nred = \"nobody\"\n";
  const Variant v = made(
      game("path:2",
           kinds + "[moves.place]\nto = \"empty\"\nput = [\"w\", \"red\", \"mine\"]\n[moves.turn]\nto = \"red\"\nput = "
                   "\"theirs\"\n[end]\nwhen = \"!any(empty)\"\nscore = \"count(mine) - count(red) * 3\"\n"));
  EXPECT_EQ(outcomes(v, "1r 1"), (Outcomes{{"r@1", "rr 2 ends 0"}, {"w@1", "wr 2 ends -1"}, {"b@2*", "1b 2"}}));
  EXPECT_EQ(outcomes(v, "1r 2"),
            (Outcomes{{"r@1", "rr 1 ends 0"}, {"w@1", "wr 1 ends 1"}, {"b@1", "br 1 ends -1"}, {"w@2*", "1w 1"}}));
}

TEST(Games, Effects) {
  const Variant v = made(game("square:3x2", R"toml([moves.place]
to = "empty"
then = ["if any(theirs): theirs & near(placed) > 0 -> mine", "before(mine) & !placed -> empty, {c2 a1} -> mine"]
[end]
stuck = "loses"
)toml"));
  // The cells that a clause has changed are not changed again by the clauses beside it: a1 stays empty.
  EXPECT_EQ(outcomes(v, "3/x1o 1"),
            (Outcomes{{"b1", "2x/1xx 2"}, {"a2", "x1x/2o 2"}, {"b2", "1xx/2o 2"}, {"c2", "2x/2x 2"}}));
  EXPECT_EQ(outcomes(v, "ooo/oo1 2"), (Outcomes{{"c1", "3/2o 1"}}));
}

// A parameter stands for what was written, so that in `before` it is read on the board before.
TEST(Games, BeforeReadsParametersToo) {
  const std::string end = "[end]\nwhen = \"!any(empty)\"\nscore = \"count(mine)\"\n";
  const Outcomes turned{{"1", "xx1 2"}, {"3", "1xx 2"}};
  const Outcomes kept{{"1", "xo1 2"}, {"3", "1ox 2"}};
  const auto outcomes_with = [&](const std::string& definitions, const std::string& condition) {
    return outcomes(made(game("path:3", "[define]\n" + definitions + "[moves.place]\nto = \"empty\"\nthen = \"if " +
                                            condition + ": theirs -> mine\"\n" + end)),
                    "1o1 1");
  };
  const std::string grew = "\"grew(s)\" = \"count(s) > before(count(s))\"\n";
  EXPECT_EQ(outcomes_with(grew, "grew(mine)"), turned);
  EXPECT_EQ(outcomes_with(grew, "grew(theirs)"), kept);
  EXPECT_EQ(outcomes_with(grew + "\"both(s)\" = \"grew(s | theirs)\"\n", "both(mine)"), turned);
  EXPECT_EQ(outcomes_with(grew, "grew(before(mine))"), kept);
  EXPECT_EQ(outcomes_with("\"more(s)\" = \"count(groups(!s)) > before(count(groups(!s)))\"\n", "more(mine)"), kept);
  EXPECT_EQ(outcomes_with("\"fewer(s)\" = \"count(s) < before(count(s))\"\n", "fewer(empty)"), turned);
  EXPECT_EQ(outcomes_with("\"was(s)\" = \"any(s & placed)\"\n", "before(was(empty))"), turned);
}

TEST(Games, RemovalsAndSteps) {
  const Variant v = made(game("square:3x2", R"toml([moves.lift]
from = "mine"
then = "if any(taken & {b1}): theirs -> empty"
[moves.step]
from = "mine"
to   = "!mine & !left(from)"
step = "orth"
[end]
stuck = "loses"
)toml"));
  EXPECT_EQ(outcomes(v, "x2/oxo 1"), (Outcomes{{"a2-off", "3/oxo 2"},
                                               {"b1-off", "x2/3 2"},
                                               {"a2-a1", "3/xxo 2"},
                                               {"b1-a1", "x2/x1o 2"},
                                               {"b1-b2", "xx1/o1o 2"}}));
}

// Two rules that allow the same: one move. Two that are written alike but lead elsewhere: two.
TEST(Games, EqualMovesAreOne) {
  const std::string end = "[end]\nwhen = \"passes == 2\"\nscore = \"count(mine)\"\n";
  const Variant v = made(
      game("path:3",
           "[moves.a]\nto = \"empty & {1 2}\"\n[moves.b]\nto = \"empty & {2 3}\"\n[moves.c]\nfrom = \"mine\"\nto = "
           "\"empty\"\n[moves.d]\nfrom = \"mine & {1}\"\nto = \"empty\"\nstep = \"adjacent\"\n[moves.e]\n[moves.f]\n" +
               end));
  EXPECT_EQ(outcomes(v, "3 1").size(), 4u);
  EXPECT_EQ(outcomes(v, "x2 1").size(), 5u);
  const Variant by_name = made(game(
      "path:2",
      "[moves.a]\nto = \"empty\"\nput = [\"mine\", \"theirs\"]\n[moves.b]\nto = \"empty\"\nput = [\"x\", \"o\"]\n" +
          end + "stuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(by_name, "2 1").size(), 4u);
  EXPECT_EQ(outcomes(by_name, "2 2").size(), 4u);
  const Variant differ = made(game(
      "path:2", "[moves.a]\nto = \"empty\"\n[moves.b]\nto = \"empty\"\nthen = \"cells -> mine\"\n[moves.p]\n" + end));
  EXPECT_EQ(sure(successors(differ.rules(), position(differ, "2 1"))).size(), 5u);
}

}  // namespace
}  // namespace plenum::variants_testing::rules_test
