// SPDX-License-Identifier: Apache-2.0
// One pass over all boards against the stored graph: every reachable position, its value and plies, and all counts.
#include "solver/one_pass/one_pass.h"

#include <map>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "solver/graph/analysis.h"
#include "tests/random_variants.h"
#include "tests/solver_testing.h"
#include "tests/table_files.h"
#include "tests/variants_testing.h"

namespace plenum::one_pass_test {
namespace {

using solver_testing::expect_equal;
using variants_testing::game;
using variants_testing::made;
using variants_testing::sure;

void compare(const Variant& variant, const Position& start, const OnePassGame& found) {
  SolveOptions options;
  options.extras = kValuesOnly;
  const SolvedGame wanted = sure(solve_game(variant, start, options));
  expect_equal(found.statistics(), wanted.statistics());
  const SymmetryGroup& symmetries = variant.symmetries();
  for (PositionIndex i = 0; i < wanted.graph().size(); ++i) {
    const Position stored = wanted.store().position(i);
    // As it is stored, and of its images some.
    for (std::size_t g = 0; g < symmetries.size(); ++g) {
      if (g != 0 && (i + g) % 8 != 0) continue;
      const Position p = symmetries.apply(static_cast<GroupElement>(g), stored);
      ASSERT_EQ(*found.reachable(p), wanted.reachable(p)) << variant.rules().write(p);
      const PositionValue right = *wanted.value(p);
      const absl::StatusOr<PositionValue> value = found.value(p);
      if (!value.ok()) {
        // Where the start has not the symmetries of the board, its image may stand on a set that cannot arise.
        ASSERT_FALSE(wanted.reachable(p)) << variant.rules().write(p);
        continue;
      }
      ASSERT_EQ(value->margin, right.margin) << variant.rules().write(p);
      ASSERT_EQ(value->outcome, right.outcome) << variant.rules().write(p);
      ASSERT_EQ(value->ended, right.ended) << variant.rules().write(p);
      ASSERT_EQ(value->plies, right.plies) << variant.rules().write(p);
      ASSERT_EQ(value->first_ends, right.first_ends) << variant.rules().write(p);
      ASSERT_EQ(value->second_ends, right.second_ends) << variant.rules().write(p);
      ASSERT_EQ(value->endless_first, right.endless_first);
      ASSERT_EQ(value->endless_second, right.endless_second);
    }
  }
}

// Layers as they stand in a table.
std::map<DenseLayer, tables_testing::Bytes> layers_of(const DenseGame& game) {
  std::map<DenseLayer, tables_testing::Bytes> out;
  EXPECT_TRUE(write_layers(game.bytes(), [&](DenseLayer layer, std::span<const std::uint8_t> bytes) {
                out[layer].insert(out[layer].end(), bytes.begin(), bytes.end());
                return absl::OkStatus();
              }).ok());
  return out;
}

void expect_same(const OnePassGame& one, const OnePassGame& other) {
  EXPECT_TRUE(layers_of(one) == layers_of(other));
  expect_equal(one.statistics(), other.statistics());
  ASSERT_EQ(one.whole_board().has_value(), other.whole_board().has_value());
  if (one.whole_board()) expect_equal(*one.whole_board(), *other.whole_board());
  EXPECT_EQ(one.stored(), other.stored());
}

void check(const Variant& variant, const Position& start) {
  const auto solved = solve_one_pass(variant, start, {});
  ASSERT_TRUE(solved.ok()) << solved.status();
  compare(variant, start, **solved);
  OnePassOptions options;
  options.whole_board = false;
  const auto reached = sure(solve_one_pass(variant, start, options));
  EXPECT_FALSE(reached->whole_board().has_value());
  expect_equal(reached->statistics(), (*solved)->statistics());
  const auto all = layers_of(**solved)[DenseLayer::codes];
  const auto some = layers_of(*reached)[DenseLayer::codes];
  ASSERT_EQ(all.size(), some.size());
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_TRUE(some[i] == 0 || some[i] == all[i]) << i;
}

void check(const std::string& name, const std::vector<std::string>& settings) {
  SCOPED_TRACE(absl::StrCat(name, " ", absl::StrJoin(settings, " ")));
  const Variant variant = game(name, settings);
  check(variant, variant.rules().start());
}

TEST(OnePass, AgreesWithTheStoredGraph) {
  for (const char* board : {"square:1x1", "square:1x2", "square:2x2", "square:2x3", "square:3x2", "square:3x3"}) {
    const std::string on = absl::StrCat("board=", board);
    for (const char* fill : {"fill=down", "fill=both"}) check("cascade", {on, fill});
    check("taifas", {on});
    check("taifas", {on, "completes=split"});
    check("taifas", {on, "tie=draw", "pie=off"});
    for (const char* isolation : {"isolation=8", "isolation=4"}) {
      for (const char* self : {"drop_self=counts", "drop_self=not"}) check("in-crowd", {on, isolation, self});
    }
    check("in-crowd", {on, "drop_chain=on"});
  }
  check("taifas", {"board=square:4x2"});
  check("in-crowd", {"board=square:4x2"});
  check("taifas", {"board=path:6"});
  check("cascade", {"board=square:4x2", "fill=both"});
}

// The stored graph takes minutes.
TEST(LongOnePass, AgreesWithTheStoredGraph) {
  check("in-crowd", {"board=square:4x4"});
  check("taifas", {"board=square:4x3"});
  for (const char* fill : {"fill=down", "fill=both"}) check("cascade", {"board=square:4x3", fill});
}

TEST(OnePass, AgreesOnTheClassics) {
  check("tic-tac-toe", {});
  check("tic-tac-toe", {"misere=on"});
  check("mnk", {"board=square:4x3", "k=3"});
  check("mnk", {"board=hexrect:3x3", "k=3", "misere=on"});
  check("connect-4", {"board=square:4x3", "k=3"});
  check("connect-4", {"board=square:3x4"});
  check("hex", {"board=hexrect:3x3"});
  check("hex", {"board=hexrect:2x4"});
  check("y", {"board=square:4x4"});
  check("domineering", {"board=square:4x3"});
  check("domineering", {"board=square:4x4"});
  for (const char* start : {"start=diagonal", "start=parallel"}) {
    for (const char* board : {"square:2x4", "square:3x3", "square:3x4", "square:4x3"})
      check("othello", {absl::StrCat("board=", board), start, "empties=winner"});
  }
}

TEST(OnePass, TheBytesAreTheSameForAnyNumberOfThreads) {
  for (const char* name : {"cascade", "taifas", "in-crowd"}) {
    const Variant variant = game(name, {"board=square:3x3"});
    const auto solve = [&](std::size_t threads) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      return sure(solve_one_pass(variant, variant.rules().start(), {}));
    };
    expect_same(*solve(1), *solve(2));
  }
}

// Stopped after so many reports, again and again, with what was finished kept: the same in the end, and less and less to do.
TEST(OnePass, FinishedTiersAreTakenUp) {
  for (const char* name : {"cascade", "taifas", "in-crowd", "othello"}) {
    const Variant variant = game(name, {std::string(name) == "cascade" ? "board=square:3x2" : "board=square:3x3"});
    const Position start = variant.rules().start();
    const auto wanted = sure(solve_one_pass(variant, start, {}));
    const tables_testing::TestFolder folder;
    const Checkpoint checkpoint = sure(Checkpoint::open(folder / "game", "this game"));
    OnePassOptions options;
    options.samples = 0;  // so that sets are missing at first
    options.checkpoint = &checkpoint;
    int stopped = 0;
    std::size_t pieces = 0;
    for (std::uint64_t more = 1;; ++more) {
      std::uint64_t reports = 0;
      options.progress = [&](const DenseProgress&) { return ++reports < more; };
      const auto found = solve_one_pass(variant, start, options);
      EXPECT_GE(checkpoint.finished().size(), pieces);
      pieces = checkpoint.finished().size();
      if (!found.ok()) {
        ASSERT_EQ(found.status().code(), absl::StatusCode::kCancelled);
        ++stopped;
        continue;
      }
      compare(variant, start, **found);
      options.progress = {};
      expect_same(**found, *sure(solve_one_pass(variant, start, options)));
      break;
    }
    EXPECT_GT(stopped, 10) << name;
    EXPECT_GT(pieces, 10U) << name;
    // Pieces of other options, or of another index, are not taken.
    options.remoteness = false;
    options.samples = 8;
    const auto values = sure(solve_one_pass(variant, start, options));
    expect_equal(values->statistics(), wanted->statistics());
    EXPECT_FALSE(values->bytes().has(DenseLayer::plies));
  }
}

TEST(OnePass, Predictions) {
  for (const char* name : {"cascade", "taifas", "in-crowd"}) {
    const Variant variant = game(name, {"board=square:3x3"});
    const DensePrediction predicted = sure(predict_one_pass(variant, variant.rules().start(), true));
    const auto game = sure(solve_one_pass(variant, variant.rules().start(), {}));
    EXPECT_EQ(predicted.boards, game->stored());
    std::uint64_t bytes = 0;
    for (const auto& [layer, content] : layers_of(*game)) bytes += content.size();
    EXPECT_EQ(predicted.table_bytes, bytes);
    EXPECT_LT(sure(predict_one_pass(variant, variant.rules().start(), false)).table_bytes, bytes);
    EXPECT_GT(predicted.cpu_seconds, 0);
  }
}

// With no position tried, every set but the start's is found only as it is met.
TEST(OnePass, SetsThatWereNotFoundAreAdded) {
  for (const char* name : {"cascade", "taifas", "in-crowd", "othello", "connect-4"}) {
    const Variant variant = game(name, {std::string(name) == "othello" ? "board=square:3x3" : "board=square:3x2"});
    OnePassOptions options;
    options.samples = 0;
    const auto found = sure(solve_one_pass(variant, variant.rules().start(), options));
    EXPECT_GT(found->costs().attempts, 1) << name;
    compare(variant, variant.rules().start(), *found);
  }
}

// A start that not all symmetries leave as it is, or with second to move.
TEST(OnePass, OtherStarts) {
  const auto from = [](const std::string& name, const std::string& board, const std::string& position) {
    SCOPED_TRACE(absl::StrCat(name, " ", position));
    const Variant variant = game(name, {"board=" + board});
    check(variant, variants_testing::position(variant, position));
  };
  from("tic-tac-toe", "square:3x3", "3/3/x2 2");
  from("tic-tac-toe", "square:3x3", "3/xo1/3 1");
  from("tic-tac-toe", "square:3x3", "3/3/3 2");
  from("in-crowd", "square:3x3", "3/3/xo1 1");
  from("in-crowd", "square:3x3", "o2/3/2x 2");
  from("in-crowd", "square:3x2", "xo1/1ox 2 passes=1");
  from("taifas", "square:3x3", "b2/1w1/3 2 last_zone=first");
  from("cascade", "square:3x2", "3/2r 2");
  from("hex", "hexrect:3x3", "3/3/xo1 1");
  from("hex", "hexrect:3x3", "2o/3/x2 1");
  from("hex", "hexrect:3x3", "3/1x1/3 2");
}

constexpr char kPlacing[] = R"toml(
name = "Placing"
[options]
board = { default = "square:3x2", about = "any" }
[state]
made = { type = "number", range = [0, 6], about = "moves made" }
[moves.place]
to   = "empty"
then = ["made = made + 1"]
)toml";

