// SPDX-License-Identifier: Apache-2.0
// For the tests of solver/: what several of them compare.
#pragma once

#include <gtest/gtest.h>

#include "solver/result/game_result.h"

namespace plenum::solver_testing {

inline void expect_equal(const Statistics& found, const Statistics& wanted) {
  EXPECT_EQ(found.reachable, wanted.reachable);
  EXPECT_EQ(found.canonical, wanted.canonical);
  EXPECT_EQ(found.ended, wanted.ended);
  EXPECT_EQ(found.first, wanted.first);
  EXPECT_EQ(found.second, wanted.second);
  EXPECT_EQ(found.tie, wanted.tie);
  EXPECT_EQ(found.cycle, wanted.cycle);
  EXPECT_EQ(found.forced_cycle, wanted.forced_cycle);
  EXPECT_EQ(found.margins, wanted.margins);
  EXPECT_EQ(found.ended_first, wanted.ended_first);
  EXPECT_EQ(found.ended_tie, wanted.ended_tie);
  EXPECT_EQ(found.ended_second, wanted.ended_second);
  EXPECT_EQ(found.moves, wanted.moves);
  EXPECT_EQ(found.most_moves, wanted.most_moves);
}

}  // namespace plenum::solver_testing
