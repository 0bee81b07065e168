// SPDX-License-Identifier: Apache-2.0
#include "tools/explore/figures.h"

#include <cmath>
#include <optional>
#include <vector>

#include <absl/strings/str_cat.h>

#include "tables/file/json_text.h"
#include "tools/html/chart_svg.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr std::size_t kMostNumbers = 10'000;  // of a figure

absl::Status wrong_figure(const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat("a figure: ", what));
}

// Null where there is no such member.
const Json& figure_member(const Json& object, const char* key) {
  static const Json kNone;
  if (!object.is_object()) return kNone;
  const auto found = object.find(key);
  return found == object.end() ? kNone : *found;
}

// Empty if there is none.
absl::StatusOr<std::string> figure_text(const Json& object, const char* key) {
  const Json& found = figure_member(object, key);
  if (found.is_null()) return std::string();
  if (!found.is_string()) return wrong_figure(absl::StrCat("'", key, "' is a text"));
  return found.get<std::string>();
}

absl::StatusOr<std::optional<double>> figure_number(const Json& json) {
  if (json.is_null()) return std::nullopt;
  if (!json.is_number() || std::abs(json.get<double>()) > 1e15)
    return wrong_figure("a number is not one, or too large");
  return json.get<double>();
}

absl::StatusOr<std::vector<std::string>> figure_texts(const Json& object, const char* key) {
  std::vector<std::string> out;
  const Json& found = figure_member(object, key);
  if (!found.is_array() || found.size() > kMostNumbers)
    return wrong_figure(absl::StrCat("'", key, "' is a list of texts"));
  for (const Json& one : found) {
    if (!one.is_string()) return wrong_figure(absl::StrCat("'", key, "' is a list of texts"));
    out.push_back(one.get<std::string>());
  }
  return out;
}

absl::StatusOr<std::string> line_figure(const Json& asked) {
  LineChart chart;
  ASSIGN_OR_RETURN(chart.caption, figure_text(asked, "caption"));
  const Json& values = figure_member(asked, "values");
  if (!values.is_array() || values.size() > kMostNumbers) return wrong_figure("'values' is a list of numbers");
  for (const Json& one : values) {
    ASSIGN_OR_RETURN(const std::optional<double> value, figure_number(one));
    chart.values.push_back(value);
  }
  ASSIGN_OR_RETURN(const std::optional<double> here, figure_number(figure_member(asked, "here")));
  if (here && *here >= 0) chart.here = static_cast<std::size_t>(*here);
  return line_chart(chart);
}

absl::StatusOr<HeatCell> heat_cell_of(const Json& asked) {
  HeatCell out;
  ASSIGN_OR_RETURN(out.text, figure_text(asked, "text"));
  ASSIGN_OR_RETURN(out.number, figure_number(figure_member(asked, "number")));
  ASSIGN_OR_RETURN(out.opens, figure_text(asked, "opens"));
  ASSIGN_OR_RETURN(out.why, figure_text(asked, "why"));
  return out;
}

absl::StatusOr<std::string> heat_figure(const Json& asked) {
  HeatMap map;
  ASSIGN_OR_RETURN(map.caption, figure_text(asked, "caption"));
  ASSIGN_OR_RETURN(map.corner, figure_text(asked, "corner"));
  ASSIGN_OR_RETURN(map.columns, figure_texts(asked, "columns"));
  ASSIGN_OR_RETURN(map.rows, figure_texts(asked, "rows"));
  const Json& rows = figure_member(asked, "cells");
  if (!rows.is_array() || rows.size() != map.rows.size() || map.rows.size() * map.columns.size() > kMostNumbers)
    return wrong_figure(absl::StrCat("'cells' is a list for each row, of at most ", kMostNumbers, " cells in all"));
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != map.columns.size()) return wrong_figure("a row has a cell for each column");
    std::vector<HeatCell>& cells = map.cells.emplace_back();
    for (const Json& cell : row) {
      ASSIGN_OR_RETURN(HeatCell one, heat_cell_of(cell));
      cells.push_back(std::move(one));
    }
  }
  return heat_map(map);
}

}  // namespace

absl::StatusOr<std::string> asked_figure(const std::string& text) {
  if (const std::string_view what = json_disproportion(text); !what.empty()) return wrong_figure(std::string(what));
  const Json asked = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (const Json& line = figure_member(asked, "line"); !line.is_null()) return line_figure(line);
  if (const Json& heat = figure_member(asked, "heat"); !heat.is_null()) return heat_figure(heat);
  return wrong_figure("it is a 'line' or a 'heat', as JSON");
}

}  // namespace plenum
