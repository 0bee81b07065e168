# SPDX-License-Identifier: Apache-2.0
"""The tables of command_line_test.py: games, positions, what is wrong with an input and what must be said about it."""

THIRDS = """
extends = "populace"
name = "Thirds"
[end]
score = "count(mine | controlled) / 3 + (if button & holder == me then 1/2 else 0)"
"""

# Graphs small enough for the naive loops: every definition is applied to every position.
SMALL = [
    {"board": "path:1"}, {"board": "path:4"}, {"board": "path:5", "button": "on"}, {"board": "square:2x2"},
    {"board": "square:2x2", "button": "on", "threat": "1"}, {"board": "cycle:5", "move_to": "no_drop", "pie": "off"},
    {"board": "edges:a-b c-d"}, {"board": "edges:a-b c-d", "button": "on"}, {"board": "edges:a-b b-c c-a d", "replace": "off"},
    {"board": "hexrect:2x2", "move": "off"},
]

# Identities, and query against solve.
GAMES = [
    {"board": "hexhex:2"}, {"board": "hexhex:2", "button": "on", "move_to": "no_drop_lifted"}, {"board": "square:2x3", "threat": "1"},
    {"board": "square:2x4"}, {"board": "square:2x4", "button": "on"}, {"board": "path:8"}, {"board": "path:9"}, {"board": "path:8", "button": "on"},
    {"board": "torus:3x3"}, {"board": "king:2x3", "replace": "off"}, {"board": "cycle:6", "pie": "off"}, {"board": "hexrect:2x3", "move": "off"},
    {"board": "square:3x3", "move_to": "no_drop", "threat": "3"}, {"board": "edges:hub-r1 hub-r2 hub-r3 r1-r2 lone"}, {"board": "square:1x6"},
    {"board": "square:2x3", "move": "off", "replace": "off"},
]

PAGES = [
    {"board": "hexhex:2"}, {"board": "path:9"}, {"board": "square:2x4"}, {"board": "square:2x4", "button": "on"}, {"board": "cycle:6", "pie": "off"},
    {"board": "square:2x2"}, {"board": "path:1"}, {"board": "edges:a-b c-d"}, {"board": "edges:a-b c-d", "button": "on"}, {"board": "torus:3x3", "move": "off"},
]

KNOWN = [
    ({"board": "hexhex:2"}, {
        "schema": 1, "variant": "Populace", "method": "graph", "cyclic": True, "value": {"outcome": "first", "margin": 7, "plies": 3},
        "pie": {"margin": -7, "openings": ["a1", "a2", "b1", "b2", "b3", "c1", "c2"]},
        "positions": {"reachable": 8037, "canonical": 489, "ended": 2679, "first": 2667, "second": 2667, "tie": 24, "cycle": 0, "forced_cycle": 0},
        "margins": {"-7": 1635, "-3": 594, "-2": 12, "-1": 426, "0": 24, "1": 426, "2": 12, "3": 594, "7": 1635},
        "cycles": {"components": 119, "largest": 792, "positions": 4008, "endless": {"first": True, "second": False}},
        "random_play.first": 0.609499131, "random_play.tie": 0.076501819, "random_play.second": 0.313999050, "random_play.endless": 0.0,
        "random_play.plies": 19.269070426, "moves.mean": 4.807764, "moves.max": 17}),
    ({"board": "path:9"}, {"positions.reachable": 96897, "positions.cycle": 4730, "positions.forced_cycle": 2450, "cycles.components": 2408,
                           "cycles.largest": 982, "cycles.positions": 40000, "random_play.first": 0.549326691, "random_play.tie": 0.078440545,
                           "random_play.second": 0.372232764}),
]

UNREACHABLE = [
    ({"board": "path:3"}, "xxx 1"), ({"board": "path:3"}, "3 2"), ({"board": "path:3"}, "xxx 1 passes=2"), ({"board": "hexhex:2"}, "oo/ooo/oo 2"),
    ({"board": "path:3", "button": "on"}, "ooo 1 button=second"), ({"board": "square:2x2", "button": "on"}, "xx/xx 2 button=first passes=1"),
]

