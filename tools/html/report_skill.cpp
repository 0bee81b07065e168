// SPDX-License-Identifier: Apache-2.0
// What the game is like to play: how much skill counts, and what moves do on average.
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

// What first scores: a win is 1, a level or endless game a half.
double score(const PlayResult& r) { return r.first + (r.tie + r.endless) / 2; }

std::string error_text(double chance) { return absl::StrFormat("%g %%", 100 * chance); }

std::string grid_map(const ErrorGrid& grid, const std::vector<std::vector<PlayResult>>& results,
                     const std::string& how) {
  HeatMap map = {
      absl::StrCat("What first scores when ", how), "first errs ↓, second errs →", {}, {}, {}, std::pair(0.0, 1.0)};
  for (const double error : grid.errors) map.columns.push_back(error_text(error));
  map.rows = map.columns;
  for (const std::vector<PlayResult>& row : results) {
    std::vector<HeatCell>& cells = map.cells.emplace_back();
    for (const PlayResult& r : row) cells.push_back({absl::StrFormat("%.3f", score(r)), score(r)});
  }
  return heat_map(map);
}

std::string result_text(const PlayResult& r) {
  return absl::StrCat("first ", percent(r.first), ", level ", percent(r.tie), ", second ", percent(r.second),
                      r.endless > 0 ? absl::StrCat(", never ends ", percent(r.endless)) : "");
}

std::string play_table(const StartMeasures& m) {
  const auto row = [&](const std::string& name, const std::string& random, const std::string& erring) {
    return element("tr", absl::StrCat(element("th scope=\"row\"", escaped(name)), element("td", escaped(random)),
                                      element("td", escaped(erring))));
  };
  const auto number_row = [&](const std::string& name, double PlayMeasures::*which) {
    return row(name, rounded(m.random.*which), rounded(m.erring.*which));
  };
  const auto length = [](const PlayResult& r) {
    return r.plies ? rounded(*r.plies) : std::string("play may never end");
  };
  const std::string body =
      absl::StrCat(row("results", result_text(m.random.result), result_text(m.erring.result)),
                   row("plies", length(m.random.result), length(m.erring.result)),
                   number_row("plies until the value changes for the last time", &PlayMeasures::decisive_ply),
                   number_row("changes of the value", &PlayMeasures::changes),
                   number_row("all changes together, in margins", &PlayMeasures::amount),
                   number_row("changes of the player who wins", &PlayMeasures::lead_changes));
  return element("table",
                 absl::StrCat(element("caption", "Games, on average"),
                              "<thead><tr><th scope=\"col\">of a game</th><th scope=\"col\">all moves at random"
                              "</th><th scope=\"col\">a move in ten at random</th></tr></thead>",
                              element("tbody", body))) +
         "\n";
}

std::string of_positions(std::uint64_t part, const MoveCounts& all) {
  return absl::StrCat(number(part), " (", percent(share(part, all.positions)), ")");
}

std::string stones_chart(const Measures& m) {
  BarChart chart = {"Positions by what their moves do, by the stones on the board",
                    "stones on the board",
                    "positions",
                    {"one move keeps the value", "some keep it", "all keep it", "one legal move"},
                    {}};
  for (const auto& [stones, n] : m.by_stones)
    chart.bars.push_back(
        {absl::StrCat(stones), {n.critical, n.positions - n.critical - n.quiet - n.single, n.quiet, n.single}});
  return chart.bars.empty() ? "" : bar_chart(chart);
}

std::string skill_tables(const StartMeasures& m) {
  std::string out;
  out += grid_map(
      m.grid, m.grid.quickest,
      "each player makes a move at random with that chance, and else wins as soon or loses as late as possible");
  out += grid_map(m.grid, m.grid.any,
                  "each player makes a move at random with that chance, and else any move that keeps the value");
  out +=
      paragraph("A win scores 1, a level game or one that never ends a half. 0 % errs never, 100 % plays at random.");
  return out + play_table(m);
}

std::string move_tables(const Measures& m) {
  const MoveCounts& n = m.all;
  std::vector<std::pair<std::string, std::string>> rows = {
      {"positions that have not ended", number(n.positions)},
      {"decided", of_positions(n.decided, n)},
      {"with one legal move", of_positions(n.single, n)},
      {"with more, of which one alone keeps the value", of_positions(n.critical, n)},
      {"with more, all of which keep it", of_positions(n.quiet, n)},
      {"legal moves that keep the value",
       absl::StrCat(number(n.keeping), " of ", number(n.moves), " (", percent(share(n.keeping, n.moves)), ")")}};
  const std::optional<std::string> lines = m.from_start ? m.from_start->lines : std::nullopt;
  if (lines)
    rows.emplace_back("ways to play from the start to an end",
                      lines->size() > 24 ? absl::StrCat("a number of ", lines->size(), " digits") : *lines);
  return facts("Moves", rows) + stones_chart(m);
}

}  // namespace

std::string skill_sentences(const StartMeasures& m) {
  const std::string how = m.skill < 0.25   ? "Skill counts for little"
                          : m.skill < 0.75 ? "Skill counts"
                                           : "Skill counts for much";
  return absl::StrCat(how,
                      ": from 0 (best play scores no more than random moves) to 1 (it always beats them) the game has ",
                      absl::StrFormat("%.2f", m.skill), ".");
}

std::string skill_of(const Summary& game, const std::optional<Measures>& measures) {
  const bool played = measures && measures->from_start;
  const std::string why_not = absl::StrCat(
      "Play by players who err is not measured. It takes a game solved by graph, and this one was solved by ",
      game.method, "; or the graph is large, and plenum solve --measures measures it.");
  return (played ? paragraph(skill_sentences(*measures->from_start)) + skill_tables(*measures->from_start)
                 : paragraph(why_not)) +
         (measures ? move_tables(*measures) : "");
}

std::string skill(const GameReport& report) {
  const std::string command = report.command("solve", report.measures ? "--measures" : "");
  return html_section("How much skill counts", skill_of(report.summary(), report.measures) + by_command(command));
}

}  // namespace plenum::sections
