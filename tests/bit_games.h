// SPDX-License-Identifier: Apache-2.0
// A game solved by bits against the same solved otherwise: value, openings, counts of every tier.
#pragma once

#include <gtest/gtest.h>

#include "solver/bits/bit_pass.h"

namespace plenum::bits_testing {

inline void expect_same(const BitGame& one, const BitGame& other) {
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

}  // namespace plenum::bits_testing