LEVEL = [
    ({"board": "square:2x2"}, "2/2 1", "tie"), ({"board": "square:2x2"}, "x1/2 2", "tie"), ({"board": "square:2x4"}, "2/2/2/2 1", "tie"),
    ({"board": "cycle:6"}, "6 1", "tie"), ({"board": "path:9"}, "x8 2", "cycle"), ({"board": "edges:a-b c-d"}, "4 1", "cycle"),
    ({"board": "edges:a-b c-d", "button": "on"}, "x1o1 1 button=second", "cycle"), ({"board": "path:9"}, "8x 2", "cycle"),
]

# A position and all its moves.
MOVES = [
    ({"board": "hexhex:2"}, "2/3/2 1", "a1 a2 b1 b2 b3 c1 c2 pass"),
    ({"board": "path:3"}, "xox 1", "2* pass"),
    ({"board": "path:3"}, "1xo 2", "pass"),
    ({"board": "path:4"}, "1x2 1", "1 2-1 2-3 3 4 pass"),
    ({"board": "path:6"}, "xxxo2 1", "2-5 6 pass"),
    ({"board": "path:3", "button": "on"}, "x1x 1 button=first passes=1", "1-2 2 3-2 pass"),
    ({"board": "path:3", "button": "on"}, "x1x 2 button=second", "pass"),
    ({"board": "path:3", "button": "on"}, "x1x 1 button=first passes=2", ""),
    ({"board": "cycle:12"}, "12 1", "1 2 3 4 5 6 7 8 9 10 11 12 pass"),
]

# As written, as printed: flags at their start are left out, the others stand in alphabetical order.
PRINTED = [
    ({"board": "path:3", "button": "on"}, "x1x 1 passes=1 button=second", "x1x 1 button=second passes=1"),
    ({"board": "path:3", "button": "on"}, "x1x  2\tpasses=0 button=nobody", "x1x 2"),
    ({"board": "square:3x2"}, "x2/2o 2", "x2/2o 2"),
    ({"board": "square:12x2"}, "x11/12 2", "x11/12 2"),
]

# Lines to query --stdin on path:3, and the position answered for; None: an error; blank lines are passed over.
STDIN = [
    ('{"position": "1x1 2"}', "1x1 2"), ("3 1", "3 1"), ("", None), ("{}", "3 1"), ('{"moves": "1"}', "x2 2"), ("garbage", None), ('{"position": 3}', None),
    ("[]", None), ("{", None), ('{"position": "3 1", "moves": "1 1"}', None), ('{"position": "3 1", "moves": "2 pass"}', "1x1 1 passes=1"),
    ('{"move": "1"}', None), ('{"position": null}', None), ('{"position": ""}', None), ("\udcff\udcfe 1", None), ('{"position": "\udcff 1"}', None),
    (' {"moves":  " 1  "}', "x2 2"), ("3 1\r", "3 1"), ("   ", None), ('{"position": "3 1"}{', None), ('{"position": "\\ud800 1"}', None),
    ("x1 1", None), ("3 1 passes=2", "3 1 passes=2"), ('{"position": "3 1 passes=2", "moves": "1"}', None), ("xxx 1", "xxx 1"),
]

HEADER = 'name = "Toy"\n[options]\nboard = { default = "path:3", about = "any" }\n'

CHECKED = {
    "failing.toml": 'extends = "populace"\nname = "F"\n[[test]]\nboard = "path:3"\nposition = "3 1"\nvalue = "0"\n',
    "illegal.toml": 'extends = "populace"\nname = "F"\n[[test]]\nboard = "path:3"\nposition = "3 1"\nlegal = "1 2 pass"\n',
    "after.toml": 'extends = "populace"\nname = "F"\n[[test]]\nboard = "path:3"\nplay = "1 3"\nafter = "x1x 1"\n',
    "passing.toml": 'extends = "populace"\nname = "P"\n[[test]]\nboard = "path:3"\nplay = "1 3"\nafter = "x1o 1"\nvalue = "1"\n',
    "wrong.toml": 'extends = "populace"\n[moves.place]\nto = "droppable(miner)"\n',
    "garbage.toml": "\x01\x02 = \x03",
}
CHECKS = [
    ("populace", 0, ["populace: ok", "11 of 11 tests passed"]), ("passing.toml", 0, ["passing.toml: ok"]),
    ("failing.toml", 1, ["not ok", "failing.toml:6:10", "^", "is 3 (first)"]), ("illegal.toml", 1, ["illegal.toml:6:", "^"]),
    ("after.toml", 1, ["after.toml:6:", "x1o 1", "^"]), ("wrong.toml", 2, ["wrong.toml:3:17", "miner", "'mine'", "^"]),
    ("populace failing.toml", 1, ["populace: ok", "failing.toml: not ok"]), ("failing.toml wrong.toml populace", 2, ["populace: ok"]),
    ("garbage.toml", 2, ["garbage.toml:1:"]), ("nowhere.toml", 2, ["nowhere.toml"]),
]

