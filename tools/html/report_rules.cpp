// SPDX-License-Identifier: Apache-2.0
// What the game is: in its author's words, by its options, and by a move of each kind.
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include "solver/study/random_games.h"
#include "tools/html/document.h"
#include "tools/html/markup.h"
#include "tools/html/report_sections.h"
#include "tools/report/describe.h"
#include "tools/report/page_text.h"
#include "tools/report/piece_page.h"

namespace plenum::sections {
namespace {

std::string kinds(const Variant& variant, const BoardPictures& pictures) {
  std::vector<std::string> out;
  for (const KindDescription& kind : variant.rule_set().kinds)
    out.push_back(absl::StrCat(pictures.man_picture(kind.letter), " ", escaped(kind.name), " (",
                               kind.owner ? player_word(*kind.owner) + "’s" : "nobody’s", ")"));
  return element("p", absl::StrCat("In the pictures: ", absl::StrJoin(out, ", "), ".")) + "\n";
}

std::string option_rows(const Description& d, const Board& board) {
  std::string out;
  for (const Option& option : d.options) {
    const std::string value = option.name == "board" ? board.name() : to_text(option.value);
    const std::string choices = option.choices();
    std::string about = option.about;
    if (!choices.empty()) absl::StrAppend(&about, about.empty() ? "" : "; ", "one of ", choices);
    if (to_text(option.value) != to_text(option.initial))
      absl::StrAppend(&about, "; usually ", to_text(option.initial));
    if (option.left_open) absl::StrAppend(&about, "; left open by the author");
    out += element("tr", absl::StrCat(element("th scope=\"row\"", escaped(option.name)), element("td", escaped(value)),
                                      element("td", escaped(about))));
  }
  return out;
}

std::string options(const Variant& variant) {
  const Description& d = variant.description();
  if (d.options.empty()) return "";
  return element("table", absl::StrCat(element("caption", "The rules that can be chosen, as they are here"),
                                       "<thead><tr><th scope=\"col\">option</th><th scope=\"col\">here</th><th "
                                       "scope=\"col\">what it is</th></tr></thead>",
                                       element("tbody", option_rows(d, variant.board())))) +
         "\n";
}

std::string move_example(const Variant& variant, const BoardPictures& pictures, const std::string& name,
                         const RandomGames::Example& seen) {
  const Rules& rules = variant.rules();
  const std::string mover = player_word(seen.before.mover);
  const std::string what = absl::StrCat(name, ": ", mover, " plays ", seen.move.text);
  return board_figure(pictures.svg({.label = absl::StrCat("before ", what),
                                    .men = rules.letters(seen.before),
                                    .steps = rules.steps(seen.before, seen.move.move)}),
                      what) +
         board_figure(pictures.svg({.label = absl::StrCat("after ", what), .men = rules.letters(seen.move.position)}),
                      "after it");
}

// A move of each kind from random games, before and after.
std::string examples(const Variant& variant, const BoardPictures& pictures) {
  const absl::StatusOr<RandomGames> games = play_random_games(variant);
  if (!games.ok()) return "";
  std::string out;
  for (std::size_t i = 0; i < games->moves.size(); ++i) {
    if (games->moves[i] && variant.rule_set().moves[i].on_cells())
      out += move_example(variant, pictures, variant.rule_set().moves[i].name, *games->moves[i]);
  }
  for (std::size_t i = 0; i < games->parts.size(); ++i) {
    if (games->parts[i] && variant.rule_set().parts[i].on_cells())
      out += move_example(variant, pictures, variant.rule_set().parts[i].name, *games->parts[i]);
  }
  if (out.empty()) return "";
  return absl::StrCat(element("h3", "A move of each kind"), "\n", element("div class=\"row\"", out), "\n");
}

std::string pieces(const Variant& variant) {
  const absl::StatusOr<std::string> page = pieces_page(variant);
  return page.ok() ? absl::StrCat(element("h3", "How the pieces go"), "\n", element("pre", escaped(*page)), "\n") : "";
}

std::string start(const Variant& variant, const BoardPictures& pictures) {
  const Position position = variant.rules().start();
  const std::string caption =
      absl::StrCat("The start: ", variant.rules().write(position), ", ", player_word(position.mover), " to move");
  return element("div class=\"one\"",
                 board_figure(pictures.svg({.label = caption, .men = variant.rules().letters(position)}), caption)) +
         "\n";
}

}  // namespace

std::string rules(const GameReport& report, const BoardPictures& pictures) {
  const Variant& variant = report.variant();
  const Description& d = variant.description();
  std::string out;
  if (!d.author.empty()) out += authors_text(absl::StrCat("By ", d.author, "."));
  if (!d.about.empty()) out += authors_text(d.about);
  if (!d.source.empty()) out += authors_text(absl::StrCat("Source: ", d.source));
  if (variant.rule_set().pie)
    out += paragraph(
        "The pie: after the opening, where it puts something on the board, second may choose to go on as first.");
  out += paragraph(absl::StrCat("The board is ", variant.board().name(), ", with ",
                                pages::count(static_cast<std::uint64_t>(variant.board().size()), "cell"),
                                variant.rule_set().outcome_only ? ". Who wins is all that counts, not by how much."
                                                                : ". It counts who wins, and by how much."));
  const bool begins = variant.rules().has_start() && !report.summary().ending;
  if (begins) out += start(variant, pictures);
  out += kinds(variant, pictures);
  out += options(variant);
  if (variant.rules().pieces() != nullptr) {
    out += pieces(variant);
  } else if (begins) {
    out += examples(variant, pictures);
  }
  out += by_command(report.command("info"));
  return html_section("The rules", out);
}

}  // namespace plenum::sections
