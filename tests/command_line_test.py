#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line as its users meet it: JSON, exit codes, messages, limits, interrupts.

    tests/command_line_test.py PATH_TO_PLENUM

What solve, query and count say must agree with one another and, on small boards, with definitions applied to the graph of
moves by naive loops. The tables of games and of wrong input stand in command_line/cases.py. ONLY=errors runs the tests whose names
hold that word. Needs nothing but Python 3.
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # nothing is left in the source tree

from command_line import cases
from command_line.definitions import check_graph
from command_line.results import COUNT, FLAG, TEXT, check_line, check_openings, check_shape, solved
from command_line.session import PLENUM, SANITIZED, Ran, answer, ask, check, equal, near, run, settings, sign, size, totals


def test_definitions():
    for options in cases.SMALL[::2] if SANITIZED else cases.SMALL:
        check_graph(options)


def test_solve():
    for options in cases.GAMES:
        check_openings(options, solved(options))


def test_known_numbers():
    for options, known in cases.KNOWN:
        data = answer("solve", options)
        for path, wanted in known.items():
            got = data
            for key in path.split("."):
                got = got[key]
            if isinstance(wanted, float):
                near(got, wanted, options, path, within=1e-4 if path == "moves.mean" else 1e-9)
            else:
                equal(got, wanted, options, path)


def test_fractions():
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "thirds.toml")
        with open(name, "w", encoding="utf-8") as file:
            file.write(cases.THIRDS)
        options = {"variant": name, "board": "path:4", "button": "on"}
        data = solved(options)
        equal(data["variant"], "Thirds", "name of a tweak")
        check(any("/" in m for m in data["margins"]), "thirds as texts", data["margins"])
        check_openings(options, data)
        equal(ask(options, ["x1x1 1 passes=1"])[0]["value"]["margin"], "11/6", "3/3 for the stones, 1/2 and 1/3")
    data = answer("solve", {"board": "path:3", "button": "on"})
    equal(data["value"]["margin"], 2.5, "half a point")
    check("2.5" in data["margins"] and "-2.5" in data["margins"], "halves as keys", data["margins"])
    check(data["options"]["board"] == "path:3" and data["options"]["threat"] == 2 and data["options"]["button"] == "on", data["options"])


def test_threads():
    for options in ({"board": "hexhex:2", "button": "on"}, {"board": "square:2x4"}, {"board": "path:7", "threat": "1"}):
        one, two = (answer("solve", options, "--threads", n) for n in "12")
        equal([one.pop("cost")["threads"], two.pop("cost")["threads"]], [1, 2], "threads")
        equal(json.dumps(one), json.dumps(two), options, "one thread and two")
    hashes = {answer("solve", o)["hash"] for o in ({"board": "path:2"}, {"board": "path:3"}, {"board": "path:2", "button": "on"})}
    equal(len(hashes), 3, "a hash a game")


# ------------------------------------------------------------------------------------- query, count, info, check

def test_query():
    alone = answer("query", {"board": "hexhex:2"}, "2/3/x1 2")
    equal(set(alone), {"schema", "variant", "hash", "options", "position", "value", "reachable", "solved_from", "moves", "line", "line_repeats"}, "keys of query")
    equal(set(alone["moves"][0]), {"move", "outcome", "margin", "plies", "keeps", "position"}, "keys of a move")
    line = ask({"board": "hexhex:2"}, [{"moves": "a1"}])[0]
    equal({key: alone[key] for key in line}, line, "by position and by moves")
    for options, position in cases.UNREACHABLE:
        found = answer("query", options, position)
        equal(found["reachable"], False, options, position, "reachable")
        if found["moves"]:
            best = (max if position.split()[1] == "1" else min)(size(m["margin"]) for m in found["moves"])
            equal(size(found["value"]["margin"]), best, options, position, "value against the best move")
        check_line(options, found, ask(options, [{"position": position, "moves": " ".join(found["line"])}])[0])
    # Level games end level; cycles repeat.
    for options, position, outcome in cases.LEVEL:
        found = answer("query", options, position)
        equal(found["value"], {"outcome": outcome, "margin": 0, "plies": None}, options, position)
        check_line(options, found, ask(options, [{"position": position, "moves": " ".join(found["line"])}])[0])
    human = run("query", "populace", "--board", "path:3", "1x1 2")
    check(human.code == 0 and human.err == "" and "first wins by 3 in 2 plies" in human.out and "best line: pass pass" in human.out, human)


