#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Games that take more memory than they may, solved with a folder for their arrays: the same results.

    tests/scratch_command_test.py PLENUM
"""
import json
import os
import re
import subprocess

from plenum_command import PLENUM, check, run, run_tests, wait_for

# Each way of solving, and less memory than it takes.
GAMES = [
    (["populace", "--board", "square:4x4", "--method", "rows"], "45M"),
    (["quixo", "--board", "square:3x4", "--method", "graph"], "30M"),
    (["yavalath", "--method", "one-pass"], "90M"),
    (["taifas", "--board", "square:4x5", "--method", "bits"], "45M"),
    (["safety-in-numbers", "--set", "material=KQvKR", "--board", "square:8x8"], "25M"),
]


def solved(*arguments):
    code, out, err = run("solve", *arguments, "--no-table", "--json")
    result = json.loads(out) if code == 0 else {}
    cost = result.pop("cost", {})
    return code, result, cost, err


def test_results_are_the_same_with_less_memory():
    for game, memory in GAMES:
        code, without, needed, err = solved(*game)
        check(code == 0, game, code, err)
        code, _, _, err = solved(*game, "--memory", memory)
        check(code == 3 and re.search("memory", err), game, "fits", memory, code, err)
        code, with_folder, taken, err = solved(*game, "--memory", memory, "--scratch", ".")
        check(code == 0 and with_folder == without, game, code, err)
        check(taken["peak_bytes"] < needed["peak_bytes"], game, taken["peak_bytes"], needed["peak_bytes"])
        check(os.listdir(".") == [], "files are left", os.listdir("."))


def test_a_folder_that_cannot_be_used_is_said_to_be():
    code, _, _, err = solved("tic-tac-toe", "--scratch", "no/such/folder")
    check(code == 3 and "no/such/folder" in err and "--scratch" in err, code, err)


def test_a_folder_that_goes_away_is_named():
    os.mkdir("van")
    process = subprocess.Popen([PLENUM, "solve", "quixo", "--board", "square:4x4", "--no-table", "--memory", "60M", "--scratch", "van"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def begun():
        with open(f"/proc/{process.pid}/maps", encoding="utf-8") as maps:
            return "/van/" in maps.read()

    check(wait_for(begun), "no array was seen in the folder")
    os.rmdir("van")
    _, err = process.communicate(timeout=300)
    check(process.returncode == 3 and "no more files can be made in the folder van" in err, process.returncode, err)


run_tests(globals())
