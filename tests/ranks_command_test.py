#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several ranks, as a user starts them by mpirun: the same answers as one process gives, and what happens where one dies.

    tests/ranks_command_test.py PLENUM

Without Open MPI, in the program or on the machine, it ends with 77: skipped.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from plenum_command import PLENUM, check, run, run_tests

MPIRUN = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
PATIENCE = 120  # seconds


def start(ranks, *arguments, options=(), **how):
    return subprocess.Popen([*MPIRUN, *options, "-n", str(ranks), PLENUM, *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **how)


def run_ranks(ranks, *arguments, options=()):
    process = start(ranks, *arguments, options=options)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def without_cost(text):
    """JSON, or lines of it, without what depends on the machine."""
    def clean(value):
        for key in ["cost", "table"]:
            value.pop(key, None)
        return value
    try:
        return clean(json.loads(text))
    except json.JSONDecodeError:
        return [clean(json.loads(line)) for line in text.splitlines()]


def below(process):
    """Process numbers of a process's descendants, with their parents."""
    parents = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                parents[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    found = {process: None}
    for _ in range(4):
        found.update({p: parent for p, parent in parents.items() if parent in found})
    return found


def wait_for(what):
    deadline = time.time() + PATIENCE
    while time.time() < deadline:
        if got := what():
            return got
        time.sleep(0.005)
    return None


def programs(process):
    """The processes of the program, as {number: parent}."""
    out = {}
    for number, parent in below(process.pid).items():
        try:
            if os.path.realpath(f"/proc/{number}/exe") == os.path.realpath(PLENUM):
                out[number] = parent
        except OSError:
            pass
    return out


def jobs_of(process):
    """Processes of single games as they are now, with their ranks; and all ranks, the root first."""
    now = programs(process)
    ranks = sorted(p for p, parent in now.items() if parent not in now)
    return {p: parent for p, parent in now.items() if parent in ranks}, ranks


SWEEP = ["sweep", "populace", "--board", "path:4,square:2x3,path:6", "--set", "threat=1,2,3", "--no-cache", "--json"]
# Long enough for one of its processes to be found while it works.
LONG_SWEEP = ["sweep", "populace", "--board", "path:9", "--set", "threat=1,2,3", "--no-cache", "--json"]


def test_sweep_is_that_of_one_process():
    code, alone, _ = run(*SWEEP)
    check(code == 0, "alone", code)
    for ranks in [2, 3]:
        code, together, err = run_ranks(ranks, *SWEEP)
        check(code == 0 and without_cost(together) == without_cost(alone), ranks, code, together, err)


def test_readings_and_reports_are_those_of_one_process():
    readings = ["compare", "populace", "--readings", "--board", "square:2x3", "--json"]
    code, alone, _ = run(*readings)
    together_code, together, _ = run_ranks(3, *readings)
    check(code == together_code and alone == together, together_code, together)
    run("report", "populace", "--board", "path:5", "-o", "alone.html")
    run_ranks(3, "report", "populace", "--board", "path:5", "-o", "together.html")
    with open("alone.html", encoding="utf-8") as alone, open("together.html", encoding="utf-8") as together:
        check(alone.read() == together.read(), "reports differ")


def test_a_game_whose_process_dies_is_solved_again():
    code, alone, _ = run(*LONG_SWEEP)
    check(code == 0, code)
    process = start(2, *LONG_SWEEP)
    jobs = wait_for(lambda: list(jobs_of(process)[0]))
    check(jobs, "no process of a game was seen")
    if jobs:
        os.kill(jobs[0], signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    check(process.returncode == 0 and without_cost(out) == without_cost(alone), process.returncode, out, err)
    check("was ended by signal 9: its game is solved again" in err, err)


def test_a_rank_that_dies_costs_its_game_where_the_launcher_lets_others_live():
    code, alone, _ = run(*LONG_SWEEP)
    check(code == 0, code)
    process = start(3, *LONG_SWEEP, options=["--enable-recovery"])

    def rank_with_a_game():
        jobs, ranks = jobs_of(process)
        return [rank for rank in jobs.values() if len(ranks) == 3 and rank != ranks[0]]

    found = wait_for(rank_with_a_game)
    check(found, "no rank at work was seen")
    if found:
        os.kill(found[0], signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    check(without_cost(out) == without_cost(alone), process.returncode, out, err)
    check("is not heard of any more: its game is solved again" in err, err)


def test_what_is_not_shared_is_the_roots():
    count = ["count", "tic-tac-toe", "--depth", "4"]
    code, out, _ = run_ranks(3, *count)
    check(code == 0 and out == run(*count)[1], code, out)
    code, out, err = run_ranks(2, "solve", "no-such-game")
    check(code == 2 and err.count("there is no variant 'no-such-game'") == 1, code, err)


if __name__ == "__main__":
    if shutil.which("mpirun") is None or run_ranks(2, "--version")[0] != 0:
        sys.exit(77)
    run_tests(globals())