def test_reach():
    for options, goal, code, plies, lines, line, proven in cases.GOALS:
        ran = run("reach", *settings(options), "--goal", goal, "--json")
        equal([ran.code, ran.err], [code, ""], options, goal, ran)
        found = json.loads(ran.out)
        equal(list(found), ["schema", "variant", "hash", "options", "goal", "from", "reached", "plies", "lines", "line", "position", "proven", "depth", "positions", "cost"], "keys of reach")
        equal([found["reached"], found["plies"], found["lines"], found["proven"]], [code == 0, plies, lines, proven], options, goal)
        equal(found["line"], line.split() if line is not None else None, options, goal)
        human = run("reach", *settings(options), "--goal", goal)
        check(human.code == code and human.err == "" and goal in human.out, options, goal, human)
        if plies:
            check(f"reached after {plies} plies, in {lines:,} lines" in " ".join(human.out.split()) and line in " ".join(human.out.split()), options, goal, human)
            after = ask(options, [{"moves": line}], "--moves-only")[0]
            equal(found["position"], after["position"], options, goal, "the position after the line")
            near_enough = run("reach", *settings(options), "--goal", goal, "--json", "--depth", str(plies - 1))
            cut = json.loads(near_enough.out)
            equal([near_enough.code, cut["reached"], cut["proven"], cut["depth"]], [1, False, "depth", plies - 1], options, goal, "not so far")
            human = run("reach", *settings(options), "--goal", goal, "--depth", str(plies - 1))
            check(f"not reached within {plies - 1} plies" in " ".join(human.out.split()), options, goal, human)
    later = json.loads(run("reach", "tic-tac-toe", "--goal", "any(line(x, 3))", "--moves", "a1 b1 b2 c1", "--json").out)
    equal([later["from"], later["plies"], later["lines"], later["line"]], ["3/1x1/xoo 1", 1, 1, ["c3"]], "from a position")
    many = json.loads(run("reach", "populace", "--board", "square:3x4", "--goal", "count(x) == 1 & count(o) == 11", "--json").out)
    equal([many["plies"], many["lines"]], [22, 126106121272], "many lines")


def test_search():
    games = [("taifas", "square:3x3", []), ("taifas", "square:2x4", ["score=fraction"]), ("cascade", "square:3x3", ["fill=both"]), ("in-crowd", "square:3x3", []), ("tic-tac-toe", "square:3x3", [])]
    for game, board, options in games:
        arguments = [game, "--board", board] + [word for option in options for word in ("--set", option)]
        whole = json.loads(run("solve", *arguments, "--json").out)
        found = run("solve", *arguments, "--json", "--method", "search", "--openings")
        equal([found.code, found.err], [0, ""], arguments, found)
        found = json.loads(found.out)
        equal([whole["method"], found["method"]], ["graph", "search"], arguments)
        equal([set(whole) - set(found), set(found) - set(whole)], [set(), {"proven", "line"}], arguments, "keys")
        for key in ("positions", "cycles", "margins", "ended_by", "random_play", "moves"):
            equal(found[key], None, arguments, key)
        equal([found["value"][key] for key in ("outcome", "margin", "plies")], [whole["value"]["outcome"], whole["value"]["margin"], None], arguments, "value")
        equal(found["proven"], {"least": whole["value"]["margin"], "greatest": whole["value"]["margin"]}, arguments, "proven")
        equal([(one["move"], one["margin"]) for one in found["openings"]], [(one["move"], one["margin"]) for one in whole["openings"]], arguments, "openings")
        equal([found["pie"], found["draw_rate"]["openings"]], [whole["pie"], whole["draw_rate"]["openings"]], arguments, "pie")
        at_end = json.loads(run("query", *arguments, "--json", "--moves", " ".join(found["line"])).out)
        equal([at_end["value"]["margin"], at_end["moves"]], [whole["value"]["margin"], []], arguments, "the end of the line")
        equal(json.loads(run("solve", *arguments, "--json", "--method", "search", "--threads", "1").out)["line"], found["line"], arguments, "the line on one thread")
        alone = json.loads(run("solve", *arguments, "--json", "--method", "search").out)
        equal([alone["openings"], alone["pie"], alone["line"]], [None, None, found["line"]], arguments, "without openings")
        page = run("solve", *arguments, "--method", "search", "--openings").out
        check("A line of best play" in page and " ".join(found["line"][:4]) in page and "Openings" in page and "searching for the value of the start alone" in page, arguments, page)
    # Chosen where the positions do not fit: known beforehand, or found out by trying.
    if not SANITIZED:  # they hold more than that before anything begins
        # A search needs 33 MB here, one pass 56 MB.
        chosen = run("solve", "in-crowd", "--board", "square:4x4", "--json", "--memory", "44M")
        found = json.loads(chosen.out) if chosen.out else {"method": chosen.err, "value": {"margin": None}}
        equal([chosen.code, found["method"], found["value"]["margin"]], [0, "search", 6], "too large")
    equal(run("solve", "in-crowd", "--board", "square:4x4", "--method", "graph", "--memory", "60M").code, 3, "too large to be stored")
    equal(run("solve", "in-crowd", "--board", "square:4x4", "--method", "search", "--memory", "5M").code, 3, "no room for a search")
    refused = run("solve", "populace", "--board", "square:2x2", "--method", "search")
    check(refused.code == 2 and "replace, move" in refused.err and "graph-history" in refused.err, refused)


