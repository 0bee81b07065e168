// SPDX-License-Identifier: Apache-2.0
// What the objects of several commands are made of.
#include "solver/method/method.h"
#include "tools/report/json_reference.h"

namespace plenum::json_keys {

std::vector<JsonSection> of_values() {
  return {
      {"Values, moves and counts",
       "Several commands print these objects, or objects that hold them.",
       {},
       {
           {"value",
            "What a position is worth at best play of both players.",
            {
                {"outcome", outcome(), "", "The winner, if there is one."},
                {"margin", margin(), "first's margin", "First wins by so much; below 0 second wins."},
                {"plies",
                 whole(),
                 "plies",
                 "The remoteness: so many plies to the end of the game, 0 if it has ended.",
                 {.null = "the margin is 0 before the end; or remoteness is not known: with `--no-remoteness`, by "
                          "bits, by search, and by rows where an end is more than 254 plies away"}},
            }},
           {"valued_move",
            "A legal move with the value of the position after it.",
            {
                {"move", text(), "", "The move as it is written."},
                {"outcome", outcome(), "", "The winner after the move, if there is one."},
                {"margin", margin(), "first's margin", "First wins by so much after the move."},
                {"plies", whole(), "plies", "The remoteness after the move.", {.null = "as in `value`"}},
                {"keeps", truth(), "", "Whether the margin stays what it was."},
                {"position", text(), "", "The position after the move."},
            }},
           {"pie",
            "The pie: after the opening, second may choose the side.",
            {
                {"margin", margin(), "first's margin", "The result at best play with the pie, never above 0."},
                {"openings", list(text()), "", "The fairest openings, those that lead to this margin."},
            }},
           {"cost", "What a run took.", cost_keys()},
           {"order_note",
            "An effect that goes on by itself, and whether the order in which cells change matters.",
            {
                {"effect", text(), "", "The effect as the description writes it."},
                {"proven", truth(), "", "Whether it is proven that no order matters."},
                {"reason", text(), "", "The reason, as a clause."},
            }},
       }},
  };
}

}  // namespace plenum::json_keys

namespace plenum {

const std::vector<JsonNamed>& json_named_types() {
  using json_keys::word;
  std::vector<std::string> names;
  for (const Method* method : methods()) names.emplace_back(method->name());
  static const std::vector<JsonNamed> types = {
      {"margin", json_keys::either({json_keys::halves(), json_keys::fraction()}),
       "First's margin: above 0 first wins by it, below 0 second. Only a fraction that is neither whole nor a half is "
       "a text."},
      {"outcome", word({"first", "second", "tie", "cycle"}),
       "Who wins. A tie ends level; in a cycle neither player can end the game without losing."},
      {"method_name", word(names), "A way of solving a game."},
      {"processor", word({"base", "v3", "v4", "native"}),
       "How rules are run: interpreted for one of three levels of processors, or compiled."},
  };
  return types;
}

}  // namespace plenum
