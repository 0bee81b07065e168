// SPDX-License-Identifier: Apache-2.0
// How the positions are spread, how often the game is level, and how it was solved.
#include <algorithm>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include "tools/html/chart_svg.h"
#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/html/report_sections.h"
#include "tools/report/page_text.h"

namespace plenum::sections {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kMostBars = 60;

// Neighbours together, so that there are at most kMostBars of them.
std::vector<Bar> gathered(const std::vector<Bar>& bars) {
  const std::size_t step = (bars.size() + kMostBars - 1) / kMostBars;
  if (step <= 1) return bars;
  std::vector<Bar> out;
  for (std::size_t i = 0; i < bars.size(); i += step) {
    Bar& bar = out.emplace_back(bars[i]);
    const std::size_t end = std::min(i + step, bars.size());
    for (std::size_t k = i + 1; k < end; ++k) {
      for (std::size_t part = 0; part < bar.counts.size(); ++part) bar.counts[part] += bars[k].counts[part];
    }
    if (end > i + 1) absl::StrAppend(&bar.label, "..", bars[end - 1].label);
  }
  return out;
}

std::string charts(const Variant& variant, const Histograms& h) {
  BarChart margins = {
      "Positions that have not ended, by first’s margin at best play", "first’s margin", "positions", {""}, {}};
  std::vector<Bar> bars;
  for (const auto& [margin, n] : h.margins) bars.push_back({variant.margin_text(margin.margin), {n}});
  margins.bars = gathered(bars);
  BarChart lengths = {
      "Won positions, by the plies to the end at best play", "plies to the end", "positions", {"first", "second"}, {}};
  bars.clear();
  for (const auto& [plies, n] : h.plies) {
    Bar bar = {absl::StrCat(plies), {0, 0}};
    for (std::size_t who = 0; who < 2; ++who) {
      if (const auto found = h.wins[who].find(plies); found != h.wins[who].end()) bar.counts[who] = found->second;
    }
    bars.push_back(bar);
  }
  lengths.bars = gathered(bars);
  BarChart stones = {"Who wins, by the stones on the board",
                     "stones on the board",
                     "positions",
                     {"first", "tie", "cycle", "second"},
                     {}};
  for (const auto& [n, counts] : h.stones)
    stones.bars.push_back({absl::StrCat(n), {counts[0], counts[2], counts[3], counts[1]}});
  return absl::StrCat(margins.bars.empty() ? "" : bar_chart(margins), lengths.bars.empty() ? "" : bar_chart(lengths),
                      stones.bars.empty() ? "" : bar_chart(stones));
}

// Of a game solved by bits: nothing but who wins, stone by stone.
std::string tier_chart(const Summary& game) {
  BarChart chart = {"Who wins, by the stones on the board: every way to colour so many cells, reachable or not",
                    "stones on the board",
                    "positions",
                    {"first", "tie", "second"},
                    {}};
  for (const BitTier& tier : game.tiers)
    chart.bars.push_back({absl::StrCat(tier.stones), {tier.first, tier.level, tier.second}});
  return bar_chart(chart);
}

std::string rate(const std::optional<double>& known) { return known ? percent(*known) : "not known"; }

std::string longest_words(const Variant& variant, const Histograms& h) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Player player : {Player::first, Player::second}) {
    const auto& longest = h.longest[static_cast<std::size_t>(player)];
    rows.emplace_back(player == Player::first ? "first" : "second",
                      longest ? absl::StrCat(plies(longest->plies), ", from ", variant.rules().write(longest->position))
                              : "wins nowhere, or how long it takes is not known");
  }
  return facts("The longest that a win takes", rows);
}

}  // namespace

std::string spread_of(const Variant& variant, const Histograms& found) {
  return absl::StrCat(
      paragraph(absl::StrCat(count(found.positions, "position"), found.positions == 1 ? " has" : " have",
                             " not ended, ", number(found.ended), found.ended == 1 ? " has." : " have.")),
      charts(variant, found), longest_words(variant, found));
}

std::string spread(const GameReport& report) {
  const Summary& game = report.summary();
  std::string out;
  if (!game.tiers.empty()) out += tier_chart(game);
  if (report.spread.value) {
    out += spread_of(report.variant(), *report.spread.value);
  } else {
    out += paragraph(report.spread.why_not);
  }
  return html_section("How the positions are spread", out + by_command(report.command("solve", "--lengths")));
}

std::string draws(const GameReport& report) {
  const Summary& game = report.summary();
  std::string out;
  if (game.ending) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Player player : {Player::first, Player::second}) {
      const EndingCounts n = game.ending->statistics.to_move(player).all;
      rows.emplace_back(player == Player::first ? "White to move" : "Black to move",
                        absl::StrCat(percent(share(n.tie + n.cycle, n.legal)), " of ", count(n.legal, "legal position"),
                                     ": ", count(n.tie, "tie"), ", ", count(n.cycle, "cycle")));
    }
    out = facts("Drawn positions", rows);
  } else {
    const DrawRates rates = draw_rates(game);
    std::vector<std::pair<std::string, std::string>> rows = {
        {"positions that have not ended", rate(rates.positions)},
        {"first moves", rate(rates.openings)},
        {"positions that have ended", rate(rates.ends)},
        {"games in which every move is made at random", rate(rates.random_play)}};
    if (const auto& s = game.statistics) {
      rows[0].second +=
          absl::StrCat(": ", count(s->tie, "tie"), " and ", count(s->cycle, "cycle"), " of ", number(s->going_on()));
      rows[2].second += absl::StrCat(": ", number(s->ended_tie), " of ", number(s->ended));
    }
    if (game.random_play && game.random_play->known()) {
      const RandomPlay& random = *game.random_play;
      rows[3].second +=
          absl::StrCat(": first wins ", percent(random.first), ", level ", percent(random.tie), ", second wins ",
                       percent(random.second), ", never ends ", percent(random.endless));
    }
    out = facts("How much of it is level, by what is counted", rows);
    if (!game.statistics)
      out += paragraph(absl::StrCat("Solved by ", game.method, ", which does not count reachable positions."));
  }
  return html_section("How drawish it is", out + by_command(report.command("solve")));
}

std::string method(const GameReport& report) {
  const Summary& game = report.summary();
  std::vector<std::pair<std::string, std::string>> rows = {{"method", absl::StrCat(game.method, ": ", report.reason)}};
  if (const auto& s = game.statistics) {
    rows.emplace_back("reachable positions",
                      absl::StrCat(number(s->reachable), ", ", number(s->canonical), " up to symmetry"));
    rows.emplace_back("ended positions", number(s->ended));
    if (s->going_on() > 0)
      rows.emplace_back("moves in a position that has not ended",
                        absl::StrCat(rounded(static_cast<double>(s->moves) / static_cast<double>(s->going_on())),
                                     " on average, ", number(s->most_moves), " at most"));
  }
  if (game.random_play && game.random_play->known() && game.random_play->plies)
    rows.emplace_back("length of a game at random",
                      absl::StrCat(rounded(*game.random_play->plies), " plies on average"));
  rows.emplace_back("which game it is", report.variant().identity().hash);
  return html_section("How it was solved", facts("The solve", rows) + by_command(report.command("solve")));
}

}  // namespace plenum::sections
