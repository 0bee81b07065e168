// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/sweep_report.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/report/csv.h"
#include "tools/report/page_text.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kFairestShown = 3;
constexpr std::size_t kErrorColumns = 120;

std::string cell_text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : json_text(value, -1);
}

// Null where there is no such member: not every method finds out everything.
const Json& part(const Json& object, const char* key) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

// For first: "+7", "-0.5", "=" and "~" as on the page of openings.
std::string value_text(const Json& value) {
  const std::string margin = cell_text(part(value, "margin"));
  if (margin.empty()) return "";
  if (value["outcome"] == "cycle") return "~";
  if (margin == "0") return "=";
  return margin[0] == '-' ? margin : "+" + margin;
}

std::string short_percent(double share) {
  if (share <= 0) return "0";
  if (share >= 1) return "100";
  if (share < 0.0005) return "<0.1";
  return share > 0.9995 ? ">99.9" : absl::StrFormat("%.1f", 100 * share);
}

// Of the first moves: how many lead to what.
struct OpeningCounts {
  std::uint64_t all = 0;
  std::uint64_t first = 0;
  std::uint64_t level = 0;
  std::uint64_t second = 0;
};
OpeningCounts count_openings(const Json& result) {
  OpeningCounts out;
  for (const Json& opening : part(result, "openings")) {
    ++out.all;
    const std::string outcome = cell_text(opening["outcome"]);
    ++(outcome == "first" ? out.first : outcome == "second" ? out.second : out.level);
  }
  return out;
}

// Reachable positions, of an ending legal ones; nothing where the method does not count them.
std::optional<std::uint64_t> positions(const Json& result, const char* key) {
  const Json& all = part(result, "positions");
  if (const Json& n = part(all, key); n.is_number()) return n.get<std::uint64_t>();
  const bool every = std::string_view(key) == "reachable";
  std::uint64_t sum = 0;
  for (const char* mover : {"white_to_move", "black_to_move"}) {
    const Json& n = part(part(all, mover), every ? "legal" : key);
    if (!n.is_number()) return std::nullopt;
    sum += n.get<std::uint64_t>();
  }
  return sum;
}
std::uint64_t going_on(const Json& result) {
  return positions(result, "reachable").value_or(0) - positions(result, "ended").value_or(0);
}

std::string of_going_on(const Json& result, const char* key) {
  const std::optional<std::uint64_t> n = positions(result, key);
  return n ? short_percent(share(*n, going_on(result))) : "?";
}

std::string of_openings(const Json& result, std::uint64_t OpeningCounts::*which) {
  const OpeningCounts counts = count_openings(result);
  return counts.all == 0 ? "" : short_percent(share(counts.*which, counts.all));
}

std::string random_share(const Json& result, const std::vector<std::string>& keys) {
  const Json& random = part(result, "random_play");
  if (random.is_null()) return "?";
  double sum = 0;
  for (const std::string& key : keys) sum += random[key].get<double>();
  return short_percent(sum);
}

std::string rounded_or(const Json& value, const char* otherwise) {
  return value.is_null() ? otherwise : absl::StrFormat("%.1f", value.get<double>());
}

std::string fairest(const Json& result) {
  const Json& pie = part(result, "pie");
  if (pie.is_null()) return "";
  std::vector<std::string> names;
  for (const Json& name : pie["openings"]) names.push_back(name.get<std::string>());
  const std::size_t more = names.size() > kFairestShown ? names.size() - kFairestShown : 0;
  names.resize(names.size() - more);
  return absl::StrCat(absl::StrJoin(names, " "), more > 0 ? absl::StrCat(" +", more) : "");
}

