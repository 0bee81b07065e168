// SPDX-License-Identifier: Apache-2.0
// Kinds that each player has, and piles: kinds with a height.
#include <string>

#include <gtest/gtest.h>

#include "tests/variants_testing.h"

namespace plenum::variants_testing::kinds_test {
namespace {

std::string game(const std::string& board, const std::string& rest) {
  return on_board(board, rest + "[end]\nstuck = \"loses\"\n");
}

std::string error(const std::string& rest) {
  const auto v = make(game("path:4", rest));
  return v.ok() ? "none" : std::string(v.status().message());
}

const char* const kChiefs =
    "[kinds]\nman = \"each\"\nchief = \"each\"\n[start]\nfirst_chief = \"{1}\"\nsecond_chief = \"{4}\"\n"
    "[moves.go]\nfrom = \"my_chief\"\nstep = \"adjacent\"\nto = \"empty | their_chief\"\n"
    "[moves.drop]\nto = \"empty & near(my_chief) > 0 & near(chief) == 1\"\nput = \"man\"\n";

TEST(Kinds, EachPlayerHasItsOwn) {
  const Variant v = made(game("path:4", kChiefs));
  EXPECT_EQ(v.rules().write(v.rules().start()), "C2c 1");
  EXPECT_EQ(outcomes(v, "C2c 1"), (Outcomes{{"1-2", "1C1c 2"}, {"M@2", "CM1c 2"}}));
  EXPECT_EQ(outcomes(v, "C2c 2"), (Outcomes{{"4-3", "C1c1 1"}, {"m@3", "C1mc 1"}}));
  EXPECT_EQ(outcomes(v, "2Cc 1"), (Outcomes{{"3-4", "3C 2"}, {"3-2", "1C1c 2"}, {"M@2", "1MCc 2"}}));
}

// What is said of one's own holds for both players: the exchange is found, wherever the kinds stand in the table.
TEST(Kinds, TheExchangeOfPlayersIsFound) {
  EXPECT_TRUE(made(game("path:4", kChiefs)).symmetries().has_exchange());
  const Variant other =
      made(game("path:4",
                "[kinds]\nstone = \"first\"\nchief = \"each\"\n[moves.p]\nto = \"empty & near(their_chief) == 0\"\nput "
                "= \"chief\"\nthen = \"theirs & near(placed) > 0 -> chief\"\n"));
  EXPECT_TRUE(other.symmetries().has_exchange());
  EXPECT_EQ(outcomes(other, "sc2 2"), (Outcomes{{"c@3", "scc1 1"}, {"c@4", "sc1c 1"}}));
}

TEST(Kinds, NamesOfEachAreTaken) {
  EXPECT_NE(
      error("[kinds]\nchief = \"each\"\n[define]\nmy_chief = \"mine\"\n[moves.p]\nto = \"empty\"\nput = \"chief\"\n")
          .find("'my_chief'"),
      std::string::npos);
  EXPECT_NE(
      error("[kinds]\nchief = \"both\"\n[moves.p]\nto = \"empty\"\nput = \"chief\"\n").find("there is no owner 'both'"),
      std::string::npos);
}

const char* const kSeeds =
    "[kinds]\nx = \"first\"\no = \"second\"\nseed = { owner = \"nobody\", pile = 3, letters = \"abc\" }\n";

TEST(Kinds, PilesGrow) {
  const Variant v = made(
      game("path:4", std::string(kSeeds) +
                         "[moves.add]\nto = \"empty | seed & pile < 3\"\nput = \"seed_1\"\nthen = \"placed -> seed "
                         "of before(pile) + 1\"\n"));
  EXPECT_EQ(outcomes(v, "abc1 1"), (Outcomes{{"a@1*", "bbc1 2"}, {"a@2*", "acc1 2"}, {"a@4", "abca 2"}}));
}

TEST(Kinds, PilesHaveALimit) {
  const Variant v = made(game(
      "path:4", std::string(kSeeds) +
                    "[moves.add]\nto = \"seed\"\nput = \"seed_1\"\nthen = \"placed -> seed of before(pile) + 1\"\n"));
  const auto found = successors(v.rules(), position(v, "a1c1 1"));
  ASSERT_FALSE(found.ok());
  EXPECT_NE(std::string(found.status().message()).find("out of its range"), std::string::npos) << found.status();
  EXPECT_TRUE(successors(v.rules(), position(v, "a1b1 1")).ok());
}

// Stacks of a player move as they are, onto another they become one, and one may take off as many as one likes.
TEST(Kinds, StacksMove) {
  const Variant v = made(game(
      "path:4",
      "[kinds]\nstack = { owner = \"each\", pile = 4, letters = \"abcd\" }\n[moves.go]\nfrom = \"my_stack\"\nstep = "
      "\"adjacent\"\nto = \"empty | my_stack | their_stack & pile < 2\"\nthen = \"placed -> stack of "
      "min(4, before(pile(taken) + pile(placed & my_stack)))\"\n"));
  EXPECT_EQ(outcomes(v, "ABa1 1"), (Outcomes{{"1-2", "1Ca1 2"}, {"2-1", "C1a1 2"}, {"2-3", "A1B1 2"}}));
  EXPECT_EQ(outcomes(v, "ABa1 2"), (Outcomes{{"3-4", "AB1a 1"}}));
  EXPECT_TRUE(v.symmetries().has_exchange());
}

// Seeds are sown one by one, round the ring and past the cell they came from.
TEST(Kinds, Sowing) {
  const std::string ring =
      "[kinds]\nx = \"first\"\no = \"second\"\nseed = { owner = \"nobody\", pile = 6, letters = \"abcdef\" }\n";
  const Variant v =
      made(game("torus:4x1", ring + "[moves.sow]\nfrom = \"seed\"\nthen = \"cells -> seed of pile + before(sown(taken, "
                                    "right))\"\n"));
  EXPECT_EQ(outcomes(v, "b1c1 1"), (Outcomes{{"a1-off", "1ad1 2"}, {"c1-off", "ca1a 2"}}));
  EXPECT_EQ(outcomes(v, "1e2 1"), (Outcomes{{"b1-off", "aaba 2"}}));
}

TEST(Kinds, PilesAreSpelledRight) {
  EXPECT_NE(
      error("[kinds]\nseed = { owner = \"nobody\", pile = 3 }\n[moves.p]\nto = \"empty\"\n").find("letters = \"abc\""),
      std::string::npos);
  EXPECT_NE(error(std::string(kSeeds) + "[moves.p]\nto = \"empty\"\nthen = \"placed -> seed\"\n").find("say how high"),
            std::string::npos);
  EXPECT_NE(error(std::string(kSeeds) + "[moves.p]\nto = \"empty\"\nthen = \"placed -> sead of 1\"\n")
                .find("did you mean 'seed'"),
            std::string::npos);
  EXPECT_NE(error(std::string(kSeeds) + "[moves.p]\nto = \"empty\"\nthen = \"repeat: placed -> seed of 1\"\n")
                .find("piles change once"),
            std::string::npos);
  EXPECT_NE(
      error(std::string(kSeeds) + "[moves.p]\nto = \"empty & near(my_seed) > 0\"\n").find("unknown name 'my_seed'"),
      std::string::npos);
  EXPECT_NE(
      error(std::string(kSeeds) + "[moves.p]\nto = \"sown(seed, adjacent) > 0\"\n").find("one direction is meant"),
      std::string::npos);
  EXPECT_NE(
      error(
          "[kinds]\nseed = { owner = \"each\", pile = 15, letters = \"abcdefghijklmno\" }\n[moves.p]\nto = \"empty\"\n")
          .find("30 kinds"),
      std::string::npos);
}

// A player without kinds has the usual one, under another letter where its own is taken.
TEST(Kinds, UsualOnesMakeRoomForLetters) {
  const Variant v =
      made(on_board("path:3",
                    "[kinds]\nseed = { owner = \"nobody\", pile = 3, letters = \"oxO\" }\n[moves.p]\nto = "
                    "\"empty | seed & pile < 3\"\nthen = \"placed -> seed of before(pile) + 1\"\n"
                    "[moves.own]\nto = \"empty & {1}\"\n[end]\nstuck = \"loses\"\n"));
  EXPECT_EQ(outcomes(v, "1ox 1"), (Outcomes{{"1:own", "Xox 2"}, {"1:p", "oox 2"}, {"2*", "1xx 2"}, {"3*", "1oO 2"}}));
}

}  // namespace
}  // namespace plenum::variants_testing::kinds_test
