// SPDX-License-Identifier: Apache-2.0
#include "tools/html/chart_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "tools/html/markup.h"
#include "tools/html/picture_style.h"
#include "tools/report/page_text.h"

namespace plenum {
namespace {

constexpr double kWidth = 560;
constexpr double kHeight = 220;
constexpr double kLeft = 62;
constexpr double kRight = 8;
constexpr double kTop = 12;
constexpr double kBottom = 40;
constexpr std::size_t kMostLabels = 20;

std::uint64_t total(const Bar& bar) { return std::accumulate(bar.counts.begin(), bar.counts.end(), std::uint64_t{0}); }

// 1, 2 or 5 times a power of ten, so that about four of them make `most`.
double step_of(double most) {
  const double raw = std::max(most / 4, 1.0);
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= raw) return times * power;
  }
  return 10 * power;
}

std::string line(double x1, double y1, double x2, double y2, const char* kind) {
  return absl::StrFormat("<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" class=\"%s\"/>", length_text(x1),
                         length_text(y1), length_text(x2), length_text(y2), kind);
}
std::string text(double x, double y, const char* anchor, const std::string& content) {
  return absl::StrFormat("<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>", length_text(x), length_text(y), anchor,
                         escaped(content));
}

// Results have their own patterns, other parts what there is in turn.
std::string part_class(const BarChart& chart, std::size_t part) {
  constexpr std::array kResults = {"first", "tie", "cycle", "second"};
  if (chart.parts.size() == 1) return "plain";
  if (std::find(kResults.begin(), kResults.end(), chart.parts[part]) != kResults.end()) return chart.parts[part];
  return kResults[part % kResults.size()];
}

std::string legend(const BarChart& chart) {
  if (chart.parts.size() < 2) return "";
  std::string out;
  for (std::size_t k = 0; k < chart.parts.size(); ++k)
    absl::StrAppend(&out,
                    "<span><svg class=\"key\" viewBox=\"0 0 12 12\" aria-hidden=\"true\"><rect width=\"12\" "
                    "height=\"12\" class=\"bar ",
                    part_class(chart, k), "\"/></svg> ", escaped(chart.parts[k]), "</span> ");
  return element("p class=\"legend\"", out);
}

std::string numbers(const BarChart& chart) {
  std::string head = element("th scope=\"col\"", escaped(chart.across));
  for (const std::string& part : chart.parts)
    head += element("th scope=\"col\"", escaped(part.empty() ? chart.unit : part));
  std::string rows;
  for (const Bar& bar : chart.bars) {
    std::string cells = element("th scope=\"row\"", escaped(bar.label));
    for (const std::uint64_t n : bar.counts) cells += element("td", pages::number(n));
    rows += element("tr", cells);
  }
  return element("details",
                 absl::StrCat(element("summary", "The numbers"),
                              element("table class=\"numbers\"",
                                      absl::StrCat(element("caption", escaped(chart.caption)),
                                                   element("thead", element("tr", head)), element("tbody", rows)))));
}

}  // namespace

std::string bar_patterns() {
  return "<svg class=\"parts\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
         "<pattern id=\"hatched\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
         "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" class=\"paper\"/><rect width=\"2.4\" "
         "height=\"6\" class=\"ink second\"/></pattern>"
         "<pattern id=\"dotted\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><rect width=\"5\" "
         "height=\"5\" class=\"paper\"/><circle cx=\"2.5\" cy=\"2.5\" r=\"1.4\" class=\"ink tie\"/></pattern>"
         "<pattern id=\"lined\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\"><rect width=\"4\" "
         "height=\"4\" class=\"paper\"/><rect width=\"4\" height=\"1.6\" class=\"ink cycle\"/></pattern>"
         "</defs></svg>\n";
}

