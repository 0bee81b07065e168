// SPDX-License-Identifier: Apache-2.0
#include "tools/session/dimensions.h"

#include <algorithm>
#include <cctype>

#include <absl/strings/ascii.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>

#include "tools/console/game_arguments.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

// "3..9" as {3, 9}; nothing if it is no range.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(const std::string& word) {
  const std::pair<std::string, std::string> ends = absl::StrSplit(word, absl::MaxSplits("..", 1));
  std::int64_t from = 0;
  std::int64_t to = 0;
  if (word.find("..") == std::string::npos || !absl::SimpleAtoi(ends.first, &from) ||
      !absl::SimpleAtoi(ends.second, &to))
    return std::nullopt;
  return std::pair(from, to);
}

constexpr std::int64_t kMostSize = 1'000'000'000;  // of a number in a range

// Adds prefix + number for each number of a range.
absl::Status add_range(const Span& span, const std::string& prefix, std::pair<std::int64_t, std::int64_t> range,
                       std::vector<std::string>& values) {
  if (range.first > range.second)
    return error_at(span, "this range is empty: it ends before it begins",
                    "write the smaller number first, as in 1..3");
  if (range.first < -kMostSize || range.second > kMostSize || range.second - range.first >= kMostCombinations)
    return error_at(span, absl::StrCat("this range has more than ", kMostCombinations, " values, or too large ones"),
                    "");
  for (std::int64_t n = range.first; n <= range.second; ++n) values.push_back(absl::StrCat(prefix, n));
  return absl::OkStatus();
}

absl::Status given_twice(const Span& span, const std::string& value) {
  return error_at(span, absl::StrCat("'", value, "' is given twice"), "leave one of them out");
}

bool holds(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::string stripped(const std::string& text) { return std::string(absl::StripAsciiWhitespace(text)); }

}  // namespace

absl::Status set_value(Description& game, const std::string& name, const std::string& value) {
  if (name == "board") return set_board(game, value);
  return game.set_option(Span::whole("--set", absl::StrCat(name, "=", value)));
}

absl::Status wrong_setting(const Description& game, const std::string& text) {
  Description trial = game;
  const absl::Status set = trial.set_option(Span::whole("--set", text));
  return set.ok() ? error_at(Span::whole("--set", text), "this is not how an option is set", "write name=value") : set;
}

absl::StatusOr<Dimension> split_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = stripped(text.substr(0, equals));
  if (equals == std::string::npos || stripped(text.substr(equals + 1)).empty())
    return error_at(Span::whole("--set", text), absl::StrCat("option '", name, "' needs a value"),
                    absl::StrCat("write ", name, "=VALUE"));
  if (name == "board") return read_boards(text.substr(equals + 1));
  Dimension out{name, {}};
  for (const std::string& word : std::vector<std::string>(absl::StrSplit(text.substr(equals + 1), ','))) {
    out.values.push_back(stripped(word));
    if (out.values.back().empty())
      return error_at(Span::whole("--set", text), "a value is missing between the commas", "");
  }
  return out;
}

absl::StatusOr<Dimension> read_dimension(const Description& game, const std::string& text) {
  absl::StatusOr<Dimension> written = split_setting(text);
  const Option* option = written.ok() ? game.find_option(written->name) : nullptr;
  if (written.ok() && option == nullptr) return wrong_setting(game, text);
  if (!written.ok()) {
    const std::size_t equals = text.find('=');
    const bool no_value = equals == std::string::npos || stripped(text.substr(equals + 1)).empty();
    return no_value ? wrong_setting(game, text) : written.status();  // it knows what the option takes
  }
  if (written->name == "board") return written;
  const Span span = Span::whole("--set", text);
  Dimension out{written->name, {}};
  for (const std::string& word : written->values) {
    std::vector<std::string> fresh = {word};
    const auto range = std::holds_alternative<std::int64_t>(option->initial) ? range_of(word) : std::nullopt;
    if (range) {
      if (option->range && (range->first < option->range->first || range->second > option->range->second))
        return error_at(span, absl::StrCat("the range ", word, " goes beyond what the option takes"),
                        absl::StrCat(out.name, " takes ", option->choices()));
      fresh.clear();
      RETURN_IF_ERROR(add_range(span, "", *range, fresh));
    }
    for (const std::string& value : fresh) {
      Description trial = game;
      RETURN_IF_ERROR(set_value(trial, out.name, value));
      if (holds(out.values, value)) return given_twice(span, value);
      out.values.push_back(value);
    }
  }
  return out;
}

absl::StatusOr<Dimension> all_values(const Option& option) {
  const auto size =
      option.range ? static_cast<std::uint64_t>(option.range->second) - static_cast<std::uint64_t>(option.range->first)
                   : std::uint64_t{0};
  if (size >= static_cast<std::uint64_t>(kMostCombinations))
    return absl::InvalidArgumentError(absl::StrCat("option '", option.name, "' takes ", option.choices(),
                                                   ": too many values to try them all\n", "  choose some with --set ",
                                                   option.name, "=FROM..TO"));
  return Dimension{option.name, option.values()};
}

absl::StatusOr<Dimension> read_boards(const std::string& text) {
  const Span span = Span::whole("--board", text);
  Dimension out{"board", {}};
  std::vector<std::string> names;  // as the boards themselves spell them
  std::size_t at = 0;
  while (at <= text.size()) {
    while (at < text.size() && text[at] == ' ') ++at;
    std::size_t end = std::min(text.find(',', at), text.size());
    // The edges of a graph may be separated by commas too; another board has a colon.
    while (text.compare(at, 6, "edges:") == 0 && end < text.size()) {
      const std::size_t next = std::min(text.find(',', end + 1), text.size());
      if (text.substr(end, next - end).find(':') != std::string::npos) break;
      end = next;
    }
    std::string word = text.substr(at, end - at);
    word.erase(word.find_last_not_of(' ') + 1);
    const Span here = span.part(at, std::max<std::size_t>(1, word.size()));
    // A size alone is of the shape before it: path:3,4,5.
    const bool size_alone =
        !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0 && !out.values.empty();
    if (size_alone) word = out.values.back().substr(0, out.values.back().find(':') + 1) + word;
    const std::size_t colon = word.find(':');
    const auto range = colon == std::string::npos ? std::nullopt : range_of(word.substr(colon + 1));
    const std::size_t known = out.values.size();
    if (word.empty())
      return error_at(here, "a board is missing here", "boards are separated by commas, as in path:3,square:2x2");
    if (range) {
      RETURN_IF_ERROR(add_range(here, word.substr(0, colon + 1), *range, out.values));
    } else {
      out.values.push_back(word);
    }
    for (std::size_t i = known; i < out.values.size(); ++i) {
      ASSIGN_OR_RETURN(const Board board,
                       Board::parse(range || size_alone ? Span::whole("--board", out.values[i]) : here));
      if (std::find(names.begin(), names.end(), board.name()) != names.end()) return given_twice(here, board.name());
      names.push_back(board.name());
    }
    at = end + 1;
  }
  return out;
}

}  // namespace plenum
