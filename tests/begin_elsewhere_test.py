#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Games solved from another position than their start, and how long wins take: begin_elsewhere_test.py PATH_TO_PLENUM

What is said from a position is held against a walk through all that can be reached from it, whose values come from the whole game.
"""

import collections
import json
import os
import tempfile

from plenum_command import LITTLE_FOR_SEARCH, check, run, run_tests


def answer(*arguments):
    code, out, err = run(*arguments, "--json")
    check(code == 0, arguments, "fails", err)
    return json.loads(out)


def walk(game, position):
    """Every position that can be reached, with what query says of it."""
    found, asked = {}, [position] if position else [answer("query", *game)["position"]]
    while asked:
        code, out, err = run("query", *game, "--stdin", stdin="\n".join(asked) + "\n")
        check(code == 0, game, "query fails", err)
        for line in map(json.loads, out.splitlines()):
            found[line["position"]] = line
        asked = sorted({m["position"] for p in asked for m in found[p]["moves"]} - set(found))
    return found


def counted(found):
    """What solve has to say of these positions."""
    out = {"first": collections.Counter(), "second": collections.Counter()}
    for one in found.values():
        value = one["value"]
        if value["plies"]:
            out[value["outcome"]][str(value["plies"])] += 1
    return out


CASES = [
    (["tic-tac-toe"], None, ["graph", "one-pass"]),
    (["tic-tac-toe"], "xo1/3/3 1", ["graph", "one-pass"]),
    (["tic-tac-toe", "--set", "misere=on"], "1x1/xox/o1o 1", ["graph", "one-pass"]),
    (["populace", "--board", "path:5"], None, ["graph", "rows"]),
    (["populace", "--board", "path:5"], "1x3 2", ["graph"]),
    (["populace", "--board", "path:5"], "2x2 2", ["graph", "rows"]),
    (["populace", "--board", "square:2x2", "--set", "button=on"], "x1/1o 1 button=second", ["graph"]),
    (["hexapawn"], None, ["graph"]),
    (["hexapawn"], "ooo/x2/1xx 2", ["graph"]),
]


def test_cases():
    for game, position, methods in CASES:
        found = walk(game, position)
        wins = counted(found)
        for method in methods:
            where = (game, position, method)
            data = answer("solve", *game, *(["--position", position] if position else []), "--method", method, "--no-table")
            check(data.get("position") == position, where, "begins at", data.get("position"))
            check(data["positions"]["reachable"] >= len(found), where, data["positions"]["reachable"], "positions of", len(found))
            begun = found[position or next(iter(found))]
            check(data["value"] == begun["value"], where, data["value"], "is not", begun["value"])
            check([o["move"] for o in data["openings"]] == [m["move"] for m in begun["moves"]], where, "openings")
            for player in ("first", "second"):
                check(data["lengths"][player] == wins[player], where, player, data["lengths"][player], "is not", wins[player])
                longest = max(map(int, wins[player]), default=None)
                check(data["longest"][player] == longest, where, player, "longest", data["longest"][player], "is not", longest)
                text = data["longest_positions"][player]
                check((text is None) == (longest is None), where, text)
                if text is not None:
                    value = found[text]["value"] if text in found else None
                    check(value and value["outcome"] == player and value["plies"] == longest, where, text, value)


SWAPPED = {"first": "second", "second": "first"}
SECOND_BEGINS = [
    ("tic-tac-toe", [], ["graph", "one-pass", "rows", "bits", "search"]),
    ("tic-tac-toe", ["--set", "misere=on", "--set", "k=2"], ["graph", "one-pass", "rows", "bits", "search"]),
    ("populace", ["--board", "path:5"], ["graph", "rows"]),
    ("populace", ["--board", "square:2x2", "--set", "button=on"], ["graph"]),
    ("clobber", ["--board", "square:3x4"], ["graph", "search"]),
    ("in-crowd", ["--board", "square:2x2"], ["graph", "one-pass"]),
    ("taifas", ["--board", "square:2x2"], ["graph", "one-pass"]),
]


def test_second_begins():
    """A game that treats both players alike is the same with the names exchanged if second begins."""
    with tempfile.TemporaryDirectory() as folder:
        for game, settings, methods in SECOND_BEGINS:
            file = os.path.join(folder, "begun.toml")
            with open(file, "w", encoding="utf-8") as out:
                out.write(f'name = "Begun by second"\nextends = "{game}"\n[start]\nbegins = "second"\n')
            for method in methods:
                where = (game, settings, method)
                usual = answer("solve", game, *settings, "--method", method, "--no-table")
                other = answer("solve", file, *settings, "--method", method, "--no-table")
                wanted = dict(usual["value"], outcome=SWAPPED.get(usual["value"]["outcome"], usual["value"]["outcome"]))
                if wanted["margin"]:
                    wanted["margin"] = -wanted["margin"]
                check(other["value"] == wanted, where, other["value"], "is not", wanted)
                counts = {SWAPPED.get(key, key): value for key, value in (usual["positions"] or {}).items()}
                check((other["positions"] or {}) == counts, where, other["positions"], "is not", counts)
                if usual["lengths"]:
                    check(other["lengths"] == {"first": usual["lengths"]["second"], "second": usual["lengths"]["first"]}, where, other["lengths"])
            kept = answer("solve", file, *settings)
            asked = answer("query", file, *settings)
            check(asked["position"].split()[1] == "2" and asked["value"] == kept["value"], game, "a query after it:", asked["position"])


def test_unknown():
    """Where plies are not known, nothing is said of them."""
    for arguments in (["--method", "bits", "--no-table"], ["--method", "search"], ["--method", "one-pass", "--no-remoteness", "--no-table"]):
        data = answer("solve", "tic-tac-toe", *arguments)
        check([data[key] for key in ("longest", "longest_positions", "lengths")] == [None] * 3, arguments, data["longest"])
        check("How long a win takes" not in run("solve", "tic-tac-toe", *arguments)[1], arguments)


def test_asked_for():
    """Where the look takes longer than the solve it has to be asked for, and says what the graph says."""
    game = ["populace", "--board", "path:12"]
    rows = [*game, "--method", "rows", "--no-table"]
    check(answer("solve", *rows)["longest"] is None, "not asked for")
    check(answer("solve", *rows, "--lengths")["lengths"] == answer("solve", *game, "--method", "graph")["lengths"], "rows and graph")


def test_search_and_bits():
    """The methods that know the start alone say of a position what the graph says."""
    for position in ("xo1/3/3 1", "x2/1o1/3 1", "xox/3/3 2"):
        graph = answer("solve", "tic-tac-toe", "--position", position, "--method", "graph")
        for method in ("search", "bits"):
            code, out, err = run("solve", "tic-tac-toe", "--position", position, "--method", method, "--no-table", "--json")
            check(code == 0, method, position, err)
            if code == 0:
                check(json.loads(out)["value"]["outcome"] == graph["value"]["outcome"], method, position)


def test_refused():
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "t.plenum")
        code, _, said = run("solve", "tic-tac-toe", "--moves", "b2", "--table", table, "--method", "one-pass")
        check(code == 2 and "a table is of a whole game" in said and not os.path.exists(table), code, said)
    code, _, said = run("solve", "populace", "--board", "path:5", "--position", "1x3 2", "--method", "rows")
    check(code == 2 and "not the same under all symmetries" in said, code, said)
    code, _, said = run("solve", "chess", "--board", "square:4x4", "--set", "material=KRvK", "--position", "k3/4/1K2/3R w - -", "--method", "ending")
    check(code == 2 and "begins at none" in said, code, said)


def test_cache_folder():
    """A table of the whole game is neither taken for a position nor written over by it."""
    whole = answer("solve", "tic-tac-toe", "--method", "one-pass")
    part = answer("solve", "tic-tac-toe", "--method", "one-pass", "--moves", "b2 b1")
    check("table" in whole and "table" not in part, part.get("table"))
    check(part["positions"]["reachable"] < whole["positions"]["reachable"], part["positions"])
    again = answer("solve", "tic-tac-toe", "--method", "one-pass")
    check(again["positions"] == whole["positions"] and again["lengths"] == whole["lengths"], "the table of the whole game")


def test_query():
    """A position of a game that is far too large is solved from there."""
    hex_game = ["hex", "--board", "hexrect:5x5"]
    position = "xoxox/oxoxo/5/xoxox/5 1"
    data = answer("query", *hex_game, position)
    check(data["solved_from"] == position and data["reachable"] is None, data["solved_from"], data["reachable"])
    solved = answer("solve", *hex_game, "--position", position, "--method", "graph")
    check(data["value"] == solved["value"] and data["value"]["plies"] is not None, data["value"], solved["value"])
    check("solved from here" in run("query", *hex_game, position)[1], "the page says where it began")
    small = answer("query", "tic-tac-toe", "xo1/3/3 1")
    check(small["solved_from"] == "3/3/3 1" and small["reachable"] is True, small["solved_from"])
    outside = answer("query", "populace", "--board", "path:3", "xxx 1")
    check(outside["reachable"] is False and outside["solved_from"] == "xxx 1", outside)
    # Many positions of a game whose graph does not fit: each is answered, from where it must be.
    tight = ["--memory", LITTLE_FOR_SEARCH]
    lines = [position, "xoxox/oxoxo/5/xoxox/x4 2", "nonsense"]
    code, out, err = run("query", *hex_game, *tight, "--stdin", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in out.splitlines()]
    check(code == 2 and len(answers) == 3 and "error" in answers[2], code, out, err)
    check(answers[0].get("value", {}).get("outcome") == data["value"]["outcome"], answers[0])


def test_cycles():
    game = ["populace", "--board", "path:9"]
    whole = answer("cycles", *game)
    part = answer("cycles", *game, "--position", "x8 2")
    check("position" not in whole and part["position"] == "x8 2", part.get("position"))
    check(part["reachable"] <= whole["reachable"] and part["reachable"] == answer("solve", *game, "--position", "x8 2", "--method", "graph")["positions"]["reachable"], part["reachable"])


def test_pages():
    code, out, _ = run("solve", "tic-tac-toe", "--position", "xo1/3/3 1")
    check(code == 0 and out.startswith("From xo1/3/3 1, first to move:"), out)
    check("How long a win takes\n" in out and "first: " in out, out)


run_tests(globals())
