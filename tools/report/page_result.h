// SPDX-License-Identifier: Apache-2.0
// The part of the page about the game itself: who wins with the pie and without, by how much and how fast, and after which opening.
//
// Apart from page.cpp, which counts. Header only, as page.cpp alone uses it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/result/summary.h"
#include "tools/report/draw.h"
#include "tools/report/page_text.h"

namespace plenum::pages {

inline constexpr std::size_t kFairestShown = 12;  // openings named in the first line

inline std::string player_name(Player player) { return player == Player::first ? "first" : "second"; }

inline std::string wins_text(const Variant& variant, Margin margin) {
  const std::string winner = margin.units > 0 ? "first wins" : "second wins";
  return variant.rule_set().outcome_only
             ? winner
             : absl::StrCat(winner, " by ", variant.margin_text(Margin{std::abs(margin.units)}));
}

inline std::string tie_text(const PositionValue& value) {
  const std::string both = value.first_ends && value.second_ends ? "either player"
                           : value.first_ends                    ? "first"
                                                                 : "second";
  return absl::StrCat("a tie: ", both, " can force the game to end level");
}

inline std::string cycle_text(bool forced) {
  return absl::StrCat("nobody can make it end without losing: play goes round (a cycle), ",
                      forced ? "and they cannot even agree to end it" : "unless both agree to end it level");
}

// "first wins", where that much is known of a margin, and its bounds.
inline std::string proven_text(const Variant& variant, const ProvenMargin& proven) {
  std::string between = absl::StrCat("first's margin is ", variant.margin_text(proven.least), " at least and ",
                                     variant.margin_text(proven.greatest), " at most");
  if (proven.least.units > 0) return absl::StrCat("first wins; ", between);
  if (proven.greatest.units < 0) return absl::StrCat("second wins; ", between);
  return between;
}

inline std::string result(const Summary& game) {
  if (!game.start_value) return absl::StrCat("not solved; what is proven: ", proven_text(*game.variant, *game.proven));
  const PositionValue& value = *game.start_value;
  if (value.ended) {
    const Margin margin = value.margin.margin;
    return absl::StrCat("the game is over before the first move: ",
                        margin.units == 0 ? "a tie" : wins_text(*game.variant, margin));
  }
  if (value.outcome == Outcome::tie) return tie_text(value);
  if (value.outcome == Outcome::cycle) return cycle_text(value.forced_cycle);
  return absl::StrCat(wins_text(*game.variant, value.margin.margin), " at best play",
                      value.plies ? absl::StrCat(", in ", plies(value.plies->count)) : "");
}

// The result with the pie: its margin, or what the fairest openings lead to where that is level.
inline std::string pie_result(const Summary& game) {
  const Pie& pie = *game.pie;
  const std::set<std::string> names(pie.openings.begin(), pie.openings.end());
  std::vector<const Opening*> fairest;
  std::size_t offered = 0;
  for (const Opening& opening : game.openings) {
    offered += opening.in_pie ? 1 : 0;
    if (opening.in_pie && names.count(opening.text) > 0) fairest.push_back(&opening);
  }
  std::string list;
  if (offered == fairest.size()) {
    list = offered == 1 ? "the only placement" : absl::StrCat("all ", offered, " placements are equally fair");
  } else {
    std::vector<std::string> shown = pie.openings;
    if (shown.size() > kFairestShown) shown.resize(kFairestShown);
    list = absl::StrCat(pie.openings.size() == 1 ? "the fairest opening: " : "the fairest openings: ",
                        absl::StrJoin(shown, ", "));
    if (shown.size() < pie.openings.size())
      absl::StrAppend(&list, " and ", pie.openings.size() - shown.size(), " more");
  }
  if (pie.margin.units != 0) {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    if (!fairest.front()->after.plies)  // not known
      return absl::StrCat(wins_text(*game.variant, pie.margin), " at best play (", list, ")");
    for (const Opening* opening : fairest) {
      const std::uint64_t length = 1 + (opening->after.plies ? opening->after.plies->count : 0);
      least = std::min(least, length);
      most = std::max(most, length);
    }
    return absl::StrCat(
        wins_text(*game.variant, pie.margin), " at best play, in ",
        least == most ? plies(most) : absl::StrCat(number(least), " to ", plies(most), ", by the opening"), " (", list,
        ")");
  }
  std::vector<std::string> ties;
  std::vector<std::string> cycles;
  bool forced = true;
  for (const Opening* opening : fairest) {
    const bool cycle = opening->after.outcome == Outcome::cycle;
    (cycle ? cycles : ties).push_back(opening->text);
    if (cycle) forced = forced && opening->after.forced_cycle;
  }
  if (cycles.empty()) return absl::StrCat("a tie: the game can be forced to end level (", list, ")");
  if (ties.empty()) return absl::StrCat(cycle_text(forced), " (", list, ")");
  return absl::StrCat("level at best play: a tie after ", absl::StrJoin(ties, ", "), "; after ",
                      absl::StrJoin(cycles, ", "), " ", cycle_text(forced));
}

inline void write_result(const Summary& game, Text& out) {
  const Variant& variant = *game.variant;
  const std::string title = absl::StrCat(variant.description().name, " on ", variant.board().name(), ": ");
  const std::string plain = result(game);
  if (game.pie) {
    out.line(absl::StrCat(title, "with the pie, ", pie_result(game), "."), 0, 2);
    out.line(absl::StrCat("Without the pie, ", plain, "."), 0, 2);
  } else {
    out.line(absl::StrCat(title, plain, "."), 0, 2);
  }
  out.line("A ply is one turn of one player; the winner makes the game short, the loser long.", 0, 2);
}

// A value in a few signs, for first.
inline std::string sign_text(const Variant& variant, const PositionValue& value) {
  const std::int64_t units = value.margin.margin.units;
  if (units == 0) return value.outcome == Outcome::cycle ? "~" : "=";
  if (variant.rule_set().outcome_only) return units > 0 ? "+" : "-";
  return absl::StrCat(units > 0 ? "+" : "", variant.margin_text(value.margin.margin));
}

struct ShownOpening {
  Move move;
  std::string text;
  std::string sign;
};

inline std::vector<ShownOpening> shown_openings(const Summary& game) {
  std::vector<ShownOpening> out;
  for (const Opening& opening : game.openings)
    out.push_back({opening.move, opening.text, opening.bounds ? "?" : sign_text(*game.variant, opening.after)});
  return out;
}

inline void write_openings(const Variant& variant, Player mover, const std::vector<ShownOpening>& openings, Text& out) {
  const Board& board = variant.board();
  out.section(absl::StrCat("Openings: how the game stands for first after ", player_name(mover), "'s opening turn"));
  if (variant.rule_set().outcome_only) {
    out.line("(+: first wins; -: second wins; =: a tie; ~: a cycle)");
  } else {
    out.line("(+N: first wins by N; -N: second wins by N; =: a tie; ~: a cycle)");
  }
  // Placements by the kind they are written with ("w@a1"), a drawing each; what is not drawn is listed.
  std::map<std::string, std::vector<std::string>> drawings;
  std::vector<std::string> others;
  std::vector<std::string> all;
  for (const ShownOpening& opening : openings) {
    all.push_back(absl::StrCat(opening.text, " ", opening.sign));
    const Part& part = opening.move.first;
    if (part.from != kNoCell || part.to == kNoCell || !opening.move.further.empty()) {
      others.push_back(all.back());
      continue;
    }
    const std::size_t at = opening.text.find('@');
    auto& cells = drawings[at == std::string::npos ? "" : opening.text.substr(0, at)];
    cells.resize(static_cast<std::size_t>(board.size()));
    cells[part.to] = opening.sign;
  }
  const bool fits = std::all_of(drawings.begin(), drawings.end(),
                                [&](const auto& d) { return !draw(board, d.second, kPageColumns - 4).empty(); });
  for (const auto& [letter, cells] : drawings) {
    if (!fits) break;
    for (const KindDescription& kind : variant.rule_set().kinds) {
      if (kind.letter == letter) out.line(absl::StrCat(kind.name, " (", letter, "@)"));
    }
    for (const std::string& line : draw(board, cells, kPageColumns - 4)) out.raw("    " + line);
  }
  if (fits && !drawings.empty() && board.look() == Board::Look::hexagons) {
    const std::vector<Cell>& lowest = board.rows().front();
    out.line(absl::StrCat("(the lowest row runs from ", board.cell_name(lowest.front()), " at the left to ",
                          board.cell_name(lowest.back()), ")"));
  }
  const std::vector<std::string>& listed = fits ? others : all;
  if (!listed.empty()) out.line(absl::StrJoin(listed, ", "), 4, 4);
  if (all.empty()) out.line("none", 4);
}

inline void write_readings(const Variant& variant, Text& out) {
  out.section("Readings in force (*: not the default)");
  for (const Option& option : variant.description().options) {
    const std::string value = option.name == "board" ? variant.board().name() : to_text(option.value);
    const bool changed = to_text(option.value) != to_text(option.initial);
    const std::string choices = option.choices();
    out.line(absl::StrCat(changed ? "* " : "", option.name, " = ", value,
                          choices.empty() ? "" : absl::StrCat(" (of ", choices, ")"),
                          changed ? absl::StrCat("; the default is ", to_text(option.initial)) : "",
                          option.left_open ? "; LEFT OPEN by the author" : ""),
             changed ? 2 : 4, 8);
    if (!option.about.empty()) out.line(option.about, 8, 8);
  }
}

}  // namespace plenum::pages
