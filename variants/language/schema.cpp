// SPDX-License-Identifier: Apache-2.0
// The keys of a description, table by table.
#include "variants/language/vocabulary.h"

namespace plenum {

const std::vector<TableKey>& keys() {
  static const std::vector<TableKey> table = {
      {"description", "name", "text", "what the game is called; required", "name = \"My game\""},
      {"description", "author", "text", "who made it up, and when", "author = \"A. Person, 2025\""},
      {"description", "source", "text", "where its rules can be read", "source = \"https://example.org\""},
      {"description", "about", "text", "the game in a few sentences",
       "about = \"Stones are put down until nobody can.\""},
      {"description", "stands_on", "text", "what pictures of the board stand on: \"side\", or its first \"corner\"",
       "stands_on = \"corner\""},
      {"description", "extends", "name or file",
       "the description that this one changes: only what differs is given, and false takes away what "
       "it has under that name",
       "moves.walk = false"},
      {"description", "options", "tables", "what --set may change; 250 at most",
       "options.speed = { default = 1, range = [1, 3] }"},
      {"description", "board", "table", "a board by its edges, instead of a named shape; see [board]",
       "board = { edges = \"a-b-c-d-a\" }"},
      {"description", "kinds", "tables",
       "the kinds of stones; a player without one has x (first) or o (second), with another letter where that is taken",
       "kinds.neutral = \"nobody\"\nmoves.place.put = [\"mine\", \"neutral\"]"},
      {"description", "state", "tables",
       "what a position carries besides stones; what no rule reads under the options at hand is no part of it",
       "state.moved = { type = \"bool\" }"},
      {"description", "define", "expressions", "names for expressions, some with parameters",
       "define.lonely = \"mine & near(mine) == 0\"\nmoves.walk.from = \"lonely\""},
      {"description", "start", "cells by kind",
       "the stones at the beginning; and begins = \"second\" if it is not first who moves first: a player, who may "
       "depend on "
       "options",
       "start = { x = \"{a1 a2}\", begins = \"second\" }"},
      {"description", "moves", "tables", "the kinds of moves; their order means nothing",
       "moves.leave = { from = \"mine & edge\" }"},
      {"description", "parts", "tables", "further choices in the same turn, named by 'next'",
       "moves.walk.next = \"shot\"\nparts.shot = { from = \"theirs\" }"},
      {"description", "end", "table", "how the game ends, and who wins", "end.stuck = \"loses\""},
      {"description", "pie", "table", "after an opening the second player may choose the side",
       "pie.moves = [\"place\"]"},
      {"description", "pieces", "table",
       "of a piece game: what there is and how it goes; instead of kinds, state, moves and end", "pieces.N = \"N\""},
      {"description", "play", "table", "of a piece game: what it begins with and how pieces play together",
       "play.stalemate = \"'loss'\""},
      {"description", "refused", "tables", "settings that contradict each other, and what to say of them",
       "refused.long = { when = \"k > height\", why = \"no line is so long\" }"},
      {"description", "test", "list of tables", "positions with what must be true of them; plenum check runs them",
       "test = [ { position = \"4/4/4/4 1\", legal = \"a1 pass ...\" } ]"},

      {"option", "default", "number or text", "its value where nothing else is said; \"on\" and \"off\" make a switch",
       "options.fast = { default = \"off\" }\nmoves.walk.when = \"fast\""},
      {"option", "range", "[least, greatest]", "of a number", "options.k.range = [2, 3]"},
      {"option", "one_of", "list of texts", "the values it may take",
       "options.way = { default = \"up\", one_of = [\"up\", \"down\"] }\nmoves.walk.step = \"if way == 'up' then up "
       "else down\""},
      {"option", "left_open", "true or false", "the game's author left this reading open",
       "options.k.left_open = true"},
      {"option", "about", "text", "what it means", "options.k.about = \"stones in a row\""},

      {"board", "edges", "text", "who neighbours whom: a-b, or chains a-b-c; a lone name is a cell without neighbours",
       "board.edges = \"a-b-c-a d\""},
      {"board", "lines", "text",
       "lines of cells, for line(S); they are straight both ways, for the word 'lines' and wherever a direction is "
       "meant. A "
       "line whose ends are one cell is a ring",
       "board = { edges = \"a-b-c\", lines = \"a-b-c\" }\nend.wins = \"any(line(mine))\""},
      {"board", "directions", "table of texts",
       "straight directions by name, each from cell to cell in chains; a name that other boards know (up, left) is "
       "meant as "
       "there",
       "board = { edges = \"a-b-c-d-a\", directions = { round = \"a-b-c-d-a\" } }\nmoves.walk = { step = false, slide "
       "= "
       "\"round\" }"},
      {"board", "regions", "table of texts", "sets of cells by name",
       "board = { edges = \"a-b-c\", regions = { goal = \"c\" } }\nend.wins = \"any(mine & goal)\""},
      {"board", "at", "table of [column, row]", "where each cell is drawn, from [0, 0] at the lower left",
       "board = { edges = \"a-b\", at = { a = [0, 0], b = [1, 1] } }"},
      {"board", "about", "text", "a remark", "board = { edges = \"a-b\", about = \"the smallest\" }"},

      {"kind", "owner", "first, second, each or nobody",
       "whose stones these are; may be given alone: red = \"nobody\". each: both players have one; chief = \"each\" "
       "makes "
       "chief (both players' cells), my_chief, their_chief, and as kinds first_chief and second_chief; in effects and "
       "'put' "
       "chief is the mover's own. 28 kinds at most, what each has counting twice",
       "kinds.guard = { owner = \"nobody\", letter = \"g\" }\nkinds.x = \"first\"\nkinds.o = \"second\"\nkinds.chief = "
       "\"each\"\nmoves.place = { to = \"empty & "
       "near(their_chief) == 0\", put = \"chief\" }\nmoves.walk.from = \"my_chief\""},
      {"kind", "letter", "one letter",
       "how it is written in positions; its name's first letter if not given. Of what each has the capital is first's",
       "kinds.guard = { owner = \"nobody\", letter = \"w\" }"},
      {"kind", "pile", "number",
       "stones of this kind lie on one another, up to so many on a cell: as many kinds, seed_1, seed_2 and so on; "
       "'seed' is "
       "a pile of any height, 'pile' how high, and effects say SET -> seed of NUMBER; none is empty, and more than "
       "the most is an error",
       "kinds = { x = \"first\", o = \"second\", seed = { owner = \"nobody\", pile = 3, letters = \"abc\" } "
       "}\nmoves.place = { "
       "to = \"empty | seed & pile < 3\", put = \"seed_1\", then = \"placed -> seed of before(pile) + 1\" }"},
      {"kind", "letters", "letters", "of piles, one for each height",
       "kinds = { x = \"first\", o = \"second\", seed = { owner = \"nobody\", pile = 2, letters = \"st\" } }"},
      {"kind", "about", "text", "a remark", "kinds.guard = { owner = \"nobody\", about = \"stands still\" }"},

      {"state", "type", "player, number or bool", "what it is", "state.done = { type = \"bool\" }"},
      {"state", "range", "[least, greatest]", "of a number; leaving it is an error that names the move",
       "state.spent = { type = \"number\", range = [0, 16] }"},
      {"state", "each", "true or false", "a number for each player: its name means that of the player at hand",
       "state.spent = { type = \"number\", each = true, range = [0, 16] }"},
      {"state", "start", "expression", "its value at the beginning; nobody, the least number or false if not given",
       "state.owner_of_move = { type = \"player\", start = \"second\" }"},
      {"state", "written", "name", "what it is called in written positions", "state.holder.written = \"button\""},
      {"state", "about", "text", "what it is for", "state.holder.about = \"who passed first\""},

      {"move", "when", "truth", "the move exists only where this holds", "moves.place.when = \"count(mine) < 3\""},
      {"move", "to", "cells",
       "where a stone is put, or a piece goes; it sees the board before the move. Alone it makes a placement",
       "moves.place.to = \"empty & !edge\""},
      {"move", "from", "cells",
       "which pieces move; alone, which leave the board. Without 'from' and 'to' the move is a pass",
       "moves.walk.from = \"mine & near(theirs) == 0\""},
      {"move", "put", "kind or list of kinds",
       "what a placement puts; a list is a choice, and the mover's own stone if not given",
       "moves.place.put = [\"mine\", \"theirs\"]"},
      {"move", "step", "directions", "a piece goes one step this way", "moves.walk.step = \"orth\""},
      {"move", "slide", "directions", "a piece goes straight over empty cells, as far as the first that is not",
       "moves.walk = { step = false, slide = \"diag\" }"},
      {"move", "jump", "directions",
       "a piece goes straight over one cell of 'over' to the cell behind it; 'jumped' is what it went over",
       "moves.walk = { step = false, jump = \"orth\", over = \"theirs\", then = \"jumped -> empty\" }"},
      {"move", "over", "cells", "of a jump: over these; over any stone if not given",
       "moves.walk = { step = false, jump = \"orth\", over = \"mine\" }"},
      {"move", "distance", "number",
       "of a jump: exactly so many steps, and 'over' is what all cells on the way are, any if not given; 'along' is "
       "the "
       "whole line through the piece in the direction at hand",
       "moves.walk = { step = false, jump = \"orth\", distance = \"count(stones & along)\", over = \"!theirs\" }"},
      {"move", "far", "true or false", "of a slide: as far as the piece can go, to the last empty cell",
       "moves.walk = { step = false, slide = \"orth\", far = true }"},
      {"move", "within", "number for each cell",
       "a piece goes at most so many steps by the board's neighbours, over anything; "
       "read where it stands",
       "moves.walk = { step = false, within = \"near(mine) + 1\" }"},
      {"move", "lift", "cells", "of a placement: these are emptied first, and 'to' sees the board without them",
       "moves.place.lift = \"mine\""},
      {"move", "shape", "text", "a placement of several cells at once, rows from the top: all of its cells are in 'to'",
       "moves.place.shape = \"x./xx\""},
      {"move", "turns", "none, rotate or all", "how the shape may be turned; all: turned over too",
       "moves.place = { shape = \"x./xx\", turns = \"rotate\" }"},
      {"move", "then", "effect or list of effects", "what follows; see Effects",
       "moves.place.then = \"theirs & near(mine) > 1 -> mine\""},
      {"move", "legal", "truth", "judged after 'then': the move is legal only if this holds",
       "moves.place.legal = \"!any(line(mine, k))\""},
      {"move", "next", "name of a part, or list of names",
       "a further choice in the same turn; of several parts one is made. A part may name itself, or one before it: the "
       "turn goes on as long as its "
       "'when' holds and there is something to choose; 64 parts at most",
       "moves.walk = { step = false, jump = \"orth\", over = \"theirs\", then = \"jumped -> empty\", next = \"on\" }\n"
       "parts.on = { from = \"placed\", jump = \"orth\", over = \"theirs\", to = \"empty\", then = \"jumped -> "
       "empty\", "
       "next = \"on\" }"},
      {"move", "choose", "list of names or numbers",
       "one of these is chosen with the move, and 'chosen' is what was chosen; with neither 'from' nor 'to' the "
       "choice is the whole move, or part, and no pass. Written behind the move, as a1=red, or alone",
       "moves.bid = { choose = [1, 2], then = \"holder = me\" }\nmoves.place.next = \"turn\"\nparts.turn = { choose = "
       "[\"all\", \"half\"], then = \"theirs & (if chosen == "
       "'all' "
       "then "
       "cells else edge) -> empty\" }"},
      {"move", "about", "text", "a remark", "moves.place.about = \"anywhere\""},
      {"part", "optional", "true or false",
       "the part may be left out; it has all keys of a move besides. Where its 'when' does not hold it is skipped, and "
       "where there is nothing to choose the move stands without it",
       "moves.walk.next = \"shot\"\nparts.shot = { from = \"theirs\", optional = true }"},
      {"part", "required", "true or false",
       "a move is legal only with this part: where its 'when' holds and there is nothing to choose, the move cannot be "
       "made",
       "moves.walk.next = \"shot\"\nparts.shot = { to = \"empty & near(placed) > 0\", required = true }"},
      {"part", "any_order", "true or false",
       "of several ways to get as far as this part that leave the same board, state, 'placed', 'taken' and 'trail', "
       "one "
       "counts: for turns in which the order of the parts means nothing. Any order may be given for the one",
       "moves.place.next = \"more\"\nparts.more = { to = \"empty & near(placed) > 0\", when = \"count(empty) > 12\", "
       "next = \"more\", any_order = true }"},

      {"end", "wins", "truth", "asked for each player as me: who has won", "end.wins = \"any(line(mine, k))\""},
      {"end", "loses", "truth", "asked for each player as me: who has lost", "end.loses = \"any(line(mine, k))\""},
      {"end", "both", "mover_wins, mover_loses or tie",
       "if both have won; the mover is the one who has just moved, and wins if nothing is said",
       "end = { wins = \"any(line(mine, k))\", both = \"tie\" }"},
      {"end", "when", "truth", "the game is over, and the score decides", "end.when = \"passes == 2 | !any(empty)\""},
      {"end", "score", "number", "read for each player as me; the margin is first's less second's",
       "end.score = \"count(mine & edge)\""},
      {"end", "tiebreak", "number or truth", "decides where the scores are equal",
       "end.tiebreak = \"count(theirs & corner)\""},
      {"end", "value", "margin or outcome", "outcome: only who wins counts", "end.value = \"outcome\""},
      {"end", "stuck", "loses, wins, ties, scores or pass", "what becomes of the player who has no move",
       "end.stuck = \"pass\""},
      {"end", "about", "text", "a remark", "end.about = \"two passes\""},

      {"pie", "moves", "list of moves", "after one of these the second player may choose the side",
       "pie.moves = [\"place\"]"},
      {"pie", "when", "truth", "whether there is a pie; may depend on options",
       "pie = { moves = [\"place\"], when = \"k > 2\" }"},
      {"pie", "about", "text", "a remark", "pie = { moves = [\"place\"], about = \"fair\" }"},

      {"piece", "betza", "Betza's notation", "how it goes; may be given alone: R = \"R\"",
       "pieces.N = { betza = \"N\" }"},
      {"piece", "royal", "true or false", "it must not be taken; one piece is royal",
       "pieces.K = { betza = \"KAD\", royal = true }"},
      {"piece", "castles", "letters", "of a royal piece: with which others",
       "pieces.K.castles = \"R\"\nplay = { array = \"'r1k1/4/4/R1K1 w Qq -'\", castling = \"true\" }"},
      {"piece", "promotes", "text", "letters: what it becomes on its last rank, where it cannot stay what it is",
       "pieces.P.promotes = \"'R'\""},
      {"piece", "first_step", "Betza's notation",
       "of what promotes: what it may do besides from its second rank, if [play] double_step",
       "pieces.P.first_step = \"mfW2\"\nplay.double_step = \"true\""},
      {"piece", "about", "text", "a remark", "pieces.N = { betza = \"N\", about = \"leaps\" }"},

      {"play", "array", "text", "the position to begin with", "play.array = \"'k3/4/4/2RK w - -'\""},
      {"play", "material", "text", "an ending, as in KRvK, all of whose positions are solved; '' for the array",
       "play.material = \"'KRvK'\""},
      {"play", "crowd", "off, safety or open",
       "several men on a cell. off, as it is if not given: one man on a cell. safety: none of several can be taken; "
       "a man joins a crowd with an enemy in it by either power, and a lone enemy that it could move to but not take. "
       "open: as 'share', 'most' and 'capture' say",
       "play.crowd = \"'safety'\""},
      {"play", "share", "any, same or mixed",
       "of an open crowd, who may stand together after a move: anybody; men of one player; only men of both",
       "play = { crowd = \"'open'\", share = \"'mixed'\" }"},
      {"play", "most", "number", "of an open crowd: how many men a cell may hold, both players' together; 0: no limit",
       "play = { crowd = \"'open'\", most = \"2\" }"},
      {"play", "capture", "none, all or one",
       "of an open crowd, what a capture takes on it: nothing can be taken there; every man of the opponent; one of "
       "them, as the capturer chooses",
       "play = { crowd = \"'open'\", capture = \"'all'\" }"},
      {"play", "double_step", "truth", "whether first steps are taken", "play.double_step = \"height > 5\""},
      {"play", "en_passant", "truth", "whether a first step of two can be answered by capturing what passed",
       "play.en_passant = \"true\""},
      {"play", "castling", "truth", "whether the array's rights to castle count", "play.castling = \"false\""},
      {"play", "stalemate", "draw or loss", "what becomes of the player who has no move and is not in check",
       "play.stalemate = \"'loss'\""},
      {"play", "about", "text", "a remark", "play.about = \"as usual\""},

      {"refused", "when", "truth", "by options and the board alone: these settings are refused",
       "refused.long = { when = \"k > width\", why = \"no line is so long\" }"},
      {"refused", "why", "text", "what is said then",
       "refused.long = { when = \"k > 4\", why = \"the board is small\" }"},

      {"test", "board", "text", "on this board",
       "test = [ { board = \"path:2\", position = \"2 1\", legal = \"1 2 pass\" } ]"},
      {"test", "set", "table of options", "with these options", "test = [ { set = { k = 2 }, legal = \"a1 ...\" } ]"},
      {"test", "position", "position", "from here; the start if not given",
       "test = [ { position = \"x3/4/4/4 2\", illegal = \"a4\" } ]"},
      {"test", "play", "moves", "these moves are played", "test = [ { play = \"a1 b1\", after = \"4/4/4/xo2 1\" } ]"},
      {"test", "after", "position", "and this is the position then",
       "test = [ { play = \"a1\", after = \"4/4/4/x3 2\" } ]"},
      {"test", "legal", "moves", "all legal moves, or some with ... at the end",
       "test = [ { board = \"path:2\", legal = \"1 2 pass\" } ]"},
      {"test", "illegal", "moves", "none of these is legal", "test = [ { illegal = \"a1-b1\" } ]"},
      {"test", "value", "margin or outcome", "the value for first: first, second, tie, cycle, or a number",
       "test = [ { board = \"path:2\", value = \"tie\" } ]"},
      {"test", "about", "text", "a remark", "test = [ { legal = \"a1 ...\", about = \"anywhere\" } ]"},
  };
  return table;
}

}  // namespace plenum
