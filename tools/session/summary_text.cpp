// SPDX-License-Identifier: Apache-2.0
#include "tools/session/summary_text.h"

#include <algorithm>
#include <array>
#include <map>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/report/json_report.h"

namespace plenum {
namespace {

// The facts of a value, in the order in which they are written.
struct FactName {
  const char* name;
  bool PositionValue::*fact;
};
constexpr std::array<FactName, 6> kFactNames = {{{"ended", &PositionValue::ended},
                                                 {"forced", &PositionValue::forced_cycle},
                                                 {"endless-first", &PositionValue::endless_first},
                                                 {"endless-second", &PositionValue::endless_second},
                                                 {"first-ends", &PositionValue::first_ends},
                                                 {"second-ends", &PositionValue::second_ends}}};

struct StatisticName {
  const char* name;
  std::uint64_t Statistics::*count;
};
constexpr std::array<StatisticName, 12> kStatisticNames = {{{"reachable", &Statistics::reachable},
                                                            {"canonical", &Statistics::canonical},
                                                            {"ended", &Statistics::ended},
                                                            {"first", &Statistics::first},
                                                            {"second", &Statistics::second},
                                                            {"tie", &Statistics::tie},
                                                            {"cycle", &Statistics::cycle},
                                                            {"forced_cycle", &Statistics::forced_cycle},
                                                            {"ended_first", &Statistics::ended_first},
                                                            {"ended_tie", &Statistics::ended_tie},
                                                            {"ended_second", &Statistics::ended_second},
                                                            {"moves", &Statistics::moves}}};

struct TierName {
  const char* name;
  std::uint64_t BitTier::*count;
};
constexpr std::array<TierName, 6> kTierNames = {{{"states", &BitTier::states},
                                                 {"positions", &BitTier::positions},
                                                 {"first", &BitTier::first},
                                                 {"second", &BitTier::second},
                                                 {"tie", &BitTier::level},
                                                 {"ended", &BitTier::ended}}};

// Whatever has another type reads as nothing: what was read is written again and compared, which finds it.
std::uint64_t count_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}
double real_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}
bool truth_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_boolean() && found->get<bool>();
}
std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
const Json& object_in(const Json& json, const char* key) {
  static const Json kNone = Json::object();
  const auto found = json.find(key);
  return found != json.end() && found->is_object() ? *found : kNone;
}

Json write_value(const PositionValue& value) {
  std::vector<std::string> facts;
  for (const FactName& f : kFactNames) {
    if (value.*f.fact) facts.emplace_back(f.name);
  }
  Json out;
  out["outcome"] = outcome_name(value.outcome);
  out["units"] = value.margin.margin.units;
  out["plies"] = value.plies ? Json(value.plies->count) : Json(nullptr);
  out["facts"] = absl::StrJoin(facts, " ");
  return out;
}

PositionValue read_value(const Json& json) {
  PositionValue out;
  if (!json.is_object()) return out;
  const std::string outcome = text_in(json, "outcome");
  for (const Outcome o : {Outcome::first, Outcome::second, Outcome::tie, Outcome::cycle}) {
    if (outcome == outcome_name(o)) out.outcome = o;
  }
  const auto units = json.find("units");
  if (units != json.end() && units->is_number_integer()) out.margin.margin.units = units->get<std::int64_t>();
  const auto plies = json.find("plies");
  if (plies != json.end() && plies->is_number_unsigned()) out.plies = Ply{plies->get<std::uint32_t>()};
  const std::vector<std::string> facts = absl::StrSplit(text_in(json, "facts"), ' ');
  for (const FactName& f : kFactNames) out.*f.fact = std::find(facts.begin(), facts.end(), f.name) != facts.end();
  return out;
}

Json write_statistics(const std::optional<Statistics>& s) {
  if (!s) return nullptr;
  Json out;
  for (const StatisticName& n : kStatisticNames) out[n.name] = (*s).*n.count;
  out["most_moves"] = s->most_moves;
  out["margins"] = Json::object();
  for (const auto& [margin, n] : s->margins) out["margins"][absl::StrCat(margin.margin.units)] = n;
  return out;
}

std::optional<Statistics> read_statistics(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Statistics out;
  for (const StatisticName& n : kStatisticNames) out.*n.count = count_in(json, n.name);
  out.most_moves = count_in(json, "most_moves");
  const Json& margins = object_in(json, "margins");
  for (const auto& [units, n] : margins.items()) {
    std::int64_t margin = 0;
    if (absl::SimpleAtoi(units, &margin)) out.margins[FirstValue{Margin{margin}}] = count_in(margins, units.c_str());
  }
  return out;
}

Json write_tiers(const std::vector<BitTier>& tiers) {
  Json out = Json::array();
  for (const BitTier& tier : tiers) {
    Json one;
    one["stones"] = static_cast<std::uint64_t>(tier.stones);
    one["second_moves"] = tier.mover == Player::second;
    for (const TierName& n : kTierNames) one[n.name] = tier.*n.count;
    out.push_back(std::move(one));
  }
  return out;
}