def test_notation():
    for options, position, wanted in cases.MOVES:
        found = answer("query", options, position, "--moves-only")
        equal([m["move"] for m in found["moves"]], wanted.split(), options, position, "moves")
        equal(found["position"], position, options, "printed again")
        equal(run("query", *settings(options), position, "--moves-only").out.split(), wanted.split(), options, position, "listed")
        after = ask(options, [{"position": position, "moves": m["move"]} for m in found["moves"]], "--moves-only")
        equal([a["position"] for a in after], [m["position"] for m in found["moves"]], options, position, "positions after")
    for options, written, printed in cases.PRINTED:
        equal(answer("query", options, written, "--moves-only")["position"], printed, options, written, "printed")
    began = time.monotonic()
    big = answer("query", {"board": "hexhex:4"}, "--moves-only")
    equal(len(big["moves"]), 38, "first moves on hexhex:4")
    equal(big["position"], "4/5/6/7/6/5/4 1", "empty hexhex:4")
    check(SANITIZED or time.monotonic() - began < 5, "--moves-only is slow")


def test_stdin():
    ran = run("query", "populace", "--board", "path:3", "--stdin", stdin="".join(line + "\n" for line, _ in cases.STDIN) + "1x1 2")
    out = [json.loads(line) for line in ran.out.splitlines()]
    equal(ran.code, 2, "exit code after bad lines")
    equal(ran.err, "", "stderr of --stdin")
    equal(len(out), len([line for line, _ in cases.STDIN if line.strip()]) + 1, "an answer a line")
    for (line, wanted), got in zip([c for c in cases.STDIN if c[0].strip()], out):
        if wanted is None:
            check(set(got) == {"error"} and "^" in got["error"], "error for", line, got)
        else:
            equal(got.get("position"), wanted, "answer to", line, got)
    equal(out[-1].get("position"), "1x1 2", "the last line needs no end")
    equal(run("query", "populace", "--board", "path:3", "--stdin"), Ran(0, "", ""), "nothing asked")
    piped = run("info", "/dev/stdin", stdin='extends = "populace"\n')  # a description is read more than once
    check(piped.code == 2 and "/dev/stdin: it is no regular file" in piped.err, "a description from a pipe", piped)


def test_count():
    for options in ({"board": "hexhex:2"}, {"board": "path:5", "button": "on"}, {"board": "square:2x3", "threat": "1"}):
        openings = answer("solve", options)["openings"]
        equal(answer("count", options, "--depth", "0")["nodes"], 1, options, "depth 0")
        equal(answer("count", options, "--depth", "1")["nodes"], len(openings), options, "depth 1")
        divided = answer("count", options, "--depth", "4", "--divide")
        equal(list(divided["divide"]), [o["move"] for o in openings], options, "divide in board order")
        equal(sum(divided["divide"].values()), divided["nodes"], options, "divide adds up")
        equal(answer("count", options, "--depth", "4")["nodes"], divided["nodes"], options, "with and without divide")
        for m in ask(options, [{}], "--moves-only")[0]["moves"]:
            equal(answer("count", options, "--depth", "3", "--position", m["position"])["nodes"], divided["divide"][m["move"]], options, m)
        human = run("count", *settings(options), "--depth", "4", "--divide").out.split()
        equal(human[-1], str(divided["nodes"]), options, "printed")
    end = {"board": "path:3"}
    equal([answer("count", end, "--depth", d, "--position", "3 1 passes=2")["nodes"] for d in "013"], [1, 0, 0], "count at an end")


