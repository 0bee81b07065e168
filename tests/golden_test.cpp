// SPDX-License-Identifier: Apache-2.0
// Solved games against results of independent programs: a line of JSON in tests/golden a game. Each is solved with all symmetries
// and, where small, without any: everything counted must be the same.
#include <cmath>
#include <fstream>

#include <absl/strings/str_replace.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tools/report/json_report.h"

namespace plenum::golden_test {
namespace {

constexpr std::uint64_t kSmall = 20'000;  // reachable positions up to which a game is also solved without symmetries

void expect_same(const Json& got, const Json& wanted, const std::string& where) {
  if (wanted.is_null()) return;
  if (wanted.is_object()) {
    for (const auto& [key, value] : wanted.items()) {
      ASSERT_TRUE(got.contains(key)) << where << "." << key;
      expect_same(got[key], value, where + "." + key);
    }
  } else if (wanted.is_number_float() || got.is_number_float()) {  // a mean may be 9 there and 9 + 2e-14 here
    EXPECT_NEAR(got.get<double>(), wanted.get<double>(), where.find("plies") != std::string::npos ? 1e-6 : 1e-9)
        << where;
  } else {
    EXPECT_EQ(got, wanted) << where;
  }
}

// The shortcuts of the files: openings by margin, the pie's margin, the mean number of moves, the mean length.
void compare(const Json& got, const Json& expected, const std::string& where) {
  for (const auto& [key, value] : expected.items()) {
    if (value.is_null()) continue;
    if (key == "openings") {
      Json margins = Json::object();
      for (const Json& opening : got["openings"]) margins[opening["move"].get<std::string>()] = opening["margin"];
      EXPECT_EQ(margins.size(), value.size()) << where;
      for (const auto& [move, margin] : value.items()) EXPECT_EQ(margins[move], margin) << where << " " << move;
    } else if (key == "pie") {
      EXPECT_EQ(got["pie"]["margin"], value) << where;
    } else if (key == "moves_mean") {
      EXPECT_NEAR(got["moves"]["mean"].get<double>(), value.get<double>(), 1e-4) << where;
    } else if (key == "random_plies") {
      EXPECT_NEAR(got["random_play"]["plies"].get<double>(), value.get<double>(), 1e-6) << where;
    } else {
      expect_same(got[key], value, where + " " + key);
      if (key == "margins") {
        EXPECT_EQ(got[key].size(), value.size()) << where;
      }
    }
  }
}

Json solved(const Variant& variant) {
  const absl::StatusOr<SolvedGame> game = solve_game(variant, variant.rules().start(), {});
  EXPECT_TRUE(game.ok()) << game.status();
  Json out = solve_json(game->summary(), {});
  out.erase("cost");
  return out;
}

// Random play is computed along another path; everything else must agree to the letter.
void expect_equal_games(Json a, Json b, const std::string& where) {
  for (const char* key : {"first", "tie", "second", "endless", "plies"}) {
    if (a["random_play"][key].is_null()) continue;
    EXPECT_NEAR(a["random_play"][key].get<double>(), b["random_play"][key].get<double>(), 1e-8) << where << " " << key;
  }
  if (!a["draw_rate"]["random_play"].is_null()) {
    EXPECT_NEAR(a["draw_rate"]["random_play"].get<double>(), b["draw_rate"]["random_play"].get<double>(), 1e-9)
        << where;
  }
  for (Json* game : {&a, &b}) {
    game->erase("random_play");
    (*game)["draw_rate"].erase("random_play");
    (*game)["positions"].erase("canonical");
  }
  EXPECT_EQ(a, b) << where;
}

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, AllLinesComeOut) {
  std::ifstream in(std::string(PLENUM_TESTS_FOLDER) + "/golden/" + GetParam());
  int lines = 0;
  for (std::string line; std::getline(in, line);) {
    const Json item = Json::parse(line);
    absl::StatusOr<Description> game = load_description(item["variant"].get<std::string>(), PLENUM_DATA_FOLDER);
    ASSERT_TRUE(game.ok()) << game.status();
    for (const auto& [key, value] : item["options"].items()) {
      const absl::Status set = game->set_option(
          Span::whole("option", key + "=" + (value.is_string() ? value.get<std::string>() : value.dump())));
      ASSERT_TRUE(set.ok()) << set;
    }
    const absl::StatusOr<Variant> variant = Variant::make(*game);
    ASSERT_TRUE(variant.ok()) << variant.status();
    const std::string where = item["options"].dump();
    const Json folded = solved(*variant);
    compare(folded, item["expect"], where);
    if (folded["positions"]["reachable"].get<std::uint64_t>() <= kSmall) {
      expect_equal_games(folded, solved(variant->without_symmetries()), where);
    }
    ++lines;
  }
  EXPECT_GE(lines, 5);
}

INSTANTIATE_TEST_SUITE_P(Files, Golden,
                         testing::Values("populace.jsonl", "in-crowd.jsonl", "cascade.jsonl", "taifas.jsonl",
                                         "classics.jsonl", "extended.jsonl", "extended-3.jsonl"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           return absl::StrReplaceAll(name.substr(0, name.find('.')), {{"-", "_"}});
                         });

TEST(Threads, OneAndTwoGiveTheSame) {
  for (const char* board : {"path:8", "square:2x4", "hexrect:3x3"}) {
    absl::StatusOr<Description> game = load_description("populace", PLENUM_DATA_FOLDER);
    ASSERT_TRUE(game.ok());
    ASSERT_TRUE(game->set_option(Span::whole("board", std::string("board=") + board)).ok());
    const absl::StatusOr<Variant> variant = Variant::make(*game);
    ASSERT_TRUE(variant.ok());
    std::vector<Json> results;
    for (const std::size_t threads : {1U, 2U, 4U}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      results.push_back(solved(*variant));
    }
    EXPECT_EQ(results[0], results[1]) << board;  // to the last bit of the probabilities
    EXPECT_EQ(results[0], results[2]) << board;
  }
}

}  // namespace
}  // namespace plenum::golden_test
