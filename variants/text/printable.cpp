// SPDX-License-Identifier: Apache-2.0
#include "variants/text/printable.h"

#include <cstdint>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>

namespace plenum {
namespace {

constexpr std::size_t kUnfinished = 0;

// A character at the beginning of a text: its length in bytes, kUnfinished where more could follow, or 1 for a byte that begins none.
struct Character {
  std::size_t length = 1;
  bool shown = false;
};

bool is_printable(std::uint32_t code) {
  const auto within = [&](std::uint32_t least, std::uint32_t greatest) { return least <= code && code <= greatest; };
  return code >= 0x20 && !within(0x7F, 0x9F) && code != 0x61C && !within(0x200E, 0x200F) && !within(0x2028, 0x202E) &&
         !within(0x2066, 0x2069) && code != 0xFEFF;
}

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, is_printable(lead)};
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : (lead & 0xF0U) == 0xE0       ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 1;
  if (length == 1) return {1, false};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (i == text.size()) return {kUnfinished, false};
    if ((byte(i) & 0xC0U) != 0x80) return {1, false};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool longer_than_needed = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool none = longer_than_needed || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF);
  if (none) return {1, false};
  return {length, is_printable(code)};
}

void escape(std::string_view bytes, std::string& out) {
  for (const char c : bytes) absl::StrAppend(&out, "\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
}

}  // namespace

std::size_t append_printable(std::string_view text, std::string& out) {
  std::size_t i = 0;
  while (i < text.size()) {
    const Character c = first_of(text.substr(i));
    if (c.length == kUnfinished) break;
    if (c.shown || text[i] == '\n') {
      out.append(text.substr(i, c.length));
    } else {
      escape(text.substr(i, c.length), out);
    }
    i += c.length;
  }
  return i;
}

std::string printable(std::string_view text) { return absl::StrReplaceAll(printable_lines(text), {{"\n", "\\x0a"}}); }

std::string printable_lines(std::string_view text) {
  std::string out;
  const std::size_t done = append_printable(text, out);
  escape(text.substr(done), out);
  return out;
}

}  // namespace plenum