def test_info():
    for options, can in (({"board": "hexhex:2"}, True), ({"board": "hexhex:4", "move": "off", "replace": "off"}, False)):
        data = answer("info", options)
        check_shape(data, {"schema": COUNT, "variant": TEXT, "hash": TEXT, "options": (list,), "board": {"name": TEXT, "cells": COUNT, "names": (list,)},
                           "symmetries": {"count": COUNT}, "tiers": {"measures": (list,)}, "can_cycle": FLAG, "why": TEXT, "predicted": {}}, "info")
        equal(data["can_cycle"], can, options, "can_cycle")
        check(data["why"] != "", options, "no reason")
        page = run("info", *settings(options))
        check(page.code == 0 and page.err == "" and ("It may, by replace, move" if can else "? No: ") in page.out, page)
    names = [o["name"] for o in data["options"]]
    equal(set(names), {"board", "threat", "button", "move_to", "move", "replace", "pie"}, "options")
    equal([o["value"] for o in data["options"] if o["name"] in ("move", "replace")], ["off", "off"], "values in info")
    equal([o["default"] for o in data["options"] if o["name"] == "move"], ["on"], "defaults in info")
    equal(answer("solve", {"board": "hexhex:2", "move": "off", "replace": "off"})["cyclic"], False, "no moves, no cycles")


def test_check():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in cases.CHECKED.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for names, code, words in cases.CHECKS:
            ran = run("check", *names.split(), folder=folder)
            equal(ran.code, code, "check", names, ran)
            check(all(w in ran.out + ran.err for w in words), "check", names, words, ran)
            found = run("check", *names.split(), "--json", folder=folder)
            equal([found.code, found.err], [code, ""], "check --json", names)
            equal(all(one["ok"] for one in json.loads(found.out)["checked"]), code == 0, "check --json", names, found.out)


def test_orders():
    with tempfile.TemporaryDirectory() as folder:
        for effect, proven, matters in cases.ORDERS:
            with open(os.path.join(folder, "order.toml"), "w", encoding="utf-8") as file:
                file.write(f'extends = "populace"\nmoves.place = {{ to = "empty", then = "{effect}" }}\nmoves.move = false\n')
            ran = run("check", "./order.toml", "--orders", "5", "--board", "cycle:5", "--json", folder=folder)
            equal([ran.code, ran.err], [1 if matters else 0, ""], effect, ran)
            found = json.loads(ran.out)["checked"][0]["orders"]
            equal([one["proven"] for one in found["effects"]], [] if proven is None else [proven], effect, found)
            equal(found["matters"], matters, effect, found)
            if matters:
                played = answer("query", {"variant": os.path.join(folder, "order.toml"), "board": "cycle:5"}, found["difference"]["position"], "--moves-only")
                check(found["difference"]["move"] in [m["move"] if isinstance(m, dict) else m for m in played["moves"]], found, played)
                check(found["difference"]["together"] != found["difference"]["one_by_one"], found)
            page = run("check", "./order.toml", "--orders", "2", "--board", "cycle:5", folder=folder)
            check(("the order matters" in page.out) == matters, effect, page)
        wrong = run("check", "populace", "--board", "path:2")
        check(wrong.code == 2 and "--orders" in wrong.err, wrong)


def test_language():
    ran = run("language")
    check(ran.code == 0 and ran.err == "" and "| `spread from F" in ran.out and "## Keys" in ran.out, ran)


