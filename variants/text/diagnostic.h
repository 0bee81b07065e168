// SPDX-License-Identifier: Apache-2.0
// Errors for people: where in which text, a caret under it, and what to do instead.
//
// Every text a person can get wrong (a description, an expression in it, an option on the command line, a position, a
// move) is a SourceText; a Span is a stretch of one. error_at makes the message:
//
//     my.toml:7:21: unknown name 'surplas'
//         7 | to = "theirs & surplas >= threat"
//           |                ^~~~~~~
//       did you mean 'surplus'?
//
// Texts stand in messages as printable.h shows them.
// Inside variants/, parsing and checking throw DescriptionError and the folder's public functions catch it (guard), so
// that no exception leaves the folder: callers see absl::StatusOr with code kInvalidArgument.
// Thread-safety: values; SourceText is shared and immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/status/status.h>
#include <absl/status/statusor.h>

namespace plenum {

struct SourceText {
  std::string name;  // a file's path, or what the text is ("--set", "position")
  std::string text;
  bool is_file = false;  // files are shown with line and column
};

struct Span {
  std::shared_ptr<const SourceText> source;
  std::size_t offset = 0;  // bytes
  std::size_t length = 0;  // bytes

  // The whole of a text that has no file, such as a command-line argument.
  static Span whole(std::string name, std::string text);
  // The part of this span from `from` on, `count` bytes long, clipped to the source.
  Span part(std::size_t from, std::size_t count) const;
  std::string_view text() const;
};

// `advice` is a sentence of its own, printed on the last line; empty for none.
absl::Status error_at(const Span& span, std::string_view message, std::string_view advice = "");

// "my.toml:7:21", or the name of a text that is no file.
std::string place_of(const Span& span);

// Where in a file an error is, of an error made by error_at: line and column from 1, in characters.
struct TextPlace {
  std::int64_t line = 1;
  std::int64_t column = 1;
};
std::optional<TextPlace> place_of(const absl::Status& status);

// The candidate closest to `word` by edit distance, or "" if none is near enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// "did you mean 'x'?" for the nearest candidate, else "one of: a, b, c" (`what` names them), else "".
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view what);

struct DescriptionError {
  absl::Status status;
};

[[noreturn]] void fail_at(const Span& span, std::string_view message, std::string_view advice = "");

template <typename Function>
auto guard(Function&& function) -> absl::StatusOr<decltype(function())> {
  try {
    return std::forward<Function>(function)();
  } catch (const DescriptionError& error) {
    return error.status;
  }
}

}  // namespace plenum
