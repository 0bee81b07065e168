// SPDX-License-Identifier: Apache-2.0
// Solving in one pass by several ranks: what one process finds, to the last byte.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "solver/dense/stripes.h"
#include "solver/one_pass/one_pass_samples.h"
#include "solver/one_pass/one_pass_window.h"
#include "tables/index/dense_batch.h"
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
      std::vector<std::uint64_t> begins(125);
      for (std::size_t k = 0; k < begins.size(); ++k) begins[k] = 8 * k;
      const Stripes stripes = Stripes(begins, ranks.rank(), size).scaled(2, 2).scaled(2, 1);
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
      const std::vector<Share> some = {{37, 41}, {41, 500}, {700, 901}};
      fetch_stripes(ranks, stripes, some, list);
      for (std::uint64_t i = 0; i < kLength; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
          const bool there = stripes.is_own(i) || (i >= 37 && i < 500) || (i >= 700 && i < 901);
          ASSERT_EQ(arrays[k][i], there ? byte(k, i) : 0) << i;
        }
      }
      for (const Share& one : some) release_stripes(stripes, one, list);
      for (std::uint64_t i = 0; i < kLength; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
          ASSERT_EQ(arrays[k][i], stripes.is_own(i) ? byte(k, i) : 0) << i;
          arrays[k][i] = 0;
        }
      }
      // Every rank adds a bit of its own, some to each.
      for (std::uint64_t i = 10; i < 500; i += 3)
        arrays[i % 2][i] = static_cast<std::uint8_t>(arrays[i % 2][i] | 1U << ranks.rank());
      const std::vector<Share> changed = {{10, 90}, {90, 500}};
      deliver_stripes(ranks, stripes, changed, list);
      for (std::uint64_t i = 0; i < kLength; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
          const bool added = stripes.is_own(i) && i >= 10 && i < 500 && (i - 10) % 3 == 0 && i % 2 == k;
          ASSERT_EQ(arrays[k][i], added ? (1 << size) - 1 : 0) << i;
        }
      }
    });
  }
}

// Bytes of the blocks that are asked for, and of no others of other ranks'; of two bits a board too, where blocks share bytes.
TEST(BlockWindow, HasWhatItWasMovedTo) {
  const Variant variant = game("taifas", {"board=square:3x4"});
  const DenseIndex index(variant);
  for (const BoardIndex bits : {BoardIndex{8}, BoardIndex{2}}) {
    on_ranks(3, [&](Ranks& ranks) {
      const Stripes boards = board_stripes(index, ranks.rank(), ranks.size());
      const Stripes own = boards.scaled(bits, 8);
      BigBytes bytes((index.boards() * bits + 7) / 8, BigBytes::Pages::small);
      const auto byte = [](std::uint64_t i) { return static_cast<std::uint8_t>(1 + i * 7 % 251); };
      own.for_own(0, bytes.size(), [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t i = from; i < to; ++i) bytes[i] = byte(i);
      });
      BigBytes* const list = &bytes;
      BlockWindow window(index, boards, bits);
      std::size_t rounds = 0;
      for (int stones = index.cells(); stones >= 0; --stones) {
        for (const Share& round : board_rounds(index, boards, stones)) {
          ++rounds;
          window.move_to(ranks, blocks_read(index, boards.own(round), {.steps = 2, .images = stones % 2 == 0}),
                         {&list, 1});
          for (BlockIndex b = 0; b < index.blocks().size(); ++b) {
            const Block& block = index.blocks()[b];
            for (std::uint64_t i = block.base * bits / 8; i < (block.base + index.size(block)) * bits / 8; ++i) {
              const bool there = own.is_own(i) || window.has(b);
              if (bits == 8 || there) {
                ASSERT_EQ(bytes[i], there ? byte(i) : 0) << b;
              }
            }
          }
        }
        window.drop(stones, {&list, 1});
        for (BlockIndex b = index.first_block(stones); b < index.first_block(stones + 1); ++b)
          EXPECT_FALSE(window.has(b));
      }
      EXPECT_GT(rounds, static_cast<std::size_t>(3 * index.cells()));
    });
  }
}

