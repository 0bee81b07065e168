// SPDX-License-Identifier: Apache-2.0
#include "tools/dimensions.h"

#include <algorithm>

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>

#include "tools/game_arguments.h"

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

// Adds prefix + number for each number of a range.
absl::Status add_range(const Span& span, const std::string& prefix, std::pair<std::int64_t, std::int64_t> range,
                       std::vector<std::string>& values) {
  if (range.first > range.second)
    return error_at(span, "this range is empty: it ends before it begins",
                    "write the smaller number first, as in 1..3");
  if (static_cast<std::uint64_t>(range.second - range.first) >= kMostCombinations)
    return error_at(span, absl::StrCat("this range has more than ", kMostCombinations, " values"), "");
  for (std::int64_t n = range.first; n <= range.second; ++n) values.push_back(absl::StrCat(prefix, n));
  return absl::OkStatus();
}

}  // namespace

absl::Status set_value(Description& game, const std::string& name, const std::string& value) {
  if (name == "board") return set_board(game, value);
  return game.set_option(Span::whole("--set", absl::StrCat(name, "=", value)));
}

absl::StatusOr<Dimension> read_dimension(const Description& game, const std::string& text) {
  const Span span = Span::whole("--set", text);
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (name == "board" && equals != std::string::npos) return read_boards(text.substr(equals + 1));
  const Option* option = game.find_option(name);
  Description trial = game;
  if (option == nullptr || equals == std::string::npos || equals + 1 == text.size())
    return trial.set_option(span);  // which says what is wrong
  Dimension out{name, {}};
  std::size_t at = equals + 1;
  for (const std::string& word : std::vector<std::string>(absl::StrSplit(text.substr(at), ','))) {
    const Span here = span.part(at, std::max<std::size_t>(1, word.size()));
    at += word.size() + 1;
    const auto range = std::holds_alternative<std::int64_t>(option->initial) ? range_of(word) : std::nullopt;
    const std::size_t known = out.values.size();
    if (word.empty())
      return error_at(here, "a value is missing here", absl::StrCat(name, " takes ", option->choices()));
    if (range) {
      const absl::Status added = add_range(here, "", *range, out.values);
      if (!added.ok()) return added;
    } else {
      out.values.push_back(word);
    }
    for (std::size_t i = known; i < out.values.size(); ++i) {
      const absl::Status set = set_value(trial, name, out.values[i]);
      if (!set.ok()) return set;
      if (std::find(out.values.begin(), out.values.begin() + static_cast<std::ptrdiff_t>(i), out.values[i]) !=
          out.values.begin() + static_cast<std::ptrdiff_t>(i))
        return error_at(here, absl::StrCat("the value ", out.values[i], " is given twice"), "");
    }
  }
  return out;
}

absl::StatusOr<Dimension> read_boards(const std::string& text) {
  const Span span = Span::whole("--board", text);
  Dimension out{"board", {}};
  std::size_t at = 0;
  while (at <= text.size()) {
    std::size_t end = std::min(text.find(',', at), text.size());
    // The edges of a graph may be separated by commas too; another board has a colon.
    while (text.compare(at, 6, "edges:") == 0 && end < text.size()) {
      const std::size_t next = std::min(text.find(',', end + 1), text.size());
      if (text.substr(end, next - end).find(':') != std::string::npos) break;
      end = next;
    }
    const std::string word = text.substr(at, end - at);
    const Span here = span.part(at, std::max<std::size_t>(1, word.size()));
    const std::size_t colon = word.find(':');
    const auto range = colon == std::string::npos ? std::nullopt : range_of(word.substr(colon + 1));
    const std::size_t known = out.values.size();
    if (word.empty())
      return error_at(here, "a board is missing here", "boards are separated by commas, as in path:3,square:2x2");
    if (range) {
      const absl::Status added = add_range(here, word.substr(0, colon + 1), *range, out.values);
      if (!added.ok()) return added;
    } else {
      out.values.push_back(word);
    }
    for (std::size_t i = known; i < out.values.size(); ++i) {
      const absl::StatusOr<Board> board = Board::parse(range ? Span::whole("--board", out.values[i]) : here);
      if (!board.ok()) return board.status();
    }
    at = end + 1;
  }
  return out;
}

}  // namespace plenum
