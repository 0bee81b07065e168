// SPDX-License-Identifier: Apache-2.0
// Which method a game takes, and what the methods say of games that they cannot solve.
#include <algorithm>
#include <cerrno>
#include <string>

#include <gtest/gtest.h>

#include "solver/graph/prediction.h"
#include "solver/method/method.h"
#include "solver/support/memory.h"
#include "tables/file/files.h"
#include "tests/variants_testing.h"

namespace plenum::variants_testing::choose_test {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;

Choice choice_of(const std::string& name, const std::string& board, std::uint64_t memory, Wanted wanted = {}) {
  const Variant variant = game(name, {"board=" + board});
  wanted.memory_bytes = memory;
  return sure(choose(Game(variant, variant.rules().start()), wanted));
}

TEST(Choose, GraphWhereFewPositionsAreReachable) {
  for (const char* name : {"tic-tac-toe", "connect-4", "othello"}) {
    const std::string board = std::string(name) == "tic-tac-toe" ? "square:3x3" : "square:4x4";
    EXPECT_EQ(choice_of(name, board, 8 * kGigabyte).method, MethodId::graph) << name;
  }
  EXPECT_EQ(choice_of("quixo", "square:3x3", kGigabyte).method, MethodId::graph);  // nothing else can
}

TEST(Choose, AByteABoardWhereThatTakesLess) {
  EXPECT_EQ(choice_of("populace", "square:4x4", 8 * kGigabyte).method, MethodId::rows);
  EXPECT_EQ(choice_of("taifas", "square:4x4", kGigabyte).method, MethodId::one_pass);
  EXPECT_EQ(choice_of("cascade", "square:3x4", kGigabyte).method, MethodId::one_pass);
}

TEST(Choose, WhatFitsTheMemory) {
  const std::uint64_t little = base_memory() + 15'000'000;
  EXPECT_EQ(choice_of("taifas", "square:4x4", little).method, MethodId::bits);
  EXPECT_EQ(choice_of("cascade", "square:4x4", little).method, MethodId::search);
  // Nothing fits: the one that says how much it takes.
  EXPECT_EQ(choice_of("populace", "square:4x4", 10'000'000).method, MethodId::rows);
}

TEST(Choose, TheMethodTakesOverWhenMoreIsReachableThanThought) {
  const Choice choice = choice_of("in-crowd", "square:4x4", 8 * kGigabyte);
  EXPECT_EQ(choice.method, MethodId::graph);
  EXPECT_LT(choice.most_positions, 2'000'000);
  EXPECT_EQ(choice.otherwise, MethodId::one_pass);
}

TEST(Choose, AFullDiskIsNoReasonForAnotherMethod) {
  const Choice choice = choice_of("in-crowd", "square:4x4", 8 * kGigabyte);
  EXPECT_TRUE(choice.goes_on(absl::ResourceExhaustedError("no memory")));
  EXPECT_FALSE(choice.goes_on(file_error(ENOSPC, "write", "a table")));
  EXPECT_FALSE(choice.goes_on(as_full_disk(file_error(EACCES, "write", "a table"))));
  EXPECT_FALSE(choice.goes_on(absl::CancelledError("interrupted")));
}

TEST(Choose, AMethodThatKeepsATable) {
  EXPECT_EQ(choice_of("tic-tac-toe", "square:3x3", kGigabyte, {.table = true}).method, MethodId::one_pass);
  EXPECT_EQ(choice_of("breakthrough", "square:4x4", kGigabyte, {.table = true}).method, MethodId::graph);
}

TEST(Choose, AMethodThatKnowsThePositions) {
  EXPECT_EQ(choice_of("taifas", "square:5x5", 20 * kGigabyte).method, MethodId::bits);
  EXPECT_EQ(choice_of("taifas", "square:5x5", 20 * kGigabyte, {.lookup = true}).method, MethodId::search);
  EXPECT_EQ(choice_of("connect-4", "square:7x6", kGigabyte).method, MethodId::search);
  const MethodId all = choice_of("connect-4", "square:7x6", kGigabyte, {.scan = true}).method;
  EXPECT_TRUE(method_of(all).offers().values);
}

// Where play may go round there is no search; bits take little, and less than rows where who wins is all that is asked.
TEST(Choose, BitsWhereBytesDoNotFit) {
  EXPECT_EQ(choice_of("populace", "square:4x5", kGigabyte).method, MethodId::bits);
  EXPECT_EQ(choice_of("populace", "square:4x5", kGigabyte, {.lookup = true}).method, MethodId::rows);
  EXPECT_EQ(choice_of("populace", "square:4x5", 12 * kGigabyte).method, MethodId::rows);
  EXPECT_EQ(choice_of("populace", "square:4x5", 12 * kGigabyte, {.only_outcome = true}).method, MethodId::bits);
  EXPECT_EQ(choice_of("populace", "square:5x5", 18 * kGigabyte).method, MethodId::bits);
}

TEST(Choose, IsTheSameEveryTime) {
  for (const char* name : {"taifas", "in-crowd", "connect-4"}) {
    const Choice once = choice_of(name, "square:4x4", kGigabyte);
    const Choice again = choice_of(name, "square:4x4", kGigabyte);
    EXPECT_EQ(once.method, again.method);
    EXPECT_EQ(once.reason, again.reason);
    EXPECT_EQ(once.most_positions, again.most_positions);
  }
}

// Also where the game was asked about other memory before.
TEST(Choose, ForgetsTheMemoryAskedForBefore) {
  const Variant variant = game("cascade", {"board=square:4x4", "fill=both"});
  const Game asked(variant, variant.rules().start());
  const auto graph_of = [&](const Game& one, std::uint64_t memory) {
    return sure(method_of(MethodId::graph).estimate(one, {.memory_bytes = memory})).value();
  };
  for (const std::uint64_t memory : {8 * kGigabyte, kGigabyte / 2, 20 * kGigabyte, kGigabyte / 5, kGigabyte / 2}) {
    const Game fresh(variant, variant.rules().start());
    const Estimate before = graph_of(asked, memory);
    const Estimate alone = graph_of(fresh, memory);
    EXPECT_EQ(before.positions, alone.positions) << memory;
    EXPECT_EQ(before.at_least, alone.at_least) << memory;
    EXPECT_EQ(alone.at_least, alone.bytes > static_cast<double>(memory));
    const Choice choice = sure(choose(asked, {.memory_bytes = memory}));
    EXPECT_EQ(choice.method, sure(choose(fresh, {.memory_bytes = memory})).method);
    EXPECT_EQ(choice.reason, sure(choose(fresh, {.memory_bytes = memory})).reason);
  }
}

// Only bits has room for 25 cells, and that more than there is here.
TEST(Choose, SaysThatBitsHasNoRoom) {
  const Variant variant = game("populace", {"board=hexrect:5x5"});
  const Game one(variant, variant.rules().start());
  ASSERT_FALSE(method_of(MethodId::bits).obstacle(one));
  const Choice choice = sure(choose(one, {.memory_bytes = 8'000'000'000}));
  EXPECT_EQ(choice.method, MethodId::graph);
  EXPECT_EQ(choice.reason, "bits takes too much memory, and no other method can solve it");
  EXPECT_EQ(sure(choose(one, {.scan = true, .memory_bytes = 8'000'000'000})).reason, "no other method can solve it");
}

TEST(Choose, EveryMethodHasANameOfItsOwn) {
  for (const Method* method : methods()) {
    EXPECT_EQ(find_method(method->name()), method);
    EXPECT_EQ(&method_of(method->id()), method);
    EXPECT_FALSE(method->about().empty());
  }
  EXPECT_EQ(find_method("auto"), nullptr);
}

TEST(Choose, ObstaclesAreClauses) {
  const Variant variant = game("populace", {"board=square:3x3"});
  const Game what(variant, variant.rules().start());
  EXPECT_EQ(method_of(MethodId::graph).obstacle(what), std::nullopt);
  EXPECT_EQ(method_of(MethodId::rows).obstacle(what), std::nullopt);
  EXPECT_EQ(method_of(MethodId::bits).obstacle(what), std::nullopt);
  const Variant othello = game("othello", {"board=square:4x4"});
  const Game other(othello, othello.rules().start());
  for (const auto& [id, asked] : std::vector<std::pair<MethodId, const Game*>>{{MethodId::one_pass, &what},
                                                                               {MethodId::ending, &what},
                                                                               {MethodId::search, &what},
                                                                               {MethodId::rows, &other},
                                                                               {MethodId::bits, &other}}) {
    const auto why = method_of(id).obstacle(*asked);
    ASSERT_TRUE(why.has_value());
    EXPECT_TRUE(why->back() != '.' && std::islower(static_cast<unsigned char>(why->front())) != 0) << *why;
  }
}

// Bounds hold whatever is reachable. Guesses, on which the choice rests, are no more than five times too high or too low.
TEST(Prediction, HoldsWhatIsReachable) {
  constexpr double kErrs = 5;
  int guessed = 0;
  for (const auto& [name, settings] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"tic-tac-toe", {}},
           {"connect-4", {"board=square:4x4"}},
           {"populace", {"board=path:8"}},
           {"populace", {"board=path:9"}},
           {"populace", {"board=path:8", "button=on"}},
           {"populace", {"board=square:2x5"}},
           {"populace", {"board=square:3x3", "threat=1", "pie=off"}},
           {"in-crowd", {"board=square:3x3"}},
           {"taifas", {"board=square:3x3"}},
           {"go", {"board=square:3x3"}},
           {"dodgem", {"board=square:3x3"}},
           {"quixo", {"board=square:3x3"}},
           {"morris", {}},
           {"teeko", {"board=square:4x4"}}}) {
    const Variant v = game(name, settings);
    const Game what(v, v.rules().start());
    const auto solved = sure(method_of(MethodId::graph).solve(what, {}));
    const auto stored = static_cast<double>(solved->summary().stored);
    const auto reachable = static_cast<double>(solved->summary().statistics->reachable);
    const std::string words = name + " " + v.board().name();
    const Prediction bounds = predict(v, v.rules().start());
    EXPECT_LE(bounds.least_positions, reachable) << words;
    EXPECT_GE(bounds.most_positions, reachable) << words;
    const Estimate estimate = *sure(method_of(MethodId::graph).estimate(what, {}));
    if (estimate.at_most) continue;
    ++guessed;
    EXPECT_LE(estimate.positions, kErrs * stored) << words;
    EXPECT_GE(estimate.positions, stored / kErrs) << words;
  }
  EXPECT_GE(guessed, 5);
}

}  // namespace
}  // namespace plenum::variants_testing::choose_test
