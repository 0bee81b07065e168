#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports: `report` and `sweep --html` write one file that fetches nothing, needs no script, and says what `solve --json` says.

    tests/report_test.py PATH_TO_PLENUM
"""
import html.parser
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest

PLENUM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else sys.exit(__doc__)
VOID = {"meta", "link", "br", "hr", "img", "input"}
GAMES = {
    "line": ["tic-tac-toe"],
    "hexagon": ["populace", "--board", "hexhex:2"],
    "trap": ["populace", "--board", "path:8", "--set", "button=on"],
    "ending": ["chess", "--set", "material=KRvK", "--board", "square:4x4"],
    "search": ["connect-4", "--board", "square:4x4"],
}


def run(*arguments, folder=None):
    return subprocess.run([PLENUM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600, check=False, cwd=folder)


class Page(html.parser.HTMLParser):
    """What stands in a page, read strictly: each element is closed, in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.wrong, self.texts, self.tables, self.codes, self.sections = [], [], [], [], [], [], {}
        self.text = text
        self.feed(text)
        self.close()
        self.wrong += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
        if tag == "code":
            self.codes.append("")
        if tag == "p":
            self.texts.append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if {"th", "td"} & set(self.open):
            self.tables[-1][-1][-1] += data
        if "code" in self.open:
            self.codes[-1] += data
        if "p" in self.open:
            self.texts[-1] += data

    def verdict(self):
        return self.texts[0]

    def cell(self, heading):
        """What stands beside a row's heading, of the first row that has it."""
        for table in self.tables:
            for row in table:
                if row and row[0] == heading:
                    return row[1]
        raise AssertionError(f"no row is called {heading}")