// Blocks that moves lead to are among those that are read; of few neighbours they are few.
TEST(BlockWindow, ReadsWhereMovesLead) {
  const Variant variant = game("taifas", {"board=square:4x4"});
  const DenseIndex index(variant);
  const int stones = 10;
  const Stripes boards = board_stripes(index, 1, 64);
  BoardIndex most = 0;
  for (const Share& round : board_rounds(index, boards, stones)) {
    const std::vector<BlockIndex> read = blocks_read(index, boards.own(round), {});
    most = std::max<BoardIndex>(most, read.size());
    for (const Share& own : boards.own(round)) {
      BoardCursor cursor(index);
      for (cursor.seek(own.begin); cursor.board() < own.end; cursor.next()) {
        const CellSet set = cursor.block().set;
        for (int cell = 0; cell < index.cells(); ++cell) {
          if ((set >> cell & 1) != 0) continue;
          EXPECT_TRUE(std::binary_search(read.begin(), read.end(), index.block_of(set | CellSet{1} << cell)));
        }
      }
    }
  }
  const BlockIndex next = index.first_block(stones + 2) - index.first_block(stones + 1);
  EXPECT_LT(most * 10, next);
  EXPECT_EQ(
      blocks_read(index, std::vector<Share>{{index.begin(stones), index.begin(stones) + 1}}, {.all = true}).size(),
      next);
  EXPECT_LT(window_cost(index, boards, {}).most * 10, index.begin(12) - index.begin(11));
  EXPECT_EQ(window_cost(index, board_stripes(index, 0, 1), {}).most, 0);
}

// A stone is put on an empty cell, or two side by side while something holds.
Variant with_rare_turns(const std::string& when) {
  return variants_testing::made(
      "name = \"Rare\"\n[options]\nboard = { default = \"square:4x3\" }\n"
      "[moves.one]\nto = \"empty\"\n[moves.two]\nwhen = \"" +
      when +
      "\"\nshape = \"xx\"\nto = \"empty\"\nput = \"mine\"\n"
      "[end]\nwhen = \"!any(empty)\"\nscore = \"count(mine)\"\n");
}

// Turns of one stone; of two; of either; that leave a cell empty; and passes.
TEST(OnePassSamples, SayWhatTurnsRead) {
  const auto sampled = [](const Variant& variant) { return sample_ahead(variant, DenseIndex(variant)); };
  EXPECT_EQ(sampled(game("taifas", {"board=square:3x3"})), (BlocksAhead{.steps = 1U << 1}));
  EXPECT_EQ(sampled(game("domineering", {"board=square:4x4"})), (BlocksAhead{.steps = 1U << 2}));
  EXPECT_EQ(sampled(with_rare_turns("count(mine) == 0")), (BlocksAhead{.steps = 1U << 1 | 1U << 2}));
  EXPECT_TRUE(sampled(game("isolation", {"board=square:3x4"})).all);
  EXPECT_TRUE(sampled(game("othello", {"board=square:4x4"})).images);
  // Where turns add two stones, the next tier has no board; they read the one after.
  const Variant variant = game("domineering", {"board=square:4x4"});
  const DenseIndex index(variant);
  EXPECT_GT(window_cost(index, board_stripes(index, 0, 4), sample_ahead(variant, index)).fetched, 0);
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
  check("domineering", {"board=square:1x9"});  // ranks see different turns on the way up
  check("cram", {});
  check("col", {});
  check("wild-tic-tac-toe", {});
  check("notakto", {});
  check("connect-4", {"board=square:4x3"});
  check("isolation", {});
  check("dawsons-chess", {});
}

// The one board of a rare turn is one rank's, and samples need not meet it.
TEST(RankedOnePass, RareTurns) {
  for (const char* const when : {"count(mine & {a1,b1,c1}) == 3 & count(theirs & {a2,b2,c2}) == 3 & count(empty) == 6",
                                 "count(mine) == 0", "count(empty) == 5 & count(mine & {d1,d2,d3}) == 3"})
    check_ranks(one_pass_method(), with_rare_turns(when));
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
