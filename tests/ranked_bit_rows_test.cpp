// SPDX-License-Identifier: Apache-2.0
// Games with cycles by bits by several ranks: every board at every threshold against rows, and summaries and checkpoints against one process.
#include <array>
#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "tests/bit_rows_testing.h"
#include "tests/ranked_testing.h"
#include "tests/sanitized.h"

namespace plenum::ranked_bit_rows_test {
namespace {

using ranked_testing::pieces_of;
using solver_testing::bit_rows_of;
using solver_testing::expect_tiers;
using solver_testing::expect_values;
using solver_testing::kStrange;
using variants_testing::game;
using variants_testing::made;
using variants_testing::sure;

// Numbers of ranks, and of boards: the first so many.
const std::vector<int> kSizes = kSanitized ? std::vector<int>{3} : std::vector<int>{2, 3, 5};
constexpr std::size_t kBoards = kSanitized ? 1 : 4;

void check_boards(const Variant& variant) {
  SCOPED_TRACE(variant.identity().text);
  const auto rows = bit_rows_of(variant);
  DenseValues values;
  ASSERT_TRUE(solve_rows(*rows, {.facts = false, .plies = false}, nullptr, values, {}).ok());
  for (const int size : kSizes) {
    // With copies of all that is read, and in rounds.
    for (const std::uint64_t copies_take : {~std::uint64_t{0}, std::uint64_t{0}}) {
      SCOPED_TRACE(std::to_string(size) + (copies_take == 0 ? " in rounds" : " with copies"));
      on_ranks(size, [&](Ranks& ranks) {
        const auto own = bit_rows_of(variant);
        solver_testing::expect_bits_agree(*own, values, ranks, copies_take);
      });
    }
  }
}

TEST(RankedBitRows, AgreeWithRows) {
  const std::array<const char*, 4> boards = {"path:7", "square:3x3", "king:2x5", "edges:a-b b-c c-d d-b d-e f"};
  for (std::size_t k = 0; k < kBoards; ++k) {
    const std::string on = std::string("board=") + boards[k];
    check_boards(game("populace", {on}));
    check_boards(game("populace", {on, "move_to=no_drop", "button=on"}));
  }
  check_boards(game("tapatan", {}));
}

TEST(RankedBitRows, AgreeOnStrangeRules) {
  for (const char* board : {"square:2x4", "path:7", "king:2x4"})
    check_boards(made(kStrange, {std::string("board=") + board}));
}

// Least memory and all that there is; margins of all positions.
TEST(RankedBitRows, SummariesAreThoseOfOneProcess) {
  for (const Variant& variant : {game("populace", {"board=square:3x4"}), game("tapatan", {}),
                                 game("populace", {"board=hexhex:2", "threat=1"})}) {
    SCOPED_TRACE(variant.identity().text);
    const Position start = variant.rules().start();
    BitRowOptions alone;
    alone.all_margins = true;
    const auto wanted = sure(solve_bit_rows(bit_rows_of(variant), start, alone));
    for (const int size : kSizes) {
      for (const bool little : {false, true}) {
        SCOPED_TRACE(size);
        const std::uint64_t least = predict_bit_rows(*bit_rows_of(variant), start, {true, false, size}).bytes;
        on_ranks(size, [&](Ranks& ranks) {
          BitRowOptions options = alone;
          options.ranks = &ranks;
          // The root has room for copies; the others have not.
          if (little && !ranks.root()) options.memory_bytes = least;
          const auto found = sure(solve_bit_rows(bit_rows_of(variant), start, options));
          expect_values(*found, *wanted);
          expect_tiers(*found, *wanted);
        });
      }
    }
  }
}

// Stopped again and again, and taken up by another number of ranks.
TEST(RankedBitRows, WhatThreeBeganTwoTakeUp) {
  const Variant variant = game("populace", {"board=square:3x3"});
  const Position start = variant.rules().start();
  const tables_testing::TestFolder folder;
  const Checkpoint one = sure(Checkpoint::open(folder / "one", "this game"));
  BitRowOptions alone;
  alone.checkpoint = &one;
  alone.keep_after = std::chrono::seconds(0);
  const auto wanted = sure(solve_bit_rows(bit_rows_of(variant), start, alone));
  const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
  const std::vector<int> sizes = {3, 2, 1, 5};
  int stopped = 0;
  for (bool done = false; !done && stopped < 1000;) {
    const int size = sizes[static_cast<std::size_t>(stopped) % sizes.size()];
    std::atomic<int> finished = 0;
    on_ranks(size, [&](Ranks& ranks) {
      BitRowOptions options = alone;
      options.ranks = &ranks;
      options.checkpoint = &checkpoint;
      int reports = 0;
      options.progress = [&](const DenseProgress&) { return ++reports < 40; };
      const auto found = solve_bit_rows(bit_rows_of(variant), start, options);
      if (found.ok() && !(*found)->summary().stopped) {
        expect_values(**found, *wanted);
        expect_tiers(**found, *wanted);
        ++finished;
      } else if (!found.ok()) {
        EXPECT_EQ(found.status().code(), absl::StatusCode::kCancelled) << found.status();
      }
    });
    EXPECT_TRUE(finished == 0 || finished == size);
    done = finished == size;
    stopped += done ? 0 : 1;
  }
  EXPECT_GT(stopped, 3);
  EXPECT_LT(stopped, 1000);
  EXPECT_TRUE(pieces_of(checkpoint) == pieces_of(one));
}

TEST(RankedBitRows, RefusesWhatDoesNotFit) {
  const Variant variant = game("populace", {"board=square:4x4"});
  ranked_testing::check_refusal(bit_method(), variant);
}

}  // namespace
}  // namespace plenum::ranked_bit_rows_test
