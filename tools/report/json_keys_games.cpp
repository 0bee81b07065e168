// SPDX-License-Identifier: Apache-2.0
// What info and check print.
#include "tools/report/json_reference.h"

namespace plenum::json_keys {
namespace {

JsonSection games_before_solving() {
  return {
      "Games before they are solved",
      "What a description comes to, and what solving it would take.",
      {{"info", object("info"), "one object"}},
      {
          {"info",
           "A game before it is solved.",
           {
               schema_key(),
               {"variant", text(), "", "The name of the game."},
               {"author", text(), "", "The author; empty if the description names none."},
               {"source", text(), "", "The place where the rules can be read; empty if the description names none."},
               {"hash", text(), "", "A hash that identifies the compiled rules with the board."},
               {"options", list(object("option")), "", "The options."},
               {"board", object("board"), "", "The board."},
               {"symmetries", object("symmetries"), "", "The symmetries that solving uses."},
               {"tiers", object("tiers_of_game"), "", "The measures that sort positions into tiers."},
               {"can_cycle", truth(), "", "Whether play may go on for ever, as far as tiers tell."},
               {"cycling_moves", list(text()), "", "The kinds of moves by which it may."},
               {"why", text(), "", "The reason, as a clause."},
               {"one_pass", truth(), "", "Whether every move leads to a later tier."},
               {"orders", list(object("order_note")), "", "The effects that go on by themselves."},
               {"always_a_move", truth(), "", "Whether it is proven that the player to move has a move."},
               {"bits_per_position", whole(), "bits", "The size of a stored position."},
               {"denominator", whole(), "", "The denominator of all margins."},
               {"predicted", object("predicted"), "", "The bounds that are known before."},
               {"methods", list(object("method")), "", "All methods."},
               {"choice", object("choice"), "", "The method that `solve` takes.", {.null = "no method can be chosen"}},
               {"ending",
                either({object("predicted_ending"), object("ending_problem")}),
                "",
                "What solving the ending takes, or why it cannot be solved.",
                {.null = "the game is no ending"}},
               {"instructions", whole(), "instructions", "The length of the compiled rules."},
               {"processor", processor(), "", "How rules are run."},
           }},
          {"option",
           "An option of a game.",
           {
               {"name", text(), "", "The name of the option."},
               {"value", either({text(), integer()}), "", "The value that it has."},
               {"default", text(), "", "The value that it has if none is set."},
               {"choices", text(), "", "The values that it takes, in words; empty for a board."},
               {"values", list(text()), "", "All values that it takes.", {.null = "it takes any, as a board does"}},
               {"left_open", truth(), "", "Whether the author left it open."},
               {"about", text(), "", "What it does, as the description says."},
           }},
          {"board",
           "A board.",
           {
               {"name", text(), "", "The name of the board."},
               {"cells", whole(), "cells", "The cells."},
               {"names", list(text()), "", "The names of the cells, in board order."},
           }},
          {"symmetries",
           "The symmetries of a game.",
           {
               {"count", whole(), "symmetries", "The symmetries, the identity included."},
               {"players_exchanged", truth(), "", "Whether some of them exchange the players."},
               {"complete", truth(), "", "Whether they are all symmetries of the board."},
           }},
          {"tiers_of_game",
           "The tiers of a game: no move leads back to an earlier one.",
           {
               {"measures", list(object("measure")), "", "The measures, the first one first."},
               {"most", whole(), "tiers", "The tiers that there may be."},
           }},
          {"measure",
           "A number that no move lowers.",
           {
               {"measure", text(), "", "The measure in words."},
               {"raised_by", list(text()), "", "The kinds of moves that always raise it."},
           }},
          {"predicted",
           "Bounds of what storing all reachable positions takes.",
           {
               {"positions_at_least", number(), "positions", "The fewest unreduced positions."},
               {"positions_at_most", number(), "positions", "The most unreduced positions."},
               {"bytes_at_least", number(), "bytes", "The least memory."},
               {"bytes_at_most", number(), "bytes", "The most memory."},
               {"cpu_seconds_at_most", number(), "seconds", "The most processor time, a rough figure."},
           }},
          {"method",
           "A way of solving a game.",
           {
               {"method", method(), "", "The name of the method."},
               {"about", text(), "", "What it does, as a clause."},
               {"obstacle", text(), "", "The reason why it cannot solve this game.", {.null = "it can"}},
               {"estimate",
                object("estimate"),
                "",
                "What it takes.",
                {.null = "it cannot solve the game, or it cannot be told before"}},
               {"values_alone",
                object("estimate"),
                "",
                "What it takes with `--no-remoteness`.",
                {.null = "it cannot solve the game, or it cannot be told before"}},
           }},
          {"estimate",
           "What a method takes.",
           {
               {"positions", number(), "positions", "The positions that it holds a value of."},
               {"bytes", number(), "bytes", "The memory of the process."},
               {"table_bytes", number(), "bytes", "The size of the table at most; 0 where none is kept."},
               {"cpu_seconds", number(), "seconds", "The processor time."},
               {"at_most", truth(), "", "Whether these are bounds; otherwise they are what is likely."},
           }},
          {"choice",
           "The method that a game takes.",
           {
               {"method", method(), "", "The method that is tried first."},
               {"reason", text(), "", "The reason, as a clause."},
               {"most_positions",
                whole(),
                "positions",
                "The reachable positions, up to symmetry, above which `otherwise` takes over.",
                {.null = "there is no such bound"}},
               {"otherwise",
                method(),
                "",
                "The method that takes over where the first one cannot go on.",
                {.null = "there is none"}},
           }},
          {"predicted_ending",
           "What solving an ending takes.",
           {
               {"materials", list(object("predicted_material")), "",
                "The materials to solve, the one asked for first."},
               {"positions", whole(), "positions", "The positions numbered, of all of them."},
               {"table_bytes", whole(), "bytes", "The size of all tables."},
               {"bytes", whole(), "bytes", "The memory while it is solved."},
               {"cpu_seconds", number(), "seconds", "The processor time, a rough figure."},
           }},
          {"predicted_material",
           "A material of an ending.",
           {
               {"material", text(), "", "The material as it is written."},
               {"positions", whole(), "positions", "The positions numbered."},
               {"bytes", whole(), "bytes", "The size of its table."},
           }},
          {"ending_problem",
           "An ending that cannot be solved.",
           {
               {"problem", text(), "", "The reason."},
           }},
      },
  };
}

JsonSection pieces() {
  return {
      "Pieces",
      "",
      {{"info --pieces", object("piece_list"), "one object"}},
      {
          {"piece_list", "The pieces of the game.",
           headed({
               {"pieces", list(object("piece")), "", "The pieces of the description."},
           })},
          {"piece",
           "A piece of the description.",
           {
               {"letter", text(), "", "The letter of the piece."},
               {"betza", text(), "", "How it goes, in Betza's notation."},
               {"royal", truth(), "", "Whether it is a king."},
               {"promotes",
                text(),
                "",
                "The letters that it may become; the expression, where these cannot be told.",
                {.null = "it never promotes"}},
               {"castles", text(), "", "The letters that it castles with.", {.null = "it never castles"}},
               {"first_step", text(), "", "How it goes when it has not moved.", {.null = "it is no different"}},
               {"in_play", truth(), "", "Whether the game at hand has it."},
               {"diagram", text(), "", "A drawing of how it goes, in several lines."},
           }},
      },
  };
}

JsonSection checked_descriptions() {
  return {
      "Descriptions checked",
      "",
      {{"check", object("check"), "one object"}},
      {
          {"check",
           "The descriptions that were checked.",
           {
               schema_key(),
               {"draft", text(), "", "The name to ask for this description by.", {.absent = "`check` prints it"}},
               {"checked", list(object("checked")), "", "What was found, by description."},
           }},
          {"checked",
           "A description that was checked.",
           {
               {"variant", text(), "", "The file or name as it was given."},
               {"ok", truth(), "", "Whether there is no error."},
               {"compiled", whole(), "settings", "The settings of the options that compile."},
               {"tests", whole(), "tests", "The tests of the description that were run."},
               {"passed", whole(), "tests", "Those that passed."},
               {"errors", list(text()), "", "What is wrong."},
               {"places", list(either({object("text_place"), nothing()})), "",
                "Where that is in the description, error by error; null where it is about no line of it."},
               {"notes", list(text()), "", "What is probably not meant."},
               {"orders",
                object("orders"),
                "",
                "What other orders of change do.",
                {.null = "they cannot be compared; stderr says why",
                 .absent = "`--orders` is not given, or there are errors"}},
           }},
          {"text_place",
           "A place in a description, from 1.",
           {
               {"line", whole(), "lines", "The line."},
               {"column", whole(), "characters", "The column."},
           }},
          {"orders",
           "Cells changed one at a time, in several orders, and all together.",
           {
               {"effects", list(object("order_note")), "", "The effects that go on by themselves."},
               {"positions", whole(), "positions", "The positions whose moves were made."},
               {"moves", whole(), "moves", "The moves that were made."},
               {"orders", whole(), "orders", "The orders that were tried; 0 where there is no such effect."},
               {"matters", truth(), "", "Whether some order leads to another position."},
               {"difference", object("order_difference"), "", "A case where it does.", {.absent = "no order matters"}},
           }},
          {"order_difference",
           "A move after which the order of change matters.",
           {
               {"position", text(), "", "The position before the move."},
               {"move", text(), "", "The move as it is written."},
               {"together", text(), "", "The position after it by the rules: all cells change together."},
               {"one_by_one", text(), "", "The position after it if cells change one at a time."},
               {"order", text(), "", "The order of the cells, their names with spaces between."},
           }},
      },
  };
}

}  // namespace

std::vector<JsonSection> of_games() { return {games_before_solving(), pieces(), checked_descriptions()}; }

}  // namespace plenum::json_keys
