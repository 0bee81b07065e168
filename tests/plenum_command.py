# SPDX-License-Identifier: Apache-2.0
"""What tests that call the program share: calling it, noting what does not hold, and running all tests of a file.

    from plenum_command import check, run, run_tests
    def test_this(): check(run("solve", "tic-tac-toe")[0] == 0, "it fails")
    run_tests(globals())

The path of the program is the one argument of the test.
"""
import os
import subprocess
import sys
import tempfile
import time

from sanitized import command_seconds, little_memory

PLENUM = os.path.abspath(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(sys.modules["__main__"].__doc__)
LITTLE_MEMORY = little_memory(PLENUM, least=40)
LITTLE_FOR_SEARCH = little_memory(PLENUM, 2)
PATIENCE = 120  # seconds
SECONDS = command_seconds(PLENUM)
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(w)[:600] for w in what))


def run(*arguments, stdin=None):
    """Exit code, stdout, stderr."""
    done = subprocess.run([PLENUM, *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    return done.returncode, done.stdout, done.stderr


def wait_for(what):
    """What it returns, once that is something; None after so long."""
    deadline = time.time() + PATIENCE
    while time.time() < deadline:
        if got := what():
            return got
        time.sleep(0.005)
    return None


def run_tests(names):
    """All that begin with `test_`, each in an empty folder, with one cache for all; ends the program."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["PLENUM_CACHE"] = cache
        for name, test in list(names.items()):
            if not name.startswith("test_"):
                continue
            before = len(failures)
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                test()
                os.chdir("/")
            print(name, "ok" if len(failures) == before else "FAILED")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)
