// SPDX-License-Identifier: Apache-2.0
// The verdict: sentences that follow from the numbers, and from nothing else.
#include <algorithm>
#include <set>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/html/report_sections.h"
#include "tools/report/cycles_report.h"
#include "tools/report/describe.h"
#include "tools/report/page_text.h"

namespace plenum::sections {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

std::string with_capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string by_margin(const Variant& variant, Margin margin) {
  return variant.rule_set().outcome_only ? ""
                                         : absl::StrCat(" by ", variant.margin_text(Margin{std::abs(margin.units)}));
}

std::string who(Margin margin) { return margin.units > 0 ? "first" : "second"; }

std::string winner(const Summary& game) {
  const Variant& variant = *game.variant;
  if (!game.start_value) {
    if (!game.proven) return "";
    return absl::StrCat("Who wins with best play is not solved: first’s margin is proven to be ",
                        variant.margin_text(game.proven->least), " at least and ",
                        variant.margin_text(game.proven->greatest), " at most.");
  }
  const PositionValue& value = *game.start_value;
  const Margin margin = value.margin.margin;
  if (value.ended) return absl::StrCat("The game is over before the first move: ", value_words(variant, value), ".");
  if (value.outcome == Outcome::tie) return "With best play the game ends level.";
  if (value.outcome == Outcome::cycle)
    return absl::StrCat("With best play neither player can end the game without losing, so play goes round for ever",
                        !game.facts_known    ? "."
                        : value.forced_cycle ? ", and they cannot even agree to end it level."
                                             : ", unless both agree to end it level.");
  return absl::StrCat("With best play ", who(margin), " wins", by_margin(variant, margin),
                      value.plies ? absl::StrCat(", in ", plies(value.plies->count)) : "", ".");
}

struct FirstMoves {
  std::uint64_t known = 0;
  std::uint64_t first = 0;
  std::uint64_t level = 0;
  std::uint64_t second = 0;
};
template <typename Taken>
FirstMoves count_first_moves(const Summary& game, const Taken& taken) {
  FirstMoves out;
  for (const Opening& opening : game.openings) {
    if (opening.bounds || !taken(opening)) continue;
    ++out.known;
    const std::int64_t units = opening.after.margin.margin.units;
    ++(units > 0 ? out.first : units < 0 ? out.second : out.level);
  }
  return out;
}

std::string first_moves(const Summary& game) {
  if (!game.openings_known || game.openings.empty()) return "What each first move leads to is not known.";
  const FirstMoves n = count_first_moves(game, [](const Opening&) { return true; });
  return absl::StrCat("Of the ", count(n.known, "first move"), ", ", number(n.first), n.first == 1 ? " wins" : " win",
                      " for first, ", number(n.level), n.level == 1 ? " is level" : " are level", " and ",
                      number(n.second), n.second == 1 ? " wins" : " win", " for second.");
}

std::string pie(const Summary& game) {
  const Variant& variant = *game.variant;
  if (!variant.rule_set().pie) return "There is no pie.";
  if (!game.pie) return "What the pie makes of it is not known.";
  const FirstMoves n = count_first_moves(game, [](const Opening& o) { return o.in_pie; });
  if (game.pie->margin.units == 0)
    return absl::StrCat("The pie is fair: ", number(n.level), " of the ", count(n.known, "opening"),
                        " that it is about ", n.level == 1 ? "leads" : "lead", " to a level game.");
  std::vector<std::string> fairest = game.pie->openings;
  constexpr std::size_t kShown = 4;
  const bool all = fairest.size() == n.known;
  const std::string list =
      all ? "every opening that it is about is as fair"
          : absl::StrCat(
                "the fairest ", fairest.size() == 1 ? "opening is " : "openings are ",
                absl::StrJoin(fairest.begin(),
                              fairest.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, fairest.size())), ", "),
                fairest.size() > kShown ? absl::StrCat(" and ", fairest.size() - kShown, " more") : "");
  return absl::StrCat("The pie is not fair: with it ", who(game.pie->margin), " wins",
                      by_margin(variant, game.pie->margin), " at best play (", list, ").");
}

std::string frequency(double share) {
  if (share <= 0) return "There are no";
  return share < 0.05 ? "Few" : share < 0.25 ? "Some" : "Many";
}

