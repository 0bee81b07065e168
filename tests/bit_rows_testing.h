// SPDX-License-Identifier: Apache-2.0
// Solving by bits with cycles against solving by rows: every board in every state, at every threshold.
#pragma once

#include <array>

#include <gtest/gtest.h>

#include "solver/bits/bit_questions.h"
#include "solver/bits/bit_row_solver.h"
#include "solver/bits/bit_rows.h"
#include "solver/rows/row_solver.h"
#include "tests/variants_testing.h"

namespace plenum::solver_testing {

// Stones of either player may be moved and replaced, by one's own or the other's; passes depend on the board.
inline constexpr const char* kStrange = R"toml(
name = "Strange"
[options]
board = { default = "square:2x4" }
[moves.push]
from = "theirs & near(mine) > near(theirs)"
step = "adjacent"
to   = "empty"
[moves.pull]
from   = "mine"
within = "2"
to     = "empty & near(from) == 0"
[moves.give]
to  = "empty & near(theirs) > 1"
put = "theirs"
[moves.drop]
to = "empty & near(mine) < 2"
[moves.turn]
to  = "mine & near(theirs) > 1"
put = "theirs"
[moves.take]
to = "theirs & near(mine) > 1"
[moves.pass]
when = "count(mine) >= count(theirs)"
[end]
when  = "passes == 2"
score = "2 * count(mine) + count(empty & near(mine) > 1) + 1"
stuck = "ties"
)toml";

inline std::shared_ptr<const RowGame> bit_rows_of(const Variant& variant) {
  return std::make_shared<const RowGame>(variants_testing::sure(RowGame::make(variant, RowGame::By::bits)));
}

// Counts of every tier.
inline void expect_tiers(const BitGame& one, const BitGame& other) {
  ASSERT_EQ(one.tiers().size(), other.tiers().size());
  for (std::size_t i = 0; i < one.tiers().size(); ++i) {
    EXPECT_EQ(one.tiers()[i].positions, other.tiers()[i].positions) << i;
    EXPECT_EQ(one.tiers()[i].first_at_least, other.tiers()[i].first_at_least) << i;
    EXPECT_EQ(one.tiers()[i].second_at_least, other.tiers()[i].second_at_least) << i;
    EXPECT_EQ(one.tiers()[i].tie, other.tiers()[i].tie) << i;
  }
}

// Outcomes and margins: plies and forced cycles are not found by bits.
inline void expect_values(const GameResult& found, const GameResult& wanted) {
  const auto expect = [&](const PositionValue& f, const PositionValue& w, const std::string& what) {
    EXPECT_EQ(f.outcome, w.outcome) << what;
    EXPECT_EQ(f.margin, w.margin) << what;
    EXPECT_EQ(f.ended, w.ended) << what;
    EXPECT_EQ(f.first_ends, w.first_ends) << what;
    EXPECT_EQ(f.second_ends, w.second_ends) << what;
  };
  expect(found.start_value(), wanted.start_value(), "the start");
  ASSERT_EQ(found.openings().size(), wanted.openings().size());
  for (std::size_t i = 0; i < found.openings().size(); ++i)
    expect(found.openings()[i].after, wanted.openings()[i].after, found.openings()[i].text);
  ASSERT_EQ(found.pie().has_value(), wanted.pie().has_value());
  if (found.pie()) {
    EXPECT_EQ(found.pie()->margin, wanted.pie()->margin);
    EXPECT_EQ(found.pie()->openings, wanted.pie()->openings);
  }
}

// Positions whose value a threshold gets wrong.
inline std::uint64_t count_wrong(const RowGame& rows, const BitRowTier& tier, const DenseValues& values,
                                 std::int64_t threshold) {
  std::uint64_t wrong = 0;
  for (std::size_t k = 0; k < tier.deal().own(); ++k) {
    const std::size_t i = tier.deal().number(k);
    const Block& block = rows.index().blocks()[tier.first_block() + i];
    for (std::uint32_t state = 0; state < rows.states(); ++state) {
      for (std::uint64_t row = 0; row < std::uint64_t{1} << tier.stones(); ++row) {
        Position p;
        rows.index().read_layer(rows.layer(state, 0), p);
        RowRules::planes(block.set, row, p.planes.data());
        const DenseIndex::Place place = rows.index().place(p);
        const ValueByte code = values.codes[place.layer][place.board];
        const std::int64_t units = units_of(code);
        const bool mover = threshold > 0 ? units >= threshold : units > 0 || (is_level(code) && mover_ends(code));
        const bool other = threshold > 0 ? units <= -threshold : units < 0 || (is_level(code) && other_ends(code));
        wrong += forced_in(rows, tier, p, p.mover) != mover ? 1 : 0;
        wrong += forced_in(rows, tier, p, plenum::other(p.mover)) != other ? 1 : 0;
      }
    }
  }
  return wrong;
}

// Of several ranks, each looks at its own. `copies_take`: bytes (BitRowSolver).
inline void expect_bits_agree(const RowGame& rows, const DenseValues& values, Ranks& ranks = Ranks::alone(),
                              std::uint64_t copies_take = ~std::uint64_t{0}) {
  ASSERT_FALSE(RowMasks::obstacle(rows.rules())) << *RowMasks::obstacle(rows.rules());
  const BitRowRules rules(rows);
  ObjectPool<BitRowWorker> workers([&] { return std::make_unique<BitRowWorker>(rules); });
  const std::int64_t most = BitQuestions::most_units(rows.variant());
  // Whole blocks alone, changes followed back from the first, and as it is.
  constexpr std::array<double, 3> kFollowBack = {0.0, 1e9, 0.6};
  for (std::int64_t threshold = 0; threshold <= most; threshold += threshold < 12 ? 1 : 7) {
    BitRowTier above;
    for (int stones = rows.index().cells(); stones >= 0; --stones) {
      BitRowTier tier(rows, stones, ranks);
      BitRowSolver solver(rules, threshold, stones < rows.index().cells() ? &above : nullptr, tier, workers);
      solver.follow_back_below(kFollowBack[static_cast<std::size_t>(threshold + stones) % kFollowBack.size()]);
      solver.let_copies_take(copies_take);
      const absl::Status solved = solver.solve([] { return true; });
      ASSERT_TRUE(solved.ok()) << solved;
      ASSERT_EQ(count_wrong(rows, tier, values, threshold), 0U)
          << rows.variant().identity().text << " with " << stones << " stones, at least " << threshold;
      above = std::move(tier);
    }
  }
}

}  // namespace plenum::solver_testing
