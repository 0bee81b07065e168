// SPDX-License-Identifier: Apache-2.0
// Shortest lines to a goal and their number: against breadth first over unreduced positions that counts every line, with moves
// of the program; known numbers; what is proven without a line. Another interpreter's moves are in reach_random_test.
#include "solver/study/reach.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <tbb/global_control.h>

#include "tests/random_variants.h"
#include "tests/reach_testing.h"

namespace plenum::variants_testing::reach_test {
namespace {

// ------------------------------------------------------------------------------- games with cycles, and real ones

const std::vector<std::string> kGoals = {"count(x) >= 3",
                                         "count(x) - count(o) >= 2",
                                         "passes == 1 & any(o) & !any(mine)",
                                         "me == second & count(stones) == 2",
                                         "holder == second",
                                         "any(controlled) & !any(theirs)",
                                         "count(mine) == count(theirs) & count(stones) > 2",
                                         "!any(empty)",
                                         "count(o & near(x) > 1) >= 1 | count(groups(x)) >= 2",
                                         "passes == 2 & count(x) < count(o)",
                                         "count(stones) > 40"};

TEST(Reach, RandomGamesWithCycles) {
  int games = 0;
  check(300, [&] {
    const random_variants::Recipe recipe = *random_variants::recipes();
    const std::string goal = kGoals[*below(static_cast<unsigned>(kGoals.size()))];
    RC_LOG() << random_variants::write(recipe) << goal;
    check_by_positions(with_goal(random_variants::write(recipe), goal), 2000);
    ++games;
  });
  EXPECT_GE(games, 300 / kFewer);
}

TEST(Reach, GamesOfTheData) {
  const std::vector<std::pair<std::string, std::string>> searches = {
      {"mu-torere", "count({1 3 5 7} & x) == 4"},
      {"mu-torere", "count({1 2 3 4} & o) == 4"},
      {"pong-hau-ki", "!any(empty & near(x) > 0)"},
      {"tapatan", "any(line(o))"},
      {"dodgem", "!any(x) & any(o)"},
      {"l-game", "count(x & corner) == 2 & me == second"},
      {"tic-tac-toe", "any(line(x, 3)) & any(line(o, 3))"}};
  for (const auto& [name, goal] : searches) {
    SCOPED_TRACE(name + ": " + goal);
    check(1, [name = name, goal = goal] { check_by_positions(game_with_goal(name, goal), 30'000); });
  }
}

// ------------------------------------------------------------------------------------------------ known numbers

// How many games of tic-tac-toe end at the fifth move, at the sixth, and full and drawn; how many positions there are.
TEST(Reach, TicTacToe) {
  const Reach x = found(game_with_goal("tic-tac-toe", "any(line(x, 3))"));
  EXPECT_EQ(x.line->moves.size(), 5U);
  EXPECT_EQ(x.lines, 1440U);
  EXPECT_EQ(line_of(x), "a1 b1 a2 c1 a3");
  const Reach o = found(game_with_goal("tic-tac-toe", "any(line(o, 3))"));
  EXPECT_EQ(o.line->moves.size(), 6U);
  EXPECT_EQ(o.lines, 5328U);
  const Reach level = found(game_with_goal("tic-tac-toe", "!any(empty | line(x, 3) | line(o, 3))"));
  EXPECT_EQ(level.line->moves.size(), 9U);
  EXPECT_EQ(level.lines, 46080U);
  ReachOptions plain;
  plain.use_bound = false;
  const Reach all = found(game_with_goal("tic-tac-toe", "count(x) >= 6"), plain);
  EXPECT_FALSE(all.line);
  EXPECT_TRUE(all.exhausted);
  EXPECT_EQ(all.looked_at, 765U);
  EXPECT_EQ(all.unreduced, 5478U);
}

// Each move leads to the same position as any other: 64 ways each ply.
constexpr const char* kTally = R"toml(
name = "Tally"
[options]
board = { default = "square:8x8" }
[state]
tally = { type = "number", range = [0, 200] }
[moves.tap]
to   = "empty"
then = ["placed -> empty", "tally = tally + 1"]
[end]
stuck = "ties"
)toml";

TEST(Reach, ManyLines) {
  const Reach r = found(with_goal(kTally, "tally == 21"));
  EXPECT_EQ(r.line->moves.size(), 21U);
  EXPECT_EQ(r.lines, absl::uint128(1) << 126);
  EXPECT_EQ(found(with_goal(kTally, "tally == 30")).lines, absl::Uint128Max());  // and more
}

// Whether the corner was ever taken, and passes: nothing but the goal reads them.
constexpr const char* kUnread = R"toml(
name = "Unread"
[options]
board = { default = "path:3" }
[state]
seen = { type = "bool" }
[moves.pass]
[moves.place]
to   = "empty"
then = "if any(placed & {1}): seen = true"
[moves.leave]
from = "mine"
[end]
stuck = "ties"
)toml";

TEST(Reach, AStateThatNoRuleReads) {
  const Variant plain = made(kUnread);
  const RuleSet& without = plain.rule_set();
  EXPECT_FALSE(without.slots[0].live);
  EXPECT_FALSE(without.passes_live);
  const Variant v = with_goal(kUnread, "seen & !any(stones)");
  EXPECT_TRUE(v.rule_set().slots[0].live);
  const Reach seen = found(v);
  EXPECT_EQ(line_of(seen), "1 pass 1-off");
  EXPECT_EQ(v.rules().write(seen.line->end()), "3 2 seen=on");
  EXPECT_EQ(seen.lines, 1U);
  const Reach passes = found(with_goal(kUnread, "passes == 3 & count(stones) == 1"));
  EXPECT_EQ(line_of(passes), "1 pass pass pass");
  EXPECT_EQ(passes.lines, 3U);
}

TEST(Reach, AGoalThatNamesCells) {
  const Variant v = game_with_goal("populace", "any({a1} & x) & any({b3} & x)", {"board=hexhex:2"});
  EXPECT_FALSE(v.symmetries().has_exchange());
  EXPECT_LT(v.symmetries().size(), game_with_goal("populace", "any(x)", {"board=hexhex:2"}).symmetries().size());
  EXPECT_EQ(line_of(found(v)), "a1 c1 b3");
  check(1, [&] { check_by_positions(v, 30'000); });
}

// The rules treat the players alike, but only first owns a second kind: exchanged, its stones are of no kind.
TEST(Reach, APlayerWithMoreKinds) {
  const Variant v = with_goal(R"toml(
name = "Kinds"
[options]
board = { default = "path:2" }
[kinds]
x = "first"
y = "first"
o = "second"
[moves.step]
from = "mine"
to   = "empty"
[end]
when  = "passes == 3"
score = "count(mine)"
stuck = "pass"
)toml",
                              "count(theirs) == 2");
  EXPECT_TRUE(v.symmetries().has_exchange());
  const Reach r = sure(reach(v, Goal(v.rules()), position(v, "yy 1"), {}));
  EXPECT_EQ(line_of(r), "pass");
}

TEST(Reach, FromTheGoalItself) {
  const Reach r = found(game_with_goal("populace", "!any(stones)", {"board=path:3"}));
  ASSERT_TRUE(r.line);
  EXPECT_TRUE(r.line->moves.empty());
  EXPECT_EQ(r.lines, 1U);
  const Reach never = found(game_with_goal("populace", "any({1} & {2})", {"board=path:3"}));
  EXPECT_TRUE(never.exhausted);
}

TEST(Reach, TheBoundOfAGoal) {
  const auto plies = [](const std::string& name, const std::string& goal, const std::string& board) {
    const Variant v = game_with_goal(name, goal, {"board=" + board});
    return v.rules().goal_bound()->plies(v.rules().start());
  };
  EXPECT_EQ(plies("tic-tac-toe", "count(x) >= 5", "square:3x3"), 9);
  EXPECT_EQ(plies("tic-tac-toe", "count(o) >= 3", "square:3x3"), 6);
  EXPECT_EQ(plies("tic-tac-toe", "count(mine) >= 3", "square:3x3"), 6);
  EXPECT_EQ(plies("tic-tac-toe", "any(line(x, 3))", "square:3x3"), 5);
  EXPECT_EQ(plies("tic-tac-toe", "count(empty) == 1", "square:3x3"), 8);
  EXPECT_EQ(plies("tic-tac-toe", "count(x) - count(o) == 2", "square:3x3"), GoalBound::kNever);
  EXPECT_EQ(plies("tic-tac-toe", "count(x) >= 2 & count(o) >= 3 | count(x) == 4", "square:3x3"), 6);
  EXPECT_EQ(plies("tic-tac-toe", "!(count(x) < 4) & me == first", "square:3x3"), 8);
  EXPECT_EQ(plies("tic-tac-toe", "count(stones) > 9 | passes > 1", "square:3x3"), GoalBound::kNever);
  EXPECT_EQ(plies("populace", "passes == 1 & count(x) >= 2", "path:5"), 3);
  EXPECT_EQ(plies("populace", "count(groups(x)) >= 3", "path:5"), 5);
  EXPECT_EQ(plies("populace", "any(near(stones) > 1) | any(near(x) > 0)", "path:5"), 0);
  EXPECT_GT(found(game_with_goal("populace", "count(x) == 3 & !any(o)", {"board=path:4"})).moves_cut, 0U);
}

// ------------------------------------------------------------------------------------------- what stops a search

TEST(Reach, SaysWhatIsProven) {
  const Variant v = game_with_goal("populace", "count(x) == 9 & count(o) == 4", {"board=square:4x4"});
  const Goal goal(v.rules());
  ReachOptions tight;
  tight.use_bound = false;
  tight.memory_bytes = 40'000'000;
  const auto refused = reach(v, goal, v.rules().start(), tight);
  ASSERT_EQ(refused.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(refused.status().message().find("it is proven that no line of"), std::string::npos);
  ReachOptions impatient;
  impatient.use_bound = false;
  impatient.progress = [](const ReachProgress& p) { return p.plies < 4; };
  const auto stopped = reach(v, goal, v.rules().start(), impatient);
  ASSERT_EQ(stopped.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(stopped.status().message(), "interrupted; it is proven that no line of 3 plies or fewer leads to the goal");
}

TEST(Reach, DoesNotDependOnTheNumberOfThreads) {
  std::vector<std::string> seen;
  for (const std::size_t threads : {1U, 2U, 3U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const Reach r = found(game_with_goal("populace", "count(x) == 1 & count(o) == 6", {"board=square:3x3"}));
    seen.push_back(line_of(r) + " " + std::to_string(absl::Uint128Low64(r.lines)) + " " + std::to_string(r.looked_at) +
                   " " + std::to_string(r.moves_cut));
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(Goal, ErrorsPointIntoIt) {
  const auto error = [](const std::string& goal) {
    const auto description =
        parse_description({"test.toml", "name = \"T\"\nextends = \"populace\"\n", true}, PLENUM_DATA_FOLDER);
    return std::string(Variant::make(*description, Span::whole("--goal", goal)).status().message());
  };
  for (const auto& [goal, under, says] : {std::array{"any(surplas)", "surplas", "did you mean 'surplus'?"},
                                          {"count(x)", "count(x)", "true or false"},
                                          {"mine", "mine", "any(...)"},
                                          {"count(x) >= ", "", ""},
                                          {"any(from)", "from", "'from'"},
                                          {"passes * count(x) == 4", "passes * count(x) == 4", "'passes'"}}) {
    SCOPED_TRACE(goal);
    EXPECT_EQ(error(goal).rfind("--goal: ", 0), 0U) << error(goal);
    EXPECT_EQ(under_caret(error(goal)), under) << error(goal);
    EXPECT_NE(error(goal).find(says), std::string::npos) << error(goal);
  }
}

}  // namespace
}  // namespace plenum::variants_testing::reach_test