std::string draws_sentence(const Summary& game) {
  const DrawRates rates = draw_rates(game);
  std::vector<std::string> parts;
  if (rates.ends) parts.push_back(absl::StrCat(percent(*rates.ends), " of the ends are level"));
  if (rates.random_play)
    parts.push_back(absl::StrCat(percent(*rates.random_play), " of games played at random are level or never end"));
  std::string out;
  if (rates.positions)
    out = *rates.positions <= 0
              ? "No position that has not ended is level."
              : absl::StrCat(frequency(*rates.positions), " positions are level: ", percent(*rates.positions),
                             " of those that have not ended.");
  if (!parts.empty()) absl::StrAppend(&out, out.empty() ? "" : " ", absl::StrJoin(parts, " and "), ".");
  return out.empty() ? "How often the game is level is not known." : out;
}

std::string cycles_sentence(const GameReport& report) {
  const Summary& game = report.summary();
  if (report.cycles.value) return with_capital(cycle_headline(game, *report.cycles.value)) + ".";
  if (game.cyclic == std::optional<bool>(false)) return "No position can come back, so every game ends.";
  if (game.cyclic == std::optional<bool>(true)) return "Positions can come back.";
  return "Whether positions can come back is not known.";
}

std::string names(const std::vector<std::string>& list) { return absl::StrJoin(list, ", "); }

std::string readings_sentence(const GameReport& report) {
  if (!report.readings.value) return report.readings.why_not;
  const std::vector<Reading>& all = *report.readings.value;
  if (all.empty()) return "Its author left no rule open, as far as the description says.";
  std::vector<std::string> winners;
  std::vector<std::string> starts;
  std::vector<std::string> others;
  std::vector<std::string> nothing;
  std::vector<std::string> unknown;
  for (const Reading& r : all) {
    (!r.error.empty()   ? unknown
     : r.winner_changed ? winners
     : r.start_changed  ? starts
     : r.any_changed()  ? others
                        : nothing)
        .push_back(r.name());
  }
  std::vector<std::string> out;
  if (!winners.empty())
    out.push_back(absl::StrCat(names(winners), winners.size() == 1 ? " changes" : " change", " who wins"));
  if (!starts.empty())
    out.push_back(absl::StrCat(names(starts), starts.size() == 1 ? " changes" : " change", " by how much"));
  if (!others.empty())
    out.push_back(
        absl::StrCat(names(others), others.size() == 1 ? " changes" : " change", " some value, but not the result"));
  if (!nothing.empty())
    out.push_back(absl::StrCat(names(nothing), nothing.size() == 1 ? " changes" : " change", " no value"));
  if (!unknown.empty()) out.push_back(absl::StrCat(names(unknown), " could not be compared"));
  return absl::StrCat("Of the ", count(all.size(), "other reading"),
                      " that the author left open: ", absl::StrJoin(out, "; "), ".");
}

// Of an ending: who wins, by who is to move.
std::string ending_sentences(const EndingSummary& ending) {
  std::string out;
  for (const Player player : {Player::first, Player::second}) {
    const EndingCounts n = ending.statistics.to_move(player).all;
    absl::StrAppend(
        &out, player == Player::first ? "With White (first) to move, White wins " : "With Black to move, White wins ",
        percent(share(n.first, n.legal)), " of the ", count(n.legal, "legal position"), ", Black ",
        percent(share(n.second, n.legal)), "; ", percent(share(n.tie + n.cycle, n.legal)), " are drawn. ");
  }
  for (const Player player : {Player::first, Player::second}) {
    if (const auto longest = ending.statistics.longest(player))
      absl::StrAppend(&out, player == Player::first ? "White" : "Black", " wins in ", plies(*longest), " at most. ");
  }
  return out;
}

}  // namespace

std::string verdict(const GameReport& report) {
  const Summary& game = report.summary();
  std::vector<std::string> out;
  if (game.ending) {
    out.push_back(ending_sentences(*game.ending));
  } else {
    out.push_back(winner(game));
    if (!game.start_value || !game.start_value->ended) {
      out.push_back(first_moves(game));
      out.push_back(pie(game));
    }
    out.push_back(draws_sentence(game));
  }
  out.push_back(cycles_sentence(report));
  if (report.measures && report.measures->from_start) out.push_back(skill_sentences(*report.measures->from_start));
  out.push_back(readings_sentence(report));
  std::erase(out, "");
  return absl::StrCat(element("p class=\"verdict\"", escaped(absl::StrJoin(out, " "))), "\n",
                      paragraph("First is the player who moves first, second the other; a ply is one turn of one "
                                "player. Best play wins as soon as it can and loses as late as it can."),
                      by_command(report.command("solve")));
}

}  // namespace plenum::sections