std::string bar_chart(const BarChart& chart) {
  std::uint64_t most = 1;
  for (const Bar& bar : chart.bars) most = std::max(most, total(bar));
  const double step = step_of(static_cast<double>(most));
  const double top = step * std::ceil(static_cast<double>(most) / step);
  const double plot = kHeight - kTop - kBottom;
  const auto y = [&](double n) { return kHeight - kBottom - plot * n / top; };
  const double slot = (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(1, chart.bars.size()));
  const double width = std::min(slot * 0.84, 60.0);
  std::string out = absl::StrFormat("<svg class=\"chart\" viewBox=\"0 0 %g %g\" role=\"img\"%s>", kWidth, kHeight,
                                    attribute("aria-label", absl::StrCat(chart.caption, "; the numbers stand below")));
  for (long steps = std::lround(top / step), k = 0; k <= steps; ++k) {
    const double tick = static_cast<double>(k) * step;
    out += line(kLeft, y(tick), kWidth - kRight, y(tick), tick == 0 ? "axis" : "grid");
    out += text(kLeft - 5, y(tick) + 4, "end", pages::number(static_cast<std::uint64_t>(std::llround(tick))));
  }
  const std::size_t every = (chart.bars.size() + kMostLabels - 1) / kMostLabels;
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bar& bar = chart.bars[i];
    const double middle = kLeft + slot * (static_cast<double>(i) + 0.5);
    std::uint64_t below = 0;
    for (std::size_t k = 0; k < bar.counts.size(); ++k) {
      if (bar.counts[k] == 0) continue;
      const double foot = y(static_cast<double>(below));
      below += bar.counts[k];
      const double head = y(static_cast<double>(below));
      absl::StrAppend(&out, "<rect x=\"", length_text(middle - width / 2), "\" y=\"", length_text(head), "\" width=\"",
                      length_text(width), "\" height=\"", length_text(std::max(0.6, foot - head)), "\" class=\"bar ",
                      part_class(chart, k), "\"/>");
    }
    if (i % every == 0) out += text(middle, kHeight - kBottom + 14, "middle", bar.label);
  }
  out += text((kLeft + kWidth - kRight) / 2, kHeight - 6, "middle", chart.across);
  return element("figure class=\"bars\"", absl::StrCat(element("figcaption", escaped(chart.caption)), out, "</svg>",
                                                       legend(chart), numbers(chart))) +
         "\n";
}

std::string line_chart(const LineChart& chart) {
  constexpr double kLineWidth = 380;
  constexpr double kLineHeight = 130;
  constexpr double kLineLeft = 40;
  constexpr double kLineBottom = 20;
  double most = 1;
  std::size_t known = 0;
  std::string numbers;
  for (const std::optional<double>& value : chart.values) {
    if (!value) continue;
    most = std::max(most, std::abs(*value));
    absl::StrAppend(&numbers, known++ == 0 ? "" : ", ", *value);
  }
  if (known < 2) return "";
  const double step = step_of(2 * most);
  const double top = step * std::ceil(most / step);
  const double plot = kLineHeight - kTop - kLineBottom;
  const auto y = [&](double value) { return kTop + plot * (top - value) / (2 * top); };
  const auto x = [&](std::size_t k) {
    return kLineLeft +
           (kLineWidth - kLineLeft - kRight) * static_cast<double>(k) / static_cast<double>(chart.values.size() - 1);
  };
  std::string out = absl::StrFormat("<svg class=\"chart line\" viewBox=\"0 0 %g %g\" role=\"img\"%s>", kLineWidth,
                                    kLineHeight, attribute("aria-label", absl::StrCat(chart.caption, ": ", numbers)));
  for (long steps = std::lround(top / step), k = -steps; k <= steps; ++k) {
    const double tick = static_cast<double>(k) * step;
    out += line(kLineLeft, y(tick), kLineWidth - kRight, y(tick), tick == 0 ? "axis" : "grid");
    out += text(kLineLeft - 5, y(tick) + 4, "end", absl::StrCat(tick));
  }
  const std::size_t every = (chart.values.size() + 7) / 8;
  std::string course;
  std::string points;
  for (std::size_t k = 0; k < chart.values.size(); ++k) {
    if (k % every == 0) out += text(x(k), kLineHeight - 5, "middle", absl::StrCat(k));
    if (!chart.values[k]) continue;
    const std::string across = length_text(x(k));
    const std::string up = length_text(y(*chart.values[k]));
    absl::StrAppend(&course, course.empty() ? "M" : " H", across, course.empty() ? " " : " V", up);
    absl::StrAppend(&points, "<circle cx=\"", across, "\" cy=\"", up,
                    k == chart.here ? "\" r=\"5\" class=\"point here\"/>" : "\" r=\"3\" class=\"point\"/>");
  }
  return element("figure class=\"course-of-values\"",
                 absl::StrCat(element("figcaption", escaped(chart.caption)), out, "<path d=\"", course,
                              "\" class=\"course\"/>", points, "</svg>")) +
         "\n";
}

