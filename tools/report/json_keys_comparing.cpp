// SPDX-License-Identifier: Apache-2.0
// What compare prints, of two games and of readings.
#include "tools/report/json_reference.h"

namespace plenum::json_keys {
namespace {

// A position of both games, and what else is said of it.
std::vector<JsonKey> of_position(const std::vector<JsonKey>& more) {
  std::vector<JsonKey> out = {
      {"position", text(), "", "The position in A."},
      {"position_in_b", text(), "", "The same in B; it may lack a flag or have one more."},
      {"a", object("value"), "", "The value in A."},
      {"b", object("value"), "", "The value in B."},
      {"moves", list(object("compared_move")), "", "The moves of either game."},
  };
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::vector<JsonKey> by_outcome(const JsonType& type, const std::string& unit, const std::string& where) {
  return {
      {"first", type, unit, "Those that first wins in " + where + "."},
      {"second", type, unit, "Those that second wins in " + where + "."},
      {"tie", type, unit, "Those that are ties in " + where + "."},
      {"cycle", type, unit, "Those that are cycles in " + where + "."},
  };
}

JsonSection games_compared() {
  return {
      "Two games compared",
      "A and B are games on one board. The same position is compared in both.",
      {{"compare", object("comparison"), "one object"}},
      {
          {"comparison",
           "What a change of rules does.",
           {
               schema_key(),
               {"a", object("compared_game"), "", "The first game."},
               {"b", object("compared_game"), "", "The second game."},
               {"board", text(), "", "The board of both."},
               {"material", text(), "", "The material of both endings.", {.absent = "the games are no endings"}},
               {"differences", list(object("difference")), "", "The options and rules that differ."},
               {"positions", object("compared_positions"), "", "The positions of one game or of both."},
               {"any_changed", truth(), "", "Whether any position, the start or an opening changes value."},
               {"changed", whole(), "positions", "The common positions that change value."},
               {"changed_outcome", whole(), "positions", "Those of them that change the outcome."},
               {"changed_winner", whole(), "positions", "Those that change it not just between a tie and a cycle."},
               {"changed_margin", whole(), "positions", "Those that change the margin alone."},
               {"changed_plies", whole(), "positions", "The others that change the remoteness alone."},
               {"changed_forced", whole(), "positions", "The cycles of both that are forced in one of them only."},
               {"ended_in_one", whole(), "positions", "The common positions that have ended in one game only."},
               {"outcomes", object("outcomes"), "", "The common positions by their outcomes in A and in B."},
               {"white_to_move",
                object("changes"),
                "",
                "The changes with White, who is first, to move.",
                {.absent = "the games are no endings"}},
               {"black_to_move",
                object("changes"),
                "",
                "The changes with Black, who is second, to move.",
                {.absent = "the games are no endings"}},
               {"start_changed", truth(), "", "Whether the start changes value.", {.null = "the games are endings"}},
               {"openings", list(object("compared_opening")), "", "The first moves of either game; none for endings."},
               {"parting",
                object("parting"),
                "",
                "Where best play parts.",
                {.null = "it never does, or the starts differ"}},
               {"nearest", list(object("nearest_change")), "",
                "The positions nearest the start that change value; none for endings."},
               {"examples", list(object("compared_position")), "", "One position of each kind of change, for endings."},
               {"cost", object("cost"), "", "What the run took."},
           }},
          {"compared_game", "One of the games.",
           joined(game_keys(),
                  {
                      {"method", method(), "", "The method that solved the game."},
                      {"value", object("value"), "", "The value of the start.", {.null = "the game is an ending"}},
                      {"pie", object("pie"), "", "The result with the pie.", {.null = "the game has no pie"}},
                      {"reachable", whole(), "positions", "The reachable positions; of an ending the legal ones."},
                  })},
          {"difference",
           "What differs in the rules.",
           {
               {"what", text(), "", "The option, or the part of the description."},
               {"a", text(), "", "What A has.", {.null = "A has no such part"}},
               {"b", text(), "", "What B has.", {.null = "B has no such part"}},
           }},
          {"compared_positions",
           "Positions of one game or of both.",
           {
               {"common", whole(), "positions", "Those that are reachable in both; of endings legal in both."},
               {"only_a", whole(), "positions", "Those of A alone."},
               {"only_b", whole(), "positions", "Those of B alone."},
           }},
          {"outcomes", "Common positions by outcome in A.", by_outcome(object("outcomes_in_b"), "", "A")},
          {"outcomes_in_b", "Common positions by outcome in B.", by_outcome(whole(), "positions", "B")},
          {"changes",
           "What changes with one player to move.",
           {
               {"common", whole(), "positions", "The common positions."},
               {"changed", whole(), "positions", "Those that change value."},
               {"changed_winner", whole(), "positions", "Those that change it not just between a tie and a cycle."},
               {"changed_plies", whole(), "positions", "The others that change the remoteness alone."},
               {"outcomes", object("outcomes"), "", "The common positions by their outcomes in A and in B."},
           }},
          {"compared_opening",
           "A first move.",
           {
               {"move", text(), "", "The move as it is written."},
               {"a", object("value"), "", "The value after it in A.", {.null = "A has no such first move"}},
               {"b", object("value"), "", "The value after it in B.", {.null = "B has no such first move"}},
               {"changed", truth(), "", "Whether both games have it, with another value."},
           }},
          {"compared_position", "A position of both games.", of_position({})},
          {"compared_move",
           "A move of a position.",
           {
               {"move", text(), "", "The move as it is written."},
               {"a", object("value"), "", "The value after it in A.", {.null = "it is not legal in A"}},
               {"b", object("value"), "", "The value after it in B.", {.null = "it is not legal in B"}},
               {"keeps_a", truth(), "", "Whether it keeps the margin in A."},
               {"keeps_b", truth(), "", "Whether it keeps the margin in B."},
           }},
          {"parting", "The position where no move is best in both games.",
           of_position({{"line", list(text()), "", "The moves to the position, best in both games."},
                        {"best_a", list(text()), "", "The moves that are best in A."},
                        {"best_b", list(text()), "", "The moves that are best in B."}})},
          {"nearest_change", "A position that changes value.",
           of_position({{"line", list(text()), "", "A shortest line from the start to the position, by moves of A."},
                        {"line_in_b", truth(), "", "Whether these are moves of B too."}})},
      },
  };
}

JsonSection readings_compared() {
  return {
      "Readings compared",
      "A game is compared with each other reading that its author left open.",
      {{"compare --readings", object("readings"), "one object"}},
      {
          {"readings", "A game and its other readings.",
           headed({
               {"value", object("value"), "", "The value of the start.", {.null = "the game is an ending"}},
               {"reachable", whole(), "positions", "The reachable positions; of an ending the legal ones."},
               {"readings", list(either({object("reading"), object("unsolved_reading")})), "",
                "The other readings, an option with another value each."},
           })},
          {"reading",
           "A reading that was solved.",
           {
               {"option", text(), "", "The option."},
               {"value", text(), "", "The other value of the option."},
               {"changes", word({"the start", "some opening", "some position", "nothing"}), "",
                "The first of these that changes value."},
               {"start_changed", truth(), "", "Whether the start changes value."},
               {"start", text(), "", "The value of the start in words; empty for an ending."},
               {"openings", whole(), "openings", "The first moves that both readings have."},
               {"openings_changed", whole(), "openings", "Those that change value."},
               {"pie_changed", truth(), "", "Whether the result with the pie changes."},
               {"common", whole(), "positions", "The positions of both readings."},
               {"changed", whole(), "positions", "Those that change value."},
               {"reachable", whole(), "positions",
                "The reachable positions of this reading; of an ending the legal ones."},
           }},
          {"unsolved_reading",
           "A reading that was not solved.",
           {
               {"option", text(), "", "The option."},
               {"value", text(), "", "The other value of the option."},
               {"changes", word({"unknown"}), "", "Always `unknown`."},
               {"error", text(), "", "The reason why it was not solved."},
               {"exit_code", whole(), "", "The exit code of that failure, as `plenum --help` lists them."},
           }},
      },
  };
}

}  // namespace

std::vector<JsonSection> of_comparing() { return {games_compared(), readings_compared()}; }

}  // namespace plenum::json_keys