# Effects that go on by themselves: what --orders says of the order in which cells change, on cycle:5.
ORDERS = [
    # The last two cells fill at once; one at a time, the first of them leaves the other with two neighbours.
    ("repeat: empty & near(stones) == 1 -> mine", False, True),
    ("repeat: empty & near(mine) > 0 -> mine", True, False),
    ("spread from placed: theirs & near(mine) > near(theirs) -> mine", True, False),
    ("theirs & near(mine) > 0 -> mine", None, False),
]

# Descriptions, by the name of their file.
FILES = {
    "misspelt.toml": 'extends = "populace"\n[moves.place]\nto = "droppable(minee)"\n',
    "swapped.toml": 'extends = "populace"\n[moves.place]\nto = "empyt"\n',
    "type.toml": 'extends = "populace"\n[moves.place]\nto = "surplus + 1"\n',
    "sets.toml": 'extends = "populace"\n[moves.place]\nto = "empty & mine == theirs"\n',
    "truth.toml": 'extends = "populace"\n[end]\nwhen = "empty"\n',
    "syntax.toml": 'name = "A\n[moves]\n',
    "expression.toml": 'extends = "populace"\n[moves.place]\nto = "empty & (near(mine) > 0"\n',
    "key.toml": 'extends = "populace"\n[moves.place]\ntoo = "empty"\n',
    "child.toml": 'extends = "misspelt.toml"\nname = "Child"\n',
    "grandchild.toml": 'extends = "child.toml"\nname = "Grandchild"\n[options]\nthreat = { default = 3 }\n',
    "parent.toml": 'extends = "populce"\n',
    "itself.toml": 'extends = "itself.toml"\n',
    "stuck.toml": HEADER + '[moves.place]\nto = "empty & near(mine) == 0"\n[end]\nwhen = "count(empty) == 0"\nscore = "count(mine)"\n',
    "number.toml": HEADER + '[state]\nn = { type = "number", range = [0, 1], about = "n" }\n[moves.drop]\nto = "empty"\nthen = "n = n + 1"\n'
                   '[end]\nwhen = "count(empty) == 0"\nscore = "count(mine) + n"\n',
    "board.toml": 'extends = "populace"\n[options]\nboard = { default = "hexhx:2", about = "any" }\n',
    "range.toml": 'extends = "populace"\n[options]\nthreat = { default = 9, range = [1, 6], about = "t" }\n',
    "triangle.toml": 'extends = "populace"\n[board]\nedges = "a-b b-c c-a"\n',
    "loop.toml": 'extends = "populace"\n[board]\nedges = "a-b b-b"\n',
    "leap.toml": 'extends = "populace"\n[moves.place]\nleap = "orth"\n',
    "superko.toml": 'extends = "populace"\n[moves.place]\nlegal = "!superko"\n',
    "parts.toml": 'extends = "populace"\n[end]\nscore = "groups(mine)"\n',
    "seed.toml": 'extends = "populace"\n[end]\nscore = "sum(groups(mine))"\n',
    "round.toml": 'extends = "populace"\n[moves.place]\nthen = "repeat: stones & near(mine) > 1 -> mine, stones & near(mine) < 2 -> theirs"\n',
    "two.toml": 'extends = "populace"\n[moves.place]\nthen = "spread from placed: theirs -> mine, empty -> mine"\n',
    "next.toml": 'extends = "populace"\n[moves.place]\nnext = "shot"\n',
    "unused.toml": 'extends = "populace"\n[parts.shot]\nfrom = "theirs"\n',
    "shape.toml": 'extends = "populace"\n[moves.place]\nshape = "xy"\n',
    "both.toml": 'extends = "populace"\n[end]\nwins = "any(mine)"\nboth = "neither"\n',
    "divisor.toml": 'extends = "populace"\n[end]\nscore = "1 / count(mine)"\n',
    "straight.toml": 'extends = "populace"\n[moves.pass]\nwhen = "any(line(mine, 2, anywhere))"\n',
    "empty.toml": "",
    "binary.toml": bytes(range(256)) * 8,
    "zeros.toml": bytes(500),
    "latin.toml": b'name = "Caf\xe9"\n',
}


