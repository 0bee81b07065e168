// SPDX-License-Identifier: Apache-2.0
// Solving by bits with cycles against solving by rows: every board in every state, at every threshold.
#pragma once

#include <array>

#include <gtest/gtest.h>

#include "solver/bits/bit_questions.h"
#include "solver/bits/bit_row_solver.h"
#include "solver/rows/row_solver.h"

namespace plenum::solver_testing {

// Positions whose value a threshold gets wrong.
inline std::uint64_t count_wrong(const RowGame& rows, const BitRowTier& tier, const DenseValues& values,
                                 std::int64_t threshold) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < tier.blocks(); ++i) {
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

inline void expect_bits_agree(const RowGame& rows, const DenseValues& values) {
  ASSERT_FALSE(RowMasks::obstacle(rows.rules())) << *RowMasks::obstacle(rows.rules());
  const BitRowRules rules(rows);
  ObjectPool<BitRowWorker> workers([&] { return std::make_unique<BitRowWorker>(rules); });
  const std::int64_t most = BitQuestions::most_units(rows.variant());
  // Whole blocks alone, changes followed back from the first, and as it is.
  constexpr std::array<double, 3> kFollowBack = {0.0, 1e9, 0.6};
  for (std::int64_t threshold = 0; threshold <= most; threshold += threshold < 12 ? 1 : 7) {
    BitRowTier above;
    for (int stones = rows.index().cells(); stones >= 0; --stones) {
      BitRowTier tier(rows, stones);
      BitRowSolver solver(rules, threshold, stones < rows.index().cells() ? &above : nullptr, tier, workers);
      solver.follow_back_below(kFollowBack[static_cast<std::size_t>(threshold + stones) % kFollowBack.size()]);
      const absl::Status solved = solver.solve([] { return true; });
      ASSERT_TRUE(solved.ok()) << solved;
      ASSERT_EQ(count_wrong(rows, tier, values, threshold), 0U)
          << rows.variant().identity().text << " with " << stones << " stones, at least " << threshold;
      above = std::move(tier);
    }
  }
}

}  // namespace plenum::solver_testing
