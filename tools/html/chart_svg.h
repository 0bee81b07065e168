// SPDX-License-Identifier: Apache-2.0
// Counts as bars, in SVG, and numbers as a table whose cells are the darker the greater they are.
//
// What is drawn is said in numbers too: a bar chart has a table below it, a heat map's cells are texts. Parts of bars differ in pattern.
//
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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

struct HeatCell {
  std::string text;
  std::optional<double> shade = {};  // 0 light, 1 dark; nothing: it has no number
};
struct HeatMap {
  std::string caption;
  std::string corner = {};           // what rows and columns are
  std::vector<std::string> columns;  // headings
  std::vector<std::string> rows;
  std::vector<std::vector<HeatCell>> cells;  // [row][column]
};
std::string heat_map(const HeatMap& map);

}  // namespace plenum