std::vector<BitTier> read_tiers(const Json& json) {
  std::vector<BitTier> out;
  if (!json.is_array()) return out;
  for (const Json& one : json) {
    if (!one.is_object()) return out;
    BitTier tier;
    tier.stones = static_cast<int>(count_in(one, "stones"));
    tier.mover = truth_in(one, "second_moves") ? Player::second : Player::first;
    for (const TierName& n : kTierNames) tier.*n.count = count_in(one, n.name);
    out.push_back(tier);
  }
  return out;
}

Json write_components(const std::optional<Components>& c) {
  if (!c) return nullptr;
  Json out;
  out["count"] = c->count;
  out["largest"] = c->largest;
  out["positions"] = c->positions;
  out["sizes"] = Json::object();
  for (const auto& [size, n] : c->sizes) out["sizes"][absl::StrCat(size)] = n;
  return out;
}

std::optional<Components> read_components(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  Components out;
  out.count = count_in(json, "count");
  out.largest = count_in(json, "largest");
  out.positions = count_in(json, "positions");
  const Json& sizes = object_in(json, "sizes");
  for (const auto& [size, n] : sizes.items()) {
    std::uint64_t positions = 0;
    if (absl::SimpleAtoi(size, &positions)) out.sizes[positions] = count_in(sizes, size.c_str());
  }
  return out;
}

Json write_random_play(const std::optional<RandomPlay>& r) {
  if (!r) return nullptr;
  Json out;
  out["first"] = r->first;
  out["tie"] = r->tie;
  out["second"] = r->second;
  out["endless"] = r->endless;
  out["plies"] = r->plies ? Json(*r->plies) : Json(nullptr);
  out["error"] = r->error;
  return out;
}

std::optional<RandomPlay> read_random_play(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  RandomPlay out;
  out.first = real_in(json, "first");
  out.tie = real_in(json, "tie");
  out.second = real_in(json, "second");
  out.endless = real_in(json, "endless");
  if (json.contains("plies") && json["plies"].is_number()) out.plies = real_in(json, "plies");
  out.error = real_in(json, "error");
  return out;
}

}  // namespace

Json summary_to_json(const Summary& s) {
  Json out;
  out["value"] = write_value(*s.start_value);
  out["openings"] = Json::array();
  for (const Opening& opening : s.openings) out["openings"].push_back(write_value(opening.after));
  out["reachable"] = write_statistics(s.statistics);
  out["whole_board"] = write_statistics(s.whole_board);
  out["tiers"] = write_tiers(s.tiers);
  out["cyclic"] = s.cyclic ? Json(*s.cyclic) : Json(nullptr);
  out["components"] = write_components(s.components);
  out["random_play"] = write_random_play(s.random_play);
  out["stored"] = s.stored;
  out["remoteness"] = s.remoteness_known;
  out["facts"] = s.facts_known;
  return out;
}

absl::StatusOr<Summary> summary_of_json(const Json& json, const Game& game, const Method& method) {
  const auto wrong = [] { return absl::InvalidArgumentError("its summary is not as one is written"); };
  if (!json.is_object() || !json.contains("value") || !json.contains("openings") || !json["openings"].is_array())
    return wrong();
  Summary out;
  out.variant = std::make_shared<const Variant>(game.variant());
  out.method = std::string(method.name());
  out.start = game.start();
  out.start_value = read_value(json["value"]);
  if (!out.start_value->ended) {
    std::size_t next = 0;
    const Json& openings = json["openings"];
    // Too many values, or too few, are found when it is written again.
    const ValueFn value = [&](const Position&) {
      return next < openings.size() ? read_value(openings[next++]) : PositionValue();
    };
    const absl::Status found = find_openings(value, out);
    if (!found.ok()) return wrong();
  }
  out.statistics = read_statistics(object_in(json, "reachable").empty() ? Json() : json["reachable"]);
  out.whole_board = read_statistics(object_in(json, "whole_board").empty() ? Json() : json["whole_board"]);
  if (json.contains("tiers")) out.tiers = read_tiers(json["tiers"]);
  if (json.contains("cyclic") && json["cyclic"].is_boolean()) out.cyclic = truth_in(json, "cyclic");
  out.components = read_components(object_in(json, "components").empty() ? Json() : json["components"]);
  out.random_play = read_random_play(object_in(json, "random_play").empty() ? Json() : json["random_play"]);
  out.stored = count_in(json, "stored");
  out.remoteness_known = truth_in(json, "remoteness");
  out.facts_known = truth_in(json, "facts");
  if (json_text(summary_to_json(out), -1) != json_text(json, -1)) return wrong();
  return out;
}

std::vector<SummaryMismatch> compare_summaries(const Json& found, const Json& expected) {
  std::vector<SummaryMismatch> out;
  const auto entries = [](const Json& json) {
    std::map<std::string, Json> places;
    const Json flat = json.flatten();
    for (const auto& [place, entry] : flat.items()) places[place] = entry;
    return places;
  };
  const std::map<std::string, Json> should = entries(expected);
  const std::map<std::string, Json> is = entries(found);
  for (const auto& [place, entry] : is) {
    const auto wanted = should.find(place);
    if (wanted == should.end()) {
      out.push_back({place, entry, nullptr});
    } else if (json_text(wanted->second, -1) != json_text(entry, -1)) {
      out.push_back({place, entry, wanted->second});
    }
  }
  for (const auto& [place, entry] : should) {
    if (is.count(place) == 0) out.push_back({place, nullptr, entry});
  }
  return out;
}

}  // namespace plenum
