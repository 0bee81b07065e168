// SPDX-License-Identifier: Apache-2.0
#include "tools/report/compare_parts.h"

#include <algorithm>
#include <array>
#include <map>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>

#include "tools/report/describe.h"
#include "tools/report/page.h"

namespace plenum {

using namespace pages;  // NOLINT(google-build-using-namespace)

namespace {

constexpr std::size_t kMovesShown = 14;  // of a position that changes
constexpr std::size_t kHalfPage = 47;    // columns of one of two things beside each other
constexpr std::array<Outcome, kOutcomes> kAllOutcomes = {Outcome::first, Outcome::second, Outcome::tie, Outcome::cycle};

// How a position stands in one game: drawn, valued, with the moves that differ. Both have the same number of lines.
std::string half(const ComparedVariants& f, const ComparedPosition& p, bool first) {
  const Variant& variant = first ? f.a : f.b;
  std::string out = absl::StrCat(first ? "A: " : "B: ", value_words(variant, first ? p.a : p.b), "\n");
  for (const std::string& line : draw_position(f.a, p.position, kHalfPage)) absl::StrAppend(&out, "  ", line, "\n");
  std::size_t shown = 0;
  std::size_t more = 0;
  for (const ComparedMove& m : p.moves) {
    // Also what takes another number of plies differs, where the position's value itself is the same.
    const bool same = m.a && m.b && m.keeps_a == m.keeps_b && m.a->outcome == m.b->outcome &&
                      f.a.margin_text(m.a->margin.margin) == f.b.margin_text(m.b->margin.margin);
    if (same) continue;
    if (++shown > kMovesShown) {
      ++more;
      continue;
    }
    const std::optional<PositionValue>& value = first ? m.a : m.b;
    absl::StrAppend(&out, "  ", pad_right(m.text, 8), " ", value ? value_words(variant, *value) : "not legal",
                    (first ? m.keeps_a : m.keeps_b) ? " (keeps)" : "", "\n");
  }
  if (shown == 0) absl::StrAppend(&out, "  no move differs\n");
  if (more > 0) absl::StrAppend(&out, "  and ", more, " more\n");
  return out;
}

std::vector<std::string> words_sorted(const std::optional<std::string>& text) {
  std::vector<std::string> out = absl::StrSplit(text.value_or(""), ' ');
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

// Options and rules that are not the same, by name.
std::vector<Difference> differences(const GameIdentity& a, const GameIdentity& b) {
  std::vector<Difference> out;
  const auto add = [&](const GameIdentity& game, bool first) {
    for (const std::string_view line : std::vector<std::string>(absl::StrSplit(game.text, '\n', absl::SkipEmpty()))) {
      const std::size_t equals = line.find('=');
      const std::string what(line.substr(0, equals));
      const std::string value(line.substr(equals + 1));
      auto known = std::find_if(out.begin(), out.end(),
                                [&](const Difference& d) { return d.what == what && (first ? !d.a : !d.b); });
      if (known == out.end()) known = out.insert(out.end(), {what, std::nullopt, std::nullopt});
      (first ? known->a : known->b) = value;
    }
  };
  add(a, true);
  add(b, false);
  // Where one has more than the other, it is said of what there is more of, not of the order.
  std::erase_if(out, [](const Difference& d) {
    return d.a == d.b || (d.what.rfind("order of ", 0) == 0 && words_sorted(d.a) != words_sorted(d.b));
  });
  for (Difference& d : out) {
    if (d.what.rfind("set ", 0) != 0) continue;
    d.what = d.what.substr(4);
    for (std::optional<std::string>* value : {&d.a, &d.b}) {
      if (*value && (**value)[0] == '"') **value = (*value)->substr(1, (*value)->size() - 2);
    }
  }
  return out;
}

Json differences_json(const std::vector<Difference>& rules) {
  return json_list(rules, [](const Difference& d) -> Json {
    return {{"what", d.what}, {"a", or_null(d.a)}, {"b", or_null(d.b)}};
  });
}

Json position_json(const ComparedVariants& f, const ComparedPosition& p) {
  const auto compared_move_json = [&](const ComparedMove& move) -> Json {
    return {{"move", move.text},
            {"a", value_or_null(f.a, move.a)},
            {"b", value_or_null(f.b, move.b)},
            {"keeps_a", move.keeps_a},
            {"keeps_b", move.keeps_b}};
  };
  return {{"position", f.a.rules().write(p.position)},
          {"position_in_b", f.b.rules().write(p.in_b)},
          {"a", value_json(f.a, p.a)},
          {"b", value_json(f.b, p.b)},
          {"moves", json_list(p.moves, compared_move_json)}};
}

Json outcomes_json(const Comparison& counts) {
  Json out;
  for (const Outcome a : kAllOutcomes) {
    for (const Outcome b : kAllOutcomes)
      out[std::string(outcome_name(a))][std::string(outcome_name(b))] =
          counts.outcomes[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }
  return out;
}

void write_rules(const ComparedVariants& f, const std::vector<Difference>& rules, Text& out) {
  const auto name = [](const Variant& game) {
    return absl::StrCat(game.description().name, " on ", game.board().name());
  };
  out.line("A: " + name(f.a), 0, 3);
  out.line("B: " + name(f.b), 0, 3);
  if (rules.empty()) out.line("the rules are the same");
  // What one has and the other has not stands in one line: "moves.side, in B alone: from = mine; to = empty".
  std::map<std::string, std::string> whole[2];
  for (const Difference& d : rules) {
    if (d.a && d.b) {
      out.line(absl::StrCat(d.what, ": ", *d.a, "  in A"), 2, 6);
      out.line(absl::StrCat(std::string(d.what.size(), ' '), "  ", *d.b, "  in B"), d.what.size() + 4, 6);
      continue;
    }
    const std::vector<std::string> path = absl::StrSplit(d.what, absl::MaxSplits('.', 2));
    const std::string owner = path.size() < 3 ? d.what : absl::StrCat(path[0], ".", path[1]);
    std::string& text = whole[d.a ? 0 : 1][owner];
    const std::string& value = d.a ? *d.a : *d.b;
    if (value == "{}" || value == "[]") continue;  // what stands in it follows
    absl::StrAppend(&text, text.empty() ? "" : "; ", path.size() < 3 ? "" : path[2] + " = ", value);
  }
  for (const int side : {0, 1}) {
    for (const auto& [owner, text] : whole[side])
      out.line(absl::StrCat(owner, ", in ", side == 0 ? "A" : "B", " alone", text.empty() ? "" : ": ", text), 2, 6);
  }
}

void write_outcomes(const Comparison& c, Text& out) {
  out.raw("");
  std::size_t width = 8;
  for (const auto& row : c.outcomes) {
    for (const std::uint64_t n : row) width = std::max(width, number(n).size());
  }
  std::string heading = "  A is \\ B is ";
  for (const Outcome b : kAllOutcomes) absl::StrAppend(&heading, "  ", pad_left(std::string(outcome_name(b)), width));
  out.raw(heading);
  for (const Outcome a : kAllOutcomes) {
    std::string line = pad_right("  " + std::string(outcome_name(a)), 14);
    for (const Outcome b : kAllOutcomes)
      absl::StrAppend(&line, "  ",
                      pad_left(number(c.outcomes[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]), width));
    out.raw(line);
  }
}

void write_both(const ComparedVariants& f, const ComparedPosition& p, Text& out) {
  const std::string both = side_by_side(half(f, p, true), half(f, p, false));
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(both, '\n', absl::SkipEmpty())))
    out.raw("    " + line);
}

}  // namespace plenum
