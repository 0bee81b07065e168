// SPDX-License-Identifier: Apache-2.0
#include "variants/language/vocabulary.h"

#include <algorithm>

#include <absl/strings/str_cat.h>

namespace plenum {
namespace {

Word plain(const char* name, const char* meaning, const char* example) {
  return {name, name, meaning, example, false, false};
}
Word function(const char* name, const char* usage, const char* meaning, const char* example) {
  return {name, usage, meaning, example, true, false};
}
Word place(const char* name, const char* meaning, const char* example) {
  return {name, name, meaning, example, false, true};
}
Word direction(const std::string& name, const char* meaning) {
  return {name,    absl::StrCat(name, " or ", name, "(S)"),
          meaning, absl::StrCat("moves.walk.step = \"", name, "\"\nmoves.place.to = \"empty & !", name, "(stones)\""),
          true,    true};
}

std::vector<Word> make_words() {
  return {
      plain("mine", "the cells that hold a stone of the player at hand", "moves.place.to = \"empty & near(mine) > 0\""),
      plain("theirs", "the cells that hold a stone of the opponent", "moves.place.to = \"empty | theirs\""),
      plain("stones", "the cells that hold anything", "moves.place.to = \"empty & near(stones) == 0\""),
      plain("empty", "the cells that hold nothing", "end.when = \"!any(empty)\""),
      plain("cells", "all cells", "moves.place.to = \"cells & !mine\""),
      plain("none", "no cell", "define.forbidden = \"none\"\nmoves.place.to = \"empty & !forbidden\""),
      plain("true", "holds always", "moves.pass.when = \"true\""),
      plain("false", "holds never", "moves.walk.when = \"false\""),
      plain("me", "the player at hand: the one to move, or the one whose score is asked for",
            "moves.pass.then = \"holder = me\"\nend.tiebreak = \"holder == me\""),
      plain("them", "the opponent of the player at hand", "end.tiebreak = \"holder == them\""),
      plain("first", "the player who moves first in the game, unless [start] says that second begins",
            "moves.place.to = \"if me == first then empty else empty & near(mine) > 0\""),
      plain("second", "first's opponent", "end.tiebreak = \"if me == second then 1 else 0\""),
      plain("nobody", "neither player",
            "moves.pass.then = \"if holder == nobody: holder = me\"\n"
            "end.tiebreak = \"holder == me\""),
      plain("passes", "how many passes have just been made in a row; it can be compared with a number",
            "end.when = \"passes == 2\""),
      plain("from", "in the 'to' of a move: the cell the piece leaves",
            "moves.walk.to = \"empty & near(mine & !from) > 0\""),
      plain("along", "in the 'distance' of a jump: the line through the piece in the direction at hand",
            "moves.walk = { step = false, jump = \"king\", distance = \"count(stones & along)\" }"),
      Word{"pile", "pile or pile(S)",
           "a number for each cell: how many lie there, as high as a pile is, 1 where a stone is; pile(S): how many "
           "lie on S "
           "in all",
           "moves.place.to = \"empty & near(mine) >= pile({a1})\"\nend.score = \"pile(mine)\"", true, false},
      function("sown", "sown(S, directions)",
               "a number for each cell: how many it gets when what lies on S is put down one by one from there on",
               "kinds.x = \"first\"\nkinds.o = \"second\"\nkinds.seed = { owner = \"nobody\", pile = 3, letters = "
               "\"abc\" }\n"
               "moves.sow = { from = \"seed\", then = \"empty | seed & pile < 3 -> seed of pile + before(sown(taken, "
               "right))\" }"),
      plain("placed", "in 'then', 'legal' and the part that follows: the cells the move put a stone on",
            "moves.place.then = \"theirs & near(placed) > 0 -> mine\""),
      plain("taken", "in 'then', 'legal' and the part that follows: the cells the move emptied",
            "moves.walk.then = \"taken -> theirs\""),
      plain("jumped", "in 'then' and 'legal' of a jump: the cell that was jumped over",
            "moves.walk = { step = false, jump = \"orth\", over = \"theirs\", then = \"jumped -> empty\" }"),
      plain("trail",
            "in the conditions of a part: the cells that this turn's parts so far have left, gone to, put something on "
            "or "
            "cleared, their effects aside",
            "moves.walk.next = \"hop\"\nparts.hop = { from = \"placed\", step = \"adjacent\", to = \"empty & !trail\", "
            "optional = true, next = \"hop\" }"),
      plain("chosen", "in a move with 'choose': the name or number that was chosen",
            "moves.place = { choose = [1, 2], then = \"theirs & near(placed) >= chosen -> mine\" }"),
      plain("changed", "in 'then' and 'legal': the cells that the effects so far have changed, the move itself aside",
            "moves.place.then = \"theirs & near(mine) > 2 -> mine\"\nmoves.place.legal = \"any(changed)\""),
      function("near", "near(S) or near(S, directions)", "a number for each cell: how many of its neighbours are in S",
               "moves.place.to = \"empty & near(mine, king) >= 2\""),
      function("count", "count(S), count(parts), or count(g in parts: condition)",
               "how many cells, how many parts, or of how many parts the condition holds",
               "end.score = \"count(mine) + count(g in groups(mine): count(g) > 2)\""),
      function("any", "any(S) or any(g in parts: condition)",
               "whether S has a cell, or the condition holds for some part",
               "end.when = \"any(g in groups(stones): count(g) >= 5)\""),
      function("all", "all(g in parts: condition)", "whether the condition holds for every part",
               "end.when = \"all(g in groups(empty): count(g) == 1)\""),
      function("sum", "sum(g in parts: number)", "the sum over the parts, 0 if there are none",
               "end.score = \"sum(g in groups(mine): 1 / count(g))\""),
      function("max", "max(a, b, ...) or max(g in parts: number)",
               "the greatest of these, cell by cell if one is a number for each cell; or over the parts, 0 if there "
               "are none",
               "end.score = \"max(g in groups(mine): count(g))\"\nmoves.place.to = \"empty & max(near(mine), "
               "near(theirs)) < 3\""),
      function(
          "min", "min(a, b, ...) or min(g in parts: number)",
          "the least of these, cell by cell if one is a number for each cell; or over the parts, 0 if there are none",
          "end.score = \"min(g in groups(mine): count(g)) + min(count(mine & edge), 5)\""),
      function("groups", "groups(S) or groups(S, directions)",
               "the parts of S: its cells taken together where they are neighbours inside S",
               "end.score = \"count(groups(mine)) - count(groups(empty, king))\""),
      function("joined", "joined(S, seed) or joined(S, seed, directions)",
               "the cells of S connected inside S to a cell of S that is in seed",
               "end.score = \"count(mine | joined(empty, near(mine) > 0))\""),
      function(
          "line", "line(S, k), line(S, k, directions), or line(S)",
          "the cells of S that lie in a straight row of k or more of its cells; with S alone, in one of the lines that "
          "[board] declares",
          "end.when = \"any(line(stones, k)) | passes == 2\""),
      function(
          "between", "between(A, S, B) or between(A, S, B, directions)",
          "the cells of S on a straight run of such cells with a cell of A at one end and a cell of B at the other",
          "moves.place.then = \"between(placed, theirs, mine) -> mine\""),
      function("ray", "ray(S, directions, through)",
               "the cells of 'through' that are reached straight from S over cells of 'through'",
               "moves.place.to = \"empty & (ray(mine, king, empty) | !any(mine))\""),
      function(
          "pattern", "pattern(S, 'xx/x.') or pattern(S, 'xx/x.', 'rotate')",
          "the cells of S covered by a copy of the shape that lies wholly in S; 'none', 'rotate' or 'all' (turned over "
          "too) says how it may be turned",
          "end.when = \"any(pattern(stones, 'xx/xx')) | passes == 2\""),
      function("before", "before(expression)", "in 'then' and 'legal': the expression on the board before the move",
               "moves.place.then = \"if count(groups(mine)) < before(count(groups(mine))): theirs & near(placed) > 0 "
               "-> mine\""),
      place("row", "a number for each cell: its row, from 1", "moves.place.to = \"empty & row <= 2\""),
      place("column", "a number for each cell: its column, from 1",
            "moves.place.to = \"empty & (row + column) % 2 == 0\""),
      place("width", "the number of columns", "moves.place.to = \"empty & 2 * column <= width\""),
      place("height", "the number of rows", "start.o = \"row == height\""),
      place("edge", "the cells on the board's edge", "moves.place.to = \"empty & !edge\""),
      place("corner", "the board's corners", "start.x = \"corner\""),
      place("left_edge", "the leftmost cells", "end.wins = \"any(joined(mine, left_edge) & right_edge)\""),
      place("right_edge", "the rightmost cells", "end.wins = \"any(mine & right_edge)\""),
      place("bottom_edge", "the first row", "start.x = \"bottom_edge\""),
      place("top_edge", "the last row", "start.o = \"top_edge\""),
      place("home_edge", "the first row for first, the last for second", "moves.place.to = \"empty & home_edge\""),
      place("far_edge", "the last row for first, the first for second", "end.wins = \"any(mine & far_edge)\""),
      direction("adjacent", "directions: the board's neighbours; adjacent(S) are the cells with a neighbour in S"),
      direction("anywhere", "directions: every other cell"),
      direction("orth", "directions: up, down, left, right"),
      direction("diag", "directions: the four diagonal ones"),
      direction("king", "directions: orth and diag"),
      direction("up",
                "one direction; up(S) are the cells *below* S, those whose upper neighbour is in S; off the board is "
                "in no set"),
      direction("down", "one direction"),
      direction("left", "one direction"),
      direction("right", "one direction"),
      direction("up_left", "one direction"),
      direction("up_right", "one direction"),
      direction("down_left", "one direction"),
      direction("down_right", "one direction"),
      Word{"lines", "lines or lines(S)", "directions: along the lines that [board] declares, both ways",
           "board = { edges = \"a-b-c\", lines = \"a-b-c\" }\nmoves.walk.step = \"lines\"", true, true},
      Word{"onward", "onward or onward(S)",
           "in 'then', 'legal' and the part that follows: the way that the piece went, of the straight ones; where it "
           "went no such way, none",
           "moves.walk.then = \"ray(placed, onward, theirs) -> empty\"", true, true},
      Word{"reverse", "reverse or reverse(S)",
           "the way back from where the piece went; reverse(placed) is the cell "
           "where it would come next",
           "moves.walk.then = \"ray(taken, reverse, theirs) -> empty\"", true, true},
      direction("forward", "up for first, down for second"),
      direction("backward", "down for first, up for second"),
      direction("forward_left", "diagonally forward, to the left as the player at hand sits"),
      direction("forward_right", "diagonally forward, to the right as the player at hand sits"),
      direction("backward_left", "diagonally backward, to the left"),
      direction("backward_right", "diagonally backward, to the right"),
  };
}

}  // namespace

const std::vector<Word>& words() {
  static const std::vector<Word> table = make_words();
  return table;
}

std::vector<std::string> keys_of(std::string_view table) {
  std::vector<std::string> out;
  for (const TableKey& key : keys()) {
    if (key.table == table) out.push_back(key.name);
  }
  return out;
}

const std::vector<Form>& operators() {
  static const std::vector<Form> table = {
      {"if a then x else y",
       "x where a holds, else y; a choice of directions may depend on options and on who is to move only",
       "moves.walk.step = \"if me == first then up else down\""},
      {"A | B", "in either; also joins directions, and either of two truth values", "moves.walk.step = \"up | right\""},
      {"A & B", "in both; a truth value beside a set is all cells or none",
       "moves.place.to = \"empty & count(mine) < 3\""},
      {"!A", "not in; !a == b is !(a == b), and !mine & x is (!mine) & x", "moves.place.to = \"!stones & !edge\""},
      {"a == b, !=, <, <=, >, >=",
       "compares numbers (a set of cells if one of them is a number for each cell), players, texts or truth values",
       "moves.place.to = \"empty & near(mine) > near(theirs)\""},
      {"a + b, a - b", "sum and difference", "end.score = \"count(mine) - count(theirs & edge)\""},
      {"a * b, a / b, a % b", "product; exact fraction; remainder, of rows, columns and constants",
       "end.score = \"count(mine) * 2 / 3\""},
      {"-a", "the number turned round", "end.score = \"-count(mine)\""},
      {"{a1 b2}", "these cells", "start.x = \"{a1 b2}\""},
      {"'text'", "an option's value",
       "options.mode = { default = \"calm\", one_of = [\"calm\", \"wild\"] }\n"
       "moves.walk.when = \"mode == 'wild'\""},
      {"name, name(x)", "an option, a kind of stones (its cells), a state, or a definition",
       "define.\"beside(s)\" = \"near(s) > 0\"\nmoves.place.to = \"empty & beside(x)\""},
  };
  return table;
}

const std::vector<Form>& effects() {
  static const std::vector<Form> table = {
      {"SET -> kind", "these cells come to hold that kind: mine, theirs, a kind by name, or empty",
       "moves.place.then = \"theirs & near(mine) >= 2 -> empty\""},
      {"name = value", "a state takes this value",
       "moves.place.when = \"hand > 0\"\nmoves.place.then = \"hand = hand - 1\""},
      {"A -> kind, B -> kind",
       "commas are simultaneous: all read the same board, and the earlier wins where two change a cell",
       "moves.pass.then = \"mine & edge -> theirs, theirs & edge -> mine\""},
      {"[\"...\", \"...\"]", "items of a list follow one another",
       "moves.place.then = [\"theirs & near(placed) > 0 -> empty\", \"if any(changed): placed -> empty\"]"},
      {"if condition: effect", "only where the condition holds",
       "moves.place.then = \"if count(mine) > 3: placed -> theirs\""},
      {"repeat: A -> kind, ...",
       "in rounds: all cells that qualify change at once, again and again until none does; a cell may never come back "
       "to what "
       "it held",
       "moves.place.then = \"repeat: empty & near(mine) >= 2 -> mine\""},
      {"spread from F by directions: S -> kind",
       "the neighbours of F that are in S change, then the neighbours of those, until none does",
       "moves.place.then = \"spread from placed by king: theirs & near(mine) > near(theirs) -> mine\""},
      {"carry S by direction",
       "what stands on S goes one step, as far as that is in S; what would leave S is gone, and where nothing comes "
       "from "
       "is empty then. The direction may be onward or reverse",
       "moves.place.then = \"carry row == 1 by right\""},
      {"carry S by turn_left, turn_right, turn_round, mirror_columns or mirror_rows",
       "what stands on S, fixed cells, is turned about their middle: a quarter, a half; or its columns or its rows "
       "change "
       "places; on boards of squares",
       "moves.place.then = \"carry cells by turn_left\""},
      {"name", "the effect or effects of that name under [define]",
       "define.swap = [\"theirs & near(placed) > 0 -> empty\", \"if any(changed): placed -> empty\"]\nmoves.place.then "
       "= "
       "\"swap\""},
  };
  return table;
}

const std::vector<Absent>& absent() {
  static const std::vector<Absent> table = {
      {"leap", "write jump = \"orth\" in a move, with over = \"theirs\" or the like; 'within' goes over anything"},
      {"push", "rows cannot be pushed"},
      {"chain", "a part that names itself as 'next' goes on as long as it can"},
      {"again", "a part that names itself as 'next' goes on as long as it can: the same player has another move"},
      {"fades", "a state stays until an effect sets it"},
      {"superko", "what may not be repeated depends on all positions before, which are no part of a position"},
      {"ko", "remember the cell or the player in a state and read that; superko depends on the whole history"},
      {"history", "a position knows nothing of what came before but its state"},
      {"repetition", "play that goes on for ever counts as a cycle; who closed it depends on the history"},
      {"stack", "piles are kinds of stones with a height: see 'pile' under [kinds]"},
      {"height_of", "see 'pile'"},
      {"sow", "see 'sown'"},
      {"random", "chance is no part of these games"},
      {"dice", "chance is no part of these games"},
      {"prisoners", "count taken stones in a state with a range"},
      {"captured", "count taken stones in a state with a range, or see 'changed' and 'taken'"},
      {"turn", "who is to move: me == first"},
      {"mover", "the player to move is 'me'"},
      {"player", "the players are me, them, first, second, nobody"},
      {"size", "count(S), or width and height"},
      {"neighbors", "near(S) counts them; adjacent(S) are the cells that have one"},
      {"neighbours", "near(S) counts them; adjacent(S) are the cells that have one"},
      {"connected", "joined(S, seed) are the cells of S that hang together with the seed; groups(S) are its parts"},
      {"row_of", "'row' is a number for each cell"},
      {"not", "write !"},
      {"and", "write &"},
      {"or", "write |"},
  };
  return table;
}

std::string why_absent(std::string_view name) {
  const auto found = std::find_if(absent().begin(), absent().end(), [&](const Absent& a) { return a.name == name; });
  return found == absent().end() ? "" : found->reason;
}

bool of_pieces(const TableKey& key) {
  return key.table == "piece" || key.table == "play" ||
         (key.table == "description" && (key.name == "pieces" || key.name == "play"));
}

const std::string& example_piece_game() {
  static const std::string text = R"toml(name = "Example of pieces"

[options]
board = { default = "square:4x4" }

[pieces]
K = { betza = "K", royal = true }
R = "R"
P = { betza = "mfWcfF", promotes = "'R'" }

[play]
array = "'kr2/p3/3P/2RK w - -'"
)toml";
  return text;
}

const std::string& example_game() {
  static const std::string text = R"toml(name = "Example"

[options]
board = { default = "square:4x4" }
k     = { default = 3, range = [2, 4] }

[state]
hand   = { type = "number", each = true, range = [0, 4], start = 4 }
holder = { type = "player" }

[moves.place]
to = "empty"

[moves.walk]
from = "mine"
step = "adjacent"
to   = "empty"

[moves.pass]

[end]
when  = "passes == 2"
score = "count(mine)"
)toml";
  return text;
}

}  // namespace plenum
