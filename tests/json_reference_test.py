#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The reference of JSON is what commands print: json_reference_test.py PATH_TO_PLENUM

data/json.md has to be what json_page.py makes of data/json-schema.json. Then every command that has --json is run, over games, boards and methods, and all
of what it prints is held against that schema: each key is in it, in its order, and of its type. At the end
each key of the schema must have been seen; so must each value of an enumeration and each type of several, each null that may be, and an
object without each key that may be absent. So no line of the reference outlives what it describes. ONLY=solve runs the tests whose names
hold that word. Needs nothing but Python 3.
"""

import collections
import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree

from command_line.session import LITTLE_FOR_SEARCH, PLENUM, SANITIZED, check, equal, run, totals
import json_page
import json_schema
from explorer_server import Explorer
from table_forging import change_stored_byte, forge

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "json.md")
SCHEMA = json.loads(run("manual", "json-schema").out)
OBJECTS = SCHEMA["$defs"]
PROGRESS = "--progress json, of any command that has it"

# Games for what the others do not show.
GAMES = {
    # Play never ends.
    "endless": """name = "Endless"
options.board = { default = "cycle:6" }
start.x = "{1}"
start.o = "{4}"
[moves.walk]
from = "mine"
step = "adjacent"
to = "empty"
[end]
when = "false"
stuck = "loses"
""",
    "blocked": 'extends = "endless"\nmoves.walk = false\nmoves.pass = {}\n',
    "idle": """name = "Idle"
options.board = { default = "path:3" }
[moves.place]
to = "empty"
[moves.take]
from = "mine & theirs"
[end]
stuck = "ties"
""",
    "over": """name = "Over"
options.board = { default = "path:3" }
[moves.place]
to = "empty"
[end]
when = "true"
score = "count(mine)"
""",
    "thirds": """name = "Thirds"
extends = "populace"
end.score = "count(mine | controlled) / 3 + (if button & holder == me then 1/2 else 0)"
""",
    "filling": """name = "Filling"
options.board = { default = "square:4x5" }
kinds.n = "nobody"
[moves.place]
to = "empty"
put = ["n"]
[end]
stuck = "loses"
""",
    "order": """extends = "populace"
moves.place = { to = "empty", then = "repeat: empty & near(stones) == 1 -> mine" }
moves.move = false
""",
    # A reading that changes an opening alone, one that nothing reads, one that cannot be solved: a number leaves its range.
    "readings": """name = "Readings"
extends = "tic-tac-toe"
options.misere = { default = "off", left_open = true }
options.idle = { default = "off", left_open = true }
options.turns = { default = "any", one_of = ["any", "counted"], left_open = true }
state.n = { type = "number", range = [0, 3] }
moves.place.then = "n = if turns == 'counted' then n + 1 else n"
""",
    # No method can be chosen, as random games fail.
    "rising": """name = "Rising"
