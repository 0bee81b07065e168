// SPDX-License-Identifier: Apache-2.0
// What the explorer's server answers, where no command prints it.
#include "tools/report/json_reference.h"

namespace plenum::json_keys {
namespace {

// [x, y].
JsonType point() { return list(number()); }

JsonSection asked_of_the_explorer() {
  const auto answered = [](const std::string& request, const std::string& object_name) {
    return JsonPrinted{"explore: " + request, object(object_name), "one object"};
  };
  return {
      "Asked of the explorer",
      "`plenum explore` answers under `/api/v1/`. Parameters are `variant`, `board`, `set` (`name=value`; may be "
      "repeated), `position` and "
      "`moves` where they make sense; `compare` takes B's settings as `with`, or another game as `other`. What is "
      "wrong "
      "gets a status from 400 on, with an `error`. What takes longer than a second or two gets status 202 and a `job`: "
      "`GET jobs/ID/events` follows it (server-sent events named `job`), `DELETE jobs/ID` cancels it, and once it is "
      "done the same request has its answer.",
      {answered("GET variants", "variants"), answered("GET variant", "variant"), answered("GET text", "text"),
       answered("GET info", "info"), answered("GET position", "answer"),
       answered("GET position with values=off", "legal_moves"), answered("GET statistics", "solved"),
       answered("GET histograms", "histograms"), answered("GET cycles", "cycle_study"),
       answered("GET compare", "comparison"), answered("POST solve", "job"), answered("GET jobs/ID", "job"),
       answered("POST check", "check"), answered("POST save", "saved"), answered("any that is wrong", "error")},
      {
          {"variants",
           "The games that there are.",
           {
               schema_key(),
               {"variants", list(object("listed_variant")), "", "Those that were opened, then those that come along."},
               {"opened", object("opened"), "", "What the page begins with."},
           }},
          {"listed_variant",
           "A game that can be asked about.",
           {
               {"name", text(), "", "The name to ask for it by."},
               {"title", text(), "", "The name that its description has."},
               {"author", text(), "", "Who made it up; empty if nobody is named."},
               {"about", text(), "", "The game in a few sentences."},
               {"problem", text(), "", "What is wrong with its description.", {.null = "nothing is"}},
           }},
          {"opened",
           "What was named on the command line.",
           {
               {"variant", text(), "", "The name of the game; empty if none was named."},
               {"board", text(), "", "The board; empty for that of the description."},
               {"settings", list(text()), "", "Options, as `name=value`."},
           }},
          {"variant", "A game, for those who choose options and look at boards.",
           headed({
               {"author", text(), "", "Who made it up; empty if nobody is named."},
               {"source", text(), "", "Where its rules can be read."},
               {"about", text(), "", "The game in a few sentences."},
               {"choices", list(object("option")), "", "The options."},
               {"kinds", list(object("kind")), "", "What may stand on cells."},
               {"flags", list(text()), "", "What a position carries besides."},
               {"pieces", truth(), "", "Whether men go by powers of their own, as in chess."},
               {"crowds", truth(), "", "Whether several men may stand on a cell."},
               {"has_start", truth(), "", "Whether the game begins somewhere; an ending does not."},
               {"start", text(), "", "The start; of an ending one of its positions."},
               {"board", object("picture"), "", "The board, for drawing."},
               {"at_hand", truth(), "", "Whether it is solved already, or a table of it is there."},
           })},
          {"kind",
           "What may stand on a cell.",
           {
               {"name", text(), "", "Its name."},
               {"letter", text(), "", "Its letter in positions."},
               {"owner", word({"first", "second"}), "", "Whose it is.", {.null = "it is nobody's"}},
           }},
          {"picture",
           "A board, drawn. A cell is one wide; y grows downwards.",
           {
               {"name", text(), "", "The name of the board."},
               {"look", word({"squares", "hexagons", "points"}), "", "How cells look; points are joined by lines."},
               {"on_corner", truth(), "", "Whether the board stands on its first corner."},
               {"rows", list(list(whole())), "", "The cells by number, row by row, as positions are written."},
               {"cells", list(object("drawn_cell")), "", "The cells, in board order."},
           }},
          {"drawn_cell",
           "A cell of a picture.",
           {
               {"name", text(), "", "The name of the cell."},
               {"at", point(), "cells", "Its centre, [x, y]."},
               {"outline", list(point()), "cells", "Its corners."},
               {"adjacent", list(text()), "", "The cells beside it."},
           }},
          {"drawn",
           "A position, drawn.",
           {
               {"mover", word({"first", "second"}), "", "The player to move."},
               {"cells", list(text()), "", "The letters of what stands on each cell, in board order."},
               {"says", text(), "", "The value in words.", {.absent = "values are not asked for"}},
               {"moves", list(object("drawn_move")), "", "What each move does, in the order of the moves."},
           }},
          {"drawn_move",
           "A move, drawn.",
           {
               {"steps", list(object("step")), "", "What goes where, part by part; none of a pass."},
               {"cells", list(text()), "", "The letters of what stands on each cell after the move."},
               {"says", text(), "", "The value after the move in words.", {.absent = "values are not asked for"}},
           }},
          {"step",
           "A part of a move.",
           {
               {"from", text(), "", "The cell that something leaves.", {.null = "something is put on the board"}},
               {"to", list(text()), "", "The cells that something comes to; none if it is taken off the board."},
               {"kind", text(), "", "The letter of what comes there.", {.null = "there is no choice"}},
           }},
          {"histograms", "How the positions of a game are spread.",
           headed({
               {"positions", whole(), "positions",
                "Those that have not ended: the reachable ones, of an ending the legal ones."},
               {"ended", whole(), "positions", "The ended ones, which are not counted below."},
               {"margins", map("first's margin", "^-?[0-9]", whole()), "positions", "Positions by value."},
               {"plies", numbered("plies", whole()), "positions", "Positions by remoteness, where that is known."},
               {"stones", numbered("stones", object("outcome_counts")), "positions",
                "Positions by the stones on the board."},
           })},
          {"outcome_counts",
           "Positions by outcome.",
           {
               {"first", whole(), "positions", "Those that first wins."},
               {"second", whole(), "positions", "Those that second wins."},
               {"tie", whole(), "positions", "The ties."},
               {"cycle", whole(), "positions", "The cycles."},
           }},
          {"text",
           "A description as it was written.",
           {
               schema_key(),
               {"text", text(), "", "The text."},
               {"saves", text(), "", "The file that `save` writes to.", {.null = "`--save` was not given"}},
           }},
          {"saved",
           "A description that was written to disk.",
           {
               schema_key(),
               {"saved", text(), "", "The file."},
           }},
          {"job",
           "Something that takes a while.",
           {
               schema_key(),
               {"job", whole(), "", "Its number."},
               {"state", word({"waiting", "working", "done", "failed", "cancelled"}), "", "How far it is."},
               {"progress", object("progress"), "", "How far that is, in numbers.", {.null = "nothing is known of it"}},
               {"error", text(), "", "What went wrong.", {.null = "nothing did"}},
           }},
      },
  };
}

}  // namespace

std::vector<JsonSection> of_explorer() { return {asked_of_the_explorer()}; }

}  // namespace plenum::json_keys