def test_page():
    """The page for people holds the numbers of the JSON."""
    for options in cases.PAGES:
        data, ran = answer("solve", options), run("solve", *settings(options))
        check(ran.code == 0 and ran.err == "", "page", options, ran.err)
        text = " ".join(ran.out.split())
        n, where = data["positions"], f"page of {options}"
        going_on = n["reachable"] - n["ended"]
        value, cycles = data["value"], data["cycles"]
        wanted = [f"{n['reachable']:,} positions are reachable, {n['canonical']:,} up to symmetry; {n['ended']:,} of them ended",
                  f"of the {going_on:,} positions that have not ended", f"of the {len(data['openings'])} first moves",
                  f"({n['tie']:,} tie{'' if n['tie'] == 1 else 's'}, {n['cycle']:,} cycle{'' if n['cycle'] == 1 else 's'})",
                  f"neither can end it without losing: {n['cycle']:,} position", f"agree to end it: {n['forced_cycle']:,} of these"]
        if cycles["components"]:
            wanted.append(f"{cycles['positions']:,} position{'s lie' if cycles['positions'] != 1 else ' lies'} on cycles, in {cycles['components']:,} component")
            wanted.append(f"({cycles['largest']:,} in the largest)")
        if value["plies"] is not None:
            wanted.append(f"{value['outcome']} wins by {abs(size(value['margin'])) if type(value['margin']) is not float else abs(value['margin'])} at best play, in {value['plies']} pl")
        else:
            wanted.append({"tie": "can force the game to end level", "cycle": "nobody can make it end without losing"}[value["outcome"]])
        wanted += [f"{count:,} (" for margin, count in data["margins"].items() if len(data["margins"]) < 20]
        passing = next(o for o in data["openings"] if o["move"] == "pass")
        shown = {"tie": "=", "cycle": "~"}.get(passing["outcome"], f"{'+' if sign(size(passing['margin'])) > 0 else ''}{passing['margin']}")
        wanted.append(f"pass {shown}")
        for words in wanted:
            check(words in text, where, "lacks", repr(words))
        first = ran.out.split("\n\n")[0]
        equal("with the pie" in first, data["pie"] is not None, where, "pie in the first line")


# ------------------------------------------------------------------------------------------------ what goes wrong

def test_errors():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in cases.FILES.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
        os.mkdir(os.path.join(folder, "folder.toml"))
        for arguments, code, words in cases.ERRORS:
            ran = run(*arguments, folder=folder)
            equal(ran.code, code, "exit code of", arguments, ran)
            equal(ran.out, "", "stdout of", arguments)
            check(ran.err.startswith("plenum: "), arguments, ran.err)
            check("terminate" not in ran.err and "exception" not in ran.err, arguments, ran.err)
            for word in words:
                check(word in ran.err, arguments, "should say", repr(word), "but says", ran.err)
            if "--json" not in arguments:
                equal(run(*arguments, "--json", folder=folder) if arguments and arguments[0] != "bench" else ran, ran, arguments, "with --json")


def test_carets():
    """Where the caret stands: under the wrong word."""
    for arguments, under in cases.CARETS:
        lines = run(*arguments).err.split("\n")
        found = [(above, line) for above, line in zip(lines, lines[1:]) if line.strip() and set(line.strip()) <= {"^", "~"}]
        if check(len(found) == 1, arguments, "has not one caret", lines):
            above, line = found[0]
            equal(above[line.index("^"):len(line)].strip(), under, arguments, "under the caret")


