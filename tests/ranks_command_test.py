#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several ranks, as a user starts them by mpirun: the same answers as one process gives, and what happens where one dies.

    tests/ranks_command_test.py PLENUM

Without Open MPI on the machine, or where the program was built without it, it ends with 77: skipped.
"""
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from plenum_command import PATIENCE, PLENUM, SECONDS, check, run, run_tests, wait_for
from sanitized import follows_forks, sanitized

MPIRUN = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.getuid() == 0 else [])


def start(ranks, *arguments, options=(), **how):
    return subprocess.Popen([*MPIRUN, *options, "-n", str(ranks), PLENUM, *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **how)


def run_ranks(ranks, *arguments, options=()):
    process = start(ranks, *arguments, options=options)
    out, err = process.communicate(timeout=SECONDS)
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


# Each way of solving, with cycles and without, endings; of the graph games too small to be shared and some that are not.
GAMES = [
    ["populace", "--board", "square:3x3", "--method", "rows"],
    ["populace", "--board", "hexhex:2", "--method", "rows", "--set", "threat=2"],
    ["in-crowd", "--board", "square:3x3", "--method", "one-pass"],
    ["taifas", "--board", "square:3x3", "--method", "one-pass"],
    ["cascade", "--board", "square:2x4", "--method", "one-pass"],
    ["populace", "--board", "path:7", "--method", "graph"],
    ["populace", "--board", "path:10", "--method", "graph"],
    ["connect-4", "--board", "square:4x4", "--method", "graph"],
    ["quixo", "--board", "square:3x3", "--method", "graph"],
    ["taifas", "--board", "square:3x4", "--method", "graph"],
    ["safety-in-numbers", "--set", "material=KRvK", "--board", "square:4x4"],
    ["taifas", "--board", "square:3x3", "--method", "bits"],
    ["populace", "--board", "square:3x3", "--method", "bits"],
    ["connect-4", "--board", "square:4x4", "--method", "search"],
    ["connect-4", "--board", "square:4x4"],
]
# So large that nothing is counted unasked.
UNCOUNTED = ["populace", "--board", "hexrect:3x4", "--set", "threat=1", "--method", "rows"]
LARGE = ["populace", "--board", "square:4x4", "--method", "rows"]


def solved(call, game, table):
    """JSON, and the bytes of the table: of some methods there is none."""
    with_table = game[-1] not in ["search", "square:4x4"]
    code, out, err = call("solve", *game, *(["--table", table] if with_table else ["--no-table"]), "--json")
    check(code == 0, game, code, err)
    if not with_table or not os.path.exists(table):
        return without_cost(out), None
    with open(table, "rb") as file:
        data = file.read()
    os.remove(table)
    return without_cost(out), data


def test_games_are_solved_as_by_one_process():
    for game in GAMES:
        alone = solved(run, game, "alone.plenum")
        for ranks in [2, 3, 5]:
            together = solved(lambda *a, r=ranks: run_ranks(r, *a), game, "together.plenum")
            check(together[0] == alone[0], game, ranks, "ranks: another result")
            check(together[1] == alone[1], game, ranks, "ranks: another table")


def test_without_a_table_ranks_count_together():
    for game in [["taifas", "--board", "square:3x4", "--method", "graph"],
                 ["populace", "--board", "square:3x3", "--method", "rows"],
                 ["taifas", "--board", "square:3x4", "--method", "one-pass"],
                 UNCOUNTED]:
        for ranks, more in [(2, []), (3, ["--lengths"]), (2, ["--lengths", "--measures"])]:
            code, alone, err = run("solve", *game, "--no-table", "--json", *more)
            check(code == 0, game, code, err)
            code, together, err = run_ranks(ranks, "solve", *game, "--no-table", "--json", *more)
            check(code == 0 and without_cost(together) == without_cost(alone), game, more, code, err)


def test_from_another_position_as_one_process_does():
    """Nothing is kept of it: what ranks have in parts is put together, and opened, for this run alone."""
    for game, begin in [(["tic-tac-toe"], ["--position", "x2/1o1/3 1"]),
                        (["taifas", "--board", "square:3x3"], ["--position", "3/1b1/w2 2"]),
                        (["othello", "--board", "square:4x3"], ["--moves", "a1"]),
                        (["domineering", "--board", "square:3x3"], ["--position", "3/3/dd1 1"])]:
        for method in ["one-pass", "graph"]:
            ask = ["solve", *game, *begin, "--method", method, "--json", "--lengths"]
            code, alone, err = run(*ask)
            check(code == 0, game, method, code, err)
            for ranks in [2, 3]:
                code, together, err = run_ranks(ranks, *ask)
                check(code == 0 and without_cost(together) == without_cost(alone), game, method, ranks, code, err)
    for method, board in [("rows", "path:5"), ("bits", "path:5")]:
        ask = ["solve", "populace", "--board", board, "--position", "5 2", "--method", method, "--json"]
        code, alone, err = run(*ask)
        code_together, together, said = run_ranks(2, *ask)
        check(code == code_together, method, code, err, code_together, said)
        check(code != 0 or without_cost(together) == without_cost(alone), method)


def run_pair(first, second):
    """One rank with each of two commands, which are environment and arguments."""
    process = subprocess.run([*MPIRUN, "-n", "1", *first, ":", "-n", "1", *second], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
    return process.returncode, process.stdout, process.stderr


def test_ranks_that_read_something_else_say_so():
    for name, threat in [("one.toml", 1), ("other.toml", 2)]:
        with open(name, "w", encoding="utf-8") as file:
            file.write(f'name = "Some"\nextends = "populace"\noptions.threat.default = {threat}\n')
    def ask(file):
        return [PLENUM, "solve", file, "--board", "square:2x3", "--method", "rows", "--no-table", "--json"]
    code, out, err = run_pair(ask("./one.toml"), ask("./other.toml"))
    check(code != 0 and not out and "rank 1 reads another game than rank 0" in err, code, out, err)
    code, out, err = run_pair(ask("./one.toml"), ask("./none.toml"))
    check(code != 0 and not out and "none.toml" in err, code, out, err)
    # Where only the root has a folder for tables.
    solve = [PLENUM, "solve", "populace", "--board", "square:2x3", "--method", "rows", "--json"]
    code, out, err = run_pair(solve, ["env", "-u", "HOME", "-u", "PLENUM_CACHE", "-u", "XDG_CACHE_HOME", *solve])
    check(code == 0 and without_cost(out) == without_cost(run(*solve[1:])[1]), code, out, err)


@contextlib.contextmanager
def small_disk(size):
    """A folder with so much room; None where no file system can be mounted."""
    os.mkdir("full")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", "full"], check=False, capture_output=True).returncode:
        print("no file system can be mounted here: not tested")
        yield None
        return
    try:
        yield "full"
    finally:
        subprocess.run(["umount", "--lazy", "full"], check=True)


def test_a_full_disk_is_said_whoever_writes():
    with small_disk("16k") as disk:
        # By ranks; by the root alone; by the root alone where another method takes over, which the ranks then do together.
        for more in [["path:10", "--method", "graph"], ["path:7", "--method", "graph"], ["path:7", "--measures"]] if disk else []:
            code, _, err = run_ranks(3, "solve", "populace", "--board", *more, "--table", f"{disk}/t.plenum")
            check(code == 3 and "No space left" in err, more, code, err)


def test_ranks_write_no_table_where_no_position_is_looked_at():
    with small_disk("16k") as disk:
        cache = os.environ["PLENUM_CACHE"]
        os.environ["PLENUM_CACHE"] = disk or cache
        try:
            # The second shows that there is no room for one.
            for more, expected in [([], 0), (["--lengths"], 3)] if disk else []:
                code, _, err = run_ranks(2, "solve", *UNCOUNTED, "--no-table", *more)
                check(code == expected, more, code, err)
        finally:
            os.environ["PLENUM_CACHE"] = cache


def test_a_full_scratch_disk_is_said_by_the_rank_that_fills_it():
    with small_disk("120M") as disk:
        game = ["solve", "quixo", "--board", "square:4x4", "--no-table", "--threads", "1", "--memory", "150M"]
        for call in [run, lambda *arguments: run_ranks(2, *arguments)] if disk and not sanitized(PLENUM) else []:
            code, _, err = call(*game, "--scratch", disk)
            check(code == 3 and f"no more room in the folder {disk}" in err and "--scratch" in err, code, err)
            check("signal" not in err, err)


def test_what_three_ranks_began_two_take_up():
    expected = solved(run, LARGE, "alone.plenum")
    process = start(3, "solve", *LARGE, "--table", "t.plenum")
    pieces = wait_for(lambda: os.path.isdir("t.plenum.partial") and
                      [name for name in os.listdir("t.plenum.partial") if name.endswith(".piece")])
    check(pieces, "no piece of a checkpoint was seen")
    ranks = jobs_of(process)[1]
    if ranks:
        os.kill(ranks[-1], signal.SIGKILL)
    _, err = process.communicate(timeout=SECONDS)
    check(process.returncode != 0 and "signal 9" in err, process.returncode, err)
    check(not os.path.exists("t.plenum") and os.listdir("t.plenum.partial"), "the finished pieces are not there")
    process = start(2, "solve", *LARGE, "--table", "t.plenum", "--json", "--progress", "json")
    out, err = process.communicate(timeout=SECONDS)
    check(process.returncode == 0 and without_cost(out) == expected[0], process.returncode, err)
    with open("t.plenum", "rb") as file:
        check(file.read() == expected[1], "another table")
    check(not os.path.exists("t.plenum.partial"), "pieces are left")


SWEEP = ["sweep", "populace", "--board", "path:4,square:2x3,path:6", "--set", "threat=1,2,3", "--no-cache", "--json"]
# Long enough for one of its processes to be found while it works.
LONG_SWEEP = ["sweep", "populace", "--board", "path:9", "--set", "threat=1,2,3", "--no-cache", "--json"]


# Each game takes some seconds.
STOPPED_SWEEP = ["sweep", "populace", "--board", "path:15", "--set", "threat=1,2", "--set", "button=on,off", "--no-cache", "--json"]


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
    out, err = process.communicate(timeout=SECONDS)
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
    out, err = process.communicate(timeout=SECONDS)
    check(without_cost(out) == without_cost(alone), process.returncode, out, err)
    check("is not heard of any more: its game is solved again" in err, err)


def test_ranks_that_were_only_stopped_go_on():
    code, alone, _ = run(*STOPPED_SWEEP)
    check(code == 0, code)
    process = start(3, *STOPPED_SWEEP)
    check(wait_for(lambda: len(jobs_of(process)[0]) == 3), "not all ranks were seen at work")
    # A rank alone, until it is not waited for any more; and then all of them, as with the machine.
    for those in [lambda: jobs_of(process)[1][-1:], lambda: [process.pid, *programs(process)]]:
        stopped = those()
        for how in [signal.SIGSTOP, signal.SIGCONT]:
            for number in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, how)
            time.sleep(15.5 if how == signal.SIGSTOP else 0.5)
    out, err = process.communicate(timeout=SECONDS)
    check(process.returncode == 0 and without_cost(out) == without_cost(alone), process.returncode, out, err)
    check(err.count("is not heard of any more") == 1 and err.count("is heard of again") == 1, err)


def test_ranks_end_with_their_root():
    process = start(3, *STOPPED_SWEEP, options=["--enable-recovery"])
    check(wait_for(lambda: len(jobs_of(process)[0]) == 3), "not all ranks were seen at work")
    os.kill(jobs_of(process)[1][0], signal.SIGKILL)
    _, err = process.communicate(timeout=SECONDS)
    check("rank 0 is not heard of any more" in err, process.returncode, err)


def test_what_is_not_shared_is_the_roots():
    count = ["count", "tic-tac-toe", "--depth", "4"]
    code, out, _ = run_ranks(3, *count)
    check(code == 0 and out == run(*count)[1], code, out)
    code, out, err = run_ranks(2, "solve", "no-such-game")
    check(code == 2 and err.count("there is no variant 'no-such-game'") == 1, code, err)


GAMES_IN_PROCESSES = [
    test_sweep_is_that_of_one_process, test_readings_and_reports_are_those_of_one_process, test_a_game_whose_process_dies_is_solved_again,
    test_a_rank_that_dies_costs_its_game_where_the_launcher_lets_others_live, test_ranks_that_were_only_stopped_go_on, test_ranks_end_with_their_root
]

if __name__ == "__main__":
    # Sanitized: what Open MPI leaves behind cannot be told by its modules, which are closed by then.
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    if shutil.which("mpirun") is None or run_ranks(2, "--version")[0] != 0:
        sys.exit(77)
    if not follows_forks(PLENUM):
        for test in GAMES_IN_PROCESSES:
            del globals()[test.__name__]
    run_tests(globals())
