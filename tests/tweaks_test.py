#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cycles, compare and sweep as their users meet them: JSON, pages, files, exit codes, messages, the cache.

    tests/tweaks_test.py PATH_TO_PLENUM

What cycles and compare say is worked out again from what `query` says of single positions. ONLY=sweep runs the tests whose names hold that word.
Needs nothing but Python 3.
"""

import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True  # nothing is left in the source tree

from command_line.session import PLENUM, SANITIZED, answer, ask, check, equal, run, totals

TWEAK = """
name = "Short steps"
extends = "populace"
options.threat.default = 1
moves.move.within = "1"
"""
SWEEP = ["sweep", "populace", "--board", "path:3..6,square:2x2,square:2x3", "--set", "threat=1..3", "--set", "button=off,on"]


def fresh_cache(folder):
    os.environ["PLENUM_CACHE"] = folder


def lines(ran):
    return [json.loads(line) for line in ran.out.splitlines()]


def without_cost(rows):
    return [{key: value for key, value in row.items() if key != "cost"} for row in rows]


# ----------------------------------------------------------------------------------------------------- cycles


def test_cycles_trap():
    for options in ({"board": "path:9"}, {"board": "square:2x4", "button": "on"}, {"variant": "mu-torere"}):
        data = answer("cycles", options)
        solve = answer("solve", options)
        equal([data["cycle"], data["forced_cycle"]], [solve["positions"]["cycle"], solve["positions"]["forced_cycle"]], options)
        equal([data["components"], data["largest"], data["positions"]], [solve["cycles"][k] for k in ("components", "largest", "positions")], options)
        equal(sum(int(size) * n for size, n in data["sizes"].items()), data["positions"], options, "sizes of components")
        equal(sum(row["forced_cycle"] for row in data["by_stones"]), data["forced_cycle"], options, "by stones")
        equal(sum(row["going_on"] for row in data["by_stones"]), solve["positions"]["reachable"] - solve["positions"]["ended"], options)
        trap = data["trap"]
        if not check(trap is not None and trap["smallest_proven"] and trap["complete"], options, "no trap"):
            continue
        members = set(trap["positions"])
        equal([len(trap["positions"]), len(members)], [trap["size"]] * 2, options, "positions of the trap")
        # Each position by itself: what keeps the value stays inside, what does not loses.
        keeping = {}
        for position, moves, asked in zip(trap["positions"], trap["moves"], ask(options, trap["positions"])):
            equal([asked["value"]["outcome"], asked["value"]["margin"], asked["reachable"]], ["cycle", 0, True], options, position)
            equal([(m["move"], m["margin"], m["plies"], m["position"]) for m in moves],
                  [(m["move"], m["margin"], m["plies"], m["position"]) for m in asked["moves"]], options, position)
            keeping[position] = {m["position"] for m in asked["moves"] if m["margin"] == 0}
            check(keeping[position] <= members, options, position, "is left by a move that keeps the value")
            equal({m["position"] for m in moves if m["keeps"]}, keeping[position], options, position)
            loser = 1 if position.split()[1] == "1" else -1
            check(all(m["margin"] * loser < 0 for m in asked["moves"] if m["margin"] != 0), options, position, "moves that lose")
        for position in members:  # all of it from everywhere
            seen, stack = {position}, [position]
            while stack:
                for following in keeping[stack.pop()] - seen:
                    seen.add(following)
                    stack.append(following)
            equal(seen, members, options, position, "does not reach the whole trap")
        length = trap["cycle_length"]
        for i in range(length):
            check(trap["positions"][(i + 1) % length] in keeping[trap["positions"][i]], options, "no cycle")
        # The line into it.
        equal(ask(options, [{"moves": " ".join(trap["line"])}])[0]["position"] in members, True, options, "the line ends elsewhere")
        equal(len(trap["line_gives_away"]), len(trap["line"]), options)


def test_cycles_none():
    data = answer("cycles", {"board": "square:2x4"})
    equal([data["cycle"], data["forced_cycle"], data["trap"], data["cyclic"]], [0, 0, None, True], "square:2x4")
    example = data["example"]
    at = ask({"board": "square:2x4"}, [{"moves": " ".join(example["line"])}, {"moves": " ".join(example["line"] + example["round"])}])
    equal([a["position"] for a in at], [example["position"]] * 2, "the way round comes back")
    data = answer("cycles", {"board": "square:2x4", "button": "on"})
    equal([data["cycle"], data["forced_cycle"]], [96, 96], "square:2x4 with the button")
    data = answer("cycles", {"variant": "tic-tac-toe", "board": "square:3x3"})
    equal([data["cyclic"], data["trap"], data["example"], data["components"]], [False, None, None, 0], "tic-tac-toe")
    page = run("cycles", "tic-tac-toe").out
    check("no position can come back" in page, page)
    page = run("cycles", "populace", "--board", "path:9").out
    for part in ("2,450", "whoever leaves loses", "The smallest trap nearest the start: 4 positions", "pass: keeps, to 2", "loses by 1 at once", "1 pass 2"):
        check(part in page, "path:9 without", part, page)


def test_cycles_by_rows():
    counted = ("forced_cycle", "cycle", "reachable")
    by = {m: json.loads(run("cycles", "populace", "--board", "path:9", "--method", m, "--json").out) for m in ("graph", "rows")}
    equal([by["rows"][k] for k in counted], [by["graph"][k] for k in counted], "the counts by rows")
    equal([by[m]["method"] for m in by], list(by), "the method asked for")
    equal([by[m]["trap"]["smallest_proven"] for m in by], [True, False], "which trap is proven to be smallest")
    # From the nearest forced cycle play can go too far.
    far = ("cycles", "populace", "--board", "path:10", "--set", "button=on", "--method", "rows")
    page = run(*far).out
    check("there are some, as play can be forced to go round, but none to show" in " ".join(page.split()), page)
    with tempfile.TemporaryDirectory() as folder:
        ran = run(*far, "--dot", os.path.join(folder, "trap.dot"))
        check(ran.code == 2 and "no trap was found on path:10" in ran.err, ran)
    for method, said in (("bits", "--method: bits not in {"), ("ending", "cannot be solved by ending")):
        ran = run("cycles", "taifas", "--board", "square:3x3", "--method", method)
        check(ran.code == 2 and said in ran.err, ran)


def test_cycles_files():
    with tempfile.TemporaryDirectory() as folder:
        dot, graphml = os.path.join(folder, "trap.dot"), os.path.join(folder, "trap.graphml")
        ran = run("cycles", "populace", "--board", "path:9", "--json", "--dot", dot, "--graphml", graphml)
        trap = json.loads(ran.out)["trap"]
        edges = sum(m["keeps"] for moves in trap["moves"] for m in moves)
        text = pathlib.Path(dot).read_text(encoding="utf-8")
        check(text.startswith("digraph"), text)
        equal([text.count("->"), text.count("label=")], [edges, edges + trap["size"]], "arrows and labels")
        check(all(position in text for position in trap["positions"]), text)
        graph = xml.etree.ElementTree.parse(graphml).getroot()
        name = {key.get("id"): key.get("attr.name") for key in graph.findall(".//{*}key")}
        nodes = [{name[d.get("key")]: d.text for d in node} for node in graph.findall(".//{*}node")]
        equal([n["position"] for n in nodes], trap["positions"], "vertices")
        equal({n["mover"] for n in nodes}, {"first", "second"}, "movers")
        equal(len(graph.findall(".//{*}edge")), edges, "edges")
        ran = run("cycles", "populace", "--board", "square:2x3", "--dot", dot)
        check(ran.code == 2 and "there is no trap" in ran.err and "square:2x3" in ran.err, ran)
        ran = run("cycles", "populace", "--board", "path:9", "--dot", os.path.join(folder, "none", "x.dot"))
        check(ran.code == 3 and "cannot write" in ran.err, ran)


# ----------------------------------------------------------------------------------------------------- compare


def values(options):
    """Every reachable position with its value, by asking for one after the other."""
    out = {}
    waiting = [{"moves": ""}]
    while waiting:
        following = []
        for found in ask(options, waiting):
            out[found["position"]] = found["value"]
            following += [m["position"] for m in found["moves"]]
        waiting = sorted(set(following) - set(out))
    return out


def test_compare_counts():
    for one, other in (({"board": "path:4"}, {"board": "path:4", "threat": "1"}), ({"board": "square:2x2"}, {"board": "square:2x2", "button": "on"}),
                       ({"board": "path:5", "move": "off"}, {"board": "path:5", "move": "off", "replace": "off"})):
        pairs = {key: value for key, value in other.items() if key != "board"}
        sets = [f"{key}={value}" if key in one else f"{key}={default},{value}"
                for key, value in pairs.items() for default in [{"threat": 2, "button": "off", "replace": "on"}.get(key)]]
        ran = run("compare", "populace", "--board", one["board"], "--json", *[x for s in sets for x in ("--set", s)])
        data = json.loads(ran.out)
        a, b = values(one), values(other)
        common = set(a) & set(b)
        changed = {p for p in common if (a[p]["outcome"], a[p]["margin"]) != (b[p]["outcome"], b[p]["margin"])}
        equal(data["positions"], {"common": len(common), "only_a": len(a) - len(common), "only_b": len(b) - len(common)}, one, other)
        equal([data["changed"], data["any_changed"]], [len(changed), bool(changed)], one, other)
        equal(ran.code, 1 if changed else 0, one, other, "exit code")
        for x, row in data["outcomes"].items():
            for y, n in row.items():
                equal(n, sum(a[p]["outcome"] == x and b[p]["outcome"] == y for p in common), one, other, x, y)
        for at in data["nearest"]:
            check(at["position"] in changed, at)
            equal([at["a"], at["b"]], [a[at["position"]], b[at["position"]]], at["position"])


def test_compare_arguments():
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "mine.toml")
        pathlib.Path(name).write_text(TWEAK, encoding="utf-8")
        board = ["--board", "path:5", "--json"]

        def sides(*arguments):
            ran = run("compare", *arguments)
            check(ran.code in (0, 1) and ran.err == "", arguments, ran)
            data = json.loads(ran.out)
            return [(data[s]["variant"], data[s]["options"]["threat"], data[s]["options"]["button"]) for s in "ab"], data

        equal(sides("populace", name, *board)[0], [("Populace", 2, "off"), ("Short steps", 1, "off")], "two files")
        equal(sides("populace", name, *board, "--set", "threat=3")[0], [("Populace", 3, "off"), ("Short steps", 3, "off")], "set for both")
        equal(sides("populace", *board, "--set", "threat=3")[0], [("Populace", 2, "off"), ("Populace", 3, "off")], "one file")
        equal(sides("populace", *board, "--set", "threat=1,3", "--set", "button=on")[0], [("Populace", 1, "on"), ("Populace", 3, "on")], "a pair")
        equal(sides("populace", *board, "--set", "threat=1", "--set", "threat=3")[0], [("Populace", 1, "off"), ("Populace", 3, "off")], "one after the other")
        equal(sides("populace", "--json", "--set", "board=square:2x2,king:2x2")[1]["differences"], [{"what": "board", "a": "square:2x2", "b": "king:2x2"}], "boards of the same cells")
        same = sides("populace", *board)[1]
        equal([same["any_changed"], same["differences"], same["parting"], same["nearest"]], [False, [], None, []], "the same")
        names = {d["what"] for d in sides("populace", name, *board)[1]["differences"]}
        equal(names, {"moves.move.within", "threat"}, "what differs")
        # A page: the difference, the matrix, what to do next.
        page = run("compare", "populace", name, "--board", "path:5").out
        for part in ("A: Populace on path:5", "B: Short steps on path:5", "surplus + 1 in A", "A is \\ B is", "plenum query populace '", f"plenum query {name} '"):
            check(part in page, "the page is without", part, page)
        commands = [line.strip() for line in page.splitlines() if line.strip().startswith("plenum query")]
        for command in commands:
            done = subprocess.run(["bash", "-c", command.replace("plenum", f"'{PLENUM}'", 1)], capture_output=True, text=True, check=False)
            check(done.returncode == 0 and "wins" in done.stdout, command, done)
        # Two games of no common position: their starts differ, and so does their value.
        own = os.path.join(folder, "own.toml")
        pathlib.Path(own).write_text('name = "Own"\nextends = "hexapawn"\nstart.o = "{a3 b3}"\n', encoding="utf-8")
        ran = run("compare", "hexapawn", own, "--json")
        data = json.loads(ran.out)
        equal([ran.code, data["any_changed"], data["start_changed"], data["positions"]["common"]], [1, True, True, 0], "other starts")
        check("no position could be compared" in run("compare", "hexapawn", own).out, "in words")
        # Moves written alike that lead elsewhere, flags that start elsewhere, tables with nothing in them.
        doubles = os.path.join(folder, "doubles.toml")
        pathlib.Path(doubles).write_text('name = "Doubles"\nextends = "populace"\n[moves.put]\nto = "empty & near(mine) > 0"\n'
                                         'then = "theirs & near(placed) > 0 -> mine"\n', encoding="utf-8")
        for board in ("path:5", "square:2x3"):
            ran = run("cycles", doubles, "--board", board, "--json")
            check(ran.code == 0, "cycles where moves are written alike", ran)
            ran = run("compare", "populace", doubles, "--board", board, "--json")
            check(ran.code == 1, "compare where moves are written alike", ran.err)
        limits = os.path.join(folder, "limits.toml")
        pathlib.Path(limits).write_text('name = "Limits"\n[options]\nboard = { default = "path:4" }\nlimit = { default = 3, range = [1, 8] }\nfar = { default = "off" }\n'
                                        '[state]\ntogo = { type = "number", range = [0, 8], start = "limit" }\n[moves.place]\nto = "if far then empty & near(theirs) == 0 else empty"\n'
                                        'then = "togo = togo - 1"\n[moves.pass]\nthen = "togo = togo - 1"\n[end]\nwhen = "togo == 0 | !any(empty)"\nstuck = "loses"\n'
                                        'score = "if far then 0 else count(mine) - count(mine & near(theirs) > 0)"\n', encoding="utf-8")
        data = json.loads(run("compare", limits, "--board", "path:4", "--set", "limit=3,5", "--set", "far=off,on", "--json").out)
        check(data["positions"]["common"] > 0 and data["nearest"], "flags with other starts", data["positions"])
        check(any(at["position"] != at["position_in_b"] for at in data["nearest"]), "written otherwise", data["nearest"])
        for at in data["nearest"]:
            for side, limit, far, position in (("a", 3, "off", at["position"]), ("b", 5, "on", at["position_in_b"])):
                found = json.loads(run("query", limits, position, "--set", f"limit={limit}", "--set", f"far={far}", "--json").out)
                equal(found["value"], at[side], limit, far, position)
        bare = os.path.join(folder, "bare.toml")
        pathlib.Path(bare).write_text('name = "Bare"\noptions.board.default = "path:4"\n[moves.place]\nto = "empty"\n[moves.pass]\n'
                                      '[end]\nwhen = "passes == 2"\nscore = "count(mine)"\nstuck = "scores"\n', encoding="utf-8")
        nopass = os.path.join(folder, "nopass.toml")
        pathlib.Path(nopass).write_text('name = "No pass"\nextends = "./bare.toml"\nmoves.pass = false\n', encoding="utf-8")
        equal({d["what"] for d in json.loads(run("compare", bare, nopass, "--json").out)["differences"]}, {"moves.pass"}, "a move with nothing in it")
        for wrong, part in ((["--set", "threat=1,2,3"], "two games take two"), (["--set", "threat=1,2", "--set", "threat=3"], "two games take two"),
                            (["--set", "thret=1"], "did you mean 'threat'"), (["--board", "path:3", "--board", "path:4"], "--board"), (["--set", "board=path:4"], "given twice"), (["--set", "threat=9"], "out of range"), (["--readings", name], "--readings takes one")):
            ran = run("compare", "populace", *wrong, "--board", "path:3")
            check(ran.code == 2 and part in ran.err and ran.out == "", wrong, ran)
        other = os.path.join(folder, "other.toml")
        pathlib.Path(other).write_text('name = "Other"\nextends = "populace"\noptions.board.default = "path:4"\n', encoding="utf-8")
        third = os.path.join(folder, "third.toml")
        pathlib.Path(third).write_text('name = "Third"\nextends = "populace"\noptions.board.default = "path:3"\n', encoding="utf-8")
        ran = run("compare", other, third)
        check(ran.code == 2 and "different boards: path:4 and path:3" in ran.err and "--board" in ran.err, ran)


def test_compare_readings():
    ran = run("compare", "populace", "--board", "path:5", "--readings", "--json")
    data = json.loads(ran.out)
    equal(ran.code, 1, "the button changes everything")
    rows = {(r["option"], r["value"]): r for r in data["readings"]}
    equal(set(rows), {("move_to", "no_drop"), ("move_to", "no_drop_lifted"), ("button", "on")}, "readings left open")
    for (option, value), row in rows.items():
        one = json.loads(run("compare", "populace", "--board", "path:5", "--set", f"{option}={value}", "--json").out)
        equal([row["common"], row["changed"], row["start_changed"]], [one["positions"]["common"], one["changed"], one["start_changed"]], option, value)
        equal(row["openings_changed"], sum(o["changed"] for o in one["openings"]), option, value)
        changes = "the start" if one["start_changed"] else "some opening" if row["openings_changed"] else "some position" if one["changed"] else "nothing"
        equal(row["changes"], changes, option, value)
    check(run("compare", "populace", "--board", "path:3", "--readings", "--set", "button=on").code in (0, 1), "with another base")
    equal(len(json.loads(run("compare", "populace", "--board", "path:3", "--readings", "--all-options", "--json").out)["readings"]), 11, "all options")
    ran = run("compare", "tic-tac-toe", "--readings")
    check(ran.code == 2 and "left no option open" in ran.err and "--all-options" in ran.err, ran)
    ran = run("compare", "populace", "--all-options")
    check(ran.code == 2, "--all-options alone", ran)


# ----------------------------------------------------------------------------------------------------- sweep


def test_sweep_rows():
    with tempfile.TemporaryDirectory() as folder:
        fresh_cache(folder)
        first = run(*SWEEP, "--json")
        rows = lines(first)
        equal([first.code, first.err, len(rows)], [0, "", 36], "36 games")
        equal([(r["options"]["board"], r["options"]["threat"], r["options"]["button"]) for r in rows],
              [(b, t, o) for b in ("path:3", "path:4", "path:5", "path:6", "square:2x2", "square:2x3") for t in (1, 2, 3) for o in ("off", "on")], "order")
        for row in rows[::5]:
            solved = answer("solve", {key: str(row["options"][key]) for key in ("board", "threat", "button")})
            lengths = [solved.pop(key) for key in ("longest", "longest_positions", "lengths")]  # a row has none of them
            equal(any(value is None for value in lengths), False, row["options"], "solve counts how long wins take")
            equal(without_cost([row]), without_cost([solved]), row["options"])
        start = time.time()
        again = run(*SWEEP, "--json")
        equal(again.out, first.out, "asked again")
        check(SANITIZED or time.time() - start < 1, "asking again takes", time.time() - start)
        equal(without_cost(lines(run(*SWEEP, "--json", "--fresh", "--threads", "1"))), without_cost(rows), "on one thread, anew")
        table = list(csv.DictReader(io.StringIO(run(*SWEEP, "--csv").out)))
        equal([(t["board"], t["threat"], t["outcome"], t["positions"], t["error"]) for t in table],
              [(r["options"]["board"], str(r["options"]["threat"]), r["value"]["outcome"], str(r["positions"]["reachable"]), "") for r in rows], "CSV")
        page = run(*SWEEP).out
        check("36 games: 0 solved now, 36 known from before, 0 not solved" in page and folder in page, page)
        check(len([line for line in page.splitlines() if line.startswith(("path:", "square:"))]) == 36, page)


def test_sweep_failures():
    with tempfile.TemporaryDirectory() as folder:
        fresh_cache(folder)
        ran = run("sweep", "connect-4", "--board", "square:2x3,path:4,square:3x3", "--json")
        rows = lines(ran)
        equal([ran.code, [("error" in r) for r in rows], [r["options"]["board"] for r in rows]],
              [0, [False, True, False], ["square:2x3", "path:4", "square:3x3"]], "a row that says what is wrong")
        check("'down' has no meaning" in rows[1]["error"] and rows[1]["exit_code"] == 2, rows[1])
        # Too large: with an even share of the memory, with all of it, and not again until there is more.
        big = ["sweep", "populace", "--board", "path:4,hexhex:3", "--json", "--memory"]
        for _ in range(0 if SANITIZED else 2):
            ran = run(*big, "25M")
            rows = lines(ran)
            check(ran.code == 0 and "error" not in rows[0] and "memory" in rows[1]["error"] and rows[1]["exit_code"] == 3, ran)
        ran = run("sweep", "populace", "--board", "hexhex:3", "--memory", "25M")
        check(ran.code == 3 and "the first that was not solved" in ran.out and "--memory" in ran.out, ran)
        for wrong, part in ((["--board", "path:3,pth:4"], "did you mean 'path'"), (["--set", "threat=3..1"], "this range is empty"),
                            (["--set", "threat=1,1"], "given twice"), (["--set", "threat=1", "--set", "threat=2"], "given twice"), (["--set", "threat=1,,2"], "a value is missing"),
                            (["--set", "threat="], "takes"), (["--set", "threat"], "needs a value"), (["--board", "path:1..200000"], "more than"), (["--board", "path:3,"], "a board is missing"),
                            (["--board", "path:1..60", "--all-options", "--set", "board=path:3"], "given twice"), (["--csv", "--json"], "excludes")):
            ran = run("sweep", "populace", *wrong)
            check(ran.code == 2 and part in ran.err and ran.out == "", wrong, ran)
        edges = lines(run("sweep", "populace", "--board", "edges:a-b,b-c,path:2,edges:a-b b-c c-a", "--json"))
        equal([len(edges), edges[1]["options"]["board"]], [3, "path:2"], "commas inside of edges")
        everything = lines(run("sweep", "tapatan", "--all-options", "--json"))
        equal(len({json.dumps(r["options"]) for r in everything}), len(everything), "all options")
        check(len(everything) >= 8, len(everything))


def test_sweep_cache():
    with tempfile.TemporaryDirectory() as folder:
        fresh_cache(folder)
        wanted = without_cost(lines(run(*SWEEP, "--json")))
        files = sorted(pathlib.Path(folder, "results").glob("*.json"))
        equal(len(files), 36, "a file a game")
        before = {f: f.stat().st_mtime_ns for f in files}
        run(*SWEEP)
        equal({f: f.stat().st_mtime_ns for f in files}, before, "known results are left alone")
        # Whatever is not as it was written is worked out again: a byte changed, cut off, empty, another game's.
        texts = [f.read_bytes() for f in files[:5]]
        flipped = bytearray(texts[0])
        flipped[len(flipped) // 2] ^= 1
        files[0].write_bytes(flipped)
        files[1].write_bytes(texts[1][: len(texts[1]) // 2])
        files[2].write_bytes(b"")
        files[3].write_bytes(texts[4])
        equal(without_cost(lines(run(*SWEEP, "--json"))), wanted, "after damage")
        equal([f.stat().st_mtime_ns != before[f] for f in files], [True] * 4 + [False] * 32, "solved again")
        equal(list(pathlib.Path(folder, "results", "unfinished").iterdir()), [], "nothing is left half written")
        # No folder, or none wanted.
        os.environ["PLENUM_CACHE"] = "/proc/none"
        ran = run(*SWEEP)
        check(ran.code == 0 and "36 solved now" in ran.out and "not kept" in ran.out and "/proc/none" in ran.err and "PLENUM_CACHE" in ran.err, ran)
        check(run(*SWEEP, "--no-cache").err == "", "none was wanted")
        fresh_cache(os.path.join(folder, "new"))
        run(*SWEEP, "--no-cache")
        check(not os.path.exists(os.path.join(folder, "new")), "--no-cache keeps nothing")
        # A method was taken for want of memory: with more there is more to say, and that stays.
        fresh_cache(os.path.join(folder, "small"))
        cases = [("taifas", "square:3x5", "32M", "bits", True), ("taifas", "square:3x5", "32M", "bits", False),
                 ("taifas", "square:3x5", "1G", "one-pass", True), ("taifas", "square:3x5", "2G", "one-pass", False),
                 ("taifas", "square:3x5", "32M", "one-pass", False), ("populace", "square:3x4", "40M", "rows", True),
                 ("populace", "square:3x4", "2G", "graph", True), ("populace", "square:3x4", "40M", "graph", False)]
        for game, board, memory, method, fresh in [] if SANITIZED else cases:  # they hold more than that before anything begins
            before = {f: f.stat().st_mtime_ns for f in pathlib.Path(folder, "small", "results").glob("*.json")}
            row = lines(run("sweep", game, "--board", board, "--json", "--memory", memory))[0]
            equal(row["method"], method, f"with {memory}")
            check("memory" not in row, row)
            equal({f: f.stat().st_mtime_ns for f in pathlib.Path(folder, "small", "results").glob("*.json")} != before, fresh, f"solved with {memory}")


def test_sweep_goes_on():
    sweep = ["sweep", "populace", "--board", "path:5..9,square:2x4,hexhex:2,square:3x3,cycle:8,king:2x4", "--set", "button=off,on", "--json"]
    with tempfile.TemporaryDirectory() as folder:
        fresh_cache(os.path.join(folder, "whole"))
        wanted = without_cost(lines(run(*sweep)))
        fresh_cache(os.path.join(folder, "killed"))
        results = pathlib.Path(folder, "killed", "results")
        for stop, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            known = len(list(results.glob("*.json"))) if results.exists() else 0
            with subprocess.Popen([PLENUM, *sweep], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                while process.poll() is None and (not results.exists() or len(list(results.glob("*.json"))) < known + 3):
                    time.sleep(0.002)
                process.send_signal(stop)
                out, err = process.communicate()
            finished = process.returncode == 0  # it was faster than the signal
            check(finished or process.returncode == code, stop, process.returncode, err)
            check(all(line.endswith(b"\n") for line in out.splitlines(True)) and (finished or stop == signal.SIGKILL or b"goes on from there" in err), out[-200:], err)
        kept = {f: f.stat().st_mtime_ns for f in results.glob("*.json")}
        check(len(kept) >= 3, "kept", len(kept))
        equal(without_cost(lines(run(*sweep))), wanted, "after a kill and an interrupt")
        equal({f: f.stat().st_mtime_ns for f in kept}, kept, "what was kept is not solved again")


def test_what_the_page_of_claims_says():
    """Rows of the table in data/findings/populace.md, boards of up to nine cells."""
    page = pathlib.Path(__file__).resolve().parent.parent / "data" / "findings" / "populace.md"
    rows = [line.split("  ") for line in page.read_text(encoding="utf-8").splitlines() if line.count("  ") == 6 and line.count("/") == 12]
    check(len(rows) > 40, len(rows), "rows")
    small = [r for r in rows if int(r[1].split("/")[0]) < 50000]
    check(len(small) > 20, len(small), "small ones")
    with tempfile.TemporaryDirectory() as folder:
        fresh_cache(folder)
        found = lines(run("sweep", "populace", "--board", ",".join(r[0] for r in small), "--set", "button=off,on", "--set", "move_to=any,no_drop,no_drop_lifted", "--json"))
        for k, row in enumerate(small):
            shown = [f"{r['cycles']['positions']}/{r['positions']['cycle']}/{r['positions']['forced_cycle']}" for r in found[6 * k: 6 * k + 6]]
            equal(shown, row[1:], row[0])


def main():
    only = os.environ.get("ONLY", "")
    for name, test in list(globals().items()):
        if name.startswith("test_") and only in name:
            test()
    print(f"{totals['passed']} passed, {totals['failed']} failed")
    return 1 if totals["failed"] or not totals["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
