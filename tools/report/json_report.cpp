// SPDX-License-Identifier: Apache-2.0
#include "tools/report/json_report.h"

#include <numeric>

namespace plenum {

std::optional<double> part_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string json_page(const Json& json) { return json_text(json, 2) + "\n"; }

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
  return {{"outcome", outcome_name(value.outcome)},
          {"margin", margin_json(variant, value.margin.margin)},
          {"plies", value.plies ? Json(value.plies->count) : Json()}};
}

Json value_or_null(const Variant& variant, const std::optional<PositionValue>& value) {
  return value ? value_json(variant, *value) : Json();
}

Json pie_json(const Variant& variant, const std::optional<Pie>& pie) {
  if (!pie) return nullptr;
  return {{"margin", margin_json(variant, pie->margin)}, {"openings", pie->openings}};
}

Json move_json(const Variant& variant, const ValuedMove& move) {
  Json out = {{"move", move.successor.text}};
  out.update(value_json(variant, move.after));
  out["keeps"] = move.keeps;
  out["position"] = variant.rules().write(move.successor.position);
  return out;
}

Json line_json(const std::vector<LineMove>& moves) {
  return json_list(moves, [](const LineMove& move) { return move.text; });
}

Json order_notes_json(const std::vector<OrderNote>& notes) {
  return json_list(notes, [](const OrderNote& note) -> Json {
    return {{"effect", note.effect.text()}, {"proven", note.proven}, {"reason", note.reason}};
  });
}

Json options_json(const Description& game) {
  Json out = Json::object();
  out["board"] = nullptr;  // comes first
  for (const Option& option : game.options) {
    const auto* const number = std::get_if<std::int64_t>(&option.value);
    out[option.name] = number != nullptr ? Json(*number) : Json(to_text(option.value));
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
  const Json values = options_json(variant.description());
  return json_list(variant.description().options, [&](const Option& option) -> Json {
    const std::vector<std::string> all = option.values();
    return {{"name", option.name},
            {"value", values[option.name]},
            {"default", to_text(option.initial)},
            {"choices", option.choices()},
            {"values", all.empty() ? Json() : Json(all)},
            {"left_open", option.left_open},
            {"about", option.about}};
  });
}

Json game_json(const Variant& variant) {
  return {{"variant", variant.description().name},
          {"hash", variant.identity().hash},
          {"options", options_json(variant.description())}};
}

Json headed_json() { return {{"schema", kJsonVersion}}; }

Json headed_json(const Variant& variant) {
  Json out = headed_json();
  out.update(game_json(variant));
  return out;
}

Json cost_json(const Cost& cost) {
  return {{"seconds", cost.seconds},
          {"cpu_seconds", or_null(cost.cpu_seconds)},
          {"peak_bytes", or_null(cost.peak_bytes)},
          {"threads", cost.threads}};
}

Json lengths_json(const Variant& variant, const Histograms* found) {
  Json out = {{"longest", nullptr}, {"longest_positions", nullptr}, {"lengths", nullptr}};
  if (found == nullptr) return out;
  for (const Outcome winner : {Outcome::first, Outcome::second}) {
    const auto who = static_cast<std::size_t>(winner);
    const std::string name(outcome_name(winner));
    const std::optional<LongestWin>& longest = found->longest[who];
    out["longest"][name] = longest ? Json(longest->plies) : Json();
    out["longest_positions"][name] = longest ? Json(variant.rules().write(longest->position)) : Json();
    out["lengths"][name] = counts_json(found->wins[who]);
  }
  return out;
}

Json histograms_json(const Variant& variant, const Histograms& found) {
  Json out = headed_json(variant);
  out["positions"] = found.positions;
  out["ended"] = found.ended;
  out["margins"] = Json::object();
  for (const auto& [value, n] : found.margins) out["margins"][variant.margin_text(value.margin)] = n;
  out["plies"] = counts_json(found.plies);
  out["stones"] = Json::object();
  for (const auto& [stones, outcomes] : found.stones) {
    Json& at = out["stones"][std::to_string(stones)];
    for (const Outcome outcome : {Outcome::first, Outcome::second, Outcome::tie, Outcome::cycle})
      at[std::string(outcome_name(outcome))] = outcomes[static_cast<std::size_t>(outcome)];
  }
  return out;
}

}  // namespace plenum
