#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what the README shows: readme_test.py PATH_TO_PLENUM

Every `$ tools/run ...` in a console block is run with the program given, in a folder that holds the tweaks which the README says to save; its output must
have the lines shown, in order and without gaps, but for a line "..." which stands for any lines. The table of results is solved anew.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
failures = []
passed = 0


def check(condition, message):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(message)


def plenum(*arguments, folder=None):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False, cwd=folder)


def matches(shown, printed):
    """Whether the printed lines are the ones shown, "..." standing for any number of them."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    if not printed:
        return False
    line, cut = re.fullmatch(r"(.*?)( \.\.\.)?", shown[0].rstrip()).groups()  # a line may end in "..." for what differs from run to run
    same = printed[0].startswith(line) if cut else printed[0].rstrip() == line
    return same and matches(shown[1:], printed[1:])


def console_blocks(text):
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        command, shown = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command:
                    yield command, shown
                command, shown = line[2:], []
            else:
                shown.append(line)
        yield command, shown


def main():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = list(console_blocks(text))
    check(any(c == "tools/test" for c, _ in commands), "the README does not show tools/test")
    runs = [(c, shown) for c, shown in commands if c.startswith("tools/run ")]
    check(len(runs) >= 4, "the README shows fewer than four calls of tools/run")
    files = re.findall(r"^.*[Ss]ave this as `([\w.-]+)`:\n\n```toml\n(.*?)```", text, re.S | re.M)
    check(files, "the README has no tweak to save")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLENUM_CACHE"] = os.path.join(folder, "cache")
        for name, tweak in files:
            pathlib.Path(folder, name).write_text(tweak, encoding="utf-8")
        for command, shown in runs:
            done = plenum(*shlex.split(command)[1:], folder=folder)
            wanted = 1 if command.startswith("tools/run compare") else 0  # what the README compares does change
            check(done.returncode == wanted, f"{command}: exit code {done.returncode}: {done.stderr}")
            check(matches(shown, done.stdout.splitlines()), f"{command}: prints something else than the README shows:\n{done.stdout}")
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \| (-?[\d.]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d.]+) % \|$", text, re.M)
    check(len(rows) >= 10, f"the table of results has {len(rows)} rows that can be read")
    for board, value, pie, *counts, level in rows:
        game = json.loads(plenum("solve", "populace", "--board", board, "--json").stdout)
        result = game["value"]
        words = result["outcome"]
        if result["margin"] != 0:
            words = f"{result['outcome']} by {abs(result['margin'])}, {result['plies']} plies"
        positions = game["positions"]
        solved = [positions[key] for key in ("reachable", "tie", "cycle", "forced_cycle")]
        random_play = game["random_play"]
        check(words == value.strip(), f"{board}: value {words}, the README says {value}")
        check(float(pie) == game["pie"]["margin"], f"{board}: pie {game['pie']['margin']}, the README says {pie}")
        check(solved == [int(c.replace(",", "")) for c in counts], f"{board}: counts {solved}, the README says {counts}")
        check(f"{100 * (random_play['tie'] + random_play['endless']):.1f}" == level, f"{board}: level at random, the README says {level} %")
    example = re.search(r"```toml\n(name .*?)```", (ROOT / "variants" / "README.md").read_text(encoding="utf-8"), re.S)
    check(example is not None, "variants/README.md has no example of a description")
    if example:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.toml"
            path.write_text(example.group(1), encoding="utf-8")
            done = plenum("check", str(path))
            check(done.returncode == 0 and "1 of 1 tests" in done.stdout, f"the example in variants/README.md: {done.stdout}{done.stderr}")
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