def percent(share):
    p = 100 * share
    if p < 1e-7:
        return "0 %"
    if p > 100 - 1e-7:
        return "100 %"
    if p < 0.001:
        return "< 0.001 %"
    return "> 99.9 %" if p > 99.95 else f"{p:.{3 if p < 0.0095 else 2 if p < 0.95 else 1}f} %"


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.environ["PLENUM_CACHE"] = os.path.join(cls.folder.name, "cache")
        cls.pages, cls.solved, cls.seconds = {}, {}, {}
        for name, game in GAMES.items():
            file = os.path.join(cls.folder.name, f"{name}.html")
            began = time.monotonic()
            more = ["--openings"] if name == "search" else []
            done = run("report", *game, *more, "-o", file)
            cls.seconds[name] = time.monotonic() - began
            if done.returncode != 0:
                raise AssertionError(f"{name}: {done.returncode} {done.stderr}")
            with open(file, encoding="utf-8") as text:
                cls.pages[name] = Page(text.read())
            cls.solved[name] = json.loads(run("solve", *game, *more, "--json").stdout)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def well_made(self, page, name):
        self.assertEqual(page.wrong, [], name)
        self.assertLess(len(page.text.encode()), 2_000_000, name)
        self.assertNotRegex(page.text, r"https?://", name)
        self.assertTrue(page.text.startswith("<!doctype html>"), name)
        for tag, attributes in page.tags:
            self.assertNotIn(tag, ("script", "iframe", "object", "embed", "img", "base", "form"), name)
            for key, value in attributes.items():
                self.assertFalse(key.startswith("on"), (name, tag, key))
                self.assertNotEqual(key, "src", name)
                if key == "href":
                    self.assertRegex(value, r"^(#|data:,)", name)
            if tag == "html":
                self.assertEqual(attributes["lang"], "en")
            if tag == "svg":
                self.assertTrue("aria-label" in attributes or attributes.get("aria-hidden") == "true", (name, attributes))
            if tag == "th":
                self.assertIn(attributes.get("scope"), ("row", "col"), name)
        references = set(re.findall(r"(?:url\(|href=\")#([\w-]+)", page.text))
        self.assertLessEqual(references, {attributes["id"] for _, attributes in page.tags if "id" in attributes}, name)

    def test_well_made(self):
        for name, page in self.pages.items():
            self.well_made(page, name)

    def test_in_ten_seconds(self):
        self.assertLess(self.seconds["hexagon"], 10)

    def test_the_verdict(self):
        for name, page in self.pages.items():
            solved, says = self.solved[name], page.verdict()
            if name == "ending":
                for mover, white in (("white_to_move", True), ("black_to_move", False)):
                    counts = solved["positions"][mover]
                    self.assertIn(f"White wins {percent(counts['first'] / counts['legal'])} of the {counts['legal']:,} legal positions", says)
                    del white
                self.assertIn(f"White wins in {solved['positions']['longest']['first']} plies at most", says)
                continue
            value = solved["value"]
            if value["outcome"] in ("first", "second"):
                margin = "" if " wins by " not in says.split(".")[0] else f" by {str(abs(value['margin']))}"
                self.assertIn(f"With best play {value['outcome']} wins{margin}" + (f", in {value['plies']} pl" if value["plies"] else ""), says, name)
            elif value["outcome"] == "tie":
                self.assertIn("With best play the game ends level.", says, name)
            else:
                self.assertIn("play goes round for ever", says, name)
            outcomes = [opening["outcome"] for opening in solved["openings"]]
            level = outcomes.count("tie") + outcomes.count("cycle")
            self.assertRegex(says, rf"Of the {len(outcomes)} first moves?, {outcomes.count('first')} wins? for first, {level} (is|are) level and {outcomes.count('second')} wins? for second")
            if solved["pie"] is not None:
                self.assertIn("The pie is fair" if solved["pie"]["margin"] == 0 else "The pie is not fair", says, name)
                if solved["pie"]["margin"] != 0:
                    self.assertIn(f"second wins by {-solved['pie']['margin']} at best play", says)
            rates = solved["draw_rate"]
            for rate, words in (("ends", "of the ends"), ("random_play", "of games played at random")):
                if rates[rate] is not None:
                    self.assertIn(f"{percent(rates[rate])} {words}", says, name)
            measures = solved["measures"]
            if measures and measures["skill"] is not None:
                self.assertIn(f"the game has {measures['skill']:.2f}", says, name)
            else:
                self.assertNotIn("the game has", says, name)
            if measures:
                moves = dict(row for table in page.tables for row in table if len(row) == 2)
                self.assertEqual(moves["positions that have not ended"], f"{measures['positions']['positions']:,}", name)
                self.assertTrue(moves["with more, of which one alone keeps the value"].startswith(f"{measures['positions']['critical']:,} ("), name)

    def test_the_questions_of_the_verdict(self):
        says = self.pages["hexagon"].verdict()
        for part in ("With best play first wins by 7, in 3 plies.", "The pie is not fair: with it second wins by 7", "positions are level", "come back", "that the author left open"):
            self.assertIn(part, says)

    def test_the_tables(self):
        for name, page in self.pages.items():
            solved = self.solved[name]
            positions = solved["positions"]
            if positions is None or name == "ending":
                continue
            self.assertEqual(page.cell("reachable positions"), f"{positions['reachable']:,}, {positions['canonical']:,} up to symmetry")
            going_on = positions["reachable"] - positions["ended"]
            level = page.cell("positions that have not ended")
            ties = f"{positions['tie']:,} tie{'s' * (positions['tie'] != 1)} and {positions['cycle']:,} cycle{'s' * (positions['cycle'] != 1)} of {going_on:,}"
            self.assertEqual(level, f"{percent(solved['draw_rate']['positions'])}: {ties}")
            self.assertEqual(page.cell("worth a cycle: neither player can end the game without losing"), f"{positions['cycle']:,}")
            margins = {row[0]: row[1] for row in next(t for t in page.tables if t[0][0] == "first’s margin")[1:]}
            self.assertEqual({k: v.replace(",", "") for k, v in margins.items()}, {k: str(v) for k, v in solved["margins"].items()})
            lengths = next(t for t in page.tables if t[0][0] == "plies to the end")[1:]
            for who, column in (("first", 1), ("second", 2)):
                self.assertEqual({row[0]: int(row[column].replace(",", "")) for row in lengths if row[column] != "0"}, solved["lengths"][who])

    def test_every_opening(self):
        for name in ("line", "hexagon", "trap", "search"):
            table = next(t for t in self.pages[name].tables if t[0] == ["it leads to", "first moves"])
            moves = {move: words for words, list_of in table[1:] for move in list_of.split(", ")}
            self.assertEqual(len(moves), len(self.solved[name]["openings"]), name)
            for opening in self.solved[name]["openings"]:
                self.assertIn({"first": "first wins", "second": "second wins", "tie": "a tie", "cycle": "cycle"}[opening["outcome"]], moves[opening["move"]], name)

    def test_readings(self):
        for name in ("hexagon", "trap"):
            asked = json.loads(run("compare", *GAMES[name], "--readings", "--json").stdout)["readings"]
            table = next(t for t in self.pages[name].tables if t[0][0] == "reading")
            self.assertEqual([row[0] for row in table[1:]], [f"{r['option']}={r['value']}" for r in asked])
            for row, r in zip(table[1:], asked):
                self.assertEqual(row[1], r["changes"])
                self.assertEqual(row[3], f"{r['openings_changed']} of {r['openings']}")
                self.assertEqual(row[5].split(" (")[0], f"{r['changed']:,} of {r['common']:,}")

    def test_the_trap(self):
        trap = json.loads(run("cycles", *GAMES["trap"], "--json").stdout)["trap"]
        page = self.pages["trap"]
        for k, position in enumerate(trap["positions"][:trap["cycle_length"]]):
            self.assertIn(f"<figcaption>{k + 1}. {position}, ", page.text)
        self.assertIn("Whoever leaves it loses", page.text)

    def test_commands_run(self):
        for name, page in self.pages.items():
            commands = [c for c in dict.fromkeys(page.codes) if c.startswith("plenum ")]
            self.assertGreaterEqual(len(commands), 2, name)
            for command in commands:
                done = run(*shlex.split(command)[1:])
                self.assertIn(done.returncode, (0, 1), (command, done.stderr))
                for line in done.stdout.splitlines() if " sweep " in command else [done.stdout]:
                    json.loads(line)

    def test_the_same_again(self):
        file = os.path.join(self.folder.name, "again.html")
        self.assertEqual(run("report", *GAMES["hexagon"], "--threads", "1", "-o", file).returncode, 0)
        with open(file, encoding="utf-8") as text:
            self.assertEqual(text.read(), self.pages["hexagon"].text)

    def test_what_is_varied(self):
        file = os.path.join(self.folder.name, "varied.html")
        done = run("report", "populace", "--board", "path:5", "--vary", "board=path:4..6", "--vary", "threat=1,2", "-o", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(file, encoding="utf-8") as text:
            page = Page(text.read())
        self.well_made(page, "varied")
        self.assertIn("board ↓, threat →", page.text)
        self.assertIn("plenum sweep populace --board path:4,path:5,path:6 --set threat=1,2 --json", page.codes)

    def test_sweep(self):
        file = os.path.join(self.folder.name, "sweep.html")
        done = run("sweep", "populace", "--board", "path:4..6", "--set", "threat=1,2", "--html", file, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        with open(file, encoding="utf-8") as text:
            page = Page(text.read())
        self.well_made(page, "sweep")
        table = next(t for t in page.tables if t[0] == ["board ↓, threat →", "threat 1", "threat 2"])
        self.assertEqual([row[0] for row in table[1:]], ["board path:4", "board path:5", "board path:6"])
        shown = [cell for row in table[1:] for cell in row[1:]]
        for cell, row in zip(shown, rows):
            margin = row["value"]["margin"]
            self.assertEqual(cell, "~" if row["value"]["outcome"] == "cycle" else "=" if margin == 0 else f"{margin:+}")

    def test_what_goes_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("report", "tic-tac-toe", folder=folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--output", done.stderr)
            for arguments in (["report", "tic-tac-toe", "-o", "missing/x.html"], ["sweep", "tic-tac-toe", "--html", "missing/x.html"], ["report", "tic-tac-toe", "-o", folder]):
                done = run(*arguments, folder=folder)
                self.assertEqual(done.returncode, 3, arguments)
                self.assertIn("plenum: ", done.stderr)
                self.assertIn("give a file in a folder that can be written to", done.stderr)
            done = run("report", "populace", "--board", "path:4", "--vary", "thread=1,2", "-o", "x.html", folder=folder)
            self.assertEqual((done.returncode, "threat" in done.stderr), (2, True), done.stderr)
            self.assertEqual(os.listdir(folder), [])
            # Markup in a description stays text.
            with open(os.path.join(folder, "odd.toml"), "w", encoding="utf-8") as file:
                file.write('name = "<script>alert(1)</script> & \\"x\\""\nextends = "tic-tac-toe"\nabout = "<b>See</b> https://example.org/"\n')
            done = run("report", "odd.toml", "-o", "odd.html", folder=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(folder, "odd.html"), encoding="utf-8") as text:
                self.well_made(Page(text.read()), "odd")
            self.assertEqual(sorted(os.listdir(folder)), ["odd.html", "odd.toml"])


if __name__ == "__main__":
    unittest.main()
