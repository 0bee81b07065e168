// SPDX-License-Identifier: Apache-2.0
#include "tables/file/json_text.h"

#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

// Results nest five deep and have some thousand values; every value takes some 100 bytes once it is read.
constexpr int kMostDepth = 32;
constexpr std::size_t kMostValues = std::size_t{1} << 20;

}  // namespace

std::string json_text(const Json& json, int indent) {
  const std::string text = json.dump(indent, ' ', false, Json::error_handler_t::replace);
  // The library leaves DEL and the control characters U+0080 to U+009F as they are; terminals obey them.
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0x7F) {
      out += "\\u007f";
    } else if (byte == 0xC2 && next >= 0x80 && next <= 0x9F) {
      absl::StrAppend(&out, "\\u00", absl::Hex(next));
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string_view json_disproportion(std::string_view text) {
  int depth = 0;
  std::size_t values = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == '[' || c == '{' || c == ',') ++values;
    if (depth > kMostDepth) return "nested too deep";
    if (values > kMostValues) return "too long";
  }
  return "";
}

}  // namespace plenum
