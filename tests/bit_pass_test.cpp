// SPDX-License-Identifier: Apache-2.0
// Solving by bits against solving in one pass, every position of every tier, and counts; and what must not matter.
#include "solver/bits/bit_pass.h"

#include <bit>
#include <map>
#include <numeric>
#include <random>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solver/bits/bit_check.h"
#include "solver/bits/bit_sets.h"
#include "solver/bits/bit_states.h"
#include "solver/one_pass/one_pass.h"
#include "tests/bit_games.h"
#include "tests/sanitized.h"
#include "tests/table_files.h"
#include "tests/variants_testing.h"
#include "variants/rows/placing_rules.h"

namespace plenum::bit_pass_test {
namespace {

using bits_testing::expect_same;
using variants_testing::game;
using variants_testing::made;
using variants_testing::sure;

void check(const Variant& variant, const Position& start) {
  const auto wanted = sure(solve_one_pass(variant, start, {}));
  std::map<int, BitTier> counted;
  std::uint64_t compared = 0;
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
          ++compared;
          ASSERT_EQ(found.outcome, right->outcome) << variant.rules().write(p);
          ASSERT_EQ(found.margin, right->margin) << variant.rules().write(p);
          ASSERT_EQ(found.ended, right->ended) << variant.rules().write(p);
          ASSERT_EQ(found.first_ends, right->first_ends) << variant.rules().write(p);
          ASSERT_EQ(found.second_ends, right->second_ends) << variant.rules().write(p);
        }
        if (firsts == 0) break;
      }
    }
  };
  const auto found = sure(solve_bits(variant, start, options));
  EXPECT_GT(compared, 0U);
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
                            "edges:a-b b-c c-d d-b d-e f"}) {
    check("taifas", {absl::StrCat("board=", board)});
  }
  check("tic-tac-toe", {});
  check("tic-tac-toe", {"misere=on"});
  check("mnk", {"board=hexrect:3x3", "k=3", "misere=on"});
  if (kSanitized) return;
  check("taifas", {"board=square:5x2"});
  check("taifas", {"board=king:3x3"});
  check("mnk", {"board=square:4x3", "k=3"});
}

// Some positions of larger boards.
TEST(LongBitPass, AgreesWithOnePass) {
  for (const char* board : {"square:4x4", "king:4x4", "square:5x3"}) {
    const Variant variant = game("taifas", {absl::StrCat("board=", board)});
    const Position start = variant.rules().start();
    const auto wanted = sure(solve_one_pass(variant, start, {}));
    std::mt19937_64 random(3);
    std::vector<int> cells(static_cast<std::size_t>(variant.board().size()));
    std::iota(cells.begin(), cells.end(), 0);
    int compared = 0;
    BitOptions options;
    options.visit = [&](int stones, const std::vector<Position>& states, const ValueFn& value) {
      for (int n = 0; n < 20'000; ++n) {
        std::shuffle(cells.begin(), cells.end(), random);
        CellSet set = 0;
        for (int k = 0; k < stones; ++k) set |= cell_bit(static_cast<Cell>(cells[static_cast<std::size_t>(k)]));
        const Position p = PlacingRules::position(set, random() & set, states[random() % states.size()]);
        const auto right = wanted->value(p);
        if (!right.ok()) continue;
        ASSERT_EQ(value(p).outcome, right->outcome) << variant.rules().write(p);
        ++compared;
      }
    };
    ASSERT_TRUE(solve_bits(variant, start, options).ok());
    EXPECT_GT(compared, 100'000);
  }
}

// Conditions of many kinds: on where a stone may be put, on what is noted, on when the game ends and who has won.
TEST(BitPass, AgreesOnRulesOfManyKinds) {
  const char* const kFlags = R"toml(
name = "Flags"
[options]
board = { default = "square:3x2", about = "any" }
[state]
flag = { type = "bool" }
made = { type = "number", range = [-1, 2], start = -1 }
last = { type = "player" }
[moves.place]
to   = "empty & (near(mine) < 3 | flag | last == me)"
put  = ["mine", "theirs"]
then = ["if any(placed & near(theirs) >= 2): flag = !flag",
        "if made < 2 & count(mine) > count(theirs): made = made + 1",
        "if any(placed & near(mine) == 1): last = if flag then me else them",
        "if count(before(mine)) * 2 > count(empty) & me == first: flag = !flag"]
[end]
when  = "!any(empty) | (made == 2 & count(stones) >= 4)"
score = "count(mine & near(mine) > 0) + made * (if flag then 1 else 0)"
tiebreak = "last == me"
value = "outcome"
stuck = "loses"
)toml";
  for (const std::string board : {"square:3x2", "path:5", "square:3x3", "cycle:7"}) {
    if (kSanitized && board == "square:3x3") continue;
    const Variant variant = made(kFlags, {absl::StrCat("board=", board)});
    check(variant, variant.rules().start());
  }
  for (const char* stuck : {"loses", "wins", "ties", "scores"}) {
    const Variant variant = made(absl::StrCat(R"toml(
name = "Legal"
[options]
board = { default = "square:3x3", about = "any" }
[kinds]
black = "first"
white = "second"
[moves.black]
to    = "empty & near(black) <= 1"
put   = ["black"]
legal = "!any(line(black, 3)) | count(white) > 2"
[moves.white]
to   = "empty & edge & any(black)"
put  = ["white"]
[end]
when  = "any(line(white, 3))"
score = "if count(mine) > count(theirs) then 1 else 0"
value = "outcome"
stuck = ")toml",
                                              stuck, "\"\n"));
    check(variant, variant.rules().start());
  }
}

