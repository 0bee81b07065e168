// SPDX-License-Identifier: Apache-2.0
#include "tools/report/json_report.h"

#include <numeric>

#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::optional<double> part_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::first:
      return "first";
    case Outcome::second:
      return "second";
    case Outcome::tie:
      return "tie";
    case Outcome::cycle:
      return "cycle";
  }
  return "";
}

Json margin_json(const Variant& variant, Margin margin) {
  const std::int64_t denominator = variant.rules().denominator();
  const std::int64_t common = std::max<std::int64_t>(1, std::gcd(margin.units, denominator));
  const std::int64_t numerator = margin.units / common;  // `common` divides it
  if (denominator / common == 1) return numerator;
  if (denominator / common == 2) return static_cast<double>(numerator) / 2;
  return variant.margin_text(margin);
}

Json value_json(const Variant& variant, const PositionValue& value) {
  Json out;
  out["outcome"] = outcome_name(value.outcome);
  out["margin"] = margin_json(variant, value.margin.margin);
  out["plies"] = value.plies ? Json(value.plies->count) : Json(nullptr);
  return out;
}

Json options_json(const Description& game) {
  Json out = Json::object();
  out["board"] = nullptr;  // comes first
  for (const Option& option : game.options) {
    if (const std::int64_t* number = std::get_if<std::int64_t>(&option.value)) {
      out[option.name] = *number;
    } else {
      out[option.name] = to_text(option.value);
    }
  }
  return out;
}

DrawRates draw_rates(const Summary& game) {
  DrawRates out;
  std::uint64_t level = 0;
  std::uint64_t known = 0;
  for (const Opening& opening : game.openings) {
    if (opening.bounds) continue;
    ++known;
    level += opening.after.margin.margin.units == 0 ? 1 : 0;
  }
  if (known == game.openings.size()) out.openings = part_of(level, known);
  if (game.random_play && game.random_play->known())
    out.random_play = game.random_play->tie + game.random_play->endless;
  if (!game.statistics) return out;
  const Statistics& s = *game.statistics;
  out.positions = part_of(s.tie + s.cycle, s.going_on());
  out.ends = part_of(s.ended_tie, s.ended);
  return out;
}

Json option_list_json(const Variant& variant) {
  Json out = Json::array();
  const Json values = options_json(variant.description());
  for (const Option& option : variant.description().options) {
    Json one;
    one["name"] = option.name;
    one["value"] = values[option.name];
    one["default"] = to_text(option.initial);
    one["choices"] = option.choices();
    const std::vector<std::string> all = option.values();
    one["values"] = all.empty() ? Json(nullptr) : Json(all);
    one["left_open"] = option.left_open;
    one["about"] = option.about;
    out.push_back(std::move(one));
  }
  return out;
}

Json game_json(const Variant& variant) {
  Json out;
  out["variant"] = variant.description().name;
  out["hash"] = variant.identity().hash;
  out["options"] = options_json(variant.description());
  return out;
}

Json headed_json() {
  Json out;
  out["schema"] = kJsonVersion;
  return out;
}

Json headed_json(const Variant& variant) {
  Json out = headed_json();
  out.update(game_json(variant));
  return out;
}

Json cost_json(const Cost& cost) {
  Json out;
  out["seconds"] = cost.seconds;
  out["cpu_seconds"] = number_or_null(cost.cpu_seconds);
  out["peak_bytes"] = cost.peak_bytes ? Json(*cost.peak_bytes) : Json(nullptr);
  out["threads"] = cost.threads;
  return out;
}

Json histograms_json(const Variant& variant, const Histograms& found) {
  Json out = headed_json(variant);
  out["positions"] = found.positions;
  out["ended"] = found.ended;
  out["margins"] = Json::object();
  for (const auto& [value, n] : found.margins) out["margins"][variant.margin_text(value.margin)] = n;
  out["plies"] = Json::object();
  for (const auto& [plies, n] : found.plies) out["plies"][std::to_string(plies)] = n;
  out["stones"] = Json::object();
  for (const auto& [stones, outcomes] : found.stones) {
    Json& at = out["stones"][std::to_string(stones)];
    for (const Outcome outcome : {Outcome::first, Outcome::second, Outcome::tie, Outcome::cycle})
      at[std::string(outcome_name(outcome))] = outcomes[static_cast<std::size_t>(outcome)];
  }
  return out;
}

}  // namespace plenum