def _files():
    """(file, what must be said)."""
    return [
        ("misspelt.toml", ["misspelt.toml:3:17", "minee", "did you mean 'mine'?", "^~~~~"]), ("swapped.toml", ["swapped.toml:3:7", "did you mean 'empty'?"]),
        ("type.toml", ["type.toml:3:7", "number for each cell", "set of cells", "^~~~~~~~~~~"]), ("sets.toml", ["sets.toml:3:", "^"]), ("truth.toml", ["truth.toml:3:9", "any(", "^"]),
        ("syntax.toml", ["syntax.toml:1:", "^"]), ("expression.toml", ["expression.toml:3:", "^", ")"]), ("key.toml", ["key.toml:3:1", "'too'", "'to'", "^~~"]),
        ("child.toml", ["misspelt.toml:3:17", "^"]), ("grandchild.toml", ["misspelt.toml:3:17", "^"]), ("parent.toml", ["parent.toml:1:12", "did you mean 'populace'?", "^"]),
        ("itself.toml", ["itself.toml:1:12", "^"]), ("stuck.toml", ["no move", "x1o 1", "stuck"]), ("number.toml", ["drop", "range", "o2 1 n=1"]),
        ("leap.toml", ["leap.toml:3:1", "no 'leap'", "jump =", "^~~~"]), ("superko.toml", ["superko.toml:3:11", "no 'superko'", "all positions before", "^"]),
        ("parts.toml", ["parts.toml:3:10", "the parts of a set", "count(groups(S))", "^"]), ("seed.toml", ["seed.toml:3:", "sum(g in groups(S)", "^"]),
        ("round.toml", ["round.toml:3:9", "round for ever", "^"]), ("two.toml", ["two.toml:3:", "repeat", "^"]), ("next.toml", ["next.toml:3:9", "[parts.shot]", "^"]),
        ("unused.toml", ["unused.toml:2:8", "next", "^"]), ("shape.toml", ["shape.toml:3:10", "'y'", "x./x./xx", "^"]), ("both.toml", ["both.toml:4:9", "mover_wins", "^"]),
        ("divisor.toml", ["divisor.toml:3:14", "may be 0", "^"]), ("straight.toml", ["straight.toml:3:", "straight", "^"]),
        ("range.toml", ["range.toml:3:", "9", "^"]), ("loop.toml", ["loop.toml:3:", "'b'", "^"]), ("empty.toml", ["empty.toml", "name"]),
        ("binary.toml", ["binary.toml:1:"]), ("zeros.toml", ["zeros.toml:1:"]), ("latin.toml", ["latin.toml:1:"]), ("missing.toml", ["missing.toml", "^"]),
        ("folder.toml", ["folder.toml", "^"]),
    ]


ERRORS = [(["solve", f"./{name}"] + ([] if name in ("stuck.toml", "number.toml") else ["--board", "path:2"] if name != "loop.toml" else []), 2, words)
          for name, words in _files()]
