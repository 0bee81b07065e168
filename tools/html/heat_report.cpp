// SPDX-License-Identifier: Apache-2.0
#include "tools/html/heat_report.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/html/chart_svg.h"
#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/report/page_text.h"

namespace plenum {
namespace {

constexpr std::size_t kMostMaps = 40;

// Null where there is no such member.
const Json& json_member(const Json& object, const char* key) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

std::optional<double> number_of(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  const std::vector<std::string> parts = absl::StrSplit(json.get<std::string>(), '/');
  double above = 0;
  double below = 1;
  if (!absl::SimpleAtod(parts[0], &above)) return std::nullopt;
  if (parts.size() > 1 && (!absl::SimpleAtod(parts[1], &below) || below == 0)) return std::nullopt;
  return above / below;
}

std::string margin_words(const Json& margin, const Json& outcome) {
  if (margin.is_null()) return "not known";
  if (outcome == "cycle") return "~";
  const std::string text = margin.is_string() ? margin.get<std::string>() : json_text(margin, -1);
  if (text == "0") return "=";
  return text[0] == '-' ? text : "+" + text;
}

// Reachable positions, of an ending legal ones.
std::optional<double> positions_of_game(const Json& game, const char* key, const char* of_ending) {
  const Json& all = json_member(game, "positions");
  if (const std::optional<double> n = number_of(json_member(all, key))) return n;
  double sum = 0;
  for (const char* mover : {"white_to_move", "black_to_move"}) {
    const std::optional<double> n = number_of(json_member(json_member(all, mover), of_ending));
    if (!n) return std::nullopt;
    sum += *n;
  }
  return sum;
}

std::optional<double> share_of_going_on(const Json& game, const char* key) {
  const std::optional<double> all = positions_of_game(game, "reachable", "legal");
  const std::optional<double> some = positions_of_game(game, key, key);
  if (!all || !some) return std::nullopt;
  const double going_on = *all - number_of(json_member(json_member(game, "positions"), "ended")).value_or(0);
  return going_on > 0 ? std::optional(*some / going_on) : std::nullopt;
}

HeatCell share_cell(std::optional<double> share) {
  return share ? HeatCell{pages::percent(*share), share} : HeatCell{"not known"};
}

struct MapMeasure {
  const char* title;
  std::function<HeatCell(const Json& game)> cell;
};

const std::vector<MapMeasure>& measures() {
  static const std::vector<MapMeasure> all = {
      {"First’s margin at best play (= a tie, ~ a cycle)",
       [](const Json& g) {
         const Json& value = json_member(g, "value");
         return HeatCell{margin_words(json_member(value, "margin"), json_member(value, "outcome")),
                         number_of(json_member(value, "margin"))};
       }},
      {"First’s margin with the pie",
       [](const Json& g) {
         const Json& margin = json_member(json_member(g, "pie"), "margin");
         return HeatCell{margin.is_null() ? "no pie" : margin_words(margin, Json()), number_of(margin)};
       }},
      {"Plies to the end at best play, where somebody wins",
       [](const Json& g) {
         const Json& value = json_member(g, "value");  // not of an ending
         const std::optional<double> n = number_of(json_member(value, "plies"));
         return HeatCell{n ? absl::StrCat(*n) : value.is_null() ? "not known" : "none", n};
       }},
      {"Ties, of the positions that have not ended (of an ending: of the legal ones)",
       [](const Json& g) { return share_cell(share_of_going_on(g, "tie")); }},
      {"Cycles, of the positions that have not ended (of an ending: of the legal ones)",
       [](const Json& g) { return share_cell(share_of_going_on(g, "cycle")); }},
      {"Level or endless games, of those played at random",
       [](const Json& g) { return share_cell(number_of(json_member(json_member(g, "draw_rate"), "random_play"))); }},
      {"Reachable positions (of an ending: legal ones)",
       [](const Json& g) {
         const std::optional<double> n = positions_of_game(g, "reachable", "legal");
         return HeatCell{n ? pages::number(static_cast<std::uint64_t>(*n)) : "not known", n};
       }},
  };
  return all;
}

bool all_alike(const HeatMap& map) {
  for (const auto& row : map.cells) {
    for (const HeatCell& cell : row) {
      if (cell.text != map.cells[0][0].text) return false;
    }
  }
  return true;
}

// The games from `begin` on, of which the last dimensions vary: rows by columns.
class MapBlock {
 public:
  MapBlock(const SweptGames& swept, std::size_t begin, std::string where)
      : swept_(swept), begin_(begin), where_(std::move(where)) {
    const auto& d = swept.dimensions;
    across_ = d.empty() ? SweptGames::Dimension{"", {""}} : d.back();
    down_ = d.size() < 2 ? SweptGames::Dimension{"", {""}} : d[d.size() - 2];
  }

