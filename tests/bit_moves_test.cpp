// SPDX-License-Identifier: Apache-2.0
// Sets of cells up to symmetry in the order in which bits take them, and masks of moves, set by set and bit by bit.
#include "solver/bits/bit_moves.h"

#include <bit>
#include <random>

#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>

#include "solver/bits/bit_sets.h"
#include "tests/variants_testing.h"

namespace plenum::bit_moves_test {
namespace {

using variants_testing::game;

// Classes of sets: each has its least key's set, all are there, and what is let go is needed by none that follow.
TEST(BitSets, LetGoOnlyWhatIsNotNeeded) {
  for (const char* board : {"square:3x3", "square:4x3", "hexhex:2", "path:7", "edges:a-b b-c c-d d-b d-e f"}) {
    const Variant variant = game("taifas", {absl::StrCat("board=", board)});
    for (const bool later : {false, true}) {
      Position start = variant.rules().start();
      if (later) start.planes[0] = 1;
      const CellSet kept = start.planes[0];
      const BitSets sets(variant, start);
      for (int cells = std::popcount(kept); cells <= variant.board().size(); ++cells) {
        const BitSets::Tier tier = sets.tier(cells);
        EXPECT_EQ(tier.size(), sets.classes(cells));
        std::vector<std::uint32_t> members(tier.size(), 0);
        for (CellSet set = 0; set <= variant.board().all(); ++set) {
          if (std::popcount(set) != cells || (kept & ~set) != 0) continue;
          ++members[tier.number(set)];
          EXPECT_EQ(sets.apply(tier.to_class(set), set), tier.set(tier.number(set)));
        }
        for (std::uint32_t n = 0; n < tier.size(); ++n) EXPECT_EQ(members[n], tier.sets(n));
        if (cells == variant.board().size()) continue;
        const BitSets::Tier next = sets.tier(cells + 1);
        for (std::uint32_t n = 0; n < tier.size(); ++n) {
          for (CellSet free = variant.board().all() & ~tier.set(n); free != 0; free &= free - 1)
            EXPECT_GE(next.number(tier.set(n) | (free & -free)), next.first_needed(tier, n));
        }
        EXPECT_EQ(next.first_needed(tier, tier.size()), next.size());
      }
    }
  }
}

// Masks by cells, spelled along axes.
TEST(BitMoves, SpellsMasks) {
  std::mt19937_64 random(5);
  for (int n = 0; n < 300; ++n) {
    const int axes = kVectorAxes + static_cast<int>(random() % 3);
    BitMask mask;
    std::array<std::uint8_t, BitMask::kAdded + 1> axis_of = {};
    std::vector<std::uint8_t> chosen;
    for (int axis = 0; axis < axes; ++axis) {
      if (random() % 2 == 0) continue;
      axis_of[mask.cells.size() * 2] = static_cast<std::uint8_t>(axis);
      mask.cells.push_back(static_cast<std::uint8_t>(mask.cells.size() * 2));
      chosen.push_back(static_cast<std::uint8_t>(axis));
    }
    // Some of the cells decide.
    const std::uint64_t matters = random() & random();
    const auto truth = [&](std::uint64_t x) { return ((x & matters) * 0x9E3779B97F4A7C15 >> 61) > 2; };
    mask.bits.assign((((std::size_t{1} << chosen.size()) + 63) / 64), 0);
    for (std::uint64_t x = 0; x < std::uint64_t{1} << chosen.size(); ++x)
      mask.bits[x / 64] |= (truth(x) ? std::uint64_t{1} : 0) << (x % 64);
    mask.simplify();
    EXPECT_LE(mask.cells.size(), static_cast<std::size_t>(std::popcount(matters)));
    BitMaskVectors spelled;
    spelled.spell(mask, axis_of);
    for (std::uint64_t at = 0; at < std::uint64_t{1} << axes; ++at) {
      std::uint64_t x = 0;
      for (std::size_t k = 0; k < chosen.size(); ++k) x |= (at >> chosen[k] & 1) << k;
      std::size_t vector = 0;
      for (int axis = kVectorAxes; axis < axes; ++axis) {
        if ((at >> axis & 1) != 0) vector += spelled.weight[static_cast<std::size_t>(axis)];
      }
      const std::uint64_t word = spelled.words[vector * kVectorWords + at / 64 % kVectorWords];
      ASSERT_EQ((word >> (at % 64) & 1) != 0, truth(x)) << n;
      if (truth(x)) {
        ASSERT_NE(spelled.nonzero[vector], 0);
      }
    }
  }
}

}  // namespace
}  // namespace plenum::bit_moves_test