namespace {

const HeatCell* extreme_cell(const HeatMap& map, bool greatest) {
  const HeatCell* out = nullptr;
  for (const auto& row : map.cells) {
    for (const HeatCell& cell : row) {
      if (cell.number && (out == nullptr || (greatest ? *cell.number > *out->number : *cell.number < *out->number)))
        out = &cell;
    }
  }
  return out;
}

std::string scale(const HeatCell& least, const HeatCell& greatest) {
  std::string ramp;
  for (int k = 0; k < kShades; ++k) absl::StrAppend(&ramp, "<span class=\"s", k, "\"></span>");
  return element("p class=\"scale\"",
                 absl::StrCat(escaped(least.text), " ", element("span class=\"ramp\" aria-hidden=\"true\"", ramp), " ",
                              escaped(greatest.text)));
}

std::string heat_cell(const HeatMap& map, const HeatCell& cell, std::size_t row, std::size_t column, double from,
                      double to) {
  std::string content = escaped(cell.text);
  if (!cell.why.empty()) content = element("span" + attribute("title", cell.why), content);
  if (!cell.opens.empty()) {
    const std::string label = absl::StrCat(map.columns[column], ", ", map.rows[row], ": ", cell.text);
    content = element(
        absl::StrCat("button type=\"button\"", attribute("data-opens", cell.opens), attribute("aria-label", label)),
        content);
  }
  if (!cell.number) return element("td class=\"none\"", content);
  const double shade = to > from ? std::clamp((*cell.number - from) / (to - from), 0.0, 1.0) : 0;
  return element(absl::StrCat("td class=\"s", std::lround(shade * (kShades - 1)), "\""), content);
}

}  // namespace

std::string heat_map(const HeatMap& map) {
  const HeatCell* least = extreme_cell(map, false);
  const HeatCell* greatest = extreme_cell(map, true);
  const auto [from, to] = map.range          ? *map.range
                          : least != nullptr ? std::pair(*least->number, *greatest->number)
                                             : std::pair(0.0, 0.0);
  std::string head =
      map.corner.empty() ? "<td></td>" : element("th scope=\"col\" class=\"corner\"", escaped(map.corner));
  for (const std::string& column : map.columns) head += element("th scope=\"col\"", escaped(column));
  std::string rows;
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    std::string cells = element("th scope=\"row\"", escaped(map.rows[r]));
    for (std::size_t c = 0; c < map.cells[r].size(); ++c) cells += heat_cell(map, map.cells[r][c], r, c, from, to);
    rows += element("tr", cells);
  }
  return absl::StrCat(
      map.range || from == to ? "" : scale(*least, *greatest),
      element("table class=\"heat\"", absl::StrCat(element("caption", escaped(map.caption)),
                                                   element("thead", element("tr", head)), element("tbody", rows))),
      "\n");
}

}  // namespace plenum
