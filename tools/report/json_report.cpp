// SPDX-License-Identifier: Apache-2.0
#include "tools/report/json_report.h"

#include <numeric>

#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// Results nest five deep and have some thousand values; every value takes some 100 bytes once it is read.
constexpr int kMostDepth = 32;
constexpr std::size_t kMostValues = std::size_t{1} << 20;

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

std::string json_text(const Json& json, int indent) {
  const std::string text = json.dump(indent, ' ', false, Json::error_handler_t::replace);
  // The library leaves DEL and the control characters U+0080 to U+009F as they are; terminals obey them.
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0x7F) {
      out += "\\u007f";
    } else if (byte == 0xC2 && next >= 0x80 && next <= 0x9F) {
      absl::StrAppend(&out, "\\u00", absl::Hex(next));
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view json_disproportion(std::string_view text) {
  int depth = 0;
  std::size_t values = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == '[' || c == '{' || c == ',') ++values;
    if (depth > kMostDepth) return "nested too deep";
    if (values > kMostValues) return "too long";
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

DrawRates draw_rates(const GameResult& game) {
  const Statistics& s = game.statistics();
  DrawRates out;
  out.positions = part_of(s.tie + s.cycle, s.going_on());
  std::uint64_t level = 0;
  for (const Opening& opening : game.openings()) level += opening.after.margin.margin.units == 0 ? 1 : 0;
  out.openings = part_of(level, game.openings().size());
  out.ends = part_of(s.ended_tie, s.ended);
  if (game.random_play()) out.random_play = game.random_play()->tie + game.random_play()->endless;
  return out;
}

Json game_json(const Variant& variant) {
  Json out;
  out["variant"] = variant.description().name;
  out["hash"] = variant.identity().hash;
  out["options"] = options_json(variant.description());
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

namespace {

Json positions_json(const Statistics& s, bool facts_known) {
  Json out;
  out["reachable"] = s.reachable;
  out["canonical"] = s.canonical;
  out["ended"] = s.ended;
  out["first"] = s.first;
  out["second"] = s.second;
  out["tie"] = s.tie;
  out["cycle"] = s.cycle;
  out["forced_cycle"] = facts_known ? Json(s.forced_cycle) : Json(nullptr);
  return out;
}

Json margins_json(const Variant& variant, const Statistics& s) {
  Json out = Json::object();
  for (const auto& [margin, n] : s.margins) out[variant.margin_text(margin.margin)] = n;
  return out;
}

// The same counts over every way to fill the board.
Json whole_board_json(const Variant& variant, const Statistics& s, bool facts_known) {
  Json out = positions_json(s, facts_known);
  out["positions"] = s.reachable;
  out.erase("reachable");
  out["ended_by"] = {{"first", s.ended_first}, {"tie", s.ended_tie}, {"second", s.ended_second}};
  out["margins"] = margins_json(variant, s);
  return out;
}

}  // namespace

Json pie_json(const GameResult& game) {
  if (!game.pie()) return nullptr;
  Json out;
  out["margin"] = margin_json(game.variant(), game.pie()->margin);
  out["openings"] = game.pie()->openings;
  return out;
}

Json openings_json(const GameResult& game) {
  Json out = Json::array();
  for (const Opening& opening : game.openings()) {
    Json one;
    one["move"] = opening.text;
    one.update(value_json(game.variant(), opening.after));
    out.push_back(std::move(one));
  }
  return out;
}

Json solve_json(const GameResult& game, const std::optional<Cost>& spent) {
  const Variant& variant = game.variant();
  const Statistics& s = game.statistics();
  Json out;
  out["schema"] = 1;
  out.update(game_json(variant));
  out["method"] = game.method_name();
  const auto& components = game.components();
  out["cyclic"] = components ? Json(components->count > 0) : Json(nullptr);
  out["value"] = value_json(variant, game.start_value());
  out["pie"] = pie_json(game);
  out["openings"] = openings_json(game);
  out["positions"] = positions_json(s, game.facts_known());
  out["margins"] = margins_json(variant, s);
  out["ended_by"]["first"] = s.ended_first;
  out["ended_by"]["tie"] = s.ended_tie;
  out["ended_by"]["second"] = s.ended_second;
  const DrawRates rates = draw_rates(game);
  Json& rate = out["draw_rate"];
  rate["positions"] = number_or_null(rates.positions);
  rate["openings"] = number_or_null(rates.openings);
  rate["ends"] = number_or_null(rates.ends);
  rate["random_play"] = number_or_null(rates.random_play);
  Json& cycles = out["cycles"];
  cycles["components"] = components ? Json(components->count) : Json(nullptr);
  cycles["largest"] = components ? Json(components->largest) : Json(nullptr);
  cycles["positions"] = components ? Json(components->positions) : Json(nullptr);
  const auto known = [&](bool fact) { return game.facts_known() ? Json(fact) : Json(nullptr); };
  cycles["endless"]["first"] = known(game.start_value().endless_first);
  cycles["endless"]["second"] = known(game.start_value().endless_second);
  out["random_play"] = nullptr;
  if (const auto& random = game.random_play(); random && random->error <= 1e-9) {
    Json& r = out["random_play"];
    r["first"] = random->first;
    r["tie"] = random->tie;
    r["second"] = random->second;
    r["endless"] = random->endless;
    r["plies"] = number_or_null(random->plies);
  }
  const auto mean = part_of(s.moves, s.going_on());
  out["moves"]["mean"] = number_or_null(mean);
  out["moves"]["max"] = s.most_moves;
  if (game.whole_board()) out["whole_board"] = whole_board_json(variant, *game.whole_board(), game.facts_known());
  out["cost"]["stored_positions"] = game.stored();
  if (spent) add_cost(*spent, out);
  return out;
}

void add_cost(const Cost& cost, Json& result) {
  // What can arise, or where that is not known the whole board; of an ending what is legal.
  const Json& positions = result["positions"];
  const auto counted = [&]() -> std::uint64_t {
    if (!positions.is_object()) return result["whole_board"]["positions"].get<std::uint64_t>();
    if (positions.contains("reachable")) return positions["reachable"].get<std::uint64_t>();
    return positions["white_to_move"]["legal"].get<std::uint64_t>() +
           positions["black_to_move"]["legal"].get<std::uint64_t>();
  };
  const std::uint64_t reachable = counted();
  const auto stored = result["cost"].value("stored_positions", std::uint64_t{0});
  Json& c = result["cost"];
  c = Json::object();
  const auto rate_of = [&](std::uint64_t n) { return cost.seconds > 0 ? static_cast<double>(n) / cost.seconds : 0.0; };
  c["seconds"] = cost.seconds;
  c["cpu_seconds"] = number_or_null(cost.cpu_seconds);
  c["positions_per_second"] = rate_of(reachable);
  c["stored_positions"] = stored;
  c["stored_per_second"] = rate_of(stored);
  const auto bytes_each = [&](std::uint64_t n) {
    return cost.peak_bytes && n > 0 ? Json(static_cast<double>(*cost.peak_bytes) / static_cast<double>(n))
                                    : Json(nullptr);
  };
  c["peak_bytes"] = cost.peak_bytes ? Json(*cost.peak_bytes) : Json(nullptr);
  c["bytes_per_position"] = bytes_each(reachable);
  c["bytes_per_stored"] = bytes_each(stored);
  c["threads"] = cost.threads;
}

}  // namespace plenum
