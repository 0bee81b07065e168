// SPDX-License-Identifier: Apache-2.0
// Search against retrograde analysis: every acyclic game of the data folder on small boards, all openings, positions from all
// over the game, and random games; the bounds that follow from the rules against all values; lines of best play.
#include <map>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "solver/graph/prediction.h"
#include "solver/graph/solve.h"
#include "solver/search/searched_game.h"
#include "tests/sanitized.h"
#include "tests/variants_testing.h"
#include "variants/rules/score_bounds.h"

namespace plenum::search_test {
namespace {

using variants_testing::game;
using variants_testing::sure;

constexpr std::size_t kMostPositions = 60'000;

SearchGameOptions options(int threads, bool openings) {
  SearchGameOptions out;
  out.search.memory_bytes = std::uint64_t{1} << 24;
  out.search.threads = threads;
  out.openings = openings;
  return out;
}

// Every bound that the rules give holds for the value found by looking at everything.
void check_prospects(const SolvedGame& solved) {
  const Variant& variant = solved.variant();
  const ScoreBounds score_bounds(variant.rules());
  Workspace work;
  PositionBatch batch = variant.rules().batch();
  const std::size_t size = solved.graph().size();
  std::vector<Interval> bounds(kLanes);
  for (std::size_t begin = 0; begin < size; begin += kLanes) {
    batch.clear();
    for (std::size_t i = begin; i < std::min(size, begin + kLanes); ++i)
      batch.push(solved.store().position(static_cast<PositionIndex>(i)));
    score_bounds.bounds(batch, 0, batch.size, work, bounds.data());
    for (std::size_t k = 0; k < batch.size; ++k) {
      const Position p = batch.at(k);
      const std::int64_t value = to_mover(solved.value(p)->margin, p.mover).margin.units;
      ASSERT_LE(bounds[k].least, value) << variant.rules().write(p);
      ASSERT_GE(bounds[k].greatest, value) << variant.rules().write(p);
      ASSERT_LE(score_bounds.everywhere().least, bounds[k].least);
      ASSERT_GE(score_bounds.everywhere().greatest, bounds[k].greatest);
    }
  }
}

// A line keeps the value with every move and ends where the game does.
void check_line(const SolvedGame& solved, const Line& line) {
  Position at = line.begin;
  for (const LineMove& move : line.moves) {
    const auto next = find_move(solved.variant().rules(), at, Span::whole("move", move.text));
    ASSERT_TRUE(next.ok()) << next.status();
    ASSERT_EQ(solved.value(move.after)->margin, solved.value(at)->margin) << move.text;
    at = move.after;
  }
  const auto left = successors(solved.variant().rules(), at);
  EXPECT_TRUE(solved.value(at)->ended || left->empty());
}

void check(const Variant& variant, int threads, const std::string& where) {
  SolveOptions values_only;
  values_only.extras = kValuesOnly;
  const SolvedGame solved = sure(solve_game(variant, variant.rules().start(), values_only));
  check_prospects(solved);
  const Summary found = sure(search_game(variant, variant.rules().start(), options(threads, true)));
  ASSERT_TRUE(found.proven->exact()) << where;
  ASSERT_EQ(found.proven->least, solved.start_value().margin.margin) << where;
  ASSERT_EQ(found.openings.size(), solved.openings().size()) << where;
  for (std::size_t i = 0; i < found.openings.size(); ++i) {
    ASSERT_EQ(found.openings[i].text, solved.openings()[i].text) << where;
    ASSERT_FALSE(found.openings[i].bounds.has_value()) << where;
    ASSERT_EQ(found.openings[i].after.margin.margin, solved.openings()[i].after.margin.margin)
        << where << " " << found.openings[i].text;
  }
  ASSERT_EQ(found.pie.has_value(), solved.pie().has_value()) << where;
  if (found.pie) {
    EXPECT_EQ(found.pie->margin, solved.pie()->margin) << where;
    EXPECT_EQ(found.pie->openings, solved.pie()->openings) << where;
  }
  if (found.line) check_line(solved, *found.line);
  // Positions from all over the game, asked of a search with the table of those before.
  const auto search = sure(Search::make(variant, options(threads, false).search));
  std::mt19937_64 random(1);
  for (int k = 0; k < 40; ++k) {
    const Position p = solved.store().position(static_cast<PositionIndex>(random() % solved.graph().size()));
    const Interval value = sure(search->value(p));
    ASSERT_EQ(value.least, value.greatest) << where;
    ASSERT_EQ(value.least, to_mover(solved.value(p)->margin, p.mover).margin.units)
        << where << " " << variant.rules().write(p);
  }
}

struct Case {
  const char* name;
  std::vector<std::string> settings;
};

const Case kGames[] = {
    {"in-crowd", {"board=square:2x2"}},
    {"in-crowd", {"board=square:3x3"}},
    {"in-crowd", {"board=square:3x3", "isolation=4"}},
    {"in-crowd", {"board=square:3x3", "drop_self=not", "drop_chain=on"}},
    {"in-crowd", {"board=square:3x4"}},
    {"in-crowd", {"board=square:2x5", "drop_chain=on"}},
    {"cascade", {"board=square:2x2"}},
    {"cascade", {"board=square:2x3"}},
    {"cascade", {"board=square:3x3"}},
    {"cascade", {"board=square:3x3", "fill=both"}},
    {"cascade", {"board=square:2x4", "fill=both"}},
    {"taifas", {"board=square:3x3"}},
    {"taifas", {"board=square:3x3", "completes=split"}},
    {"taifas", {"board=square:3x3", "tie=draw"}},
    {"taifas", {"board=square:3x3", "score=fraction"}},
    {"taifas", {"board=square:2x4", "score=fraction"}},
    {"taifas", {"board=hexhex:2", "tie=draw"}},
    {"connect-4", {"board=square:4x4"}},
    {"connect-4", {"board=square:5x3"}},
    {"tic-tac-toe", {}},
    {"mnk", {"board=square:3x3", "k=3", "misere=on"}},
    {"mnk", {"board=square:4x3", "k=3"}},
    {"hex", {"board=hexrect:3x3"}},
    {"y", {}},
    {"domineering", {"board=square:4x3"}},
    {"othello", {"board=square:4x4"}},
    {"hexapawn", {}},
    {"hexapawn", {"board=square:4x4"}},
    {"hexapawn", {"board=square:3x5"}},
    {"breakthrough", {"board=square:3x5"}},
    {"breakthrough", {"board=square:4x4"}},
};

class SearchOfGames : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SearchOfGames, AgreesWithRetrograde) {
  const Case& one = kGames[GetParam()];
  if (kSanitized && one.name == std::string("breakthrough")) GTEST_SKIP() << "too long where a sanitizer looks on";
  std::string where = one.name;
  for (const std::string& setting : one.settings) where += " " + setting;
  const Variant variant = game(one.name, one.settings);
  ASSERT_TRUE(variant.tiers().acyclic()) << where;
  for (const int threads : {1, 2, 3}) {
    if (!kSanitized || threads == 2) check(variant, threads, where);
  }
  check(variant.without_symmetries(), 2, where + " without symmetries");
}

INSTANTIATE_TEST_SUITE_P(All, SearchOfGames, ::testing::Range(std::size_t{0}, std::size(kGames)));

// --- random games in which nothing is ever taken off the board

const std::vector<std::string> kBoards = {"square:2x3",        "path:5",     "path:6",
                                          "cycle:5",           "king:2x3",   "hexrect:2x3",
                                          "torus:2x3",         "hexhex:2",   "edges:a-b b-c c-a d",
                                          "edges:a-b-c-d b-d", "square:3x3", "path:1"};
const std::vector<std::vector<std::string>> kParts = {
    {"[kinds]\nx = \"first\"\no = \"second\"\n", "[kinds]\nx = \"first\"\no = \"second\"\nred = \"nobody\"\n"},
    {"[moves.place]\nto = \"empty\"\n", "[moves.place]\nto = \"empty & near(theirs) <= 1\"\n",
     "[moves.place]\nto = \"empty\"\nput = [\"mine\", \"theirs\"]\n",
     "[moves.place]\nto = \"empty & near(mine) >= near(theirs)\"\n[moves.gift]\nto = \"empty & near(theirs) > 0\"\nput "
     "= "
     "\"theirs\"\n",
     "[moves.place]\nto = \"empty\"\nwhen = \"count(mine) <= count(theirs)\"\n[moves.over]\nto = \"theirs & near(mine) "
     "> 1\"\n"
     "when = \"false\"\n"},
    {"", "then = \"theirs & near(placed) > 0 & near(mine) > 1 -> mine\"\n",
     "then = \"spread from placed: theirs & near(mine) > near(theirs) -> mine\"\n",
     "then = \"repeat: empty & near(mine) > 1 -> mine\"\n",
     "then = [\"if any(placed & near(stones) > 0): last = me\"]\n", "legal = \"count(mine) <= 3\"\n"},
    {"", "[moves.pass]\n", "[moves.pass]\nwhen = \"count(stones) > 2\"\n"},
    {"when = \"passes == 2 | !any(empty)\"\n", "when = \"passes == 2\"\n",
     "when = \"passes == 2 | count(stones) > 4\"\n", "wins = \"count(groups(mine)) == 1 & count(mine) > 3\"\n",
     "loses = \"any(mine & near(mine) > 1)\"\nwhen = \"passes == 2\"\n"},
    {"score = \"count(mine)\"\n", "score = \"count(mine & near(empty) > 0) + 1/2 * count(groups(mine))\"\n",
     "score = \"count(mine | empty & near(mine) > near(theirs))\"\n",
     "score = \"if any(mine & near(mine) > 1) then count(mine) else -1\"\n",
     "score = \"count(mine & near(theirs) > 0) * 3 - count(joined(empty, near(theirs) > 0))\"\n",
     "score = \"if last == me then 1 else 0\"\n", "score = \"sum(g in groups(mine): count(g) * count(g))\"\n"},
    {"", "value = \"outcome\"\n", "tiebreak = \"last == me\"\n"},
    {"stuck = \"scores\"\n", "stuck = \"loses\"\n", "stuck = \"wins\"\n", "stuck = \"ties\"\n", "stuck = \"pass\"\n"},
};

struct RandomGame {
  std::size_t board = 0;
  std::vector<std::size_t> parts;
};

std::string write(const RandomGame& g) {
  std::string out = "name = \"Random\"\n[options]\nboard = { default = \"" + kBoards[g.board] + "\" }\n";
  out += "[state]\nlast = { type = \"player\" }\n";
  out += kParts[0][g.parts[0]];
  // The effect belongs to the first table of moves.
  std::string moves = kParts[1][g.parts[1]];
  const std::size_t end = moves.find("[moves.", 1);
  moves.insert(end == std::string::npos ? moves.size() : end, kParts[2][g.parts[2]]);
  out += moves + kParts[3][g.parts[3]] + "[end]\n";
  for (std::size_t k = 4; k < kParts.size(); ++k) out += kParts[k][g.parts[k]];
  return out + "[pie]\nmoves = [\"place\"]\n";
}

TEST(SearchOfRandomGames, AgreesWithRetrograde) {
  std::map<std::string, int> seen;
  std::mt19937_64 random(20261121);
  for (int round = 0; round < 600 / kFewer; ++round) {
    RandomGame g;
    g.board = random() % kBoards.size();
    for (const auto& part : kParts) g.parts.push_back(random() % part.size());
    const std::string text = write(g);
    const absl::StatusOr<Description> description = parse_description({"random.toml", text, true}, PLENUM_DATA_FOLDER);
    ASSERT_TRUE(description.ok()) << description.status() << "\n" << text;
    const absl::StatusOr<Variant> variant = Variant::make(*description);
    ASSERT_TRUE(variant.ok()) << variant.status() << text;
    if (!variant->tiers().acyclic()) {
      ++seen["may cycle"];
      EXPECT_FALSE(Search::make(*variant, {}).ok());
      continue;
    }
    SolveOptions values_only;
    values_only.extras = kValuesOnly;
    const absl::StatusOr<SolvedGame> solved = solve_game(*variant, variant->rules().start(), values_only);
    if (!solved.ok()) {
      ++seen["refused"];
      continue;
    }
    if (solved->statistics().reachable > kMostPositions) {
      ++seen["too large"];
      continue;
    }
    ++seen["compared"];
    seen["informative"] += ScoreBounds(variant->rules()).informative() ? 1 : 0;
    check(*variant, 1 + round % 3, text);
    if (HasFatalFailure()) return;
  }
  for (const auto& [what, n] : seen) std::cout << what << " " << n << "\n";
  EXPECT_GE(seen["compared"], 300 / kFewer);
  EXPECT_GE(seen["informative"], 100 / kFewer);
}

// In Tromp's table of Connect-4's values (tromp.github.io/c4/c4.html), 5x5 is a draw.
TEST(Search, FindsWhatIsPublished) {
  const Variant variant = game("connect-4", {"board=square:5x5"});
  const Summary found = sure(search_game(variant, variant.rules().start(), options(2, false)));
  EXPECT_EQ(found.proven->least.units, 0);
  EXPECT_EQ(found.proven->greatest.units, 0);
}

// The guess that decides whether a game is solved whole or searched, for keys of one word and of several.
TEST(Search, IsChosenByAGuessOfTheRightSize) {
  const auto stored = [](const Variant& v) {
    SolveOptions values_only;
    values_only.extras = kValuesOnly;
    return static_cast<double>(sure(solve_game(v, v.rules().start(), values_only)).graph().size());
  };
  for (const Case& one :
       {Case{"in-crowd", {"board=square:3x4"}}, Case{"taifas", {"board=square:3x3"}},
        Case{"connect-4", {"board=square:5x4"}}, Case{"cascade", {"board=square:3x3", "fill=both"}}}) {
    const Variant variant = game(one.name, one.settings);
    const Guess guess = sure(guess_by_random_games(variant, variant.rules().start()));
    EXPECT_LE(guess.stored, 2 * stored(variant)) << one.name;
    EXPECT_GE(guess.stored, stored(variant) / 30) << one.name;
  }
  const Variant large = game("taifas", {"board=square:6x6"});
  EXPECT_GT(sure(guess_by_random_games(large, large.rules().start())).stored, 1e9);
}

TEST(Search, RefusesGamesThatMayCycle) {
  const auto refused = Search::make(game("populace", {"board=square:2x2"}), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message().find("replace, move"), std::string::npos) << refused.status();
  EXPECT_NE(refused.status().message().find("graph-history interaction"), std::string::npos);
}

TEST(Search, TellsWhatIsProvenWhenStopped) {
  const Variant variant = game("cascade", {"board=square:5x5"});
  SearchGameOptions how = options(2, true);
  int looks = 0;
  how.search.progress = [&](const SearchProgress&) { return ++looks < 4; };
  const Summary found = sure(search_game(variant, variant.rules().start(), how));
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.line.has_value());
  EXPECT_GT(found.work->nodes, 0U);
  EXPECT_LE(found.proven->least.units, found.proven->greatest.units);
}

// The smallest table forgets nearly everything, and the answers are the same.
TEST(Search, IsRightWithATinyTable) {
  for (const char* name : {"in-crowd", "cascade", "taifas"}) {
    const Variant variant = game(name, {"board=square:3x3"});
    SearchGameOptions how = options(2, true);
    how.search.memory_bytes = 1;
    const Summary small = sure(search_game(variant, variant.rules().start(), how));
    const Summary large = sure(search_game(variant, variant.rules().start(), options(1, true)));
    EXPECT_EQ(small.proven->least, large.proven->least);
    ASSERT_TRUE(small.line && large.line);
    ASSERT_EQ(small.line->moves.size(), large.line->moves.size());
    for (std::size_t i = 0; i < small.line->moves.size(); ++i)
      EXPECT_EQ(small.line->moves[i].text, large.line->moves[i].text);
    for (std::size_t i = 0; i < small.openings.size(); ++i)
      EXPECT_EQ(small.openings[i].after.margin, large.openings[i].after.margin);
  }
}

}  // namespace
}  // namespace plenum::search_test
