// SPDX-License-Identifier: Apache-2.0
#include "tools/session/summary_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <type_traits>

#include <absl/strings/numbers.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/report/json_report.h"

namespace plenum {
namespace {

// The members of an object, in the order in which they are written. They are read by the same list.
template <typename Member>
struct Named {
  const char* name;
  Member member;
};
template <typename Member>
Named(const char*, Member) -> Named<Member>;  // clang 14 does not find it out
template <typename Object>
constexpr auto kMembers = nullptr;
template <>
constexpr auto kMembers<PositionValue> = std::tuple(Named{"outcome", &PositionValue::outcome},
                                                    Named{"units", &PositionValue::margin},
                                                    Named{"plies", &PositionValue::plies});  // and "facts", a text
template <>
constexpr auto kMembers<Statistics> =
    std::tuple(Named{"reachable", &Statistics::reachable}, Named{"canonical", &Statistics::canonical},
               Named{"ended", &Statistics::ended}, Named{"first", &Statistics::first},
               Named{"second", &Statistics::second}, Named{"tie", &Statistics::tie}, Named{"cycle", &Statistics::cycle},
               Named{"forced_cycle", &Statistics::forced_cycle}, Named{"ended_first", &Statistics::ended_first},
               Named{"ended_tie", &Statistics::ended_tie}, Named{"ended_second", &Statistics::ended_second},
               Named{"moves", &Statistics::moves}, Named{"most_moves", &Statistics::most_moves},
               Named{"margins", &Statistics::margins});
template <>
constexpr auto kMembers<BitTier> = std::tuple(Named{"stones", &BitTier::stones}, Named{"second_moves", &BitTier::mover},
                                              Named{"states", &BitTier::states},
                                              Named{"positions", &BitTier::positions}, Named{"first", &BitTier::first},
                                              Named{"second", &BitTier::second}, Named{"level", &BitTier::level},
                                              Named{"ended", &BitTier::ended}, Named{"tie", &BitTier::tie},
                                              Named{"first_at_least", &BitTier::first_at_least},
                                              Named{"second_at_least", &BitTier::second_at_least});
template <>
constexpr auto kMembers<Components> = std::tuple(Named{"count", &Components::count},
                                                 Named{"largest", &Components::largest},
                                                 Named{"positions", &Components::positions},
                                                 Named{"sizes", &Components::sizes});
template <>
constexpr auto kMembers<MoveCounts> = std::tuple(Named{"positions", &MoveCounts::positions},
                                                 Named{"decided", &MoveCounts::decided},
                                                 Named{"single", &MoveCounts::single},
                                                 Named{"critical", &MoveCounts::critical},
                                                 Named{"quiet", &MoveCounts::quiet}, Named{"moves", &MoveCounts::moves},
                                                 Named{"keeping", &MoveCounts::keeping});
template <>
constexpr auto kMembers<PlayResult> = std::tuple(Named{"first", &PlayResult::first}, Named{"tie", &PlayResult::tie},
                                                 Named{"second", &PlayResult::second},
                                                 Named{"endless", &PlayResult::endless},
                                                 Named{"plies", &PlayResult::plies});
template <>
constexpr auto kMembers<RandomPlay> = std::tuple_cat(kMembers<PlayResult>,
                                                     std::tuple(Named{"error", &RandomPlay::error}));
template <>
constexpr auto kMembers<PlayMeasures> = std::tuple(Named{"result", &PlayMeasures::result},
                                                   Named{"decisive_ply", &PlayMeasures::decisive_ply},
                                                   Named{"changes", &PlayMeasures::changes},
                                                   Named{"amount", &PlayMeasures::amount},
                                                   Named{"lead_changes", &PlayMeasures::lead_changes});
template <>
constexpr auto kMembers<ErrorGrid> = std::tuple(Named{"errors", &ErrorGrid::errors},
                                                Named{"quickest", &ErrorGrid::quickest}, Named{"any", &ErrorGrid::any});
template <>
constexpr auto kMembers<StartMeasures> = std::tuple(Named{"by_plies", &StartMeasures::by_plies},
                                                    Named{"random", &StartMeasures::random},
                                                    Named{"erring", &StartMeasures::erring},
                                                    Named{"grid", &StartMeasures::grid},
                                                    Named{"skill", &StartMeasures::skill},
                                                    Named{"lines", &StartMeasures::lines});
template <>
constexpr auto kMembers<Measures> = std::tuple(Named{"all", &Measures::all}, Named{"by_stones", &Measures::by_stones},
                                               Named{"from_start", &Measures::from_start});
template <>
constexpr auto kMembers<Summary> = std::tuple(  // behind "value" and "openings", for which one has to know the game
    Named{"reachable", &Summary::statistics}, Named{"whole_board", &Summary::whole_board},
    Named{"tiers", &Summary::tiers}, Named{"cyclic", &Summary::cyclic}, Named{"components", &Summary::components},
    Named{"random_play", &Summary::random_play}, Named{"measures", &Summary::measures},
    Named{"stored", &Summary::stored}, Named{"remoteness", &Summary::remoteness_known},
    Named{"facts", &Summary::facts_known});

// The facts of a value, in the order in which they are written.
constexpr Named<bool PositionValue::*> kFacts[] = {{"ended", &PositionValue::ended},
                                                   {"forced", &PositionValue::forced_cycle},
                                                   {"endless-first", &PositionValue::endless_first},
                                                   {"endless-second", &PositionValue::endless_second},
                                                   {"first-ends", &PositionValue::first_ends},
                                                   {"second-ends", &PositionValue::second_ends}};

struct SummaryWriter {
  template <typename Number>
  requires(std::is_arithmetic_v<Number>) static Json text(const Number& number) { return number; }
  static Json text(int number) { return static_cast<std::uint64_t>(number); }
  static Json text(const std::string& words) { return words; }
  static Json text(Outcome outcome) { return outcome_name(outcome); }
  static Json text(Player mover) { return mover == Player::second; }
  static Json text(Ply plies) { return plies.count; }
  static Json text(FirstValue value) { return value.margin.units; }
  static Json text(const PositionValue& value) {
    std::vector<std::string> facts;
    for (const auto& [name, fact] : kFacts) {
      if (value.*fact) facts.emplace_back(name);
    }
    Json out = object(value);
    out["facts"] = absl::StrJoin(facts, " ");
    return out;
  }
  template <typename T>
  static Json text(const std::optional<T>& value) {
    return value ? text(*value) : Json(nullptr);
  }
  template <typename T>
  static Json text(const std::vector<T>& list) {
    Json out = Json::array();
    for (const T& one : list) out.push_back(text(one));
    return out;
  }
  template <typename Key, typename Counts>
  static Json text(const std::map<Key, Counts>& counts) {
    Json out = Json::object();
    for (const auto& [key, n] : counts) out[text(key).dump()] = text(n);
    return out;
  }
  template <typename Object>
  static Json text(const Object& value) {
    return object(value);
  }
  template <typename Object>
  static Json object(const Object& value, Json out = Json::object()) {
    std::apply([&](const auto&... one) { ((out[one.name] = text(value.*one.member)), ...); }, kMembers<Object>);
    return out;
  }
};

// Whatever has another type reads as nothing: what was read is written again and compared, which finds it.
struct SummaryReader {
  template <typename Number>
  requires(std::is_arithmetic_v<Number>) static void read(const Json& json, Number& out) {
    const bool fits = std::is_same_v<Number, bool>       ? json.is_boolean()
                      : std::is_floating_point_v<Number> ? json.is_number()
                      : std::is_signed_v<Number>         ? json.is_number_integer()
                                                         : json.is_number_unsigned();
    if (fits) out = json.get<Number>();
  }
  static void read(const Json& json, int& out) {
    std::uint64_t number = 0;
    read(json, number);
    out = static_cast<int>(number);
  }
  static void read(const Json& json, std::string& out) {
    if (json.is_string()) out = json.get<std::string>();
  }
  static void read(const Json& json, Outcome& out) {
    for (const Outcome o : {Outcome::first, Outcome::second, Outcome::tie, Outcome::cycle}) {
      if (json == outcome_name(o)) out = o;
    }
  }
  static void read(const Json& json, Player& out) { out = json == true ? Player::second : Player::first; }
  static void read(const Json& json, Ply& out) { read(json, out.count); }
  static void read(const Json& json, FirstValue& out) { read(json, out.margin.units); }
  static void read(const Json& json, PositionValue& out) {
    object(json, out);
    const auto text = json.find("facts");
    if (text == json.end() || !text->is_string()) return;
    const std::vector<std::string> facts = absl::StrSplit(text->get<std::string>(), ' ');
    for (const auto& [name, fact] : kFacts) out.*fact = std::find(facts.begin(), facts.end(), name) != facts.end();
  }
  template <typename T>
  static void read(const Json& json, std::optional<T>& out) {
    if (!json.is_null()) read(json, out.emplace());
  }
  template <typename T>
  static void read(const Json& json, std::vector<T>& out) {
    if (!json.is_array()) return;
    for (const Json& one : json) read(one, out.emplace_back());
  }
  template <typename Key, typename Counts>
  static void read(const Json& json, std::map<Key, Counts>& out) {
    if (!json.is_object()) return;
    for (const auto& [text, n] : json.items()) {
      Key key{};
      if (absl::SimpleAtoi(text, &number_of(key))) read(n, out[key]);
    }
  }
  template <typename Number>
  requires(std::is_integral_v<Number>) static Number& number_of(Number& key) { return key; }
  static std::int64_t& number_of(FirstValue& key) { return key.margin.units; }
  template <typename Object>
  static void read(const Json& json, Object& out) {
    object(json, out);
  }
  template <typename Object>
  static void object(const Json& json, Object& out) {
    const auto take = [&](const auto& one) {
      if (const auto found = json.find(one.name); found != json.end()) read(*found, out.*one.member);
    };
    std::apply([&](const auto&... one) { (take(one), ...); }, kMembers<Object>);
  }
};

}  // namespace

Json summary_to_json(const Summary& s) {
  Json out;
  out["value"] = SummaryWriter::text(*s.start_value);
  out["openings"] = Json::array();
  for (const Opening& opening : s.openings) out["openings"].push_back(SummaryWriter::text(opening.after));
  return SummaryWriter::object(s, std::move(out));
}

absl::StatusOr<Summary> summary_of_json(const Json& json, const Game& game, const Method& method) {
  const auto wrong = [] { return absl::InvalidArgumentError("its summary is not as one is written"); };
  if (!json.is_object() || !json.contains("value") || !json.contains("openings") || !json["openings"].is_array())
    return wrong();
  Summary out;
  out.variant = std::make_shared<const Variant>(game.variant());
  out.method = std::string(method.name());
  out.start = game.start();
  SummaryReader::read(json["value"], out.start_value.emplace());
  auto next = json["openings"].begin();
  // Too many values, or too few, are found when it is written again.
  const ValueFn value = [&, end = json["openings"].end()](const Position&) {
    PositionValue after;
    if (next != end) SummaryReader::read(*next++, after);
    return after;
  };
  if (!find_openings(value, out).ok()) return wrong();
  SummaryReader::object(json, out);
  if (json_text(summary_to_json(out), -1) != json_text(json, -1)) return wrong();
  return out;
}

namespace {

// Chances and expectations are found by iteration. Another version of the program may end with other last digits.
bool says_the_same(const Json& a, const Json& b) {
  constexpr double kMayDiffer = 1e-9;
  if (!a.is_number() || !b.is_number() || !(a.is_number_float() || b.is_number_float()))
    return json_text(a, -1) == json_text(b, -1);
  const auto x = a.get<double>();
  const auto y = b.get<double>();
  return std::abs(x - y) <= kMayDiffer * std::max({1.0, std::abs(x), std::abs(y)});
}

}  // namespace

std::vector<SummaryMismatch> compare_summaries(const Json& found, const Json& expected) {
  using Entries = std::map<std::string, Json>;
  const auto should = expected.flatten().get<Entries>();
  const auto is = found.flatten().get<Entries>();
  std::vector<SummaryMismatch> out;
  for (const auto& [place, entry] : is) {
    const auto wanted = should.find(place);
    if (wanted == should.end() || !says_the_same(wanted->second, entry))
      out.push_back({place, entry, wanted == should.end() ? Json() : wanted->second});
  }
  for (const auto& [place, entry] : should) {
    if (is.count(place) == 0) out.push_back({place, nullptr, entry});
  }
  return out;
}

}  // namespace plenum