def test_streams():
    for mode in ("plain", "json", "none", "auto"):
        ran = run("solve", "populace", "--board", "square:2x4", "--json", "--progress", mode)
        check(ran.code == 0 and json.loads(ran.out)["value"], "--progress", mode, ran)
        equal(ran.err != "", mode in ("plain", "json"), "stderr with --progress", mode)
        if mode == "json":
            for line in ran.err.splitlines():
                check({"stage", "done", "per_second", "bytes"} <= set(json.loads(line)), "a line of progress", line)
    # On a terminal progress is shown by itself, and only on stderr.
    ours, theirs = pty.openpty()
    with subprocess.Popen([PLENUM, "solve", "populace", "--board", "square:2x4", "--json"], stdout=subprocess.PIPE, stderr=theirs) as process:
        out = process.stdout.read()
        os.close(theirs)
        check(json.loads(out)["value"], "JSON while stderr is a terminal")
        check(b"positions" in os.read(ours, 4096), "progress on a terminal")
    os.close(ours)
    with subprocess.Popen([PLENUM, "solve", "populace", "--board", "square:2x4", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        err = process.stderr.read()
        check(process.wait() != 0 and b"terminate" not in err, "a reader that went away", process.returncode, err)
    if os.path.exists("/dev/full"):
        for arguments in (["solve", "populace", "--board", "path:2", "--json"], ["info", "populace"], ["--help"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([PLENUM, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
            equal(done.returncode, 3, "a full disk", arguments, done.stderr)


def peak(*arguments):
    """Exit code, stderr, the most memory that was resident in bytes, seconds."""
    began = time.monotonic()
    with subprocess.Popen([PLENUM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        err = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, err, usage.ru_maxrss * 1024, time.monotonic() - began


def test_memory():
    for board, memory in (("square:8x8", "1G"), ("path:64", "4G"), ("torus:8x8", "1G"), ("hexrect:8x8", "1G")):
        code, err, used, seconds = peak("solve", "populace", "--board", board, "--memory", memory)
        equal(code, 3, board, memory, err)
        check("needs at least" in err and memory.replace("G", ".0 GB") in err, board, "numbers", err)
        check(SANITIZED or (seconds < 5 and used < 1e8), board, "is not refused at once", seconds, used)
    if SANITIZED:
        return
    for more, memory in cases.TIGHT:
        code, err, used, _ = peak(*more, "--memory", f"{memory}M")
        check(used <= memory * 1e6, more, memory, "MB: used", used)
        if check(code in (0, 3), more, memory, err) and code == 3:
            check(re.search(r"\d+ positions? w(as|ere) found", err) and "at least" in err, more, memory, err)
    equal(peak("solve", "populace", "--board", "hexhex:3", "--method", "graph", "--memory", "100M")[0], 3, "hexhex:3 in 100 MB")
    code, err, used, _ = peak("solve", "populace", "--board", "hexhex:3", "--method", "rows", "--memory", "100M")  # a byte a board is known beforehand
    equal(code, 3, "hexhex:3 on a dense index in 100 MB", err)
    check(re.search(r"needs \d+ MB.*100 MB may be used", err) and used <= 100e6, "hexhex:3 on a dense index", used, err)
    code, err, used, _ = peak("solve", "populace", "--board", "square:4x4", "--memory", "40M")  # bits take less
    check(code == 0 and used <= 40e6, "square:4x4 by bits", code, used, err)
    for memory in (12, 40, 100):
        code, err, used, _ = peak("reach", "populace", "--board", "hexhex:3", "--goal", "count(x) == 10 & count(o) == 5 & me == second", "--memory", f"{memory}M")
        check(code == 3 and (memory == 12 or used <= memory * 1e6), "reach", memory, "MB: used", used, err)  # this test itself holds more than 12
        check(re.search(r"positions? w(as|ere) found.*; it is proven that no line of \d+ pl", err), "reach", memory, err)


def test_interrupts():
    for arguments in (["solve", "populace", "--board", "hexhex:3", "--memory", "8G"], ["solve", "populace", "--board", "hexhex:3", "--memory", "8G", "--json"],
                      ["query", "populace", "--board", "hexhex:3", "--memory", "8G"], ["count", "populace", "--board", "hexhex:3", "--depth", "12"]):
        for name in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([PLENUM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                time.sleep(1 if name == signal.SIGINT else 0.3)
                began = time.monotonic()
                process.send_signal(name)
                try:
                    out, err = process.communicate(timeout=20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    out, err = process.communicate()
                seconds = time.monotonic() - began
                equal(process.returncode, 130, arguments, name, err)
                check(out == b"" and err == b"plenum: interrupted\n", arguments, name, out, err)
                check(SANITIZED or seconds < 3, arguments, "went on for", seconds, "s")


def test_interrupted_search():
    with subprocess.Popen([PLENUM, "solve", "cascade", "--board", "square:5x5", "--method", "search", "--json", "--progress", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        line = process.stderr.readline()
        check(b"is worth -25 to 25 to first so far; table" in line, "progress of a search", line)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    found = json.loads(out)
    equal([process.returncode, found["value"]["margin"], found["line"]], [130, None, None], "search interrupted", err)
    check(-25 <= found["proven"]["least"] <= found["proven"]["greatest"] <= 25, "search interrupted", found["proven"])


def test_interrupted_reach():
    with subprocess.Popen([PLENUM, "reach", "populace", "--board", "hexhex:3", "--goal", "count(x) == 12 & count(o) == 7 & me == first", "--memory", "8G"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        equal([process.returncode, out], [130, b""], "reach interrupted", err)
        check(re.fullmatch(rb"plenum: interrupted; it is proven that no line of \d+ plies or fewer leads to the goal\n", err), "reach interrupted", err)


def main():
    only = os.environ.get("ONLY", "")
    for name, test in list(globals().items()):
        if name.startswith("test_") and only in name:
            began, failed = time.monotonic(), totals["failed"]
            try:
                test()
            except Exception as error:  # what a test did not expect is a failure of it, and the others go on
                check(False, name, type(error).__name__, error)
            print(f"{name[5:]}: {'ok' if totals['failed'] == failed else 'FAILED'} ({time.monotonic() - began:.1f} s)", flush=True)
    print(f"{totals['passed']} passed, {totals['failed']} failed")
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
