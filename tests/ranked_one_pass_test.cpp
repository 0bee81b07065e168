// SPDX-License-Identifier: Apache-2.0
// Solving in one pass by several ranks: what one process finds, to the last byte.
#include <numeric>

#include <gtest/gtest.h>

#include "solver/dense/stripes.h"
#include "tests/ranked_testing.h"

namespace plenum::ranked_one_pass_test {
namespace {

using ranked_testing::check_going_on;
using ranked_testing::check_ranks;
using ranked_testing::check_refusal;
using variants_testing::game;

// Bytes that tell where they are; of others' there is nothing but what was added.
TEST(Stripes, FetchAndDeliver) {
  for (const int size : {1, 2, 3, 5}) {
    on_ranks(size, [&](Ranks& ranks) {
      constexpr std::uint64_t kLength = 1000;
      const Stripes stripes = Stripes(8, ranks).scaled(2, 1);
      std::vector<BigBytes> arrays;
      std::vector<BigBytes*> list;
      for (int k = 0; k < 2; ++k) arrays.emplace_back(kLength, BigBytes::Pages::small);
      for (BigBytes& bytes : arrays) list.push_back(&bytes);
      const auto byte = [](std::size_t k, std::uint64_t i) { return static_cast<std::uint8_t>(1 + (i * 7 + k) % 251); };
      std::uint64_t own = 0;
      stripes.for_own(0, kLength, [&](std::uint64_t from, std::uint64_t to) {
        own += to - from;
        for (std::uint64_t i = from; i < to; ++i) {
          EXPECT_TRUE(stripes.is_own(i));
          for (std::size_t k = 0; k < 2; ++k) arrays[k][i] = byte(k, i);
        }
      });
      EXPECT_EQ(ranks.sum(own), kLength);
      fetch_stripes(ranks, stripes, 37, 901, list);
      for (std::uint64_t i = 0; i < kLength; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
          const bool there = stripes.is_own(i) || (i >= 37 && i < 901);
          ASSERT_EQ(arrays[k][i], there ? byte(k, i) : 0) << i;
        }
      }
      release_stripes(stripes, 37, 901, list);
      for (std::uint64_t i = 0; i < kLength; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
          ASSERT_EQ(arrays[k][i], stripes.is_own(i) ? byte(k, i) : 0) << i;
          arrays[k][i] = 0;
        }
      }
      // Every rank adds a bit of its own, some to each.
      for (std::uint64_t i = 10; i < 500; i += 3)
        arrays[i % 2][i] = static_cast<std::uint8_t>(arrays[i % 2][i] | 1U << ranks.rank());
      deliver_stripes(ranks, stripes, 10, 500, list);
      for (std::uint64_t i = 0; i < kLength; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
          const bool added = stripes.is_own(i) && i >= 10 && i < 500 && (i - 10) % 3 == 0 && i % 2 == k;
          ASSERT_EQ(arrays[k][i], added ? (1 << size) - 1 : 0) << i;
        }
      }
    });
  }
}

void check(const std::string& name, const std::vector<std::string>& settings) {
  check_ranks(one_pass_method(), game(name, settings));
}

TEST(RankedOnePass, OneProcessFindsTheSame) {
  check("cascade", {"board=square:3x2"});
  check("taifas", {"board=square:3x3"});
  check("in-crowd", {"board=square:3x3"});
  check("othello", {"board=square:3x3"});
  check("domineering", {});
  check("cram", {});
  check("col", {});
  check("wild-tic-tac-toe", {});
  check("notakto", {});
  check("connect-4", {"board=square:4x3"});
  check("isolation", {});
  check("dawsons-chess", {});
}

TEST(RankedOnePass, ValuesAlone) {
  Request request;
  request.wanted.remoteness = false;
  check_ranks(one_pass_method(), game("taifas", {"board=square:3x3"}), request);
  check_ranks(one_pass_method(), game("domineering", {}), request);
}

TEST(RankedOnePass, AStoppedSolveGoesOnWithOtherRanks) {
  EXPECT_GT(check_going_on(one_pass_method(), game("taifas", {"board=square:3x3"}), 2), 10);
  EXPECT_GT(check_going_on(one_pass_method(), game("othello", {"board=square:3x3"}), 1), 10);
  EXPECT_GT(check_going_on(one_pass_method(), game("domineering", {}), 1), 5);
}

TEST(RankedOnePass, RefusesWhatDoesNotFit) { check_refusal(one_pass_method(), game("taifas", {"board=square:4x4"})); }

}  // namespace
}  // namespace plenum::ranked_one_pass_test