// Random rules that look at cells and their neighbours.
class RandomRules {
 public:
  std::string game() {
    const bool ends_early = chance(3);
    std::string out =
        "name = \"Random\"\n[options]\nboard = { default = \"" + pick(kBoards) +
        "\", about = \"any\" }\n[kinds]\nx = \"first\"\no = \"second\"\n[state]\nflag = { type = \"bool\" }\n" +
        "made = { type = \"number\", range = [0, 2] }\nlast = { type = \"player\" }\n[moves.place]\nput = [" +
        pick({"\"mine\"", "\"mine\", \"theirs\"", "\"theirs\"", "\"x\", \"o\""}) + "]\nto = \"empty" +
        (chance(2) ? " & " + set(2) : "") + "\"\n";
    after_ = true;
    if (chance(3)) out += "legal = \"" + truth(2) + "\"\n";
    out += "then = [\"if " + truth(2) + ": last = " + pick({"me", "them"}) + "\", \"if " + truth(2) +
           ": flag = !flag\", \"if made < 2 & " + truth(2) + ": made = made + 1\"]\n";
    after_ = false;
    named_ = true;
    out += "[end]\nwhen = \"!any(empty)" + (ends_early ? " | " + truth(2) : "") + "\"\n";
    named_ = false;
    return out + "score = \"count(" + set(2) + ") - " + pick({"1", "count(theirs)", "made"}) + "\"\ntiebreak = \"" +
           truth(1) + "\"\nvalue = \"outcome\"\nstuck = \"" + pick({"loses", "wins", "ties", "scores"}) + "\"\n";
  }

 private:
  inline static const std::vector<std::string> kBoards = {
      "path:4", "cycle:5", "square:2x2", "square:3x2", "hexhex:2", "king:3x2", "edges:a-b b-c c-d d-b e"};
  static bool chance(unsigned of) { return *variants_testing::below(of) == 0; }
  static std::string pick(const std::vector<std::string>& from) {
    return from[*variants_testing::below(static_cast<unsigned>(from.size()))];
  }
  std::string word() const {
    if (after_ && chance(2)) return "placed";
    return named_ ? pick({"x", "o", "empty", "stones"}) : pick({"mine", "theirs", "empty", "x", "stones"});
  }
  std::string set(int depth) const {
    if (depth == 0) return word();
    switch (*variants_testing::below(8)) {
      case 0:
        return "(" + set(depth - 1) + " & " + set(depth - 1) + ")";
      case 1:
        return "(" + set(depth - 1) + " | " + set(depth - 1) + ")";
      case 2:
        return "(!" + set(depth - 1) + ")";
      case 3:
        return "(near(" + set(depth - 1) + ") " + pick({">", "<", "==", ">="}) + " " + pick({"0", "1", "2"}) + ")";
      case 4:
        return "(near(" + set(depth - 1) + ") " + pick({">", "<="}) + " " + pick({"max", "min"}) + "(near(" +
               set(depth - 1) + "), " + pick({"0", "1", "near(stones)", "count(x)"}) + "))";
      case 5:
        return after_ ? "before(" + set(depth - 1) + ")" : set(depth - 1);
      default:
        return word();
    }
  }
  std::string truth(int depth) const {
    switch (*variants_testing::below(6)) {
      case 0:
        return "(" + pick({"max(0, ", "max(count(o), ", "min(count(x), "}) + "count(" + set(depth) + ")) " +
               pick({">", "<", "=="}) + " " + pick({"0", "1", "2"}) + ")";
      case 1:
        return named_ ? "(last != nobody)" : "(last == " + pick({"me", "them", "nobody"}) + ")";
      case 2:
        return pick({"flag", "made == 1", "made < 2"});
      case 3:
        return depth > 0 ? "(" + truth(depth - 1) + pick({" & ", " | "}) + truth(depth - 1) + ")" : "flag";
      default:
        return "any(" + set(depth) + ")";
    }
  }

