#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`plenum export`, against what `query` and `solve` say of the same games: export_test.py PLENUM

Parquet, and the queries of data/guide/export.md, need DuckDB's library (tools/duckdb) and are skipped without it.
"""

import collections
import csv
import io
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import duckdb_client
from command_line.cases import THIRDS
from sanitized import sanitized

PLENUM = os.path.abspath(sys.argv.pop(1))
GUIDE = pathlib.Path(__file__).resolve().parent.parent / "data" / "guide" / "export.md"
SAMPLES = 20 if sanitized(PLENUM) else 60
FACTS = ["forced_cycle", "endless_first", "endless_second", "first_ends", "second_ends"]
POSITION = ["position", "mover", "stones", "outcome", "margin", "plies", "ended", *FACTS, "images"]
MOVE = ["position", "mover", "images", "move", "leads_to", "keeps", "outcome", "margin", "plies", "ended"]


def text_of(value):
    """As CSV has it."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


class Exporting(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_plenum(self, *arguments, stdin="", **more):
        environment = dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache"), **more)
        return subprocess.run([PLENUM, *arguments], capture_output=True, text=True, env=environment, cwd=self.folder, input=stdin, timeout=600)

    def done(self, *arguments, **more):
        ran = self.run_plenum(*arguments, **more)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), arguments)
        return ran.stdout

    def read(self, name):
        return pathlib.Path(self.folder, name).read_text(encoding="utf-8")

    def lines(self, name):
        return [json.loads(line) for line in self.read(name).splitlines()]

    def fails(self, code, message, *arguments, **more):
        ran = self.run_plenum("export", *arguments, **more)
        self.assertEqual(ran.returncode, code, ran.stderr)
        self.assertIn(message, ran.stderr)
        self.assertEqual([name for name in os.listdir(self.folder) if ".part-" in name], [], "what was begun")