ERRORS += [
    (["solve", "board.toml"], 2, ["board.toml:3:", "hexhx", "did you mean 'hexhex'?", "^"]),
    # Commands, options and their values.
    ([], 2, ["--help"]), (["frobnicate"], 2, ["frobnicate"]), (["sovle", "populace"], 2, ["did you mean 'solve'?"]), (["solve"], 2, ["VARIANT"]),
    (["solve", "populac"], 2, ["did you mean 'populace'?", "^~~~~~~"]), (["solve", "populace", "--bord", "path:2"], 2, ["did you mean '--board'?"]),
    (["solve", "populace", "--board", "path:2", "--theads", "2"], 2, ["did you mean '--threads'?"]), (["solve", "populace", "path:2"], 2, ["path:2"]),
    (["solve", "populace", "--board", "path:2", "--threads", "0"], 2, ["--threads"]), (["solve", "populace", "--threads", "two"], 2, ["--threads"]),
    (["solve", "populace", "--progress", "loud"], 2, ["--progress"]), (["solve", "populace", "--method", "guess"], 2, ["--method"]),
    (["solve", "populace", "--set", "thret=2"], 2, ["did you mean 'threat'?", "^~~~~"]), (["solve", "populace", "--set", "threat=7"], 2, ["1..6", "^"]),
    (["solve", "populace", "--set", "threat=0"], 2, ["1..6", "^"]), (["solve", "populace", "--set", "threat=many"], 2, ["1..6", "^~~~"]),
    (["solve", "populace", "--set", "threat=2.5"], 2, ["1..6", "^~~"]), (["solve", "populace", "--set", "threat"], 2, ["threat=", "^"]),
    (["solve", "populace", "--set", "move_to=nodrop"], 2, ["did you mean 'no_drop'?", "^~~~~~"]), (["solve", "populace", "--set", "button=yes"], 2, ["on, off", "^~~"]),
    (["solve", "populace", "--set", ""], 2, ["options", "^"]), (["solve", "populace", "--set", "threat=1", "--set", "threat=2"], 2, ["twice", "^"]),
    (["solve", "populace", "--board", "path:2", "--set", "board=path:3"], 2, ["twice", "^"]), (["solve", "populace", "--board", "path:2", "--board", "path:3"], 2, ["--board"]),
    (["solve", "populace", "--board", "path:2", "--against", "threat=9"], 2, ["1..6", "^"]),
    # Boards.
    (["solve", "populace", "--board", "hexhx:2"], 2, ["did you mean 'hexhex'?", "^~~~~"]), (["solve", "populace", "--board", "dodecahedron"], 2, ["square:WxH", "^"]),
    (["solve", "populace", "--board", ""], 2, ["--board"]), (["solve", "populace", "--board", "hexhex:0"], 2, ["hexhex:N", "^"]), (["solve", "populace", "--board", "hexhex:-2"], 2, ["^~"]),
    (["solve", "populace", "--board", "square:3"], 2, ["square:WxH", "^"]), (["solve", "populace", "--board", "square:3x"], 2, ["square:WxH", "^"]),
    (["solve", "populace", "--board", "square:3x3x3"], 2, ["square:WxH", "^"]), (["solve", "populace", "--board", "path:99999999999999999999"], 2, ["path:N", "^"]),
    (["solve", "populace", "--board", "edges:"], 2, ["a-b", "^"]), (["solve", "populace", "--board", "edges:a-a"], 2, ["'a'", "^"]), (["solve", "populace", "--board", "edges:a--b"], 2, ["a-b", "^"]),
    (["solve", "populace", "--board", "edges:a*-b"], 2, ["'*'", "^"]), (["solve", "populace", "--board", "edges:pass-b"], 2, ["'pass'", "^~~~"]),
    # Limits.
    (["solve", "populace", "--board", "square:9x9"], 3, ["81", "64", "^"]), (["solve", "populace", "--board", "path:65"], 3, ["65", "64"]), (["info", "populace", "--board", "hexhex:6"], 3, ["91", "64"]),
    (["query", "populace", "--board", "hexhex:9", "--moves-only"], 3, ["217", "64"]), (["count", "populace", "--board", "square:9x9", "--depth", "1"], 3, ["64"]),
    (["solve", "populace", "--board", "edges:" + " ".join(f"n{i}-n{i + 1}" for i in range(64))], 3, ["65", "64"]), (["solve", "populace", "--board", "path:2", "--memory", "100"], 3, ["memory"]),
    (["query", "populace", "--board", "square:7x7", "--memory", "1G"], 3, ["needs at least", "1.0 GB"]),
]
ERRORS += [(["solve", "populace", "--board", "path:2", "--memory", size], 2, ["--memory", "500M", "^"]) for size in ("0", "1X", "-1", "1e9", "lots", "1..5G", "G", " 2G", "2 G", "1e30", "99999999999T")]
ERRORS += [(["solve", "populace", "--board", "path:2", "--memory", ""], 2, ["--memory"])]

# Goals: options, goal, and what is found - exit code, plies, lines, the first line in board order, what is proven.
GOALS = [
    ({"variant": "tic-tac-toe"}, "any(line(x, 3))", 0, 5, 1440, "a1 b1 a2 c1 a3", None),
    ({"variant": "tic-tac-toe"}, "any(line(o, 3)) & any(line(x, 3))", 1, None, 0, None, "exhausted"),
    ({"variant": "mu-torere"}, "count({1 3 5 7} & x) == 4", 0, 11, 11, "1-m 8-1 m-8 1-m 2-1 m-2 4-m 5-4 m-5 7-m 8-7", None),
    ({"board": "path:3"}, "!any(stones)", 0, 0, 1, "", None),
]

