// SPDX-License-Identifier: Apache-2.0
// Results as JSON: one object, keys in a fixed order; what is not known is null.
//
// A margin is a JSON integer, a half a number, any other fraction a string "p/q". Margins are first's throughout.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "solver/graph/best_line.h"
#include "solver/result/game_result.h"

namespace plenum {

using Json = nlohmann::ordered_json;

struct Cost {
  double seconds = 0;
  std::optional<double> cpu_seconds = std::nullopt;
  std::optional<std::uint64_t> peak_bytes;  // of the process; not known of one of several runs
  int threads = 0;
};

std::string_view outcome_name(Outcome outcome);
Json margin_json(const Variant& variant, Margin margin);
Json value_json(const Variant& variant, const PositionValue& value);
Json options_json(const Description& game);
// "variant", "hash" and "options": which game it is.
Json game_json(const Variant& variant);
Json pie_json(const GameResult& game);  // null without a pie
Json openings_json(const GameResult& game);
Json cost_json(const Cost& cost);
// Without `cost` the same bytes whatever the run.
Json solve_json(const GameResult& game, const std::optional<Cost>& cost);
void add_cost(const Cost& cost, Json& result);

// `indent` -1: on one line. Bytes that are no UTF-8, quoted from a person's input, become U+FFFD.
std::string json_text(const Json& json, int indent);
// What is wrong with a text before it is parsed, if it is out of all proportion: nested too deep for parsers that recurse, or too
// long. The parser stops at the first error, and up to there sees the same brackets and commas as this. "" where nothing is.
std::string_view json_disproportion(std::string_view text);

struct DrawRates {
  std::optional<double> positions;    // worth 0 among those not ended
  std::optional<double> openings;     // worth 0 among the first moves
  std::optional<double> ends;         // level among the ended positions
  std::optional<double> random_play;  // level or endless, by uniform random play
};
DrawRates draw_rates(const GameResult& game);

}  // namespace plenum
