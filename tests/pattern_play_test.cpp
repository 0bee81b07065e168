// SPDX-License-Identifier: Apache-2.0
// What follows for positions of pattern games without a move made, against the values of all positions: of games of the data
// folder and of random rules, most of which are nearly pattern games. Searches that make use of it, likewise.
#include "variants/rules/pattern_play.h"

#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solver/graph/solve.h"
#include "solver/search/searched_game.h"
#include "tests/sanitized.h"
#include "tests/variants_testing.h"
#include "variants/rules/pattern_game.h"

namespace plenum::pattern_play_test {
namespace {

using variants_testing::game;
using variants_testing::sure;

constexpr std::size_t kMostPositions = 60'000;

using Seen = std::map<std::string, int>;  // how often what was said

std::int64_t value_of(const SolvedGame& solved, const Position& p) {
  return to_mover(solved.value(p)->margin, p.mover).margin.units;
}

void check_verdict(const SolvedGame& solved, const Position& p, const PatternPlay& play,
                   const PatternPlay::Verdict& verdict, Seen& seen) {
  const Rules& rules = solved.variant().rules();
  const std::int64_t value = value_of(solved, p);
  ASSERT_LE(verdict.bounds.least, value) << rules.write(p);
  ASSERT_GE(verdict.bounds.greatest, value) << rules.write(p);
  const std::vector<Successor> moves = sure(successors(rules, p));
  bool at_once = false;
  for (const Successor& s : moves) at_once |= s.ended && s.margin.margin.units < 0;
  ASSERT_EQ(verdict.bounds.least == play.worth(), at_once) << rules.write(p);
  seen["won"] += at_once ? 1 : 0;
  seen["lost"] += verdict.bounds.greatest == -play.worth() ? 1 : 0;
  seen["not to be won"] += verdict.bounds.greatest == 0 ? 1 : 0;
  if (verdict.forced == kNoCell) return;
  ++seen["forced"];
  bool there = false;
  for (const Successor& s : moves) {
    if (s.move.first.to == verdict.forced) {
      there = true;
    } else {
      ASSERT_FALSE(s.ended) << rules.write(p) << " " << s.text;
      ASSERT_EQ(value_of(solved, s.position), play.worth()) << rules.write(p) << " " << s.text;
    }
  }
  ASSERT_TRUE(there) << rules.write(p);
}

void check_verdicts(const SolvedGame& solved, const PatternPlay& play, Seen& seen) {
  PositionBatch batch = solved.variant().rules().batch();
  PatternPlay::Scratch scratch;
  std::vector<PatternPlay::Verdict> verdicts(kLanes);
  const std::size_t size = solved.graph().size();
  for (std::size_t begin = 0; begin < size; begin += kLanes) {
    batch.clear();
    for (std::size_t i = begin; i < std::min(size, begin + kLanes); ++i)
      batch.push(solved.store().position(static_cast<PositionIndex>(i)));
    play.judge(batch, 0, batch.size, scratch, verdicts.data());
    for (std::size_t k = 0; k < batch.size; ++k) {
      const Position p = batch.at(k);
      if (solved.value(p)->ended) continue;
      check_verdict(solved, p, play, verdicts[k], seen);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

SolveOptions values_only() {
  SolveOptions out;
  out.extras = kValuesOnly;
  return out;
}

Seen check_game(const std::string& name, const std::vector<std::string>& settings, bool follows_up) {
  SCOPED_TRACE(name + " " + (settings.empty() ? "" : settings[0]));
  const Variant variant = game(name, settings);
  const PatternPlay play(variant.rules());
  EXPECT_TRUE(play.any());
  EXPECT_EQ(play.follows_up(), follows_up);
  const SolvedGame solved = sure(solve_game(variant, variant.rules().start(), values_only()));
  Seen seen;
  check_verdicts(solved, play, seen);
  for (const auto& [what, n] : seen) std::cout << what << " " << n << "\n";
  EXPECT_GT(seen["won"], 0);
  EXPECT_GT(seen["lost"], 0);
  EXPECT_GT(seen["forced"], 0);
  return seen;
}

TEST(PatternPlay, HoldsWhereCellsAreOpenOneAfterTheOther) {
  const std::vector<std::vector<std::string>> settings = {{"board=square:4x4", "k=3"}, {"board=square:4x4", "k=4"},
                                                          {"board=square:3x5", "k=3"}, {"board=square:5x3", "k=3"},
                                                          {"board=square:4x5", "k=3"}, {"board=square:4x5", "k=4"}};
  for (const auto& one : settings) {
    if (kSanitized && one[0] == "board=square:4x5") continue;
    Seen seen = check_game("connect-4", one, true);
    EXPECT_GT(seen["not to be won"], 0);
  }
}

TEST(PatternPlay, HoldsWhereAllCellsAreOpen) {
  check_game("tic-tac-toe", {}, false);
  check_game("mnk", {"board=square:4x3", "k=3"}, false);
}

// From any position, as a person may ask for one: also with stones above empty cells, and more of one player's.
Position scattered(const Variant& variant, std::mt19937_64& random) {
  Position out = variant.rules().start();
  for (int cell = 0; cell < variant.board().size(); ++cell) {
    const std::size_t what = random() % 5;
    if (what < 2) out.planes[what] |= cell_bit(static_cast<Cell>(cell));
  }
  return out;
}

TEST(PatternPlay, HoldsWhereStonesStandAboveEmptyCells) {
  std::mt19937_64 random(20261127);
  Seen seen;
  for (const char* board : {"board=square:3x3", "board=square:4x3", "board=square:3x4", "board=square:4x4"}) {
    const Variant variant = game("connect-4", {board, "k=3"});
    const PatternPlay play(variant.rules());
    for (int round = 0; round < 400 / kFewer; ++round) {
      const Position start = scattered(variant, random);
      const absl::StatusOr<SolvedGame> solved = solve_game(variant, start, values_only());
      if (!solved.ok()) continue;
      check_verdicts(*solved, play, seen);
      if (HasFatalFailure()) return;
    }
  }
  for (const char* what : {"won", "lost", "not to be won", "forced"}) EXPECT_GT(seen[what], 100 / kFewer) << what;
}

TEST(PatternPlay, SaysNothingOfOtherGames) {
  for (const char* name : {"in-crowd", "cascade", "taifas"})
    EXPECT_FALSE(PatternPlay(game(name, {"board=square:3x3"}).rules()).any()) << name;
  EXPECT_FALSE(PatternPlay(game("hex", {"board=hexrect:3x3"}).rules()).any());
  EXPECT_FALSE(PatternPlay(game("mnk", {"board=square:4x4", "k=3", "misere=on"}).rules()).any());
  EXPECT_FALSE(PatternPlay(game("wild-tic-tac-toe", {}).rules()).any());
}

TEST(PatternGame, FindsChains) {
  const Variant variant = game("connect-4", {"board=square:7x6"});
  RuleGraph graph = variant.rule_set().graph;
  const auto found = pattern_game(variant.rules(), graph);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->masks.size(), 69U);
  ASSERT_EQ(found->chains.size(), 7U);
  for (std::size_t column = 0; column < 7; ++column) {
    ASSERT_EQ(found->chains[column].size(), 6U);
    for (std::size_t row = 0; row < 6; ++row) {
      const std::string name = std::string(1, static_cast<char>('a' + column)) + std::to_string(row + 1);
      EXPECT_EQ(variant.board().cell_name(found->chains[column][row]), name);
    }
  }
}

// --- random rules, of which some are pattern games, some nearly, and some of those have chains

const std::vector<std::string> kBoards = {"square:3x3", "square:4x3",  "square:3x4", "square:2x5", "square:4x4",
                                          "square:5x2", "hexrect:3x3", "hexhex:2",   "torus:3x3",  "king:3x3"};
const std::vector<std::vector<std::string>> kParts = {
    {"empty & !down(empty)", "empty & !down(empty)", "empty & !left(empty)", "empty & !up(empty)", "empty",
     "empty & !down(empty) & !left(empty)", "empty & !down(theirs)", "empty & (near(stones) > 0 | !any(stones))",
     "empty & near(stones) < 3", "empty & (down(stones) | row == 1)", "empty & !down(empty) & row != 3",
     "empty & !down(mine)", "empty & !(down(empty) & row == 2)"},
    {"", "", "", "when = \"count(stones) < 9\"\n", "then = \"theirs & near(placed) > 3 -> mine\"\n",
     "legal = \"count(mine) <= 4\"\n", "put = \"theirs\"\n"},
    {"", "", "", "[moves.pass]\n", "[moves.other]\nto = \"empty & !any(stones)\"\n"},
    {"wins = \"any(line(mine, K))\"\n", "wins = \"any(line(mine, K))\"\n", "wins = \"any(line(mine, K))\"\n",
     "wins = \"any(line(mine, K)) | any(line(mine, 2, down))\"\n", "loses = \"any(line(mine, K))\"\n",
     "wins = \"any(line(mine, K)) & count(stones) > 5\"\n", "wins = \"any(line(mine, K)) | count(stones) > 7\"\n",
     "wins = \"any(line(theirs, K))\"\n",
     "when = \"any(line(mine, K)) | any(line(theirs, K))\"\nscore = \"if any(line(mine, K)) then 3 else 0\"\n",
     "when = \"any(line(mine, K)) | any(line(theirs, K))\"\nscore = \"if any(line(mine, K)) then count(mine) else "
     "0\"\n"},
    {"stuck = \"ties\"\n", "stuck = \"ties\"\n", "stuck = \"ties\"\n", "stuck = \"loses\"\n", "stuck = \"wins\"\n",
     "stuck = \"pass\"\n"},
};

std::string random_rules(std::mt19937_64& random) {
  std::vector<std::string> parts;
  for (const auto& part : kParts) parts.push_back(part[random() % part.size()]);
  std::string out = "name = \"Random\"\n[options]\nboard = { default = \"" + kBoards[random() % kBoards.size()] +
                    "\" }\n[moves.place]\nto = \"" + parts[0] + "\"\n" + parts[1] + parts[2] + "[end]\n" + parts[3] +
                    parts[4];
  const char k = random() % 3 == 0 ? '2' : '3';
  for (char& c : out) c = c == 'K' ? k : c;
  return out;
}

TEST(PatternPlay, HoldsInRandomGames) {
  std::mt19937_64 random(20261126);
  Seen seen;
  Seen said;
  for (int round = 0; round < 4000 / kFewer; ++round) {
    const std::string text = random_rules(random);
    SCOPED_TRACE(text);
    const absl::StatusOr<Variant> variant = variants_testing::make(text);
    if (!variant.ok()) {
      ++seen["refused"];
      continue;
    }
    const PatternPlay play(variant->rules());
    if (!play.any()) {
      ++seen["not a pattern game"];
      continue;
    }
    const absl::StatusOr<SolvedGame> solved = solve_game(*variant, variant->rules().start(), values_only());
    if (!solved.ok() || solved->graph().size() > kMostPositions) {
      ++seen["too large, or refused"];
      continue;
    }
    ++seen["compared"];
    seen["followed up"] += play.follows_up() ? 1 : 0;
    check_verdicts(*solved, play, said);
    if (HasFatalFailure()) return;
    SearchOptions how;
    how.memory_bytes = 1 << 20;
    how.threads = 1 + round % 3;
    const auto search = sure(Search::make(*variant, how));
    for (int k = 0; k < 10; ++k) {
      const Position p = solved->store().position(static_cast<PositionIndex>(random() % solved->graph().size()));
      const Interval value = sure(search->value(p));
      ASSERT_EQ(value.least, value.greatest);
      ASSERT_EQ(value.least, value_of(*solved, p)) << variant->rules().write(p);
    }
  }
  for (const auto& [what, n] : seen) std::cout << what << " " << n << "\n";
  for (const auto& [what, n] : said) std::cout << what << " " << n << "\n";
  EXPECT_GE(seen["compared"], 150 / kFewer);
  EXPECT_GE(seen["followed up"], 50 / kFewer);
  for (const char* what : {"won", "lost", "not to be won", "forced"}) EXPECT_GT(said[what], 1000 / kFewer) << what;
}

}  // namespace
}  // namespace plenum::pattern_play_test