# Positions of hexhex:2 and what stands under the caret.
_POSITIONS = [
    (" ", ""), ("x", ""), ("2/3/2", ""), ("2/3/2 3", "3"), ("2/3/2 0", "0"), ("2/3/2 w", "w"), ("2/3/2 12", "12"), ("2/3/2 1 1", "1"), ("2/3/2 1 passes=-1", "-1"), ("2/3/2 1 passes=", ""),
    ("2/3/2 1 passes=3", "3"), ("2/3/2 1 passes=9", "9"), ("2/3/2 1 passes=1.5", "1.5"), ("2/3/2 1 passes=1 passes=1", "passes=1"), ("2/3/2 1 button=first", "button"), ("2/3/2 1 pases=1", "pases"),
    ("3/2/2 1", "3"), ("2/3/2/2 1", "/2"), ("2/3 1", ""), ("2/3/3 1", "3"), ("2/3/1 1", "1"), ("xz/3/2 1", "z"), ("xX/3/2 1", "X"), ("0/3/2 1", "0"), ("x0x/3/2 1", "0"), ("xxx/3/2 1", "x"),
    ("11111111111111111111111/3/2 1", "11111111111111111111111"), ("2//3/2 1", "/"), ("/3/2 1", "/"), ("2/é2/2 1", "é"), ("2/3/2 1 =1", "="), ("2/3/2 1 passes=1=2", "1=2"), ("7 1", "7"),
]
_MOVES = [
    ("a1 a1", "a1"), ("a1*", "a1*"), ("a1-", "a1-"), ("d1", "d1"), ("a1,a2", "a1,a2"), ("Pass", "Pass"), ("a1-a2", "a1-a2"), ("a1 x@a2", "x@a2"), ("pass pass pass", "pass"),
    ("pass pass a1", "a1"), ("a1 é", "é"), ("a1 a2", "a2"), ("a1xa2", "a1xa2"),
]
CARETS = [(["query", "populace", "--board", "hexhex:2", "--moves-only", position], under) for position, under in _POSITIONS]
CARETS += [(["query", "populace", "--board", "hexhex:2", position, "--json"], under) for position, under in _POSITIONS[:6]]
CARETS += [(["count", "populace", "--board", "hexhex:2", "--depth", "1", "--position", position], under) for position, under in _POSITIONS[:6]]
CARETS += [(["query", "populace", "--board", "hexhex:2", "--moves-only", "--moves", moves], under) for moves, under in _MOVES]
CARETS += [(["query", "populace", "--board", "path:2", "2 1 passes=2", "--moves", "1"], "1"), (["query", "populace", "--board", "path:2", "--set", "button=on", "2 1 button=both"], "both")]
CARETS += [(["reach", "populace", "--board", "path:3", "--goal", goal], under) for goal, under in (
    ("any(minee)", "minee"), ("count(x) >= 3 & any(minee)", "minee"), ("mine", "mine"), ("count(x)", "count(x)"), ("{4} == {1}", "4"), ("any(mine))", ")"), ("near(x) > ", ""), ("any(from)", "from"))]
CARETS += [(["reach", "populace", "--board", "path:3", "--goal", "any(x)", "--position", "x 1"], "x"), (["reach", "populace", "--board", "path:3", "--goal", "any(x)", "--moves", "4"], "4")]
CARETS += [(["reach", "morris", "--goal", "passes == 300"], "passes == 300")]
ERRORS += [(arguments, 2, ["^"]) for arguments, _ in CARETS]
ERRORS += [(["reach", "populace"], 2, ["--goal"]), (["reach", "populace", "--goal", ""], 2, ["--goal"]), (["reach", "populace", "--goal", "any(x)", "--depth", "-1"], 2, ["--depth"]),
           (["reach", "populace", "--board", "path:3", "--goal", "any(minee)"], 2, ["--goal", "did you mean 'mine'?"])]

# Near the least memory that is enough, whether that is known beforehand or not: never more is used.
TIGHT = [(["solve", "populace", "--board", "hexhex:3", "--method", "graph"], 60), (["solve", "populace", "--board", "hexhex:3", "--method", "graph"], 100)]
TIGHT += [([command, "populace", "--board", "square:2x5", "--set", "button=on"], memory) for command in ("solve", "query") for memory in (34, 40, 60)]
TIGHT += [(["solve", "populace", "--board", "hexrect:3x4"], 132)]
