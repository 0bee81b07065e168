// SPDX-License-Identifier: Apache-2.0
// Counts as bars and numbers as a line, in SVG, and numbers as a table whose cells are the darker the greater they are.
//
// What is drawn is said in numbers too: a bar chart has a table below it, a line its label, a heat map's cells are texts. Parts of bars
// differ in pattern. How it looks is the matter of picture_style.h; nothing has a style of its own, which the explorer's page forbids.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plenum {

// Each bar has as many counts as there are parts, which stand on one another.
struct Bar {
  std::string label;
  std::vector<std::uint64_t> counts;
};
struct BarChart {
  std::string caption;
  std::string across;              // what the labels are: "first's margin"
  std::string unit;                // what is counted: "positions"
  std::vector<std::string> parts;  // "first", "tie"; of one the name is not shown
  std::vector<Bar> bars;
};
// A figure with its table of numbers.
std::string bar_chart(const BarChart& chart);
// The patterns that bars are filled with, once in a document.
std::string bar_patterns();

// Numbers that follow one another; one that is not known is left out.
struct LineChart {
  std::string caption;
  std::vector<std::optional<double>> values;
  std::size_t here = 0;  // which one is looked at
};
// A figure; nothing if less than two are known.
std::string line_chart(const LineChart& chart);

struct HeatCell {
  std::string text;
  std::optional<double> number = {};  // nothing: there is none, and the cell has no shade
  std::string opens = {};             // what a script is to open: then the cell is a button, with this as data-opens
  std::string why = {};               // more of it, for who points at it
};
struct HeatMap {
  std::string caption;
  std::string corner = {};           // what rows and columns are
  std::vector<std::string> columns;  // headings
  std::vector<std::string> rows;
  std::vector<std::vector<HeatCell>> cells = {};  // [row][column]
  // The numbers that are light and dark; without them the least and the greatest, which the map says then.
  std::optional<std::pair<double, double>> range = {};
};
std::string heat_map(const HeatMap& map);

}  // namespace plenum
