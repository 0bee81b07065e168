// SPDX-License-Identifier: Apache-2.0
// How a page writes numbers and lines: thousands apart, one ply and two plies, percentages that never say none of some.
//
//     count(1, "position")  "1 position"      percent(0.0042)  "0.42 %"      rounded(1234567)  "1,230,000"
//
// Header only: small enough, and used by the pages alone.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_split.h>

#include "tools/report/draw.h"

namespace plenum::pages {

inline constexpr std::size_t kPageColumns = 100;

// "1,234,567".
inline std::string number(std::uint64_t n) {
  std::string out = absl::StrCat(n);
  for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
  return out;
}

inline std::string count(std::uint64_t n, const std::string& one, const std::string& many = "") {
  return absl::StrCat(number(n), " ", n == 1 ? one : many.empty() ? one + "s" : many);
}
inline std::string plies(std::uint64_t n) { return count(n, "ply", "plies"); }

// Never "0 %" of what is there, nor "100 %" of what is not all.
inline std::string percent(double share) {
  const double p = 100 * share;
  if (p < 1e-7) return "0 %";  // probabilities are known to 1e-9
  if (p > 100 - 1e-7) return "100 %";
  if (p < 0.001) return "< 0.001 %";
  if (p > 99.95) return "> 99.9 %";
  return absl::StrFormat("%.*f %%", p < 0.0095 ? 3 : p < 0.95 ? 2 : 1, p);
}

inline double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Three significant digits and no more: "1,230,000", "12.3".
inline std::string rounded(double value) {
  if (value < 100) return absl::StrFormat("%.*f", value < 10 ? 2 : 1, value);
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return number(static_cast<std::uint64_t>(std::llround(value / unit) * std::llround(unit)));
}

inline std::string seconds(double value) {
  return absl::StrFormat("%.*f s", value < 0.1 ? 3 : value < 10 ? 2 : 1, value);
}

// Sections with a title and a blank line between; long lines are wrapped.
class Text {
 public:
  void section(const std::string& title) { absl::StrAppend(&out_, "\n", title, "\n"); }
  void raw(const std::string& line) { absl::StrAppend(&out_, line, "\n"); }
  void line(const std::string& text, std::size_t indent = 2, std::size_t hang = 4) {
    std::string line(indent, ' ');
    bool empty = true;
    const std::vector<std::string> words = absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
    for (const std::string& word : words) {
      if (!empty && display_width(line) + 1 + display_width(word) > kPageColumns) {
        raw(line);
        line.assign(hang, ' ');
        empty = true;
      }
      absl::StrAppend(&line, empty ? "" : " ", word);
      empty = false;
    }
    raw(line);
  }
  const std::string& text() const { return out_; }

 private:
  std::string out_;
};

}  // namespace plenum::pages