// A message cut to what a row has room for; the whole one stands in JSON and CSV.
std::string in_one_line(const std::string& message) {
  const std::vector<std::string> words = absl::StrSplit(message, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  std::string out;
  for (const std::string& word : words) {
    if (display_width(out) + display_width(word) > kErrorColumns) return out + " ...";
    absl::StrAppend(&out, out.empty() ? "" : " ", word);
  }
  return out;
}

std::vector<std::string> names_of(const SweepGames& games) {
  std::vector<std::string> out;
  for (const Dimension& d : games.dimensions) out.push_back(d.name);
  return out;
}

struct Column {
  std::string name;
  bool left = false;  // aligned
  std::function<std::string(const Json&)> text;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"value", false, [](const Json& r) { return value_text(part(r, "value")); }},
      {"plies", false, [](const Json& r) { return cell_text(part(part(r, "value"), "plies")); }},
      {"pie", false, [](const Json& r) { return cell_text(part(part(r, "pie"), "margin")); }},
      {"fairest", true, fairest},
      {"open+%", false, [](const Json& r) { return of_openings(r, &OpeningCounts::first); }},
      {"open=%", false, [](const Json& r) { return of_openings(r, &OpeningCounts::level); }},
      {"open-%", false, [](const Json& r) { return of_openings(r, &OpeningCounts::second); }},
      {"positions", false,
       [](const Json& r) {
         const std::optional<std::uint64_t> n = positions(r, "reachable");
         return n ? number(*n) : std::string("?");
       }},
      {"ties%", false, [](const Json& r) { return of_going_on(r, "tie"); }},
      {"cycles%", false, [](const Json& r) { return of_going_on(r, "cycle"); }},
      {"forced%", false, [](const Json& r) { return of_going_on(r, "forced_cycle"); }},
      {"rand+%", false, [](const Json& r) { return random_share(r, {"first"}); }},
      {"rand=%", false,
       [](const Json& r) {
         return random_share(r, {"tie", "endless"});
       }},
      {"rand-%", false, [](const Json& r) { return random_share(r, {"second"}); }},
      {"length", false,
       [](const Json& r) {
         const Json& random = part(r, "random_play");
         return random.is_null() ? "?" : rounded_or(random["plies"], "endless");
       }},
      {"moves", false, [](const Json& r) { return rounded_or(part(part(r, "moves"), "mean"), ""); }},
      {"seconds", false, [](const Json& r) { return absl::StrFormat("%.2f", r["cost"]["seconds"].get<double>()); }},
  };
  return all;
}

// What CSV has of a result: exact counts, shares of 1.
struct CsvColumn {
  const char* name;
  std::function<Json(const Json&)> value;
};
Json share_or_null(std::optional<std::uint64_t> some, std::uint64_t whole) {
  return whole == 0 || !some ? Json(nullptr) : Json(share(*some, whole));
}
Json count_or_null(std::optional<std::uint64_t> n) { return n ? Json(*n) : Json(nullptr); }
CsvColumn at(const char* name, const char* group, const char* key) {
  return {name, [group, key](const Json& r) -> Json { return part(part(r, group), key); }};
}
CsvColumn measured(const char* name, std::vector<const char*> path) {
  return {name, [path = std::move(path)](const Json& r) -> Json {
            const Json* at = &part(r, "measures");
            for (const char* key : path) at = &part(*at, key);
            return *at;
          }};
}
const std::vector<CsvColumn>& csv_columns() {
  static const std::vector<CsvColumn> all = {
      at("outcome", "value", "outcome"),
      at("margin", "value", "margin"),
      at("plies", "value", "plies"),
      at("pie_margin", "pie", "margin"),
      {"pie_openings",
       [](const Json& r) -> Json {
         return part(r, "pie").is_null() ? ""
                                         : absl::StrJoin(r["pie"]["openings"].get<std::vector<std::string>>(), " ");
       }},
      {"openings", [](const Json& r) -> Json { return count_openings(r).all; }},
      {"openings_first", [](const Json& r) { return share_or_null(count_openings(r).first, count_openings(r).all); }},
      {"openings_level", [](const Json& r) { return share_or_null(count_openings(r).level, count_openings(r).all); }},
      {"openings_second", [](const Json& r) { return share_or_null(count_openings(r).second, count_openings(r).all); }},
      {"positions", [](const Json& r) { return count_or_null(positions(r, "reachable")); }},
      at("canonical", "positions", "canonical"),
      at("ended", "positions", "ended"),
      {"first", [](const Json& r) { return count_or_null(positions(r, "first")); }},
      {"second", [](const Json& r) { return count_or_null(positions(r, "second")); }},
      {"ties", [](const Json& r) { return count_or_null(positions(r, "tie")); }},
      {"cycles", [](const Json& r) { return count_or_null(positions(r, "cycle")); }},
      at("forced_cycles", "positions", "forced_cycle"),
      {"ties_share", [](const Json& r) { return share_or_null(positions(r, "tie"), going_on(r)); }},
      {"cycles_share", [](const Json& r) { return share_or_null(positions(r, "cycle"), going_on(r)); }},
      {"forced_cycles_share", [](const Json& r) { return share_or_null(positions(r, "forced_cycle"), going_on(r)); }},
      at("on_cycles", "cycles", "positions"),
      at("components", "cycles", "components"),
      {"endless_first", [](const Json& r) -> Json { return part(part(part(r, "cycles"), "endless"), "first"); }},
      {"endless_second", [](const Json& r) -> Json { return part(part(part(r, "cycles"), "endless"), "second"); }},
      at("random_first", "random_play", "first"),
      at("random_tie", "random_play", "tie"),
      at("random_second", "random_play", "second"),
      at("random_endless", "random_play", "endless"),
      at("random_plies", "random_play", "plies"),
      at("moves_mean", "moves", "mean"),
      at("moves_max", "moves", "max"),
      measured("critical", {"positions", "critical"}),
      measured("quiet", {"positions", "quiet"}),
      measured("keeping_mean", {"positions", "keeping_mean"}),
      measured("erring_first", {"erring", "first"}),
      measured("erring_tie", {"erring", "tie"}),
      measured("erring_second", {"erring", "second"}),
      measured("erring_plies", {"erring", "plies"}),
      measured("decisive_ply", {"erring", "decisive_ply"}),
      measured("changes", {"erring", "changes"}),
      measured("lead_changes", {"erring", "lead_changes"}),
      measured("skill", {"skill"}),
      measured("lines", {"lines"}),
      at("seconds", "cost", "seconds"),
      at("cpu_seconds", "cost", "cpu_seconds"),
  };
  return all;
}

}  // namespace

