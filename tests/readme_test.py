#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs what the README and the guide (data/guide) show: readme_test.py PATH_TO_PLENUM [PAGE...]

Every `$ tools/run ...` in a block marked `console` is run with the program given. Each page has a folder of its own, with the files that the page says to save;
its commands run in order, so that later ones find what earlier ones wrote. The output must have the lines shown, in order and without gaps; a line "..." stands
for any lines. Blocks marked `sh` are not run: they take too long. The README's table of results is solved anew. With PAGEs only these are checked.
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


def wanted_code(command, shown):
    """Of the comparisons shown each finds a change; of the goals some are proven out of reach."""
    if command.startswith("tools/run compare"):
        return 1
    return 1 if command.startswith("tools/run reach") and any("not reached" in line or "never reached" in line for line in shown) else 0


def check_page(name, least):
    text = (ROOT / name).read_text(encoding="utf-8")
    runs = [(c, shown) for c, shown in console_blocks(text) if c.startswith("tools/run ")]
    check(len(runs) >= least, f"{name} shows fewer than {least} calls of tools/run")
    files = re.findall(r"[Ss]ave\s+this\s+as\s+`([\w.-]+)`:\n\n```toml\n(.*?)```", text, re.S)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLENUM_CACHE"] = os.path.join(folder, "cache")
        for file, content in files:
            pathlib.Path(folder, file).write_text(content, encoding="utf-8")
        for command, shown in runs:
            done = plenum(*shlex.split(command)[1:], folder=folder)
            check(done.returncode == wanted_code(command, shown), f"{name}: {command}: exit code {done.returncode}: {done.stderr}")
            check(matches(shown, done.stdout.splitlines()), f"{name}: {command}: prints something else than is shown:\n{done.stdout}")
    return text, files


def check_results(text):
    """The table of what was found out, solved anew."""
    rows = re.findall(r"^\| `([a-z-]+ --board [^`]+)` \| ([^|]+) \| (-|-?[\d.]+) \| ([\d,]+) \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) % \| ([\d.]+) \|$", text, re.M)
    check(len(rows) >= 10, f"the table of results has {len(rows)} rows that can be read")
    for arguments, value, pie, reachable, *shares in rows:
        game = json.loads(plenum("solve", *arguments.split(), "--json").stdout)
        result = game["value"]
        words = result["outcome"]
        if result["margin"] != 0:
            words = f"{result['outcome']} by {abs(result['margin'])}, {result['plies']} plies"
        positions, random_play, measures = game["positions"], game["random_play"], game["measures"]
        going_on = sum(positions[key] for key in ("first", "second", "tie", "cycle"))
        solved = [f"{100 * (positions['tie'] + positions['cycle']) / going_on:.1f}", f"{100 * (random_play['tie'] + random_play['endless']):.1f}",
                  f"{100 * measures['positions']['critical'] / measures['positions']['positions']:.1f}", f"{measures['skill']:.2f}"]
        check(words == value.strip(), f"{arguments}: value {words}, the README says {value}")
        check(pie == "-" if game["pie"] is None else float(pie) == game["pie"]["margin"], f"{arguments}: pie {game['pie']}, the README says {pie}")
        check(positions["reachable"] == int(reachable.replace(",", "")), f"{arguments}: {positions['reachable']} positions, the README says {reachable}")
        check(solved == shares, f"{arguments}: shares {solved}, the README says {shares}")


def check_readme():
    text, files = check_page("README.md", 4)
    check("`tools/test`" in text, "the README does not name tools/test")
    check(files, "the README has no tweak to save")
    check_results(text)


def check_example():
    """The description at a glance is one."""
    page = "data/guide/describe.md"
    example = re.search(r'```toml\n(name += "A game".*?)```', (ROOT / page).read_text(encoding="utf-8"), re.S)
    check(example is not None, f"{page} has no example of a description")
    if example:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.toml"
            path.write_text(example.group(1), encoding="utf-8")
            done = plenum("check", str(path))
            check(done.returncode == 0 and "1 of 1 tests" in done.stdout, f"the example in {page}: {done.stdout}{done.stderr}")


def check_links(name):
    """What a page links to in the project is there."""
    page = ROOT / name
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        check((page.parent / target).exists(), f"{name} links to {target}, which is not there")


def main():
    sys.argv[1] = os.path.abspath(sys.argv[1])  # commands run in other folders
    guide = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "data" / "guide").glob("*.md"))
    check(len(guide) >= 5, f"the guide has {len(guide)} pages")
    pages = sys.argv[2:] or ["README.md", *guide]
    for name in pages:
        if name == "README.md":
            check_readme()
        else:
            check_page(name, 1)
        check_links(name)
    if "data/guide/describe.md" in pages:
        check_example()
    if not sys.argv[2:]:
        for readme in sorted(ROOT.glob("*/README.md")):
            check_links(str(readme.relative_to(ROOT)))
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