// The number of moves leaves its range only where more are noted than there are stones, which cannot arise.
TEST(OnePass, RulesNeedMakeSenseOnlyWhereTheyApply) {
  const Variant variant = made(absl::StrCat(kPlacing, R"toml(
[end]
when  = "!any(empty)"
score = "count(mine & near(mine) > 0) + (if made > 3 then 1 else 0) * count(mine & row == 1)"
)toml"));
  check(variant, variant.rules().start());
  // A player whose opponent has every stone is without a move, and nothing says what that means.
  const Variant unstated = made(variants_testing::unstated("count(mine & near(mine) > 0)"));
  check(unstated, unstated.rules().start());
  const auto game = sure(solve_one_pass(unstated, unstated.rules().start(), {}));
  EXPECT_TRUE(game->value(variants_testing::position(unstated, "xo3 1")).ok());
  EXPECT_TRUE(absl::IsNotFound(game->value(variants_testing::position(unstated, "xx3 2")).status()));
}

TEST(OnePass, WhatIsWrongWhereItCanAriseIsAnError) {
  const Variant stuck = made(R"toml(
name = "Stuck"
[options]
board = { default = "path:4", about = "any" }
[moves.place]
to = "empty & near(theirs) == 0"
[end]
when  = "!any(empty)"
score = "count(mine)"
)toml");
  const Variant range = made(absl::StrCat(kPlacing, R"toml(
[end]
when  = "!any(empty) & made > 0"
score = "count(mine)"
)toml"),
                             {"board=square:4x2"});
  for (const Variant* variant : {&stuck, &range}) {
    const absl::Status found = solve_one_pass(*variant, variant->rules().start(), {}).status();
    const absl::Status wanted = solve_game(*variant, variant->rules().start(), {}).status();
    EXPECT_EQ(wanted.code(), absl::StatusCode::kInvalidArgument) << wanted;
    EXPECT_EQ(found.code(), wanted.code()) << found;
  }
}

TEST(OnePass, SaysWhatItCannotDo) {
  const Variant moves = game("breakthrough", {});
  EXPECT_EQ(solve_one_pass(moves, moves.rules().start(), {}).status().code(), absl::StatusCode::kUnimplemented);
  const Variant populace = game("populace", {"board=path:3"});
  EXPECT_EQ(solve_one_pass(populace, populace.rules().start(), {}).status().code(), absl::StatusCode::kUnimplemented);
  const Variant variant = game("taifas", {"board=square:3x3"});
  OnePassOptions options;
  options.memory_bytes = 1000;
  EXPECT_EQ(solve_one_pass(variant, variant.rules().start(), options).status().code(),
            absl::StatusCode::kResourceExhausted);
  options = {};
  options.progress = [](const DenseProgress& p) { return p.stones > 4; };
  EXPECT_EQ(solve_one_pass(variant, variant.rules().start(), options).status().code(), absl::StatusCode::kCancelled);
  // Margins of many units.
  const Variant fractions = game("taifas", {"board=square:3x3", "score=fraction"});
  EXPECT_EQ(solve_one_pass(fractions, fractions.rules().start(), {}).status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace plenum::one_pass_test
