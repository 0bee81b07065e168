// SPDX-License-Identifier: Apache-2.0
#include "variants/text/diagnostic.h"

#include <algorithm>
#include <numeric>

#include <absl/strings/cord.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "variants/text/printable.h"

namespace plenum {
namespace {

constexpr absl::string_view kPlace = "plenum/place";  // of an error in a file: "line:column"

// Letters left out, added, changed, or two neighbours swapped.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_up(b.size() + 1);
  std::vector<std::size_t> up(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_up.swap(up);
    up.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], two_up[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// Columns are counted in characters, not bytes, so that the caret stands right under UTF-8 text.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

constexpr std::size_t kShownBeside = 90;  // characters of a long line, on each side of where a span begins

// The first or the last `most` characters, and dots where there are more.
std::string first_characters(const std::string& text, std::size_t most) {
  std::size_t i = 0;
  for (std::size_t n = 0; i < text.size(); ++i) {
    if (begins_character(text[i]) && ++n > most) return text.substr(0, i) + "...";
  }
  return text;
}
std::string last_characters(const std::string& text, std::size_t most) {
  std::size_t n = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (begins_character(text[i]) && ++n == most && i > 0) return "..." + text.substr(i);
  }
  return text;
}

// The line in which a span begins.
struct Line {
  std::int64_t number = 1;
  std::string text;        // as shown, tabs as blanks
  std::size_t column = 0;  // in characters of it, from 0
  std::size_t under = 0;   // characters of the span that stand in it
  std::size_t place = 1;   // of the span in the line as it is, in characters, from 1
};

Line line_of(const Span& span) {
  const std::string_view text = span.source->text;
  const std::size_t at = std::min(span.offset, text.size());
  const std::size_t begin = text.substr(0, at).rfind('\n') + 1;  // 0 where there is none before
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  Line out;
  out.number = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const auto shown = [](std::string_view part) {
    std::string blank(part);
    std::replace(blank.begin(), blank.end(), '\t', ' ');
    return printable(blank);
  };
  const std::size_t stop = at + std::min(span.length, end - at);
  out.place = characters(text.substr(begin, at - begin)) + 1;
  const std::string before = last_characters(shown(text.substr(begin, at - begin)), kShownBeside);
  const std::string under = first_characters(shown(text.substr(at, stop - at)), kShownBeside);
  const std::string after = shown(text.substr(stop, end - stop));
  out.text = absl::StrCat(before, under, first_characters(after, kShownBeside));
  out.column = characters(before);
  out.under = characters(under);
  return out;
}

}  // namespace

Span Span::whole(std::string name, std::string text) {
  const std::size_t length = text.size();
  return {std::make_shared<const SourceText>(SourceText{std::move(name), std::move(text), false}), 0, length};
}

Span Span::part(std::size_t from, std::size_t count) const {
  const std::size_t end = source ? source->text.size() : 0;
  const std::size_t begin = std::min(offset + from, end);
  return {source, begin, std::min(count, end - begin)};
}

std::string_view Span::text() const {
  return source ? std::string_view(source->text).substr(std::min(offset, source->text.size()), length)
                : std::string_view();
}

std::string place_of(const Span& span) {
  if (!span.source) return "";
  std::string name = printable(span.source->name);
  if (!span.source->is_file) return name;
  const Line line = line_of(span);
  return absl::StrCat(name, ":", line.number, ":", line.place);
}

absl::Status error_at(const Span& span, std::string_view message, std::string_view advice) {
  std::string out;
  std::optional<absl::Cord> place;
  if (!span.source) {
    out = printable(message);
  } else {
    const Line line = line_of(span);
    const std::string caret =
        absl::StrCat(std::string(line.column, ' '), "^", std::string(line.under > 1 ? line.under - 1 : 0, '~'));
    out = absl::StrCat(place_of(span), ": ", printable(message));
    if (span.source->is_file) {
      place = absl::Cord(absl::StrCat(line.number, ":", line.place));
      absl::StrAppend(&out, "\n    ", line.number, " | ", line.text, "\n    ",
                      std::string(absl::StrCat(line.number).size(), ' '), " | ", caret);
    } else {
      absl::StrAppend(&out, "\n    ", line.text, "\n    ", caret);
    }
  }
  if (!advice.empty()) absl::StrAppend(&out, "\n  ", printable_lines(advice));
  absl::Status status = absl::InvalidArgumentError(out);
  if (place) status.SetPayload(kPlace, *place);
  return status;
}

std::optional<TextPlace> place_of(const absl::Status& status) {
  const auto place = status.GetPayload(kPlace);
  if (!place) return std::nullopt;
  const std::pair<std::string, std::string> numbers = absl::StrSplit(std::string(*place), ':');
  TextPlace out;
  if (!absl::SimpleAtoi(numbers.first, &out.line) || !absl::SimpleAtoi(numbers.second, &out.column))
    return std::nullopt;
  return out;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates, std::string_view what) {
  const std::string best = nearest(word, candidates);
  if (!best.empty()) return absl::StrCat("did you mean '", best, "'?");
  if (candidates.empty()) return "";
  return absl::StrCat(std::string(what), ": ", absl::StrJoin(candidates, ", "));
}

void fail_at(const Span& span, std::string_view message, std::string_view advice) {
  throw DescriptionError{error_at(span, message, advice)};
}

}  // namespace plenum
