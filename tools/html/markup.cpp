// SPDX-License-Identifier: Apache-2.0
#include "tools/html/markup.h"

#include <cmath>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "variants/text/printable.h"

namespace plenum {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string element(std::string_view head, std::string_view content) {
  const std::string_view tag = head.substr(0, head.find(' '));
  return absl::StrCat("<", std::string(head), ">", std::string(content), "</", std::string(tag), ">");
}

std::string attribute(std::string_view name, std::string_view value) {
  return absl::StrCat(" ", std::string(name), "=\"", escaped(value), "\"");
}

std::string length_text(double value) {
  const double thousandths = std::round(value * 1000);
  if (thousandths == 0) return "0";
  std::string out = absl::StrFormat("%.3f", thousandths / 1000);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

}  // namespace plenum
