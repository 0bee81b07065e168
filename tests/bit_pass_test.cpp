// SPDX-License-Identifier: Apache-2.0
// Solving by bits against solving in one pass, every position of every tier, and counts; and what must not matter.
#include "solver/bit_pass.h"

#include <bit>
#include <map>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solver/one_pass.h"
#include "tests/table_files.h"
#include "tests/variants_testing.h"
#include "variants/placing_rules.h"

namespace plenum {
namespace {

using variants_testing::game;
using variants_testing::made;
using variants_testing::sure;

void expect_same(const BitGame& one, const BitGame& other) {
  EXPECT_EQ(one.start_value().margin, other.start_value().margin);
  ASSERT_EQ(one.openings().size(), other.openings().size());
  for (std::size_t i = 0; i < one.openings().size(); ++i)
    EXPECT_EQ(one.openings()[i].after.margin, other.openings()[i].after.margin);
  ASSERT_EQ(one.tiers().size(), other.tiers().size());
  for (std::size_t i = 0; i < one.tiers().size(); ++i) {
    EXPECT_EQ(one.tiers()[i].first, other.tiers()[i].first) << i;
    EXPECT_EQ(one.tiers()[i].second, other.tiers()[i].second) << i;
    EXPECT_EQ(one.tiers()[i].level, other.tiers()[i].level) << i;
    EXPECT_EQ(one.tiers()[i].ended, other.tiers()[i].ended) << i;
  }
}

void check(const Variant& variant, const Position& start) {
  const auto wanted = sure(solve_one_pass(variant, start, {}));
  const RuleSet& rules = variant.rule_set();
  std::map<int, BitTier> counted;
  BitOptions options;
  options.visit = [&](int stones, const std::vector<Position>& states, const ValueFn& value) {
    BitTier& tier = counted[stones];
    const CellSet all = variant.board().all();
    const CellSet kept = start.planes[0] | start.planes[1];
    for (CellSet set = 0; set <= all; ++set) {
      if (std::popcount(set) != stones || (kept & ~set) != 0) continue;
      for (CellSet firsts = set;; firsts = (firsts - 1) & set) {
        for (const Position& state : states) {
          const Position p = PlacingRules::position(set, firsts, state);
          const auto right = wanted->value(p);
          const PositionValue found = value(p);
          ++tier.positions;
          const Outcome outcome = found.outcome;
          ++(outcome == Outcome::first ? tier.first : outcome == Outcome::second ? tier.second : tier.level);
          if (found.ended) ++tier.ended;
          if (!right.ok()) continue;  // where it makes no sense
          ASSERT_EQ(found.outcome, right->outcome) << to_text(rules, p);
          ASSERT_EQ(found.margin, right->margin) << to_text(rules, p);
          ASSERT_EQ(found.ended, right->ended) << to_text(rules, p);
          ASSERT_EQ(found.first_ends, right->first_ends) << to_text(rules, p);
          ASSERT_EQ(found.second_ends, right->second_ends) << to_text(rules, p);
        }
        if (firsts == 0) break;
      }
    }
  };
  const auto found = sure(solve_bits(variant, start, options));
  EXPECT_EQ(found->start_value().margin, wanted->start_value().margin);
  ASSERT_EQ(found->openings().size(), wanted->openings().size());
  for (std::size_t i = 0; i < found->openings().size(); ++i) {
    EXPECT_EQ(found->openings()[i].text, wanted->openings()[i].text);
    EXPECT_EQ(found->openings()[i].after.margin, wanted->openings()[i].after.margin);
  }
  ASSERT_EQ(found->pie().has_value(), wanted->pie().has_value());
  if (found->pie()) {
    EXPECT_EQ(found->pie()->openings, wanted->pie()->openings);
  }
  ASSERT_EQ(found->tiers().size(), counted.size());
  for (const BitTier& tier : found->tiers()) {
    const BitTier& own = counted[tier.stones];
    EXPECT_EQ(tier.positions, own.positions) << tier.stones;
    EXPECT_EQ(tier.first, own.first) << tier.stones;
    EXPECT_EQ(tier.second, own.second) << tier.stones;
    EXPECT_EQ(tier.level, own.level) << tier.stones;
    EXPECT_EQ(tier.first + tier.second + tier.level, tier.positions);
  }
}

void check(const std::string& name, const std::vector<std::string>& settings) {
  SCOPED_TRACE(absl::StrCat(name, " ", absl::StrJoin(settings, " ")));
  const Variant variant = game(name, settings);
  check(variant, variant.rules().start());
}

TEST(BitPass, AgreesWithOnePass) {
  for (const char* board : {"square:1x1", "square:2x1", "square:2x2", "square:3x2", "square:3x3", "path:7", "hexhex:2",
                            "square:5x2", "king:3x3", "edges:a-b b-c c-d d-b d-e f"}) {
    check("taifas", {absl::StrCat("board=", board)});
  }
  check("tic-tac-toe", {});
  check("tic-tac-toe", {"misere=on"});
  check("mnk", {"board=square:4x3", "k=3"});
  check("mnk", {"board=hexrect:3x3", "k=3", "misere=on"});
}

}  // namespace
}  // namespace plenum
