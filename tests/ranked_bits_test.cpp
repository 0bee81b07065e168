// SPDX-License-Identifier: Apache-2.0
// Placing games by bits by several ranks, against the same by one process: counts of every tier, openings, pieces of checkpoints.
#include <atomic>

#include <gtest/gtest.h>

#include "solver/bits/bit_pass.h"
#include "solver/bits/bit_states.h"
#include "tests/bit_games.h"
#include "tests/table_files.h"
#include "tests/thread_ranks.h"
#include "tests/variants_testing.h"

namespace plenum::ranked_bits_test {
namespace {

using bits_testing::expect_same;
using variants_testing::game;
using variants_testing::sure;

struct Case {
  const char* name;
  std::vector<std::string> settings;
};
// One state and several, level and not, ends before the board is full; tiers of many pieces of memory and of one.
const std::vector<Case> kCases = {
    {"taifas", {"board=square:3x3"}}, {"taifas", {"board=square:3x4", "pie=off"}},
    {"mnk", {"board=square:3x4"}},    {"tic-tac-toe", {}},
    {"taifas", {"board=square:2x7"}}, {"wild-tic-tac-toe", {}},
};

TEST(RankedBits, AreThoseOfOneProcess) {
  int solved = 0;
  for (const Case& c : kCases) {
    const Variant variant = game(c.name, c.settings);
    const Position start = variant.rules().start();
    if (bits_obstacle(variant, start)) continue;
    ++solved;
    const auto wanted = sure(solve_bits(variant, start, {}));
    for (const int size : {2, 3, 5}) {
      SCOPED_TRACE(std::string(c.name) + " by " + std::to_string(size));
      on_ranks(size, [&](Ranks& ranks) {
        BitOptions options;
        options.ranks = &ranks;
        expect_same(*sure(solve_bits(variant, start, options)), *wanted);
      });
    }
  }
  EXPECT_GE(solved, 4);
}

// Before anything is solved, whichever rank has too little.
TEST(RankedBits, TooLittleMemoryIsRefusedAtOnce) {
  const Variant variant = game("taifas", {"board=square:4x5"});
  const Position start = variant.rules().start();
  const std::uint64_t least = predict_bits(variant, start, 3).bytes;
  EXPECT_LT(least, predict_bits(variant, start, 1).bytes + kBitsFetchBytes);
  std::atomic<int> reports = 0;
  on_ranks(3, [&](Ranks& ranks) {
    BitOptions options;
    options.ranks = &ranks;
    options.memory_bytes = ranks.rank() == 1 ? least - least / 20 : 2 * least;  // enough for the first tiers
    options.progress = [&](const DenseProgress&) { return ++reports > 0; };
    const auto found = solve_bits(variant, start, options);
    EXPECT_EQ(found.status().code(), absl::StatusCode::kResourceExhausted) << found.status();
  });
  EXPECT_EQ(reports, 0);
}

TEST(RankedBits, WhatThreeBeganTwoTakeUp) {
  const Variant variant = game("taifas", {"board=square:3x4"});
  const Position start = variant.rules().start();
  const auto wanted = sure(solve_bits(variant, start, {}));
  const tables_testing::TestFolder folder;
  const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
  int stopped = 0;
  for (bool done = false; !done;) {
    const int size = stopped % 2 == 0 ? 3 : 2;
    std::atomic<int> finished = 0;
    on_ranks(size, [&](Ranks& ranks) {
      BitOptions options;
      options.ranks = &ranks;
      options.checkpoint = &checkpoint;
      int reports = 0;
      options.progress = [&](const DenseProgress&) { return ++reports < 4; };
      const auto found = solve_bits(variant, start, options);
      if (found.ok()) {
        expect_same(**found, *wanted);
        ++finished;
      } else {
        EXPECT_EQ(found.status().code(), absl::StatusCode::kCancelled);
      }
    });
    EXPECT_TRUE(finished == 0 || finished == size);
    done = finished == size;
    stopped += done ? 0 : 1;
    ASSERT_LT(stopped, 100);
  }
  EXPECT_GT(stopped, 2);
}

TEST(RankedBits, PiecesAreThoseOfOneProcess) {
  const Variant variant = game("taifas", {"board=square:3x4"});
  const Position start = variant.rules().start();
  const tables_testing::TestFolder folder;
  const Checkpoint one = sure(Checkpoint::open(folder / "one", "this game"));
  const Checkpoint three = sure(Checkpoint::open(folder / "three", "this game"));
  const auto stop_early = [](BitOptions& options, int& reports) {
    options.progress = [&reports](const DenseProgress& p) {
      reports += 1;
      return p.stones > 8;
    };
  };
  int reports = 0;
  BitOptions alone;
  alone.checkpoint = &one;
  stop_early(alone, reports);
  EXPECT_FALSE(solve_bits(variant, start, alone).ok());
  on_ranks(3, [&](Ranks& ranks) {
    int own_reports = 0;
    BitOptions options;
    options.ranks = &ranks;
    options.checkpoint = &three;
    stop_early(options, own_reports);
    EXPECT_FALSE(solve_bits(variant, start, options).ok());
  });
  ASSERT_FALSE(one.finished().empty());
  ASSERT_EQ(one.finished(), three.finished());
  for (const std::string& name : one.finished()) {
    EXPECT_EQ(tables_testing::contents(one.folder() + "/" + name + ".piece"),
              tables_testing::contents(three.folder() + "/" + name + ".piece"));
  }
}

}  // namespace
}  // namespace plenum::ranked_bits_test