  bool after_ = false;  // a stone is being put
  bool named_ = false;  // nobody in particular is looking
};

TEST(BitPass, AgreesOnRandomRules) {
  int compared = 0;
  int tried = 0;
  plenum::check(60, [&] {
    ++tried;
    const std::string text = RandomRules().game();
    RC_LOG(text);
    const absl::StatusOr<Variant> variant = variants_testing::make(text);
    if (!variant.ok()) {
      RC_LOG(std::string(variant.status().message()));
      return;
    }
    const Position start = variant->rules().start();
    if (bits_obstacle(*variant, start) || !solve_one_pass(*variant, start, {}).ok()) return;
    ++compared;
    check(*variant, start);
    RC_ASSERT(!testing::Test::HasFailure());
  });
  EXPECT_GT(2 * compared, tried);
}

// Boards that are not empty, whoever begins.
TEST(BitPass, AgreesFromOtherStarts) {
  const Variant variant = game("taifas", {"board=square:3x3"});
  for (const char* start :
       {"3/1b1/3 1 last_zone=first", "w2/1b1/3 2", "bw1/2w/3 2 last_zone=second", "bwb/wbw/bw1 1", "bwb/wbw/bwb 2"})
    check(variant, variants_testing::position(variant, start));
}

TEST(BitPass, SaysWhyNot) {
  const auto why = [](const std::string& name, const std::vector<std::string>& settings) {
    const Variant variant = game(name, settings);
    return bits_obstacle(variant, variant.rules().start()).value_or("");
  };
  EXPECT_EQ(why("taifas", {"tie=draw"}), "it counts by how much a player wins");
  EXPECT_EQ(why("taifas", {"completes=split"}), "the move 'place' looks at groups, or repeats something");
  EXPECT_EQ(why("taifas", {"board=square:6x5"}), "the board has more than 25 cells");
  EXPECT_EQ(why("tapatan", {}), "the move 'slide' does not put a stone on an empty cell");
  EXPECT_NE(why("othello", {"board=square:4x4"}), "");
  EXPECT_EQ(why("taifas", {}), "");
}

TEST(BitPass, TheSameForAnyNumberOfThreads) {
  const Variant variant = game("taifas", {"board=square:4x3"});
  const auto solve = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return sure(solve_bits(variant, variant.rules().start(), {}));
  };
  expect_same(*solve(1), *solve(2));
}

// Stopped after so many reports, again and again: the same in the end, and finished tiers are not worked out again.
TEST(BitPass, FinishedTiersAreTakenUp) {
  for (const char* name : {"taifas", "mnk"}) {
    const Variant variant = game(name, {"board=square:4x3"});
    const Position start = variant.rules().start();
    const auto wanted = sure(solve_bits(variant, start, {}));
    const tables_testing::TestFolder folder;
    const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
    BitOptions options;
    options.checkpoint = &checkpoint;
    int stopped = 0;
    for (bool done = false; !done;) {
      std::vector<int> tiers;
      options.visit = [&](int stones, const auto&, const auto&) { tiers.push_back(stones); };
      std::uint64_t reports = 0;
      options.progress = [&](const DenseProgress&) { return ++reports < 3; };
      const auto found = solve_bits(variant, start, options);
      done = found.ok();
      if (done) {
        expect_same(**found, *wanted);
      } else {
        ASSERT_EQ(found.status().code(), absl::StatusCode::kCancelled);
        EXPECT_EQ(tiers.size(), 2U);
        EXPECT_LE(checkpoint.finished().size(), 1U);
        ++stopped;
      }
    }
    EXPECT_GT(stopped, 3);
  }
}

