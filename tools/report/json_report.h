// SPDX-License-Identifier: Apache-2.0
// Results as JSON: one object, keys in a fixed order; what is not known is null.
//
// A margin is a JSON integer, a half a number, any other fraction a string "p/q". Margins are first's throughout.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <absl/strings/str_cat.h>

#include "solver/result/summary.h"
#include "solver/study/histograms.h"
#include "solver/support/stage_times.h"
#include "tables/file/json_text.h"

namespace plenum {

struct Cost {
  double seconds = 0;
  std::optional<double> cpu_seconds = std::nullopt;
  std::optional<std::uint64_t> peak_bytes;  // of the process; not known of one of several runs
  int threads = 0;
  std::vector<StageTime> stages = {};  // of a solve; none of one of several runs
};

// As commands print it: indented, with its last newline.
std::string json_page(const Json& json);

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}
// An array of what `of` makes of each.
template <typename Range, typename Of>
Json json_list(const Range& range, const Of& of) {
  Json out = Json::array();
  for (const auto& one : range) out.push_back(of(one));
  return out;
}
// An object of counts, by what is counted.
template <typename Counts>
Json counts_json(const Counts& counts) {
  Json out = Json::object();
  for (const auto& [key, n] : counts) out[absl::StrCat(key)] = n;
  return out;
}

std::string_view outcome_name(Outcome outcome);
Json margin_json(const Variant& variant, Margin margin);
Json value_json(const Variant& variant, const PositionValue& value);
Json value_or_null(const Variant& variant, const std::optional<PositionValue>& value);
Json pie_json(const Variant& variant, const std::optional<Pie>& pie);
// With its value, whether it keeps that of the position, and where it leads.
Json move_json(const Variant& variant, const ValuedMove& move);
// The moves as they are written.
Json line_json(const std::vector<LineMove>& moves);
Json order_notes_json(const std::vector<OrderNote>& notes);
Json options_json(const Description& game);
// What each option is, takes, and means.
Json option_list_json(const Variant& variant);
// "variant", "hash" and "options": which game it is.
Json game_json(const Variant& variant);
// "schema", and the same: what begins an object that is about one game.
Json headed_json(const Variant& variant);
// "schema": what begins one that is not. It is the version of all JSON, and counts up when a key of any object goes or comes to mean
// something else, not when one is added.
inline constexpr int kJsonVersion = 1;
Json headed_json();
Json cost_json(const Cost& cost);
// Without `cost` the same bytes whatever the run.
Json solve_json(const Summary& game, const std::optional<Cost>& cost);
// Null of what was not measured.
Json measures_json(const std::optional<Measures>& measures);
Json histograms_json(const Variant& variant, const Histograms& found);
// "longest", "longest_positions" and "lengths": how long wins take, by winner; null of null.
Json lengths_json(const Variant& variant, const Histograms* found);
// Nothing of nothing.
std::optional<double> part_of(std::uint64_t part, std::uint64_t whole);
// Of all tiers together.
BitTier whole_of(const std::vector<BitTier>& tiers);

struct DrawRates {
  std::optional<double> positions;    // worth 0 among those not ended
  std::optional<double> openings;     // worth 0 among the first moves
  std::optional<double> ends;         // level among the ended positions
  std::optional<double> random_play;  // level or endless, by uniform random play
};
DrawRates draw_rates(const Summary& game);

// How the openings are spread, and the best of those that are worth less than the best.
struct Balance {
  std::map<Outcome, std::uint64_t> openings;
  std::optional<Margin> second_best;  // nothing: all are worth the same
};
// Nothing where not all values of the openings are known.
std::optional<Balance> balance_of(const Summary& game);

}  // namespace plenum
