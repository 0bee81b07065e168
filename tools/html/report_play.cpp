// SPDX-License-Identifier: Apache-2.0
// How it is played best: what every opening leads to, and lines of best play as rows of diagrams.
#include <algorithm>
#include <map>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/html/report_sections.h"
#include "tools/report/describe.h"
#include "tools/report/page_result.h"
#include "tools/report/page_text.h"

namespace plenum::sections {
namespace {

constexpr std::size_t kMostDiagrams = 40;  // of a line

CellMark mark_of(const Summary& game, const Opening& opening) {
  if (opening.bounds) return {"unknown"};
  const Outcome outcome = opening.after.outcome;
  if (outcome == Outcome::tie || outcome == Outcome::cycle) return {std::string(outcome_name(outcome))};
  const bool wins = (outcome == Outcome::first) == (game.start.mover == Player::first);
  return {wins ? "wins" : "loses",
          game.variant->rule_set().outcome_only ? "" : pages::sign_text(*game.variant, opening.after)};
}

// Placements, by the kind that they are written with ("w@a1"): a board each.
std::map<std::string, std::vector<CellMark>> boards_of(const Summary& game) {
  std::map<std::string, std::vector<CellMark>> out;
  for (const Opening& opening : game.openings) {
    const Part& part = opening.move.first;
    if (part.from != kNoCell || part.to == kNoCell || !opening.move.further.empty()) continue;
    const std::size_t at = opening.text.find('@');
    std::vector<CellMark>& cells = out[at == std::string::npos ? "" : opening.text.substr(0, at)];
    cells.resize(static_cast<std::size_t>(game.variant->board().size()));
    cells[part.to] = mark_of(game, opening);
  }
  return out;
}

std::string kind_name(const Variant& variant, const std::string& letter) {
  for (const KindDescription& kind : variant.rule_set().kinds) {
    if (kind.letter == letter) return absl::StrCat(" of ", kind.name, " (", letter, "@)");
  }
  return "";
}

// First moves that lead to the same, in a row of the table.
std::string table(const Summary& game) {
  const Variant& variant = *game.variant;
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const Opening& opening : game.openings) {
    const std::string words = opening.bounds ? "not solved" : value_words(variant, opening.after);
    auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == words; });
    if (known == groups.end()) known = groups.insert(groups.end(), {words, {}});
    known->second.push_back(opening.text);
  }
  std::string rows;
  for (const auto& [words, moves] : groups)
    rows += element("tr", absl::StrCat(element("th scope=\"row\"", escaped(words)),
                                       element("td", escaped(absl::StrJoin(moves, ", ")))));
  return element("table", absl::StrCat(element("caption", "How the game stands after each first move"),
                                       "<thead><tr><th scope=\"col\">it leads to</th><th scope=\"col\">first moves"
                                       "</th></tr></thead>",
                                       element("tbody", rows))) +
         "\n";
}

// The move that leads from one position to the next, cell by cell.
std::vector<MoveStep> steps_between(const Rules& rules, const Position& before, const LineMove& made) {
  const absl::StatusOr<std::vector<Successor>> moves = successors(rules, before);
  if (!moves.ok()) return {};
  for (const Successor& move : *moves) {
    if (move.text == made.text && move.position == made.after) return rules.steps(before, move.move);
  }
  return {};
}