// A piece that lacks a layer, with checksums that fit, is none: where ties are told apart in one state they are in all.
TEST(BitPass, PiecesThatLackALayerAreNotTaken) {
  const Variant variant = made(R"toml(
name = "Ties"
options.board = { default = "square:3x2" }
state.flag = { type = "bool" }
moves.place = { to = "empty", then = ["if any(placed & near(mine) > 0): flag = !flag"] }
end = { when = "!any(empty)", score = "if flag then count(mine & near(mine) > 1) else 0", value = "outcome" }
)toml");
  const Position start = variant.rules().start();
  const auto wanted = sure(solve_bits(variant, start, {}));
  const tables_testing::TestFolder folder;
  const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
  int taken = 0;
  for (std::uint64_t reports = 1; reports < 40; ++reports) {
    BitOptions options;
    options.checkpoint = &checkpoint;
    std::uint64_t reported = 0;
    options.progress = [&](const DenseProgress&) { return ++reported < reports; };
    if (solve_bits(variant, start, options).ok()) break;
    for (const std::string& name : checkpoint.finished()) {
      const std::string path = checkpoint.folder() + "/" + name + ".piece";
      std::vector<tables_testing::NamedLayer> layers;
      ASSERT_TRUE(tables_testing::read_table(path, &layers).ok());
      const bool level = std::erase_if(layers, [](const auto& layer) { return layer.name == "lost-1"; }) > 0;
      ASSERT_TRUE(tables_testing::write_table(path, "", layers, "this game").ok());
      options.progress = nullptr;
      if (level) expect_same(*sure(solve_bits(variant, start, options)), *wanted);
      taken += level ? 1 : 0;
    }
    ASSERT_TRUE(checkpoint.remove_all().ok());
  }
  EXPECT_GT(taken, 2);
}

// Positions that are worked out again: right ones pass, one wrong kind of value does not. Replies are gone by then: theirs are from
// one pass.
TEST(BitPass, SamplesFindWrongValues) {
  const Variant variant = game("taifas", {"board=square:3x3"});
  const Position start = variant.rules().start();
  const auto wanted = sure(solve_one_pass(variant, start, {}));
  const BitSets sets(variant, start);
  Judged judged(variant.rules());
  int checked = 0;
  BitOptions options;
  options.visit = [&](int stones, const std::vector<Position>& states, const ValueFn& value) {
    if (stones < 3) return;  // one that is wrong among a few positions need not be drawn
    const auto outcome = [&](const Position& p) {
      const bool here = std::popcount(p.planes[0] | p.planes[1]) == stones;
      const int of_first = sign((here ? value(p) : sure(wanted->value(p))).margin.margin.units);
      return p.mover == Player::first ? of_first : -of_first;
    };
    const auto lies = [&](const Position& p) {
      const CellSet occupied = p.planes[0] | p.planes[1];
      return std::popcount(occupied) == stones && (p.planes[0] & 1) != 0 ? -outcome(p) : outcome(p);
    };
    const std::vector<BitSample> samples = bit_samples(sets, sets.tier(stones), states, 300);
    EXPECT_EQ(samples.size(), 300U);
    absl::Status found;
    for (const BitSample& sample : samples) {
      // What makes no sense one pass does not know.
      if (!wanted->value(sample.position).ok()) continue;
      EXPECT_TRUE(check_position(variant.rules(), judged, sample.position, outcome).ok());
      found.Update(check_position(variant.rules(), judged, sample.position, lies));
    }
    EXPECT_TRUE(absl::IsInternal(found)) << stones;
    EXPECT_NE(found.message().find("went wrong"), std::string::npos);
    ++checked;
  };
  EXPECT_TRUE(solve_bits(variant, start, options).ok());
  EXPECT_EQ(checked, 7);
}

TEST(BitPass, KeepsToTheMemory) {
  const Variant variant = game("taifas", {"board=square:4x4"});
  BitOptions options;
  options.memory_bytes = 1'000'000;
  const absl::Status refused = solve_bits(variant, variant.rules().start(), options).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_EQ(std::string(refused.message()).rfind("memory: Taifas on square:4x4 needs ", 0), 0U) << refused;
}

}  // namespace
}  // namespace plenum::bit_pass_test
