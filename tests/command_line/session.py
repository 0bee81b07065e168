# SPDX-License-Identifier: Apache-2.0
"""Running plenum and counting what holds; the program's path is the first argument of the test."""

import collections
import fractions
import json
import os
import subprocess
import sys

from sanitized import command_seconds, little_memory, sanitized

PLENUM = os.path.abspath(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(sys.modules["__main__"].__doc__)
SANITIZED = sanitized(PLENUM)
SECONDS = command_seconds(PLENUM)
LITTLE_FOR_SEARCH = little_memory(PLENUM, 2)

Ran = collections.namedtuple("Ran", "code out err")
totals = collections.Counter()


def check(holds, *what):
    """Counts; what did not hold is printed."""
    totals["passed" if holds else "failed"] += 1
    if not holds:
        print("FAILED:", *(str(w)[:600] for w in what), flush=True)
    return holds


def equal(got, wanted, *what):
    return check(got == wanted, *what, "is", repr(got), "and should be", repr(wanted))


def near(got, wanted, *what, within=1e-9):
    close = got is not None and wanted is not None and abs(got - wanted) <= within
    return check(close or (got is None and wanted is None), *what, "is", got, "and should be", wanted)


def run(*arguments, stdin="", folder=None):
    done = subprocess.run([PLENUM, *arguments], input=stdin.encode("utf-8", "surrogateescape"), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=folder, timeout=SECONDS, check=False)
    return Ran(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def settings(options):
    """{"board": "path:3", "button": "on"} as arguments; "variant" for another than Populace."""
    out = [options.get("variant", "populace")]
    for name, value in options.items():
        out += [] if name == "variant" else ["--board", value] if name == "board" else ["--set", f"{name}={value}"]
    return out


def answer(command, options, *more, stdin=""):
    """The JSON that a command prints, which must succeed and say nothing else."""
    ran = run(command, *settings(options), "--json", *more, stdin=stdin)
    check(ran.code == 0 and ran.err == "", command, options, more, ran)
    return json.loads(ran.out)


def ask(options, requests, *more):
    """The answers of query --stdin, one a request."""
    lines = [r if isinstance(r, str) else json.dumps(r) for r in requests]
    ran = run("query", *settings(options), "--stdin", *more, stdin="".join(line + "\n" for line in lines))
    out = [json.loads(line) for line in ran.out.splitlines()]
    check(ran.code == 0 and ran.err == "" and len(out) == len(lines), "query --stdin", options, ran.code, ran.err)
    return out


def size(margin):
    """A margin as JSON writes it, or as key, as a fraction."""
    if isinstance(margin, float):
        check(margin % 1 == 0.5, "only halves are written with a point:", margin)
        return fractions.Fraction(margin)
    if isinstance(margin, str) and "." not in margin:
        whole = fractions.Fraction(margin)
        check(str(whole) == margin, "not in lowest terms:", margin)
        return whole
    return fractions.Fraction(margin)


def well_written(margin):
    """An integer, a half as a number, any other fraction as a text."""
    d = size(margin).denominator
    return type(margin) is (int if d == 1 else float if d == 2 else str)


def sign(x):
    return (x > 0) - (x < 0)
