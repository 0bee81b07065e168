// SPDX-License-Identifier: Apache-2.0
// Lines of CSV (RFC 4180, but for their end, "\n").
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

namespace plenum {

inline void append_csv_cell(std::string& out, const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    out += text;
  } else {
    absl::StrAppend(&out, "\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
  }
}

inline std::string csv_row(const std::vector<std::string>& cells) {
  return absl::StrJoin(cells, ",", [](std::string* out, const std::string& cell) { append_csv_cell(*out, cell); }) +
         "\n";
}

}  // namespace plenum
