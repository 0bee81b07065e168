#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the commands say of measures, by which method, and what they refuse: measures_command_test.py PATH_TO_PLENUM

The numbers themselves are held against an independent computation in measures_test.cpp.
"""
import json
import os
import tempfile

from plenum_command import LITTLE_MEMORY, check, run, run_tests

PLAY = ("by_plies", "random", "erring", "grid", "skill", "lines")
TAIFAS = ["taifas", "--board", "square:3x4"]


def solved(*arguments):
    code, out, err = run("solve", *arguments, "--no-table", "--json")
    check(code == 0, arguments, "fails", err)
    return json.loads(out)


def unmeasured(measures):
    """The parts of it that are null."""
    return [key for key, value in measures.items() if value is None]


def test_small_games_unasked():
    whole = solved("tic-tac-toe")["measures"]
    check(unmeasured(whole) == [], "tic-tac-toe has no", unmeasured(whole))
    by_pass = solved("tic-tac-toe", "--method", "one-pass")["measures"]
    check(unmeasured(by_pass) == list(PLAY), "in one pass there is no", unmeasured(by_pass))
    check((by_pass["positions"], by_pass["by_stones"]) == (whole["positions"], whole["by_stones"]), "in one pass", by_pass["positions"])
    check(solved("tic-tac-toe", "--method", "search")["measures"] is None, "a search measures")


def test_large_games_asked_for():
    one_pass = [*TAIFAS, "--method", "one-pass"]
    check(solved(*one_pass)["measures"] is None, "one pass measures a large game unasked")
    asked = solved(*one_pass, "--measures")["measures"]
    graph = solved(*TAIFAS, "--method", "graph")["measures"]
    check(unmeasured(graph) == list(PLAY), "by graph unasked there is no", unmeasured(graph))
    check(asked == graph, "one pass and graph:", asked and asked["positions"], graph["positions"])


def test_without_the_memory_for_a_graph():
    short = solved(*TAIFAS, "--measures", "--memory", LITTLE_MEMORY)
    check(short["method"] != "graph" and unmeasured(short["measures"]) == list(PLAY), short["method"], unmeasured(short["measures"]))
    page = run("solve", *TAIFAS, "--measures", "--memory", LITTLE_MEMORY, "--no-table")[1]
    check("one move alone keeps the value" in page and "skill" not in page, page)
    check("skill: " in run("solve", "tic-tac-toe", "--no-table")[1], "a page without skill")


def test_endings():
    krk = solved("safety-in-numbers", "--board", "square:4x4", "--set", "material=KRvK")
    count = krk["measures"]["positions"]
    sides = [krk["positions"][side] for side in ("white_to_move", "black_to_move")]
    check(unmeasured(krk["measures"]) == list(PLAY), "an ending has no", unmeasured(krk["measures"]))
    check(0 < count["decided"] <= count["positions"] < sum(side["legal"] for side in sides), count, sides)


def test_tables_and_sweeps():
    with tempfile.TemporaryDirectory() as folder:
        for method, missing in (("graph", ["lines"]), ("rows", list(PLAY))):
            asked = ["solve", "populace", "--board", "path:6", "--method", method, "--table", os.path.join(folder, method), "--json"]
            first, again = run(*asked), run(*asked)
            check(first[0] == again[0] == 0, method, first, again)
            one, two = (json.loads(done[1])["measures"] for done in (first, again))
            check(one == two and unmeasured(one) == missing, "from the table by", method, unmeasured(two))
    code, out, err = run("sweep", "tic-tac-toe", "--set", "misere=off,on", "--no-cache", "--json")
    check(code == 0, err)
    for row in map(json.loads, out.splitlines()):
        one = solved("tic-tac-toe", "--set", f"misere={row['options']['misere']}")
        check(row["measures"] == one["measures"], "a row of a sweep:", row["options"])


def test_refused():
    code, _, said = run("solve", "connect-4", "--board", "square:4x4", "--method", "search", "--measures")
    check(code == 2 and "this takes the values of all positions, which search does not keep; graph, " in said and "leave out --method search" in said, code, said)


run_tests(globals())
