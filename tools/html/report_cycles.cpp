// SPDX-License-Identifier: Apache-2.0
// Where play can go round: how many positions, and the trap or the round as a row of diagrams.
#include <algorithm>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/html/report_sections.h"
#include "tools/html/trap_svg.h"
#include "tools/report/cycles_report.h"
#include "tools/report/describe.h"
#include "tools/report/page_text.h"

namespace plenum::sections {
namespace {

using namespace pages;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kMostDrawn = 24;

std::string by_stones(const CycleStudy& study) {
  std::string rows;
  for (const auto& [stones, n] : study.by_stones) {
    std::string cells = element("th scope=\"row\"", absl::StrCat(stones));
    for (const std::string& text :
         {number(n.going_on), study.graph_known ? number(n.on_cycles) : std::string("not known"), number(n.cycle),
          number(n.forced_cycle)})
      cells += element("td", text);
    rows += element("tr", cells);
  }
  return element("table class=\"numbers\"",
                 absl::StrCat(element("caption", "Where, by the stones on the board"),
                              "<thead><tr><th scope=\"col\">stones</th><th scope=\"col\">not ended</th><th "
                              "scope=\"col\">on cycles</th><th scope=\"col\">worth a cycle</th><th "
                              "scope=\"col\">forced</th></tr></thead>",
                              element("tbody", rows))) +
         "\n";
}

std::string to_the_trap(const Variant& variant, const Line& line) {
  if (line.moves.empty()) return "It is there from the start.";
  return absl::StrCat("A shortest line from the start to it: ", line_words(line.moves), ", to ",
                      variant.rules().write(line.end()), ". A question mark is a move that gives value away.");
}

// What the moves of a position of the trap do, in a few words.
std::string ways_on(const TrapPosition& p) {
  std::vector<std::string> keep;
  std::size_t lose = 0;
  for (std::size_t m = 0; m < p.moves.size(); ++m) {
    if (!p.moves[m].keeps) ++lose;
    if (p.moves[m].keeps && p.leads_to[m] != kNotListed)
      keep.push_back(absl::StrCat(p.moves[m].successor.text, " to ", p.leads_to[m] + 1));
  }
  return absl::StrCat(absl::StrJoin(keep, ", "),
                      lose == 0 ? "" : absl::StrCat("; ", count(lose, "other move"), lose == 1 ? " loses" : " lose"));
}

std::string trap(const Variant& variant, const CycleStudy& study, const BoardPictures& pictures) {
  const Trap& trap = *study.trap;
  const Rules& rules = variant.rules();
  std::string out = element("h3", "The trap") + "\n";
  out += paragraph(absl::StrCat(
      study.graph_known ? absl::StrCat(count(study.traps.count, "trap is reachable", "traps are reachable"), ", with ",
                                       count(study.traps.positions, "position"), " in all. The smallest has ",
                                       count(trap.size, "position"), "; all were found, so no smaller one exists.")
                        : absl::StrCat("This trap has ", count(trap.size, "position"), "; there may be smaller ones."),
      " Whoever leaves it loses, and inside it play goes round for ever."));
  out += paragraph(to_the_trap(variant, trap.line));
  const bool all = trap.complete && trap.positions.size() <= kMostDrawn;
  const std::size_t shown =
      std::min(kMostDrawn, all ? trap.positions.size() : std::min(trap.cycle, trap.positions.size()));
  std::string figures;
  for (std::size_t i = 0; i < shown; ++i) {
    const TrapPosition& p = trap.positions[i];
    // The arrow is the move that goes round.
    std::vector<MoveStep> steps;
    if (i < trap.cycle) {
      const auto at = std::find(p.leads_to.begin(), p.leads_to.end(), (i + 1) % trap.cycle) - p.leads_to.begin();
      if (static_cast<std::size_t>(at) < p.moves.size())
        steps = rules.steps(p.position, p.moves[static_cast<std::size_t>(at)].successor.move);
    }
    const std::string caption = absl::StrCat(i + 1, ". ", rules.write(p.position), ", ", player_word(p.position.mover),
                                             " to move: ", ways_on(p));
    figures +=
        board_figure(pictures.svg({.label = caption, .men = rules.letters(p.position), .steps = steps}), caption);
  }
  out += element("div class=\"row wide\"", figures) + "\n";
  if (const std::string graph = trap_graph(trap); !graph.empty())
    out += element("figure", absl::StrCat("<figcaption>The positions by their numbers, and the moves that keep"
                                          "</figcaption>",
                                          graph)) +
           "\n";
  if (trap.cycle > 0)
    out += paragraph(absl::StrCat("The first ", trap.cycle, " are a shortest way round, in the order of play."));
  if (!all) out += paragraph("Not all positions of the trap are drawn; the command lists them.");
  return out;
}

std::string example(const Variant& variant, const CycleExample& example, const BoardPictures& pictures) {
  const Rules& rules = variant.rules();
  std::string out = element("h3", example.value.outcome == Outcome::cycle ? "A position that is worth a cycle"
                                                                          : "A position that can come back") +
                    "\n" + paragraph(to_the_trap(variant, example.line));
  const Position* before = &example.line.end();
  std::string figures = board_figure(pictures.svg({.label = rules.write(*before), .men = rules.letters(*before)}),
                                     absl::StrCat(rules.write(*before), ", ", player_word(before->mover), " to move"));
  std::size_t ply = 0;
  for (const LineMove& move : example.round) {
    if (ply == kMostDrawn) break;
    const std::string caption =
        absl::StrCat(++ply, ". ", player_word(before->mover), ": ", move.text, move.gives_away ? "?" : "");
    figures += board_figure(pictures.svg({.label = caption, .men = rules.letters(move.after)}), caption);
    before = &move.after;
  }
  out += element("div class=\"row\"", figures) + "\n";
  return out + (example.round.empty() ? "" : paragraph("So a position comes back that was there before."));
}

}  // namespace

std::string cycles(const GameReport& report, const BoardPictures& pictures) {
  const Summary& game = report.summary();
  std::string out;
  if (!report.cycles.value) {
    out = paragraph(report.cycles.why_not);
  } else {
    const CycleStudy& study = *report.cycles.value;
    const std::string says = cycle_headline(game, study);
    out += paragraph(absl::StrCat("In one sentence: ", says, "."));
    std::vector<std::pair<std::string, std::string>> rows = {
        {"positions", number(study.positions)},
        {"positions on cycles", game.components ? absl::StrCat(number(game.components->positions), ", in ",
                                                               count(game.components->count, "component"))
                                                : "not known"},
        {"worth a cycle: neither player can end the game without losing", number(study.all.cycle)},
        {"forced: they cannot even agree to end it level", number(study.all.forced_cycle)}};
    out += facts("How many", rows);
    if (game.cyclic != std::optional<bool>(false)) out += by_stones(study);
    if (study.trap) out += trap(report.variant(), study, pictures);
    if (study.trap_not_found)
      out += element("h3", "Traps") + "\n" + paragraph(absl::StrCat("On traps: ", no_trap_found(), "."));
    if (study.example && !game.ending) out += example(report.variant(), *study.example, pictures);
  }
  return html_section("Where play can go round", out + by_command(report.command("cycles")));
}

}  // namespace plenum::sections
