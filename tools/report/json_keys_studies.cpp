// SPDX-License-Identifier: Apache-2.0
// What query, cycles, reach and count print.
#include "tools/report/json_reference.h"

namespace plenum::json_keys {
namespace {

// Each line of --stdin is about the same game, which the one who asks has named.
std::vector<JsonKey> headed_but_for_stdin(const std::vector<JsonKey>& more) {
  std::vector<JsonKey> out = headed({});
  for (JsonKey& key : out) key.missing.absent = "`--stdin` is given";
  return joined(std::move(out), more);
}

JsonSection positions_asked() {
  return {
      "Positions asked for",
      "With `--stdin` each line of stdin is answered by a line; an `error` is one too.",
      {{"query", object("answer"), "one object; with `--stdin` a line each"},
       {"query --moves-only", object("legal_moves"), "one object; with `--stdin` a line each"},
       {"query --stdin", object("error"), "a line for each request that is wrong"}},
      {
          {"answer", "A position with its value and its moves.",
           headed_but_for_stdin({
               {"position", text(), "", "The position."},
               {"value", object("value"), "", "The value of the position."},
               {"reachable",
                truth(),
                "",
                "Whether play from the start can lead to the position.",
                {.null = "it is not known: by search"}},
               {"moves", list(object("valued_move")), "", "All legal moves; none if the game has ended."},
               {"line", list(text()), "", "A line of best play."},
               {"line_repeats", truth(), "", "Whether the line stops because a position comes back."},
               {"drawn", object("drawn"), "", "The same, for drawing.", {.absent = "`query` prints it"}},
           })},
          {"legal_moves", "A position with its moves, not solved.",
           headed_but_for_stdin({
               {"position", text(), "", "The position."},
               {"ended", truth(), "", "Whether the game has ended."},
               {"moves", list(object("legal_move")), "", "All legal moves; none if the game has ended."},
               {"drawn", object("drawn"), "", "The same, for drawing.", {.absent = "`query` prints it"}},
           })},
          {"legal_move",
           "A legal move.",
           {
               {"move", text(), "", "The move as it is written."},
               {"position", text(), "", "The position after the move."},
           }},
          {"error",
           "A request that cannot be answered.",
           {
               {"error", text(), "", "What is wrong."},
           }},
      },
  };
}

JsonSection cycles_studied() {
  return {
      "Cycles studied",
      "A trap is a set of positions that neither player can leave without losing.",
      {{"cycles", object("cycle_study"), "one object"}},
      {
          {"cycle_study", "Where play goes round, and a case to check by hand.",
           headed({
               {"reachable", whole(), "positions", "The reachable positions.", {.null = "the game is an ending"}},
               {"legal", whole(), "positions", "The legal positions.", {.null = "the game is not an ending"}},
               {"method", method(), "", "The method that solved the game."},
               {"says", text(), "", "Whether play can go round, as a clause."},
               {"cyclic",
                truth(),
                "",
                "Whether a reachable position can come back.",
                {.null = "it is not known, as by rows"}},
               {"cycle", whole(), "positions", "Those not ended that are cycles."},
               {"forced_cycle", whole(), "positions", "The cycles that the players cannot even agree to end."},
               {"components",
                whole(),
                "components",
                "The strongly connected components with a cycle.",
                {.null = "the method is not graph"}},
               {"largest",
                whole(),
                "positions",
                "The size of the largest component.",
                {.null = "the method is not graph"}},
               {"positions",
                whole(),
                "positions",
                "The positions in all components.",
                {.null = "the method is not graph"}},
               {"sizes",
                numbered("size", whole()),
                "components",
                "The components of each size.",
                {.null = "the method is not graph"}},
               {"by_stones", list(object("cycles_by_stones")), "", "Counts by the stones on the board."},
               {"traps", object("traps"), "", "All traps, counted."},
               {"trap",
                object("trap"),
                "",
                "The smallest trap, nearest the start.",
                {.null = "there is none, or none is found without a graph"}},
               {"example", object("cycle_example"), "", "The nearest cycle.", {.null = "there is a trap, or no cycle"}},
               {"cost", object("cost"), "", "What the run took."},
           })},
          {"cycles_by_stones",
           "The reachable positions with so many stones on the board.",
           {
               {"stones", whole(), "stones", "The stones on the board."},
               {"going_on", whole(), "positions", "Those that have not ended."},
               {"on_cycles", whole(), "positions", "Those that can come back.", {.null = "the method is not graph"}},
               {"cycle", whole(), "positions", "Those that are cycles."},
               {"forced_cycle", whole(), "positions", "The cycles that the players cannot even agree to end."},
           }},
          {"traps",
           "The reachable traps.",
           {
               {"count", whole(), "traps", "The traps.", {.null = "the method is not graph"}},
               {"positions",
                whole(),
                "positions",
                "The positions in all of them.",
                {.null = "the method is not graph"}},
               {"sizes",
                numbered("size", whole()),
                "traps",
                "The traps of each size.",
                {.null = "the method is not graph"}},
           }},
          {"trap",
           "A set of positions that neither player can leave without losing.",
           {
               {"size", whole(), "positions", "The size of the trap."},
               {"like_it",
                whole(),
                "traps",
                "The reachable traps of this size, this one included.",
                {.null = "the method is not graph"}},
               {"smallest_proven", truth(), "", "Whether no trap is smaller."},
               {"complete", truth(), "", "Whether all positions are listed."},
               {"positions", list(text()), "",
                "The positions; those of a shortest cycle come first, in the order of play."},
               {"moves", list(list(object("valued_move"))), "", "The moves of each position, in the same order."},
               {"cycle_length", whole(), "positions", "The length of that cycle."},
               {"line", list(text()), "", "A shortest line from the start into the trap."},
               {"line_gives_away", list(truth()), "", "Whether each move of the line gives away a better value."},
           }},
          {"cycle_example",
           "The position nearest the start that is a cycle or lies on one; of an ending one that is a cycle.",
           {
               {"position", text(), "", "The position."},
               {"outcome", outcome(), "", "The winner, if there is one."},
               {"margin", margin(), "first's margin", "First wins by so much."},
               {"plies", whole(), "plies", "The remoteness.", {.null = "as in `value`"}},
               {"line", list(text()), "", "A shortest line from the start to the position; of an ending no moves."},
               {"line_gives_away", list(truth()), "", "Whether each move of the line gives away a better value."},
               {"moves", list(object("valued_move")), "", "The moves of the position."},
               {"round", list(text()), "",
                "Play from there until a position comes back; empty if that takes too long to find."},
           }},
      },
  };
}

JsonSection goals() {
  return {
      "Goals",
      "The shortest lines to a position with a property, or the proof that there is none.",
      {{"reach", object("reach"), "one object"}},
      {
          {"reach", "Whether and how a goal is reached.",
           headed({
               {"goal", text(), "", "The goal as it was given."},
               {"from", text(), "", "The position that play begins with."},
               {"reached", truth(), "", "Whether there is a line to the goal."},
               {"plies", whole(), "plies", "The length of the shortest lines.", {.null = "there is no line"}},
               {"lines", either({whole(), text()}), "lines",
                "The shortest lines; a text where they are more than 2^53, \"at least N\" where more than 128 bits "
                "hold."},
               {"line", list(text()), "", "The first of them in board order.", {.null = "there is no line"}},
               {"position", text(), "", "The position that this line leads to.", {.null = "there is no line"}},
               {"proven",
                word({"exhausted", "depth"}),
                "",
                "What is proven: no line however long, or none within `depth`.",
                {.null = "there is a line"}},
               {"depth", whole(), "plies", "The most plies that were looked at.", {.null = "`--depth` is not given"}},
               {"positions", object("reach_positions"), "", "What was looked at."},
               {"cost", object("cost"), "", "What the run took."},
           })},
          {"reach_positions",
           "What was looked at.",
           {
               {"looked_at", whole(), "positions", "The positions looked at, up to symmetry."},
               {"unreduced",
                whole(),
                "positions",
                "As many without symmetry.",
                {.null = "players are exchanged, or the start is not symmetric"}},
               {"moves_cut", whole(), "moves", "The moves not followed, as the goal is too far after them."},
           }},
      },
  };
}

JsonSection sequences() {
  return {
      "Sequences of moves",
      "This is perft.",
      {{"count", object("count"), "one object"}},
      {
          {"count", "How many sequences of moves there are.",
           headed({
               {"position", text(), "", "The position that they begin with."},
               {"depth", whole(), "plies", "Their length."},
               {"nodes", whole(), "sequences", "The sequences of so many moves."},
               {"divide",
                map("move", "", whole()),
                "sequences",
                "The sequences by their first move.",
                {.absent = "`--divide` is not given"}},
           })},
      },
  };
}

}  // namespace

std::vector<JsonSection> of_studies() { return {positions_asked(), cycles_studied(), goals(), sequences()}; }

}  // namespace plenum::json_keys
