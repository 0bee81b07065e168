// SPDX-License-Identifier: Apache-2.0
#include "tools/compare_report.h"

#include <algorithm>
#include <array>
#include <map>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include "tools/describe.h"
#include "tools/page.h"
#include "tools/page_text.h"

namespace plenum {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kMovesShown = 14;  // of a position that changes
constexpr std::size_t kHalfPage = 47;    // columns of one of two things beside each other
constexpr std::array<Outcome, kOutcomes> kAllOutcomes = {Outcome::first, Outcome::second, Outcome::tie, Outcome::cycle};

// Options and rules that are not the same, by name.
std::vector<Difference> differences(const Description& a, const Description& b) {
  std::vector<Difference> out;
  const auto add = [&](const Description& game, bool first) {
    const std::vector<std::string> lines = absl::StrSplit(game.canonical_text(), '\n', absl::SkipEmpty());
    for (const std::string& line : lines) {
      const std::size_t equals = line.find('=');
      const std::string what = line.substr(0, equals);
      const std::string value = equals == std::string::npos ? "" : line.substr(equals + 1);
      auto known = std::find_if(out.begin(), out.end(),
                                [&](const Difference& d) { return d.what == what && (first ? !d.a : !d.b); });
      if (known == out.end()) known = out.insert(out.end(), {what, std::nullopt, std::nullopt});
      (first ? known->a : known->b) = value;
    }
  };
  add(a, true);
  add(b, false);
  std::erase_if(out, [](const Difference& d) { return d.a == d.b || d.what == "order"; });
  for (Difference& d : out) {
    if (d.what.rfind("set ", 0) == 0) d.what = d.what.substr(4);
  }
  return out;
}

// ------------------------------------------------------------------------------------------------------ JSON

Json side_json(const SolvedGame& game) {
  const Variant& variant = game.variant();
  Json out = game_json(variant);
  out["value"] = value_json(variant, game.start_value());
  out["pie"] = game.pie()
                   ? Json{{"margin", margin_json(variant, game.pie()->margin)}, {"openings", game.pie()->openings}}
                   : Json(nullptr);
  out["reachable"] = game.statistics().reachable;
  return out;
}

Json value_or_null(const Variant& variant, const std::optional<PositionValue>& value) {
  return value ? value_json(variant, *value) : Json(nullptr);
}

Json position_json(const Findings& f, const ComparedPosition& p) {
  Json out;
  out["position"] = to_text(f.a->variant().rule_set(), p.position);
  out["position_in_b"] = to_text(f.b->variant().rule_set(), p.in_b);
  out["a"] = value_json(f.a->variant(), p.a);
  out["b"] = value_json(f.b->variant(), p.b);
  out["moves"] = Json::array();
  for (const ComparedMove& move : p.moves) {
    out["moves"].push_back({{"move", move.text},
                            {"a", value_or_null(f.a->variant(), move.a)},
                            {"b", value_or_null(f.b->variant(), move.b)},
                            {"keeps_a", move.keeps_a},
                            {"keeps_b", move.keeps_b}});
  }
  return out;
}

// ------------------------------------------------------------------------------------------------------ page

void write_rules(const Findings& f, Text& out) {
  const auto name = [](const SolvedGame& game) {
    return absl::StrCat(game.variant().description().name, " on ", game.variant().board().name());
  };
  out.line("A: " + name(*f.a), 0, 3);
  out.line("B: " + name(*f.b), 0, 3);
  if (f.rules.empty()) out.line("the rules are the same");
  // What one has and the other has not stands in one line: "moves.side, in B alone: from = mine; to = empty".
  std::map<std::string, std::string> whole[2];
  for (const Difference& d : f.rules) {
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

void write_results(const Findings& f, Text& out) {
  out.section("Best play from the start");
  const auto both = [&](const std::string& what, const std::string& a, const std::string& b) {
    out.line(absl::StrCat(what, a == b ? a + " in both" : absl::StrCat(a, " in A, ", b, " in B")), 2, 8);
  };
  both("", value_words(f.a->variant(), f.a->start_value()), value_words(f.b->variant(), f.b->start_value()));
  const auto pie = [](const SolvedGame& game) {
    return game.pie() ? absl::StrCat(game.variant().margin_text(game.pie()->margin), " (",
                                     absl::StrJoin(game.pie()->openings, " "), ")")
                      : std::string("none");
  };
  if (f.a->pie() || f.b->pie()) both("with the pie, for first (fairest openings): ", pie(*f.a), pie(*f.b));
  std::vector<std::pair<std::string, std::vector<std::string>>> changes;  // those that change alike together
  std::size_t changed = 0;
  std::size_t in_both = 0;
  std::vector<std::string> only[2];
  for (const ComparedOpening& o : f.openings) {
    in_both += o.a && o.b ? 1 : 0;
    if (!o.a || !o.b) only[o.a ? 0 : 1].push_back(o.text);
    if (!o.changed) continue;
    ++changed;
    const std::string change =
        absl::StrCat(value_words(f.a->variant(), *o.a), " -> ", value_words(f.b->variant(), *o.b));
    auto known = std::find_if(changes.begin(), changes.end(), [&](const auto& c) { return c.first == change; });
    if (known == changes.end()) known = changes.insert(changes.end(), {change, {}});
    known->second.push_back(o.text);
  }
  out.line(in_both == 0
               ? std::string("no first move is the same in both")
               : absl::StrCat("of the ", count(in_both, "first move"), " that both have, ",
                              changed == 0 ? "none" : number(changed), changed < 2 ? " changes" : " change", " value"));
  for (const auto& [change, moves] : changes) out.line(absl::StrCat(absl::StrJoin(moves, " "), ": ", change), 4, 8);
  for (const int side : {0, 1}) {
    if (!only[side].empty())
      out.line(absl::StrCat("first moves of ", side == 0 ? "A" : "B", " alone: ", absl::StrJoin(only[side], " ")), 2,
               8);
  }
}

void write_counts(const Findings& f, Text& out) {
  const Comparison& c = f.counts;
  out.section("Positions");
  out.line(absl::StrCat(number(c.common), " can arise in both; ", number(f.a->statistics().reachable - c.common),
                        " in A alone, ", number(f.b->statistics().reachable - c.common), " in B alone"));
  if (c.common == 0) {
    out.line(
        "so no position could be compared: the games start differently, or their kinds of stones have other letters");
    return;
  }
  out.line(c.changed == 0 ? std::string("none of those in both changes value")
                          : absl::StrCat(number(c.changed), " of those in both ", c.changed == 1 ? "changes" : "change",
                                         " value (", percent(share(c.changed, c.common)),
                                         "): ", number(c.changed - c.same_outcome), " the outcome, ",
                                         number(c.same_outcome), " the margin alone"));
  if (c.plies > 0)
    out.line(absl::StrCat("of the others, ", number(c.plies), c.plies == 1 ? " takes" : " take", " longer or shorter"));
  if (c.forced > 0) out.line(absl::StrCat(number(c.forced), " are cycles in both, forced in one alone"));
  if (c.ended > 0)
    out.line(absl::StrCat("in ", number(c.ended), " of those in both the game is over by the rules of one alone"));
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

// How a position stands in one game: drawn, valued, with the moves that differ. Both have the same number of lines.
std::string half(const Findings& f, const ComparedPosition& p, bool first) {
  const Variant& variant = first ? f.a->variant() : f.b->variant();
  std::string out = absl::StrCat(first ? "A: " : "B: ", value_words(variant, first ? p.a : p.b), "\n");
  for (const std::string& line : draw_position(f.a->variant(), p.position, kHalfPage))
    absl::StrAppend(&out, "  ", line, "\n");
  std::size_t shown = 0;
  std::size_t more = 0;
  for (const ComparedMove& m : p.moves) {
    // Also what takes another number of plies differs, where the position's value itself is the same.
    const bool same = m.a && m.b && m.keeps_a == m.keeps_b && m.a->outcome == m.b->outcome &&
                      f.a->variant().margin_text(m.a->margin.margin) == f.b->variant().margin_text(m.b->margin.margin);
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

void write_both(const Findings& f, const ComparedPosition& p, Text& out) {
  const std::string both = side_by_side(half(f, p, true), half(f, p, false));
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(both, '\n', absl::SkipEmpty())))
    out.raw("    " + line);
}

void write_parting(const Findings& f, Text& out) {
  out.section("Where best play parts");
  if (!f.same_start) {
    out.line("at once: the games do not start from the same position");
  } else if (!f.parting) {
    out.line("nowhere: a line of best play is the same in both");
  } else {
    const Parting& p = *f.parting;
    out.line(absl::StrCat(p.line.empty() ? std::string("on the first move")
                                         : absl::StrCat("after ", absl::StrJoin(p.line, " "), " (best in both)"),
                          ", in ", to_text(f.a->variant().rule_set(), p.at.position)));
    const auto words = [](const std::vector<std::string>& moves) {
      return moves.empty() ? "nothing, the game is over" : absl::StrJoin(moves, " ");
    };
    out.line(absl::StrCat("best in A: ", words(p.best_a)));
    out.line(absl::StrCat("best in B: ", words(p.best_b)));
    const bool alike = std::any_of(p.best_a.begin(), p.best_a.end(), [&](const std::string& move) {
      return std::find(p.best_b.begin(), p.best_b.end(), move) != p.best_b.end();
    });
    if (alike) out.line("(moves written alike lead to different positions)");
  }
}

void write_nearest(const Findings& f, const QueryCommandFn& query, Text& out) {
  if (f.nearest.empty()) return;
  out.section(absl::StrCat("The ", f.nearest.size() == 1 ? "position" : count(f.nearest.size(), "position"),
                           " nearest the start that ", f.nearest.size() == 1 ? "changes" : "change",
                           " value, with the moves that differ"));
  out.line("(keeps): the move keeps the value; *: this line is not the same in both");
  for (const Change& change : f.nearest) {
    const std::string position = to_text(f.a->variant().rule_set(), change.at.position);
    out.raw("");
    out.line(absl::StrCat(position, "   ", player_word(change.at.position.mover), " to move, ",
                          change.line.moves.empty() ? std::string("the start")
                                                    : absl::StrCat("after ", line_words(change.line.moves)),
                          change.line_in_b ? "" : " (not the way there in B)"),
             2, 4);
    write_both(f, change.at, out);
  }
  const ComparedPosition& first = f.nearest.front().at;
  out.section("To see more of a position");
  out.raw("  " + query(true, to_text(f.a->variant().rule_set(), first.position)));
  out.raw("  " + query(false, to_text(f.b->variant().rule_set(), first.in_b)));
}

}  // namespace

bool Findings::any_changed() const {
  return counts.changed > 0 || start_changed ||
         std::any_of(openings.begin(), openings.end(), [](const ComparedOpening& o) { return o.changed; });
}

absl::StatusOr<Findings> compare_games(const SolvedGame& a, const SolvedGame& b, std::size_t most) {
  const absl::StatusOr<ComparedGames> games = ComparedGames::make(a, b);
  if (!games.ok()) return games.status();
  Findings out;
  out.a = &a;
  out.b = &b;
  out.rules = differences(a.variant().description(), b.variant().description());
  out.counts = games->count();
  out.same_start = games->same_start();
  out.start_changed = !games->same_value(a.start_value(), b.start_value());
  out.openings = games->openings();
  if (out.same_start) {
    absl::StatusOr<std::optional<Parting>> parting = games->parting();
    if (!parting.ok()) return parting.status();
    out.parting = *std::move(parting);
  }
  if (out.counts.changed > 0) {
    absl::StatusOr<std::vector<Change>> nearest = games->nearest_changes(most);
    if (!nearest.ok()) return nearest.status();
    out.nearest = *std::move(nearest);
  }
  return out;
}

Json findings_json(const Findings& f, const Cost& cost) {
  const Comparison& c = f.counts;
  Json out;
  out["schema"] = 1;
  out["a"] = side_json(*f.a);
  out["b"] = side_json(*f.b);
  out["board"] = f.a->variant().board().name();
  out["differences"] = Json::array();
  for (const Difference& d : f.rules)
    out["differences"].push_back(
        {{"what", d.what}, {"a", d.a ? Json(*d.a) : Json(nullptr)}, {"b", d.b ? Json(*d.b) : Json(nullptr)}});
  out["positions"] = {{"common", c.common},
                      {"only_a", f.a->statistics().reachable - c.common},
                      {"only_b", f.b->statistics().reachable - c.common}};
  out["any_changed"] = f.any_changed();
  out["changed"] = c.changed;
  out["changed_outcome"] = c.changed - c.same_outcome;
  out["changed_margin"] = c.same_outcome;
  out["changed_plies"] = c.plies;
  out["changed_forced"] = c.forced;
  out["ended_in_one"] = c.ended;
  for (const Outcome a : kAllOutcomes) {
    for (const Outcome b : kAllOutcomes)
      out["outcomes"][std::string(outcome_name(a))][std::string(outcome_name(b))] =
          c.outcomes[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }
  out["start_changed"] = f.start_changed;
  out["openings"] = Json::array();
  for (const ComparedOpening& o : f.openings) {
    out["openings"].push_back({{"move", o.text},
                               {"a", value_or_null(f.a->variant(), o.a)},
                               {"b", value_or_null(f.b->variant(), o.b)},
                               {"changed", o.changed}});
  }
  out["parting"] = nullptr;
  if (f.parting) {
    out["parting"] = position_json(f, f.parting->at);
    out["parting"]["line"] = f.parting->line;
    out["parting"]["best_a"] = f.parting->best_a;
    out["parting"]["best_b"] = f.parting->best_b;
  }
  out["nearest"] = Json::array();
  for (const Change& change : f.nearest) {
    Json one = position_json(f, change.at);
    one["line"] = Json::array();
    for (const LineMove& move : change.line.moves) one["line"].push_back(move.text);
    one["line_in_b"] = change.line_in_b;
    out["nearest"].push_back(std::move(one));
  }
  out["cost"] = cost_json(cost);
  return out;
}

std::string findings_page(const Findings& f, const QueryCommandFn& query) {
  Text out;
  write_rules(f, out);
  write_results(f, out);
  write_counts(f, out);
  write_parting(f, out);
  write_nearest(f, query, out);
  return out.text();
}

}  // namespace plenum