class Rows(Exporting):
    def hold(self, game, asked, reachable):
        """`asked` is what query takes; all rows have been solved."""
        self.done("export", *game, "-o", "rows.jsonl")
        rows = self.lines("rows.jsonl")
        self.assertEqual(sum(row["images"] for row in rows), reachable)
        self.assertEqual(len({row["position"] for row in rows}), len(rows))
        sample = random.Random(7).sample(rows, min(SAMPLES, len(rows)))
        answers = self.done("query", *asked, "--stdin", stdin="".join(row["position"] + "\n" for row in sample)).splitlines()
        for row, answer in zip(sample, map(json.loads, answers), strict=True):
            self.assertEqual(list(row), [*POSITION, "moves"])
            self.assertEqual(row["position"], answer["position"])
            self.assertEqual({key: row[key] for key in ["outcome", "margin", "plies"]}, answer["value"], row["position"])
            self.assertEqual(row["moves"], answer["moves"], row["position"])
            self.assertEqual(row["ended"], not row["moves"])
            self.assertIn(answer["reachable"], [True, None])  # null: all there is, of an ending
        self.hold_csv(game, rows)
        self.hold_moves(game, rows)
        self.hold_unfolded(game, rows, reachable)
        return rows

    def hold_csv(self, game, rows):
        self.done("export", *game, "-o", "rows.csv")
        with open(os.path.join(self.folder, "rows.csv"), newline="", encoding="utf-8") as file:
            read = list(csv.DictReader(file))
        self.assertEqual(read, [{key: text_of(row[key]) for key in POSITION} for row in rows])

    def hold_moves(self, game, rows):
        moves = [{"position": row["position"], "mover": row["mover"], "images": row["images"], "move": move["move"], "leads_to": move["position"],
                  "keeps": move["keeps"], **{key: move[key] for key in ["outcome", "margin", "plies"]}} for row in rows for move in row["moves"]]
        self.done("export", *game, "--rows", "moves", "-o", "moves.jsonl")
        read = self.lines("moves.jsonl")
        ended = [move.pop("ended") for move in read]
        self.assertEqual(read, moves)
        self.done("export", *game, "--rows", "moves", "-o", "moves.csv")
        with open(os.path.join(self.folder, "moves.csv"), newline="", encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([list(row) for row in table[:1]], [MOVE])
        self.assertEqual(table, [{key: text_of({**move, "ended": end}[key]) for key in MOVE} for move, end in zip(moves, ended, strict=True)])

    def hold_unfolded(self, game, rows, reachable):
        self.done("export", *game, "--unfold", "-o", "all.jsonl")
        read = self.lines("all.jsonl")
        self.assertEqual([len(read), len({row["position"] for row in read}), {row["images"] for row in read}], [reachable, reachable, {1}])
        counts = [collections.Counter(), collections.Counter()]
        for count, some in zip(counts, [rows, read], strict=True):
            for row in some:
                count[tuple(row[key] for key in POSITION if key not in ["position", "images"]) + (len(row["moves"]),)] += row["images"]
        self.assertEqual(*counts, "what is folded stands for all")

    def reachable(self, *game):
        return json.loads(self.done("solve", *game, "--json"))["positions"]

    def test_cycles(self):
        game = ["populace", "--board", "path:7", "--set", "threat=2", "--set", "move_to=no_drop"]
        counts = self.reachable(*game)
        rows = self.hold(game, game, counts["reachable"])
        self.assertEqual(sum(row["images"] for row in rows if row["forced_cycle"] and not row["ended"]), counts["forced_cycle"])
        for outcome in ["first", "second", "tie", "cycle"]:
            self.assertEqual(sum(row["images"] for row in rows if row["outcome"] == outcome and not row["ended"]), counts[outcome])

    def test_facts(self):
        """By the two methods that know them."""
        game = ["populace", "--board", "path:5"]
        found = []
        for method in ["graph", "rows"]:
            self.done("solve", *game, "--method", method, "--table", method)
            self.done("export", method, "--unfold", "-o", method + ".jsonl")
            found.append(sorted(self.lines(method + ".jsonl"), key=lambda row: row["position"]))
        self.assertEqual(*found)

    def test_table_by_rows(self):
        game = ["populace", "--board", "hexhex:2"]
        self.done("solve", *game, "--method", "rows", "--table", "game.plenum")
        self.hold(["game.plenum"], ["game.plenum"], self.reachable(*game)["reachable"])
        self.done("solve", *game, "--method", "rows", "--no-remoteness", "--table", "values.plenum")
        self.done("export", "values.plenum", "-o", "rows.jsonl")
        for row in self.lines("rows.jsonl"):
            self.assertEqual([row[fact] for fact in FACTS], [None] * 5)

    def test_one_pass(self):
        game = ["cascade", "--board", "square:2x3"]
        self.hold(game, game, self.reachable(*game)["reachable"])

    def test_ending(self):
        game = ["chess", "--board", "square:4x4", "--set", "material=KPvK"]
        found = json.loads(self.done("solve", *game, "--json"))["positions"]
        self.hold(game, game, found["white_to_move"]["legal"] + found["black_to_move"]["legal"])

    def test_fractions(self):
        """Halves are numbers; other fractions are texts."""
        self.done("export", "populace", "--board", "path:3", "--set", "button=on", "-o", "rows.jsonl")
        self.assertIn(2.5, [row["margin"] for row in self.lines("rows.jsonl")])
        pathlib.Path(self.folder, "thirds.toml").write_text(THIRDS)
        self.done("export", "thirds.toml", "--board", "path:4", "-o", "rows.jsonl")
        self.assertTrue({"4/3", "-4/3", "1/3", 0} & {row["margin"] for row in self.lines("rows.jsonl")} >= {"4/3", "-4/3", 0})
        if duckdb_client.library():
            self.done("export", "thirds.toml", "--board", "path:4", "-o", "rows.parquet")
            found = duckdb_client.DuckDb().rows(f"SELECT sum(images) FROM '{self.folder}/rows.parquet' WHERE margin = '4/3'")[1]
            self.assertEqual(found, [[str(sum(row["images"] for row in self.lines("rows.jsonl") if row["margin"] == "4/3"))]])

    def test_stdout(self):
        self.done("export", "tic-tac-toe", "-o", "rows.jsonl")
        self.assertEqual(self.done("export", "tic-tac-toe", "-o", "-"), self.read("rows.jsonl"))
        self.done("export", "tic-tac-toe", "-o", "rows.csv")
        self.assertEqual(self.done("export", "tic-tac-toe", "-o", "-", "--format", "csv"), self.read("rows.csv"))
        self.assertIn("765 rows of 5,478 positions", self.done("export", "tic-tac-toe", "-o", "rows.txt", "--format", "csv"))
        self.assertEqual(self.read("rows.txt"), self.read("rows.csv"))
        with open("/dev/full", "w", encoding="utf-8") as full:
            ran = subprocess.run([PLENUM, "export", "tic-tac-toe", "-o", "-"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(ran.returncode, 3)
        self.assertEqual(ran.stderr.count("plenum: "), 1, ran.stderr)

    def test_threads(self):
        for threads in "12":
            self.done("export", "quixo", "--board", "square:3x3", "--threads", threads, "-o", threads + ".jsonl")
        self.assertEqual(self.read("1.jsonl"), self.read("2.jsonl"))


class Graphs(Exporting):
    def hold(self, game, *more):
        self.done("export", *game, *more, "-o", "rows.jsonl")
        rows = self.lines("rows.jsonl")
        self.assertIn("positions and ", self.done("export", *game, *more, "-o", "game.graphml"))
        root = xml.etree.ElementTree.parse(os.path.join(self.folder, "game.graphml")).getroot()
        name = {key.get("id"): key.get("attr.name") for key in root.findall(".//{*}key")}
        nodes = {node.get("id"): {name[d.get("key")]: d.text for d in node} for node in root.findall(".//{*}node")}
        self.assertEqual([n["position"] for n in nodes.values()], [row["position"] for row in rows])
        for node, row in zip(nodes.values(), rows, strict=True):
            self.assertEqual([node["mover"], node["outcome"], float(node["margin"]), int(node["plies"]), int(node["stones"]), int(node["images"])],
                             [row["mover"], row["outcome"], row["margin"], -1 if row["plies"] is None else row["plies"], row["stones"], row["images"]])
            self.assertEqual(node["ended"], str(int(row["ended"])))
        edges = [(nodes[e.get("source")], nodes[e.get("target")], {name[d.get("key")]: d.text for d in e}) for e in root.findall(".//{*}edge")]
        self.done("export", *game, *more, "-o", "game.dot")
        self.hold_dot(len(rows), len(edges))
        return rows, edges

    def hold_dot(self, nodes, edges):
        lines = self.read("game.dot").splitlines()
        self.assertEqual([lines[0], lines[-1]], ["digraph G {", "}"])
        attribute = r'\w+=(?:"(?:[^"\\]|\\.)*"|[\w.-]+)'
        attributes = rf"\[{attribute}(?:, {attribute})*\];"
        self.assertEqual(sum(re.fullmatch(rf"\d+ {attributes}", line) is not None for line in lines), nodes)
        self.assertEqual(sum(re.fullmatch(rf"\d+->\d+ +{attributes}", line) is not None for line in lines), edges)
        self.assertEqual(len(lines), nodes + edges + 2)
        if shutil.which("dot"):
            self.assertEqual(subprocess.run(["dot", "-Tcanon", "game.dot"], cwd=self.folder, stdout=subprocess.DEVNULL).returncode, 0)

    def test_unfolded(self):
        """Every move leads to the very position."""
        rows, edges = self.hold(["populace", "--board", "path:5"], "--unfold")
        self.assertEqual([(a["position"], edge["move"], b["position"], edge["keeps"]) for a, b, edge in edges],
                         [(row["position"], move["move"], move["position"], str(int(move["keeps"]))) for row in rows for move in row["moves"]])

    def test_folded(self):
        """Every move leads to a position like that which it reaches."""
        for game in [["tic-tac-toe"], ["populace", "--board", "hexhex:2"], ["quixo", "--board", "square:3x3"]]:
            rows, edges = self.hold(game)
            moves = [move for row in rows for move in row["moves"]]
            self.assertEqual(len(edges), len(moves), game)
            for (_, after, edge), move in zip(edges, moves, strict=True):
                self.assertEqual([edge["move"], after["outcome"], float(after["margin"])], [move["move"], move["outcome"], move["margin"]])
                letters = [sorted(re.sub("[^A-Za-z]", "", position.split()[0])) for position in [after["position"], move["position"]]]
                self.assertEqual(*letters)

    def test_ending(self):
        ran = self.done("export", "chess", "--board", "square:4x4", "--set", "material=KRvK", "-o", "ending.graphml")
        self.assertIn("lead to positions that are not among them", ran)

    def test_too_large(self):
        self.fails(3, "more than 100,000 positions", "populace", "--board", "square:3x4", "-o", "large.dot")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "large.dot")))


