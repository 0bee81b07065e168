// SPDX-License-Identifier: Apache-2.0
// Texts from files, arguments and file names as they may be shown on a terminal: nothing in them moves the cursor,
// colours, rings or turns the direction of writing.
//
// Bytes that are not part of a printable character are shown as \x1b, \xff: control characters (C0, DEL, C1), what is not
// valid UTF-8, and the invisible characters that change the direction or break lines.
// Thread-safety: no state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plenum {

// In UTF-8: whether a byte begins a character, and where the one ends that begins or goes on at `at`.
inline bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }
inline std::size_t character_end(std::string_view text, std::size_t at) {
  do {
    ++at;
  } while (at < text.size() && !begins_character(text[at]));
  return at;
}

// As one line: a newline is shown as \x0a.
std::string printable(std::string_view text);
// Newlines stay.
std::string printable_lines(std::string_view text);

// Appends to `out` what `text` is shown as, newlines as they are, and returns how many bytes that was: all of them, but
// for the beginning of a character at the end, which may go on in the next piece of text.
std::size_t append_printable(std::string_view text, std::string& out);

}  // namespace plenum