  std::string html(std::size_t& maps) const {
    std::string out;
    for (const MapMeasure& shown : measures()) {
      HeatMap map = made(shown);
      if (all_alike(map)) {
        out += paragraph(absl::StrCat(shown.title, where_, ": ", map.cells[0][0].text,
                                      swept_.games.size() > 1 ? " everywhere." : "."));
        continue;
      }
      if (++maps > kMostMaps) continue;
      out += heat_map(map);
    }
    return out;
  }

 private:
  HeatMap made(const MapMeasure& shown) const {
    HeatMap map;
    map.caption = absl::StrCat(shown.title, where_);
    map.corner = down_.name.empty() ? "" : absl::StrCat(down_.name, " ↓, ", across_.name, " →");
    for (const std::string& value : across_.values)
      map.columns.push_back(across_.name.empty() ? "" : absl::StrCat(across_.name, " ", value));
    for (std::size_t r = 0; r < down_.values.size(); ++r) {
      map.rows.push_back(down_.name.empty() ? "" : absl::StrCat(down_.name, " ", down_.values[r]));
      std::vector<HeatCell>& cells = map.cells.emplace_back();
      for (std::size_t c = 0; c < across_.values.size(); ++c) {
        const SweptGame& game = swept_.games[begin_ + r * across_.values.size() + c];
        cells.push_back(game.result.is_null() ? HeatCell{"not solved"} : shown.cell(game.result));
      }
    }
    return map;
  }

  const SweptGames& swept_;
  std::size_t begin_;
  std::string where_;
  SweptGames::Dimension across_;
  SweptGames::Dimension down_;
};

std::string settings_text(const SweptGames& swept, std::size_t i, std::size_t dimensions) {
  std::vector<std::string> out(dimensions);
  for (std::size_t d = swept.dimensions.size(); d-- > 0;) {
    const auto& values = swept.dimensions[d].values;
    if (d < dimensions) out[d] = absl::StrCat(swept.dimensions[d].name, "=", values[i % values.size()]);
    i /= values.size();
  }
  return absl::StrJoin(out, ", ");
}

std::string problems(const SweptGames& swept) {
  std::string out;
  for (std::size_t i = 0; i < swept.games.size(); ++i) {
    const SweptGame& game = swept.games[i];
    if (game.result.is_null())
      out += element("li", escaped(absl::StrCat(
                               settings_text(swept, i, swept.dimensions.size()), ": ",
                               game.error.empty() ? "not reached" : game.error.substr(0, game.error.find('\n')))));
  }
  return out.empty() ? "" : absl::StrCat("<p>Not solved:</p>\n", element("ul", out), "\n");
}

}  // namespace

std::string heat_maps(const SweptGames& swept) {
  const std::size_t n = swept.dimensions.size();
  const std::size_t outer = n < 3 ? 0 : n - 2;
  std::size_t block = 1;
  for (std::size_t d = outer; d < n; ++d) block *= swept.dimensions[d].values.size();
  std::string out;
  std::size_t maps = 0;
  for (std::size_t begin = 0; begin < swept.games.size(); begin += block) {
    const std::string where = outer == 0 ? "" : absl::StrCat(", with ", settings_text(swept, begin, outer));
    if (outer > 0 && maps < kMostMaps) out += element("h3", escaped(settings_text(swept, begin, outer))) + "\n";
    if (maps < kMostMaps) out += MapBlock(swept, begin, where).html(maps);
  }
  if (maps > kMostMaps)
    out += paragraph("There are more combinations than are shown here; the command prints them all.");
  out += paragraph("The darker a cell, the greater its number among those of its table.");
  return out + problems(swept) + by_command(swept.command);
}

std::string sweep_html(const SweptGames& swept) {
  std::vector<std::string> names;
  for (const auto& d : swept.dimensions) names.push_back(d.name);
  const std::string title = absl::StrCat(swept.title, names.empty() ? "" : " by " + absl::StrJoin(names, ", "));
  return html_document(
      title, absl::StrCat("<main>\n", element("h1", escaped(title)), "\n",
                          paragraph(absl::StrCat(pages::count(swept.games.size(), "game"), " solved or tried.")),
                          heat_maps(swept), "</main>\n"));
}

}  // namespace plenum