class Errors(Exporting):
    def test_arguments(self):
        game = ["populace", "--board", "hexhex:2"]
        self.fails(2, "--output is required", *game)
        self.fails(2, "'.xls' is not known", *game, "-o", "rows.xls")
        self.fails(2, "there is none", *game, "-o", "rows")
        self.fails(2, "--format", *game, "-o", "rows.csv", "--format", "xls")
        self.fails(2, "--rows", *game, "-o", "rows.csv", "--rows", "values")
        self.fails(2, "leave out --rows", *game, "-o", "game.dot", "--rows", "moves")
        for kind in ["parquet", "graphml", "dot"]:
            self.fails(2, "only jsonl and csv", *game, "-o", "-", "--format", kind)
        self.fails(2, "no-such-game", "no-such-game", "-o", "rows.csv")

    def test_files(self):
        game = ["populace", "--board", "hexhex:2"]
        for name in ["none/rows.csv", "none/game.dot"]:
            self.fails(3, "cannot write none/", *game, "-o", name)
        os.mkdir(os.path.join(self.folder, "folder.csv"))
        self.fails(3, "is a folder", *game, "-o", "folder.csv")
        pathlib.Path(self.folder, "kept.csv").write_text("kept")
        self.fails(2, "--set", *game, "--set", "no=1", "-o", "kept.csv")
        self.assertEqual(self.read("kept.csv"), "kept")

    def test_tables(self):
        self.done("solve", "populace", "--board", "path:4", "--table", "game.plenum", "--method", "rows")
        self.fails(2, "leave out --board", "game.plenum", "--board", "path:4", "-o", "rows.csv")
        self.done("solve", "taifas", "--board", "square:3x3", "--table", "bits.plenum", "--method", "bits")
        self.fails(2, "were not kept", "bits.plenum", "-o", "rows.csv")
        with open(os.path.join(self.folder, "game.plenum"), "r+b") as file:
            file.seek(-5, os.SEEK_END)
            file.write(b"!!!!")
        self.fails(4, "game.plenum", "game.plenum", "-o", "rows.csv")

    def test_no_duckdb(self):
        self.fails(2, "cannot be loaded", "tic-tac-toe", "-o", "rows.parquet", PLENUM_DUCKDB="/no/such/library.so")

    def interrupt(self, name):
        child = subprocess.Popen([PLENUM, "export", "populace", "--board", "square:3x4", "--unfold", "-o", name, "--progress", "json"], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache")))
        for line in child.stderr:
            if json.loads(line)["stage"] == "exporting":
                break
        child.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, said = child.communicate(timeout=120)
        self.assertEqual(child.returncode, 130, said)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual([entry for entry in os.listdir(self.folder) if name in entry], [])

    def test_interrupt(self):
        self.interrupt("rows.jsonl")
        if duckdb_client.library():
            self.interrupt("rows.parquet")


@unittest.skipUnless(duckdb_client.library(), "DuckDB's library is not here (tools/duckdb)")
class Parquet(Exporting):
    def setUp(self):
        super().setUp()
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        self.duckdb = duckdb_client.DuckDb()

    def test_rows(self):
        for game in [["populace", "--board", "path:7"], ["populace", "--board", "path:4", "--set", "button=on"], ["chess", "--board", "square:4x4", "--set", "material=KPvK"]]:
            for rows in ["positions", "moves"]:
                for ending in ["csv", "parquet"]:
                    self.done("export", *game, "--rows", rows, "-o", f"it's.{ending}")
                names, read = self.duckdb.rows("FROM 'it''s.parquet'")
                table = list(csv.reader(io.StringIO(self.read("it's.csv"))))
                self.assertEqual(names, table[0])
                self.assertEqual(len(read), len(table) - 1)
                for row, line in zip(read, table[1:], strict=True):
                    for name, value, text in zip(names, row, line, strict=True):
                        same = float(value) == float(text) if name == "margin" else (value or "") == text
                        self.assertTrue(same, (name, value, text))
        types = dict(row[:2] for row in self.duckdb.rows("DESCRIBE FROM 'it''s.parquet'")[1])
        self.assertEqual([types[name] for name in ["position", "keeps", "margin", "plies"]], ["VARCHAR", "BOOLEAN", "BIGINT", "BIGINT"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["cache", "it's.csv", "it's.parquet"])

    def test_files(self):
        self.fails(3, "cannot write none/rows.parquet", "tic-tac-toe", "-o", "none/rows.parquet")
        os.mkdir("folder.parquet")
        self.fails(3, "is a folder", "tic-tac-toe", "-o", "folder.parquet")
        pathlib.Path("old.parquet").write_text("old")
        os.symlink("old.parquet", "link.parquet")
        self.done("export", "tic-tac-toe", "-o", "link.parquet")
        self.assertTrue(os.path.islink("link.parquet"))
        self.assertEqual(self.duckdb.rows("SELECT sum(images) FROM 'old.parquet'")[1], [["5478"]])

    def test_guide(self):
        """The queries that the guide shows print what it shows."""
        page = GUIDE.read_text(encoding="utf-8")
        for line in re.search(r"```sh\n(.*?)```", page, re.S).group(1).splitlines():
            if line.startswith("tools/run "):
                self.done(*shlex.split(line)[1:])
        queries = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```", page, re.S)
        self.assertEqual(len(queries), 5)
        for query, shown in queries:
            self.assertEqual(self.duckdb.as_csv(query), shown, query)


if __name__ == "__main__":
    unittest.main()