std::string line_in_diagrams(const GameReport& report, const ReportedLine& one, const BoardPictures& pictures) {
  const Rules& rules = report.variant().rules();
  std::string figures;
  const Position* before = &one.begin;
  std::size_t ply = 0;
  for (const LineMove& move : one.line.moves) {
    if (ply == kMostDiagrams) break;
    const std::string caption = absl::StrCat(++ply, ". ", player_word(before->mover), ": ", move.text);
    figures += board_figure(
        pictures.svg(
            {.label = caption, .men = rules.letters(move.after), .steps = steps_between(rules, *before, move)}),
        caption);
    before = &move.after;
  }
  std::string out = absl::StrCat(element("h3", escaped(one.title)), "\n");
  if (one.line.moves.empty())
    return out + paragraph("Nothing is left to play.") + by_command(report.command("query", one.query));
  if (!(one.begin == report.summary().start))
    out += paragraph(absl::StrCat("From ", rules.write(one.begin), ", ", player_word(one.begin.mover), " to move:"));
  out += absl::StrCat("<p>", element("code", escaped(line_words(one.line.moves))), "</p>\n");
  out += element("div class=\"row\"", figures) + "\n";
  if (one.line.moves.size() > kMostDiagrams)
    out += paragraph(
        absl::StrCat("The first ", kMostDiagrams, " of ", pages::plies(one.line.moves.size()), " are drawn."));
  if (one.line.repeats) out += paragraph("There the line meets a position that was there before, and goes round.");
  return out + by_command(report.command("query", one.query));
}

}  // namespace

std::string board_figure(const std::string& svg, const std::string& caption) {
  return element("figure", absl::StrCat(svg, element("figcaption", escaped(caption))));
}

std::string facts(const std::string& caption, const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string body;
  for (const auto& [name, value] : rows)
    body += element("tr", absl::StrCat(element("th scope=\"row\"", escaped(name)), element("td", escaped(value))));
  return element("table", absl::StrCat(element("caption", escaped(caption)), element("tbody", body))) + "\n";
}

std::string balance(const Summary& game) {
  const std::optional<Balance> found = balance_of(game);
  if (!found) return "";
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [outcome, n] : found->openings) {
    const bool level = outcome == Outcome::tie || outcome == Outcome::cycle;
    rows.emplace_back(absl::StrCat(level ? "a " : "", std::string(outcome_name(outcome)), level ? "" : " wins"),
                      pages::number(n));
  }
  rows.emplace_back("first’s margin after the best first move that is worth less than the best",
                    found->second_best ? game.variant->margin_text(*found->second_best) : "all are worth the same");
  return facts("First moves by what they lead to", rows);
}

std::string openings(const GameReport& report, const BoardPictures& pictures) {
  const Summary& game = report.summary();
  std::string out;
  if (game.ending) {
    out = paragraph("An ending has no first move: every legal placement of the men was solved.");
  } else if (!game.openings_known) {
    out = paragraph(absl::StrCat("Solved by ", game.method,
                                 ", which looks at the start alone: what each first move leads to is not known."));
  } else if (game.openings.empty()) {
    out = paragraph("There is no first move.");
  } else {
    const auto boards = boards_of(game);
    std::string figures;
    for (const auto& [letter, cells] : boards) {
      const std::string caption = absl::StrCat("A first stone", kind_name(report.variant(), letter), " on each cell");
      figures += board_figure(pictures.svg({.label = caption + "; the table says the same",
                                            .men = report.variant().rules().letters(game.start),
                                            .marks = cells}),
                              caption);
    }
    if (!figures.empty()) {
      out += element(boards.size() == 1 ? "div class=\"one\"" : "div class=\"row wide\"", figures) + "\n";
      const Player mover = game.start.mover;
      out += paragraph(absl::StrCat(
          "W: ", player_word(mover), " wins; L: ", player_word(other(mover)), " wins; T: a tie; C: a cycle",
          report.variant().rule_set().outcome_only ? "." : "; +N: by N, for first; -N: by N, for second."));
    }
    out += table(game) + balance(game);
  }
  return html_section("What every opening leads to", out + by_command(report.command("solve")));
}

std::string lines(const GameReport& report, const BoardPictures& pictures) {
  std::string out;
  for (const ReportedLine& one : report.lines) out += line_in_diagrams(report, one, pictures);
  if (report.lines.empty()) out = paragraph(report.no_lines);
  return html_section("Lines of best play", out);
}

}  // namespace plenum::sections