options.board = { default = "square:8x8" }
state.n = { type = "number", range = [0, 3] }
[moves.place]
to = "empty"
then = "n = n + 1"
[end]
stuck = "loses"
""",
    "counted": 'name = "Counted"\nextends = "chess"\noptions.handicap = { default = 1, range = [0, 2] }\n',
    "wrong": 'name = "Wrong"\nextends = "populace"\nmoves.place.to = "emty"\n',
    "unread": 'name = "Unread"\nextends = "populace"\ndefine.idle = "mine & edge"\n',
}


SEEN = json_schema.Seen()


def hold(command, value, *what, is_line=False):
    """Holds what a command printed against its schema."""
    schema = SCHEMA["x-prints"].get(command)
    if not check(schema is not None, "the reference has no", command):
        return
    SEEN.add("command", command)
    if not is_line:
        check(next(iter(value), "") == "schema", *what, "does not begin with its schema")
    for wrong in json_schema.mismatches(OBJECTS, value, schema, SEEN, ("command", command), command)[:5]:
        check(False, *what, wrong)
    totals["passed"] += 1


def parsed(text, *what):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        check(False, *what, "prints no JSON:", error, text[:200])
        return None


def printed(command, *arguments, codes=(0,), prints=None, lines=False, stdin=""):
    """Runs a command and holds what it prints against the table of `prints`; gives it."""
    if SANITIZED and "--memory" in arguments:  # more is held than is given here
        return None
    ran = run(command, *arguments, *([] if "--stdin" in arguments else ["--json"]), stdin=stdin)
    if not check(ran.code in codes, command, *arguments, "ends with", ran.code, ran.err):
        return None
    texts = ran.out.splitlines() if lines else [ran.out]
    out = [parsed(text, command, *arguments) for text in texts]
    for one in out:
        hold(prints or command, one, *arguments, is_line="--stdin" in arguments)
    return out if lines else out[0]


# ------------------------------------------------------------------------------------------------------ commands

def test_page():
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    made = "".join(line + "\n" for line in json_page.page(SCHEMA))
    equal(text == made, True, "data/json.md is not made from the schema; make it anew with python3 tests/json_page.py > data/json.md:")
    equal(run("manual", "json").out == text, True, "what manual json prints is not data/json.md:")
    headings = [line.lstrip("#").strip().lower().replace(" ", "-") for line in text.splitlines() if line.startswith("#")]
    twice = [name for name, n in collections.Counter(headings).items() if n > 1]
    equal(twice, [], "two headings have one anchor")
    refs = set(re.findall(r'"#/\$defs/([^"]*)"', json.dumps(SCHEMA)))
    equal(sorted(refs ^ set(OBJECTS)), [], "objects that are not described, or that nothing prints")
    equal([name for section in SCHEMA["x-sections"] for name in section["objects"]], list(OBJECTS), "the objects of the sections, and those described")
    for name, described in OBJECTS.items():
        properties = described.get("properties", {})
        equal(described.get("required", []), [key for key, value in properties.items() if "x-absent" not in value], f"keys of {name} that are always there")
        or_null = [key for key, value in properties.items() if {"type": "null"} in value.get("oneOf", [])]
        equal([key for key, value in properties.items() if "x-null" in value], or_null, f"keys of {name} that say when they are null")


def test_solve(folder):
    printed("solve", "populace", "--board", "square:2x2")
    printed("solve", "populace", "--board", "path:9")
    for method in ("graph", "rows"):
        printed("solve", "populace", "--board", "path:3", "--method", method, "--against", "threat=1")
    for method in ("rows", "one-pass"):
        game = "populace" if method == "rows" else "cascade"
        printed("solve", game, "--board", "square:2x2", "--method", method, "--no-remoteness", "--no-table")
        printed("solve", game, "--board", "square:2x2", "--method", method, "--table", os.path.join(folder, method))
    printed("solve", "taifas", "--board", "square:3x3", "--method", "bits")
    printed("solve", "tic-tac-toe", "--method", "bits", "--no-table")
    printed("solve", "populace", "--board", "path:3", "--method", "bits", "--no-table")  # nothing is level
    printed("solve", "populace", "--board", "square:2x3", "--method", "bits", "--margins", "--no-table")
    printed("solve", "tic-tac-toe", "--method", "search")
    printed("solve", "tic-tac-toe", "--position", "xo1/3/3 1")
    printed("solve", "tic-tac-toe", "--method", "search", "--openings")
    printed("solve", "./thirds.toml", "--board", "path:4", "--set", "button=on")
    printed("solve", "./endless.toml")
    printed("solve", "./over.toml")
    printed("solve", "chess", "--board", "square:4x4", "--set", "material=KRvK")
    printed("solve", "chess", "--board", "square:4x4", "--set", "material=KvKR")
    printed("solve", "safety-in-numbers", "--board", "square:3x3", "--set", "material=KRvK")


def test_interrupted_search():
    """Before the value of the start is known, and after that, before those of all openings are."""
    arguments = ["solve", "cascade", "--method", "search", "--openings", "--no-table", "--json", "--progress", "json"]
    for board, stage in (("square:5x5", "the start"), ("square:4x4", "position ")):
        with subprocess.Popen([PLENUM, *arguments, "--board", board], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            for line in process.stderr:
                hold(PROGRESS, parsed(line), *arguments, is_line=True)
                if stage in line:
                    break
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=120)
        equal(process.returncode, 130, *arguments, board)
        hold("solve", parsed(out), *arguments, board)


def test_sweep():
    rows = printed("sweep", "populace", "--board", "square:2x2,path:3", "--set", "threat=1,2", lines=True)
    equal(len(rows), 4, "rows of a sweep")
    printed("sweep", "go", "--board", "path:3,square:2x2", "--no-cache", lines=True)
    printed("sweep", "chess", "--board", "square:4x4", "--set", "material=KvK", "--no-cache", lines=True)
    printed("sweep", "populace", "--board", "square:6x6", "--no-cache", "--memory", LITTLE_FOR_SEARCH, codes=(3,), lines=True)
    printed("sweep", "hex", "--board", "hexrect:4x4", "--no-cache", "--memory", LITTLE_FOR_SEARCH, lines=True)  # by search


def test_query(folder):
    printed("query", "populace", "--board", "square:2x2")
    printed("query", "populace", "--board", "path:9", "--moves", "1")
    printed("query", "populace", "--board", "path:3", "3 2")
    printed("query", "populace", "--board", "path:3", "xox 1")
    printed("query", "./endless.toml")
    printed("query", "chess", "--board", "square:4x4", "--set", "material=KRvK", "3k/4/4/KR2 1")
    printed("query", "connect-4", "--board", "square:7x6", "--memory", LITTLE_FOR_SEARCH, "ooxxoo1/xxooxx1/ooxxoo1/xxooxx1/ooxxoo1/xxooxx1 1")  # by search
    printed("query", "populace", "--board", "path:3", "--moves-only", prints="query --moves-only")
    printed("query", "populace", "--board", "path:3", "--moves-only", "--stdin", prints="query --moves-only", lines=True, stdin="3 1\n")
    printed("query", "populace", "--board", "path:3", "--stdin", lines=True, stdin='3 1\n{"position": "3 1", "moves": "1"}\n')
    printed("query", "populace", "--board", "path:3", "--stdin", codes=(2,), prints="query --stdin", lines=True, stdin='4 1\n{"moves": 1}\n')


def test_cycles():
    for game in (["--board", "path:7", "--set", "threat=2", "--set", "move_to=no_drop"], ["--board", "path:8"], ["--board", "path:3"]):
        printed("cycles", "populace", *game)
    printed("cycles", "./endless.toml")
    printed("cycles", "populace", "--board", "path:5", "--position", "1x3 2")
    printed("cycles", "tic-tac-toe")
    printed("cycles", "safety-in-numbers", "--board", "square:3x4", "--set", "material=KRvKP")


def test_cycles_by_rows():
    """With enough memory for rows, but not for the graph."""
    if SANITIZED:
        return
    ran = run("cycles", "populace", "--board", "path:10", "--set", "button=on", "--threads", "1", "--memory", "29M", "--json")
    found = parsed(ran.out, "cycles by rows")
    equal(found.get("method"), "rows", "cycles by rows")
    hold("cycles", found, "cycles by rows")
    check(found.get("trap") is None and found.get("forced_cycle") > 0, "a trap was found by rows")
    printed("cycles", "populace", "--board", "path:9", "--method", "rows")  # a trap


def test_reach():
    printed("reach", "populace", "--board", "path:4", "--goal", "count(x) == 2")
    printed("reach", "populace", "--board", "path:4", "--goal", "count(x) == 9", codes=(1,))
    printed("reach", "populace", "--board", "path:4", "--goal", "count(x) == 3", "--depth", "1", codes=(1,))
    printed("reach", "populace", "--board", "path:4", "--goal", "count(x | o) == 2")
    printed("reach", "./filling.toml", "--board", "square:4x5", "--goal", "!any(empty)")


def test_count():
    printed("count", "tic-tac-toe", "--depth", "2")
    printed("count", "tic-tac-toe", "--depth", "2", "--divide")


def test_compare():
    printed("compare", "populace", "--board", "path:6", "--set", "threat=1", codes=(1,))
    printed("compare", "populace", "--board", "path:4", "--set", "replace=off", codes=(0, 1))
    for games in (["tic-tac-toe", "connect-4"], ["connect-4", "tic-tac-toe"]):
        printed("compare", *games, "--board", "square:3x3", codes=(1,))
    printed("compare", "populace", "--board", "path:9", "--set", "move_to=no_drop", codes=(0, 1))
    printed("compare", "./endless.toml", "./blocked.toml", codes=(0, 1))
    printed("compare", "chess", "--board", "square:4x4", "--set", "material=KRvK", "--set", "stalemate=draw,loss", codes=(0, 1))


def test_readings():
    printed("compare", "populace", "--board", "path:6", "--readings", codes=(0, 1), prints="compare --readings")
    printed("compare", "in-crowd", "--board", "square:2x2", "--readings", codes=(0, 1), prints="compare --readings")
    printed("compare", "./readings.toml", "--readings", codes=(0, 1, 2), prints="compare --readings")
    printed("compare", "chess", "--board", "square:3x3", "--set", "material=KRvK", "--readings", "--all-options", codes=(0, 1, 2), prints="compare --readings")


def test_info():
    for game in (["populace", "--board", "square:4x4"], ["populace", "--board", "path:3"], ["cascade", "--board", "square:3x3"], ["go"],
                 ["taifas", "--board", "square:5x5"], ["hex", "--board", "hexrect:5x5"], ["chess"], ["populace", "--board", "square:6x6"],
                 ["chess", "--set", "material=KRvK"], ["chess", "--set", "material=KQQQQvKQQQQ"], ["./over.toml"], ["./rising.toml"]):
        printed("info", *game)
    printed("info", "populace", "--board", "square:3x3", "--ranks", "4")
    for game in ("chess", "./counted.toml", "safety-in-numbers"):
        printed("info", game, "--pieces", prints="info --pieces")


def test_check(folder):
    printed("check", "tic-tac-toe")
    printed("check", "./wrong.toml", codes=(2,))
    printed("check", "./unread.toml")
    printed("check", "hexapawn", "--moves")
    printed("check", "./idle.toml", "--moves")
    printed("check", "cascade", "--orders", "2", "--board", "square:2x2")
    printed("check", "./order.toml", "--orders", "5", "--board", "cycle:5", codes=(1,))
    printed("check", "go", "--orders", "2", "--board", "path:3", codes=(2,))


def test_tables(folder):
    kept = []
    for game in (["populace", "--board", "path:3", "--method", "rows"], ["cascade", "--board", "square:2x2", "--method", "one-pass"],
                 ["tic-tac-toe", "--method", "bits"], ["quixo", "--board", "square:3x3", "--method", "graph"]):
        kept.append(os.path.join(folder, f"{len(kept)}.plenum"))
        printed("solve", *game, "--table", kept[-1])
        printed("verify", kept[-1])
    printed("query", kept[0])
    printed("solve", "populace", "--board", "path:3", "--method", "rows", "--set", "threat=1")
    listed = printed("tables")
    ending = [one["file"] for one in listed["tables"] if one["variant"] == "Chess"]
    check(ending, "no table of an ending is kept")
    for file in ending:
        printed("verify", file)
    with open(os.path.join(listed["folder"], "0123456789abcdef.plenum"), "w", encoding="utf-8") as file:
        file.write("no table")
    printed("tables")
    spoilt = printed("tables", "--remove", "0123456789abcdef.plenum", prints="tables --remove")
    equal([[os.path.basename(path) for path in spoilt["removed"]], spoilt["bytes"]], [["0123456789abcdef.plenum"], len("no table")], "removed")

    def lie(footer):
        footer["summary"]["reachable"]["tie"] += 1
    with open(kept[0], "rb") as file:
        whole = file.read()
    forge(kept[0], footer=lie)
    printed("verify", kept[0], codes=(1,))
    wrong = os.path.join(folder, "wrong.plenum")
    for number in range(10_000):
        with open(wrong, "wb") as file:
            file.write(whole)
        if not change_stored_byte(wrong, number):
            break
        if number % 3 == 0:
            ran = run("verify", wrong, "--json")
            if ran.code == 1:
                hold("verify", parsed(ran.out), "a table with byte", number, "changed")


def test_bench():
    workloads = [{"what": "expand"}, {"what": "dense"}, {"what": "cycles"}, {"what": "compare", "other": ["threat=1"]}, {"what": "solve"},
                 {"what": "solve", "method": "rows"}, {"variant": "tic-tac-toe", "board": "square:3x3", "method": "bits"},
                 {"variant": "tic-tac-toe", "board": "square:3x3", "method": "search"},
                 {"variant": "chess", "board": "square:4x4", "set": ["material=KRvK"], "method": "ending"}]
    with open("workloads.json", "w", encoding="utf-8") as file:
        json.dump({"workloads": [{"name": str(i), "variant": "populace", "board": "path:4", **one} for i, one in enumerate(workloads)],
                   "choice": [{"variant": "tic-tac-toe", "method": "graph"}, {"variant": "tic-tac-toe", "method": "rows"},
                              {"variant": "quixo", "board": "square:3x3", "method": "graph"},
                              *([] if SANITIZED else [{"variant": "connect-4", "board": "square:4x4", "method": "graph", "memory": "100M"}])]}, file)
    printed("bench", "--file", "workloads.json")
    printed("bench", "--choice", "--file", "workloads.json", codes=(1,), prints="bench --choice")


def test_processors():
    for level in ("base", "v3", "v4", "native"):
        os.environ["PLENUM_CPU"] = level
        if run("info", "populace").code == 0:
            printed("info", "populace")
        else:  # this processor has it not, or there is no compiler
            SEEN.add("processor", "", "word", level)
        del os.environ["PLENUM_CPU"]


def test_progress():
    """Until a line says how much time is left: from the second row of a sweep on, a second after it began."""
    arguments = ["sweep", "populace", "--board", "path:3..14", "--no-cache", "--progress", "json"]
    with subprocess.Popen([PLENUM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            progress = parsed(line, *arguments)
            hold(PROGRESS, progress, *arguments, is_line=True)
            if progress["seconds_left"] is not None:
                break
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
    for line in run("solve", "populace", "--board", "hexhex:2", "--method", "graph", "--progress", "json").err.splitlines():
        hold(PROGRESS, parsed(line, "solve"), "solve", is_line=True)


def test_explorer(folder):
    with Explorer(PLENUM, "./thirds.toml", "--board", "path:3", "--set", "button=on", "--save", os.path.join(folder, "saved.toml")) as page:
        def ask(request, **parameters):
            method, path = request.split(" ")[:2]
            while True:
                status, answer = page.ask(method, path, **parameters)
                if status != 202 or method == "POST":
                    break
                for state in page.follow(answer["job"]):
                    hold("explore: GET jobs/ID", state, path)
            hold(f"explore: {request}" if status < 400 else "explore: any that is wrong", answer, request, parameters, is_line=status >= 400)
            return answer
        ask("GET variants")
        ask("GET position", variant="tic-tac-toe", moves="a1")
        for state in page.follow(ask("POST solve", variant="tic-tac-toe", board="square:4x3")["job"]):
            hold("explore: GET jobs/ID", state, "one that is done")
        for game in ({"variant": "thirds.toml", "board": "path:3"}, {"variant": "populace", "board": "hexhex:2"}, {"variant": "cascade", "board": "square:2x2"},
                     {"variant": "quixo", "board": "square:3x3"}, {"variant": "mu-torere"}, {"variant": "tic-tac-toe"}):
            ask("GET variant", **game)
            for request in ("GET info", "GET position", "GET statistics", "GET histograms", "GET measures", "GET cycles"):
                ask(request, **game)
            ask("GET position with values=off", **game, values="off")
        ask("GET variant", variant="taifas", board="square:2x2")  # it has flags
        ask("GET position", variant="safety-in-numbers", board="square:4x4", set="material=KPvK", position="2k1/P3/8/K3 w - -".replace("8", "4"))
        ask("GET compare", variant="populace", board="path:4", with_="threat=1")
        ask("GET cycles", variant="populace", board="path:8", set="button=on")  # a trap that is drawn
        ask("GET men", variant="safety-in-numbers", board="square:4x4", set="material=KPvK", letters="PP")
        ask("POST figure", body='{"line": {"caption": "A line", "values": [7, null, -3], "here": 2}}')
        ask("POST figure", body='{"heat": {"caption": "A map", "columns": ["a"], "rows": ["b"], "cells": [[{"text": "7", "number": 7, "opens": "0 0"}]]}}')
        ask("POST figure", body='{"heat": {}}')
        ask("GET text", variant="populace")
        ask("GET text", variant="nothing")
        ask("POST check", body='name = "Typed"\nextends = "populace"\n')
        ask("POST check", body="name = 3")
        ask("POST check", body='name = "Typed"\nextends = "populace"\nmoves.place.to = "emty"\n', tests="on")
        ask("POST save", body="name = 'Saved'")
        # Jobs: done, failed, cancelled, and one that waits.
        typed = ask("POST check", body=GAMES["rising"])["draft"]
        for state in page.follow(ask("POST solve", variant=typed)["job"]):
            hold("explore: GET jobs/ID", state, "one that fails")
        large = ask("POST solve", variant="populace", board="square:5x5", set="button=on")["job"]
        waits = ask("POST solve", variant="populace", board="square:4x5", set="button=on")["job"]
        for job in (waits, large):
            page.ask("DELETE", f"jobs/{job}")
            for state in page.follow(job):
                hold("explore: GET jobs/ID", state, "one that is cancelled")
    with open("spoilt.toml", "w", encoding="utf-8") as file:
        file.write(GAMES["over"])
    with Explorer(PLENUM, "./spoilt.toml") as page:
        with open("spoilt.toml", "w", encoding="utf-8") as file:
            file.write("name = 'Spoilt'")
        hold("explore: GET variants", page.get("variants"), "a description that was good")
        hold("explore: GET text", page.get("text", variant="populace"), "without --save")
    equal(page.process.returncode, 0, "the exit code of explore")


def main():
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stack.callback(os.chdir, here)
        os.environ["PLENUM_CACHE"] = os.path.join(folder, "cache")
        os.chdir(folder)
        for name, text in GAMES.items():
            with open(name + ".toml", "w", encoding="utf-8") as file:
                file.write(text)
        for name, test in list(globals().items()):
            if name.startswith("test_") and os.environ.get("ONLY", "") in name:
                began = time.monotonic()
                test(*([folder] if test.__code__.co_argcount else []))
                print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
    if "ONLY" not in os.environ and not SANITIZED:
        for what in json_schema.all_there_is(SCHEMA):
            check(SEEN.counts[what] > 0, "never seen:", *what)
    print(f"{totals['passed']} passed, {totals['failed']} failed")
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
