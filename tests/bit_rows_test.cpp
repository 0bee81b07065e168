// SPDX-License-Identifier: Apache-2.0
// Solving games with cycles by bits, as a whole: values and counts against solving by rows (row_solver_test compares single positions),
// and what must not matter.
#include "solver/bits/bit_rows.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solver/rows/dense_rows.h"
#include "solver/rows/row_solver.h"
#include "tests/bit_rows_testing.h"
#include "tests/table_files.h"
#include "tests/variants_testing.h"

namespace plenum::bit_rows_test {
namespace {

using solver_testing::bit_rows_of;
using solver_testing::expect_tiers;
using solver_testing::expect_values;
using solver_testing::kStrange;
using variants_testing::game;
using variants_testing::made;
using variants_testing::sure;

// What was proven before a solve was stopped holds.
void expect_bounds(const Summary& found, const Summary& wanted) {
  const auto expect = [](const ProvenMargin& proven, const PositionValue& value) {
    EXPECT_LE(proven.least, value.margin.margin);
    EXPECT_GE(proven.greatest, value.margin.margin);
  };
  EXPECT_EQ(found.start_value.has_value(), !found.proven.has_value());
  if (found.proven) expect(*found.proven, *wanted.start_value);
  ASSERT_EQ(found.openings.size(), wanted.openings.size());
  for (std::size_t i = 0; i < found.openings.size(); ++i) {
    const Opening& one = found.openings[i];
    if (one.bounds) {
      expect(*one.bounds, wanted.openings[i].after);
    } else {
      EXPECT_EQ(one.after.margin, wanted.openings[i].after.margin);
    }
  }
}

// Counts of a tier, board by board.
BitTier counted(const RowGame& rows, const DenseValues& values, int stones, std::int64_t most) {
  BitTier out;
  std::uint64_t ties = 0;
  for (BlockIndex b = rows.index().first_block(stones); b < rows.index().first_block(stones + 1); ++b) {
    const Block& block = rows.index().blocks()[b];
    for (std::uint32_t state = 0; state < rows.states(); ++state) {
      for (BoardIndex i = block.base; i < block.base + rows.index().size(block); ++i) {
        const ValueByte code = values.codes[state][i];
        out.positions += block.sets;
        if (is_level(code) && (mover_ends(code) || other_ends(code))) ties += block.sets;
        for (std::int64_t t = 1; t <= most; ++t) {
          out.first_at_least[static_cast<std::uint64_t>(t)] += units_of(code) >= t ? block.sets : 0;
          out.second_at_least[static_cast<std::uint64_t>(t)] += units_of(code) <= -t ? block.sets : 0;
        }
      }
    }
  }
  out.tie = ties;
  return out;
}

void check(const Variant& variant) {
  SCOPED_TRACE(variant.identity().text);
  const auto rows = bit_rows_of(variant);
  BitRowOptions options;
  const auto found = sure(solve_bit_rows(rows, variant.rules().start(), options));
  expect_values(*found, *sure(solve_by_rows(rows, variant.rules().start(), {})));
  options.all_margins = true;
  const auto all = sure(solve_bit_rows(rows, variant.rules().start(), options));
  expect_values(*all, *found);
  EXPECT_TRUE(has_all_margins(all->summary()));
  DenseValues values;
  ASSERT_TRUE(solve_rows(*rows, {.facts = false, .plies = false}, nullptr, values, {}).ok());
  for (const BitTier& tier : all->tiers()) {
    const BitTier wanted = counted(*rows, values, tier.stones, BitQuestions::most_units(variant));
    EXPECT_EQ(tier.positions, wanted.positions);
    EXPECT_EQ(tier.first_at_least, wanted.first_at_least) << tier.stones;
    EXPECT_EQ(tier.second_at_least, wanted.second_at_least) << tier.stones;
    EXPECT_EQ(tier.tie, wanted.tie) << tier.stones;
  }
}

TEST(BitRows, AgreesWithRows) {
  for (const char* board : {"path:1", "path:6", "path:10", "square:2x5", "square:3x3", "hexhex:2", "king:3x3",
                            "cycle:7", "hexrect:3x3", "edges:a-b b-c c-d d-b d-e f"}) {
    const std::string on = std::string("board=") + board;
    check(game("populace", {on}));
    check(game("populace", {on, "move_to=no_drop"}));
    check(game("populace", {on, "threat=1", "move=off"}));
  }
  check(game("populace", {"board=square:2x4", "button=on"}));
  check(game("tapatan", {}));
  check(
      made("name = \"Set up\"\nextends = \"populace\"\n[options]\nboard = { default = \"square:2x3\" }\n[start]\n"
           "x = \"{a2 b2}\"\no = \"{a1 b1 a3 b3}\"\n"));
}

// Rows of many vectors: the masks, exchanges and counters of large tiers. Sixteen cells, 43 M boards.
TEST(LongBitRows, AgreesWithRows) {
  check(game("populace", {"board=square:4x4"}));
  check(game("populace", {"board=king:4x4", "threat=1"}));
  check(game("populace", {"board=square:3x5", "move_to=no_drop"}));
}

TEST(BitRows, AgreesOnStrangeRules) {
  for (const char* board : {"square:2x4", "path:7", "hexhex:2", "king:2x4"}) {
    const Variant variant = made(kStrange, {std::string("board=") + board});
    check(variant);
    const auto rows = bit_rows_of(variant);
    DenseValues values;
    ASSERT_TRUE(solve_rows(*rows, {}, nullptr, values, {}).ok());
    solver_testing::expect_bits_agree(*rows, values);
  }
}

TEST(BitRows, TheSameForAnyNumberOfThreads) {
  const Variant variant = game("populace", {"board=square:3x4"});
  const auto solve = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return sure(solve_bit_rows(bit_rows_of(variant), variant.rules().start(), {}));
  };
  const auto one = solve(1);
  const auto two = solve(2);
  expect_values(*one, *two);
  expect_tiers(*one, *two);
}

// Stopped after so many reports, again and again: the same in the end, and what was finished is not worked out again.
TEST(BitRows, WhatIsFinishedIsTakenUp) {
  const Variant variant = game("populace", {"board=square:3x3"});
  const auto rows = bit_rows_of(variant);
  const Position start = variant.rules().start();
  const auto wanted = sure(solve_bit_rows(rows, start, {}));
  const tables_testing::TestFolder folder;
  const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
  BitRowOptions options;
  options.checkpoint = &checkpoint;
  options.keep_after = std::chrono::seconds(0);
  int stopped = 0;
  int told = 0;  // of what was proven by then
  for (bool done = false; !done && stopped < 1000;) {
    int reports = 0;
    options.progress = [&](const DenseProgress&) { return ++reports < 40; };
    const auto found = solve_bit_rows(rows, start, options);
    done = found.ok() && !(*found)->summary().stopped;
    if (done) {
      expect_values(**found, *wanted);
      expect_tiers(**found, *wanted);
      continue;
    }
    if (found.ok()) {
      expect_bounds((*found)->summary(), wanted->summary());
      ++told;
    } else {
      ASSERT_EQ(found.status().code(), absl::StatusCode::kCancelled);
    }
    EXPECT_LE(checkpoint.finished().size(), 2U);  // a tier, and what is finished
    ++stopped;
  }
  EXPECT_GT(stopped, 3);
  EXPECT_GT(told, 0);
  // All is there now: nothing is reported.
  options.progress = [](const DenseProgress&) { return false; };
  expect_tiers(*sure(solve_bit_rows(rows, start, options)), *wanted);
}

// Stopped anywhere, and taken up with other thresholds to ask.
TEST(BitRows, IsTakenUpWithOtherMargins) {
  const Variant variant = game("populace", {"board=square:2x4"});
  const auto rows = bit_rows_of(variant);
  const Position start = variant.rules().start();
  for (const bool all_margins : {false, true}) {
    BitRowOptions options;
    options.all_margins = all_margins;
    const auto wanted = sure(solve_bit_rows(rows, start, options));
    int stopped = 0;
    for (bool done = false; !done; ++stopped) {
      const tables_testing::TestFolder folder;
      const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
      BitRowOptions first;
      first.all_margins = !all_margins;
      first.checkpoint = &checkpoint;
      first.keep_after = std::chrono::seconds(0);
      int reports = 0;
      first.progress = [&](const DenseProgress&) { return ++reports <= 8 * stopped; };
      const auto found = solve_bit_rows(rows, start, first);
      done = found.ok() && !(*found)->summary().stopped;
      options.checkpoint = &checkpoint;
      const auto taken_up = sure(solve_bit_rows(rows, start, options));
      expect_values(*taken_up, *wanted);
      expect_tiers(*taken_up, *wanted);
    }
    EXPECT_GT(stopped, 5);
  }
}

TEST(BitRows, KeepsToTheMemory) {
  const Variant variant = game("populace", {"board=square:4x4"});
  BitRowOptions options;
  options.memory_bytes = 1'000'000;
  const absl::Status refused = solve_bit_rows(bit_rows_of(variant), variant.rules().start(), options).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_EQ(std::string(refused.message()).rfind("memory: Populace on square:4x4 needs ", 0), 0U) << refused;
}

TEST(BitRows, SaysWhyNot) {
  const Variant variant = made(R"toml(
name = "Far"
[options]
board = { default = "path:14" }
[moves.drop]
to = "empty"
when = "any(mine) | !any(stones)"
[moves.slide]
from = "mine"
step = "adjacent"
to = "empty"
[moves.pass]
[end]
when = "passes == 2"
score = "count(mine)"
)toml");
  const auto rows = bit_rows_of(variant);
  EXPECT_EQ(solve_bit_rows(rows, variant.rules().start(), {}).status().message(),
            "whether a move is legal may depend on 14 cells at once, and on 12 at most that is worked out for a whole "
            "row of positions");
}

}  // namespace
}  // namespace plenum::bit_rows_test
