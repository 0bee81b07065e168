// SPDX-License-Identifier: Apache-2.0
// Solving by rows by several ranks: what one process finds, to the last byte.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "solver/rows/row_mirror.h"
#include "solver/support/memory.h"
#include "tests/ranked_testing.h"
#include "tests/sanitized.h"
#include "tests/stuck_game.h"

namespace plenum::ranked_rows_test {
namespace {

using ranked_testing::check_going_on;
using ranked_testing::check_ranks;
using ranked_testing::check_refusal;
using variants_testing::game;
using variants_testing::sure;

TEST(RowDeal, EveryBlockIsOnesOwn) {
  for (int ranks = 1; ranks <= 6; ++ranks) {
    for (std::size_t blocks = 0; blocks < 300; blocks += blocks < 20 ? 1 : 37) {
      std::vector<int> times(blocks, 0);
      std::size_t most = 0;
      std::size_t fewest = blocks;
      for (int rank = 0; rank < ranks; ++rank) {
        const RowDeal deal(blocks, rank, ranks);
        most = std::max(most, deal.own());
        fewest = std::min(fewest, deal.own());
        for (std::size_t k = 0; k < deal.own(); ++k) {
          const std::size_t number = deal.number(k);
          ASSERT_LT(number, blocks);
          ++times[number];
          EXPECT_EQ(deal.owner(number), static_cast<std::size_t>(rank));
          EXPECT_TRUE(deal.is_own(number));
          EXPECT_EQ(deal.local(number), k);
        }
        std::set<std::size_t> own;
        std::set<std::size_t> others;
        deal.for_own([&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) own.insert(i);
        });
        deal.for_others([&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i) others.insert(i);
        });
        EXPECT_EQ(own.size(), deal.own());
        EXPECT_EQ(own.size() + others.size(), blocks);
        for (const std::size_t i : own) EXPECT_TRUE(deal.is_own(i));
        for (const std::size_t i : others) EXPECT_FALSE(deal.is_own(i));
      }
      for (const int n : times) EXPECT_EQ(n, 1);
      EXPECT_LE(most - std::min(most, fewest), blocks / 16 + 1);
    }
  }
}

void check(const std::string& name, const std::vector<std::string>& settings) {
  check_ranks(row_method(), game(name, settings));
}

TEST(RankedRows, OneProcessFindsTheSame) {
  for (const char* board : {"path:1", "path:5", "square:3x3", "hexhex:2", "edges:a-b b-c c-d d-b d-e f"}) {
    const std::string on = std::string("board=") + board;
    check("populace", {on});
    check("populace", {on, "button=on"});
    check("populace", {on, "move_to=no_drop"});
    check("populace", {on, "threat=1", "move=off"});
  }
  check("populace", {"board=square:3x4"});
  check("populace", {"board=king:3x4", "button=on"});
  check("tic-tac-toe", {});
  check("tapatan", {});
  check("snort", {});
  check("col", {});
  check("connect-4", {"board=square:4x3"});
}

TEST(RankedRows, ValuesAlone) {
  Request request;
  request.wanted.remoteness = false;
  check_ranks(row_method(), game("populace", {"board=square:3x3", "button=on"}), request);
  check_ranks(row_method(), game("tapatan", {}), request);
}

// What has been noted ends it, without a pass.
constexpr const char* kTwice = R"toml(
name = "Twice"
[state]
once  = { type = "bool" }
twice = { type = "bool" }
last  = { type = "player" }
[options]
board = { default = "square:2x3" }
[moves.place]
to = "empty & near(theirs) == 0"
[moves.slide]
from = "mine"
step = "adjacent"
to   = "empty"
then = ["twice = once", "once = true", "last = me"]
[end]
when  = "twice"
score = "count(mine) + (if last == me then 1/2 else 0)"
stuck = "loses"
)toml";

TEST(RankedRows, PassesStatesAndEnds) {
  check_ranks(row_method(), variants_testing::made(variants_testing::kStuckAfterPass, {"board=square:2x3"}));
  check_ranks(row_method(), variants_testing::made(variants_testing::kStuckAfterPass, {"board=cycle:6"}));
  check_ranks(row_method(), variants_testing::made(std::string(variants_testing::kStuckAfterPass) +
                                                       "[start]\nx = \"{2 3 4}\"\no = \"{1 5}\"\n",
                                                   {"board=path:5"}));
  check_ranks(row_method(), variants_testing::made(kTwice));
}

TEST(RankedRows, AStoppedSolveGoesOnWithOtherRanks) {
  EXPECT_GT(check_going_on(row_method(), game("populace", {"board=square:3x3", "button=on"}), 5), 10);
  EXPECT_GT(check_going_on(row_method(), game("tapatan", {}), 5), 5);
}

TEST(RankedRows, RefusesWhatDoesNotFit) { check_refusal(row_method(), game("populace", {"board=square:4x5"})); }

// Memory of each of more ranks is less, and what they send more.
TEST(RankedRows, EachTakesItsShare) {
  const Variant variant = game("populace", {"board=hexhex:3"});
  const Game own(variant, variant.rules().start());
  const double base = kSanitized ? static_cast<double>(base_memory()) : 0;  // sanitizers hold memory of their own
  double before = 0;
  for (const int ranks : {1, 2, 4, 8}) {
    Wanted wanted;
    wanted.ranks = ranks;
    const auto estimate = sure(row_method().estimate(own, wanted));
    ASSERT_TRUE(estimate);
    if (ranks == 1) {
      EXPECT_EQ(estimate->sent_bytes, 0);
    } else {
      EXPECT_GT(estimate->sent_bytes, 0);
      EXPECT_LT(estimate->bytes - base, (ranks == 2 ? 0.6 : 0.75) * before);
    }
    before = estimate->bytes - base;
  }
}

}  // namespace
}  // namespace plenum::ranked_rows_test