std::string sweep_table(const SweepGames& games, const std::vector<SweepRow>& rows) {
  const std::vector<std::string> varied = names_of(games);
  // Each line: what is varied, then the columns, or an error in place of these.
  const std::size_t n = varied.size() + columns().size();
  std::vector<std::vector<std::string>> lines(1);
  lines[0] = varied;
  for (const Column& column : columns()) lines[0].push_back(column.name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].state == SweepRow::State::waiting) continue;
    std::vector<std::string> line = games.values(i);
    if (rows[i].state == SweepRow::State::failed) {
      line.push_back(in_one_line(rows[i].error));
    } else {
      for (const Column& column : columns()) line.push_back(column.text(rows[i].result));
    }
    lines.push_back(std::move(line));
  }
  std::vector<std::size_t> width(n, 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size() && (line.size() == n || c < varied.size()); ++c)
      width[c] = std::max(width[c], display_width(line[c]));
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t c = 0; c < line.size(); ++c) {
      const bool left = line.size() < n || c < varied.size() || columns()[c - varied.size()].left;
      absl::StrAppend(&text, c == 0 ? "" : "  ",
                      left ? pad_right(line[c], line.size() < n && c >= varied.size() ? 0 : width[c])
                           : pad_left(line[c], width[c]));
    }
    text.erase(text.find_last_not_of(' ') + 1);
    absl::StrAppend(&out, text, "\n");
  }
  return out;
}

std::string csv_heading(const SweepGames& games) {
  std::vector<std::string> cells = {"variant"};
  for (const std::string& name : names_of(games)) cells.push_back(name);
  for (const CsvColumn& column : csv_columns()) cells.emplace_back(column.name);
  cells.emplace_back("error");
  return csv_row(cells);
}

std::string csv_line(const SweepGames& games, std::size_t i, const SweepRow& row) {
  std::vector<std::string> cells = {games.description.name};
  for (const std::string& value : games.values(i)) cells.push_back(value);
  for (const CsvColumn& column : csv_columns())
    cells.push_back(row.state == SweepRow::State::solved ? cell_text(column.value(row.result)) : "");
  cells.push_back(row.error);
  return csv_row(cells);
}

Json sweep_json(const SweepGames& games, std::size_t i, const SweepRow& row) {
  if (row.state == SweepRow::State::solved) return row.result;
  Json out = headed_json();
  out["variant"] = games.description.name;
  const absl::StatusOr<Description> game = games.game(i);
  out["options"] = options_json(game.ok() ? *game : games.description);
  out["error"] = row.error;
  out["exit_code"] = static_cast<int>(row.code);
  return out;
}

SweptGames swept_games(const SweepGames& games, const std::vector<SweepRow>& rows, const std::string& command) {
  SweptGames out;
  out.title = games.description.name;
  out.command = command;
  for (const Dimension& d : games.dimensions) out.dimensions.push_back({d.name, d.values});
  for (const SweepRow& row : rows)
    out.games.push_back({row.state == SweepRow::State::solved ? row.result : Json(), row.error});
  return out;
}

}  // namespace plenum
