#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Piece games and endings as a user meets them: results of an independent program, tables that are shared, comparisons, errors.

    tests/ending_command_test.py PLENUM
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from sanitized import sanitized

PLENUM = os.path.abspath(sys.argv.pop(1))
SANITIZED = sanitized(PLENUM)
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
SIDES = ["white_to_move", "black_to_move"]


class Endings(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.tables = os.path.join(self.folder, "cache", "tables")

    def run_plenum(self, *arguments, **more):
        environment = dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache"))
        return subprocess.run([PLENUM, *arguments], capture_output=True, text=True, env=environment, timeout=500, **more)

    def solved(self, variant, *arguments):
        result = self.run_plenum("solve", variant, *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def without_cost(self, result):
        result.pop("cost")
        return result

    def golden(self, file, endings):
        lines = 0
        for line in (GOLDEN / file).read_text().splitlines():
            case = json.loads(line)
            settings = []
            for name, value in case["options"].items():
                settings += ["--board", value] if name == "board" else ["--set", f"{name}={value}"]
            if case["kind"] == "ending":
                lines += 1
                if not SANITIZED or lines % 3 == 0:
                    self.golden_ending(case, settings, line)
                continue
            nodes = case["expect"] if case["kind"] == "perft" else {"2": case["expect"]["perft2"]}
            for depth, wanted in nodes.items():
                found = self.run_plenum("count", case["variant"], *settings, "--depth", depth, "--position",
                                        case["position"], "--json")
                self.assertEqual(json.loads(found.stdout)["nodes"], wanted, line)
            if case["kind"] == "moves":
                found = self.run_plenum("query", case["variant"], case["position"], *settings, "--moves-only", "--json")
                moves = sorted(m["move"] if isinstance(m, dict) else m for m in json.loads(found.stdout)["moves"])
                self.assertEqual(moves, sorted(case["expect"]["moves"].replace("e.p.", "").split()), line)
                self.assertEqual(len(moves), case["expect"]["count"], line)
        self.assertEqual(lines, endings)

    def golden_ending(self, case, settings, line):
        found = self.solved(case["variant"], *settings)
        self.assertEqual(found["longest"], case["expect"]["longest"], line)
        for part in ["crowd_free", "crowded"]:
            for side in SIDES:
                for key, n in case["expect"].get(part, {}).get(side, {}).items():
                    self.assertEqual(found["positions"][part][side][key], n, line)

    def test_golden(self):
        self.golden("safety-in-numbers.jsonl", 10)

    def test_golden_crowd_family(self):
        self.golden("crowd-family.jsonl", 50)

    def test_parts_add_up(self):
        found = self.solved("safety-in-numbers", "--board", "square:5x4", "--set", "material=KPvKN")["positions"]
        for side in SIDES:
            whole, free, crowded = (p[side] for p in [found, found["crowd_free"], found["crowded"]])
            for key in ["legal", "first", "second", "tie", "cycle", "draw"]:
                self.assertEqual(whole[key], free[key] + crowded[key])
                self.assertLessEqual(whole["canonical"][key], whole[key])
            self.assertEqual(whole["legal"], whole["first"] + whole["second"] + whole["tie"] + whole["cycle"])
            self.assertEqual(whole["draw"], whole["tie"] + whole["cycle"])
            for who in ["first", "second"]:
                self.assertEqual(sum(whole["remoteness"][who].values()), whole[who])
                self.assertEqual(sum(whole["canonical"]["remoteness"][who].values()), whole["canonical"][who])

    def test_mirrored_material(self):
        one = self.solved("chess", "--board", "square:4x5", "--set", "material=KPvKR")["positions"]
        other = self.solved("chess", "--board", "square:4x5", "--set", "material=KRvKP")["positions"]
        for side, turned in zip(SIDES, reversed(SIDES)):
            for key, mirrored in [("legal", "legal"), ("first", "second"), ("second", "first"), ("tie", "tie")]:
                self.assertEqual(one[side][key], other[turned][mirrored])

    def test_tables_are_shared(self):
        game = ["chess", "--board", "square:4x4", "--set", "material=KPvK"]
        first = self.without_cost(self.solved(*game))
        files = sorted(os.listdir(self.tables))
        self.assertEqual(len(files), 6)
        page = self.run_plenum("solve", *game).stdout
        self.assertIn("tables of 6 of these materials were there already", page)
        self.assertEqual(self.without_cost(self.solved(*game)), first)
        self.solved("chess", "--board", "square:4x4", "--set", "material=KQvK")  # a part of the former
        self.assertEqual(sorted(os.listdir(self.tables)), files)
        listed = json.loads(self.run_plenum("tables", "--json").stdout)["tables"]
        self.assertIn("KPvK", [t["settings"].get("material") for t in listed])
        for file in files:
            asked = self.run_plenum("query", os.path.join(self.tables, file), "4/4/4/K2k w - -")
            self.assertEqual(asked.returncode, 0, asked.stderr)

    def test_verify(self):
        self.solved("safety-in-numbers", "--board", "square:4x4", "--set", "material=KPvK", "--set", "promote=Q")
        for file in os.listdir(self.tables):
            path = os.path.join(self.tables, file)
            page = self.run_plenum("verify", path)
            self.assertEqual(page.returncode, 0, page.stdout + page.stderr)
            self.assertIn("nothing is wrong", page.stdout)
            found = json.loads(self.run_plenum("verify", path, "--json").stdout)
            self.assertTrue(found["verified"])
            if found["material"] == "KPvK":
                self.assertEqual(sorted(found["stands_on"]), ["KQvK", "KvK"])
        # Another file of that name: the game that it is of, not where it lies, counts.
        copy = os.path.join(self.folder, "copy.plenum")
        shutil.copy(path, copy)
        self.assertEqual(self.run_plenum("verify", copy).returncode, 0)
        position = "4/4/4/K2k w - -"
        self.assertEqual(self.run_plenum("query", copy, position).returncode, 0)
        data = bytearray(pathlib.Path(copy).read_bytes())
        data[len(data) // 2] ^= 1
        pathlib.Path(copy).write_bytes(data)
        self.assertEqual(self.run_plenum("verify", copy).returncode, 4)
        self.assertEqual(self.run_plenum("query", copy, position).returncode, 4)  # it is this file that answers

    def test_no_table(self):
        self.solved("chess", "--board", "square:4x4", "--set", "material=KQvK", "--no-table")
        self.assertFalse(os.path.exists(self.tables))

    def test_damage(self):
        game = ["chess", "--board", "square:4x4", "--set", "material=KRvK"]
        first = self.without_cost(self.solved(*game))
        for file in os.listdir(self.tables):
            path = pathlib.Path(self.tables, file)
            data = path.read_bytes()
            for at in [len(data) // 2, 20, len(data) - 10]:
                damaged = bytearray(data)
                damaged[at] ^= 16
                path.write_bytes(damaged)
                result = self.run_plenum("solve", *game, "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.without_cost(json.loads(result.stdout)), first)
                self.assertEqual(path.read_bytes(), data)

    def test_a_killed_solve_loses_no_finished_material(self):
        game = ["safety-in-numbers", "--board", "square:4x4" if SANITIZED else "square:5x5", "--set", "material=KPvKP"]
        environment = dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache"))
        process = subprocess.Popen([PLENUM, "solve", *game, "--json"], env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        deadline = time.time() + (600 if SANITIZED else 60)
        while time.time() < deadline and (not os.path.isdir(self.tables) or
                                          len([f for f in os.listdir(self.tables) if f.endswith(".plenum")]) < 5):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = len([f for f in os.listdir(self.tables) if f.endswith(".plenum")])
        self.assertGreaterEqual(kept, 5)
        resumed = self.without_cost(self.solved(*game))
        fresh = self.without_cost(self.solved(*game, "--no-table", "--threads", "1"))
        self.assertEqual(resumed, fresh)
        if SANITIZED:
            return
        # Independent numbers of this ending.
        for side, first, second in [("white_to_move", 39345, 12172), ("black_to_move", 12172, 39345)]:
            self.assertEqual(fresh["positions"]["crowd_free"][side]["legal"], 76140)
            self.assertEqual(fresh["positions"]["crowd_free"][side]["first"], first)
            self.assertEqual(fresh["positions"]["crowd_free"][side]["second"], second)
        self.assertEqual(fresh["positions"]["crowded"]["white_to_move"]["tie"], 6002)
        self.assertEqual(fresh["positions"]["crowded"]["white_to_move"]["cycle"], 9194)
        self.assertEqual(fresh["longest"], {"first": 31, "second": 31})

    def test_query(self):
        game = ["chess", "--set", "material=KRvK"]
        answer = json.loads(self.run_plenum("query", game[0], "8/8/8/8/8/8/R7/K1k5 b - -", *game[1:], "--json").stdout)
        self.assertEqual(answer["value"], {"outcome": "first", "margin": 1, "plies": 14})
        self.assertEqual([m["move"] for m in answer["moves"]], ["Kc1-d1"])
        self.assertEqual(len(answer["line"]), 14)
        taken = json.loads(self.run_plenum("query", game[0], "8/8/8/8/8/2k5/1R6/6K1 b - -", *game[1:], "--json").stdout)
        self.assertEqual(taken["value"]["outcome"], "cycle")
        other = self.run_plenum("query", game[0], "8/8/8/8/8/2k5/1Q6/6K1 b - -", *game[1:])
        self.assertEqual(other.returncode, 2)
        self.assertIn("no piece 'Q'", other.stderr)

    def test_compare(self):
        result = self.run_plenum("compare", "chess", "safety-in-numbers", "--board", "square:4x4", "--set",
                                 "material=KPvKP", "--show", "20", "--json")
        self.assertEqual(result.returncode, 1, result.stderr)
        found = json.loads(result.stdout)
        off = self.solved("chess", "--board", "square:4x4", "--set", "material=KPvKP")["positions"]
        crowds = self.solved("safety-in-numbers", "--board", "square:4x4", "--set", "material=KPvKP")["positions"]
        self.assertEqual(found["positions"], {"common": 12384, "only_a": 0, "only_b": 9496})
        for side in SIDES:
            outcomes = found[side]["outcomes"]
            for key in ["first", "second", "tie", "cycle"]:
                self.assertEqual(sum(outcomes[key].values()), off[side][key])
                self.assertEqual(sum(row[key] for row in outcomes.values()), crowds["crowd_free"][side][key])
        kinds = {(e["a"]["outcome"], e["b"]["outcome"]) for e in found["examples"]}
        self.assertEqual(kinds, {(a, b) for a, row in found["outcomes"].items() for b, n in row.items() if n and a != b})
        page = self.run_plenum("compare", "chess", "safety-in-numbers", "--board", "square:4x4", "--set", "material=KPvKP")
        self.assertIn("change who wins", page.stdout)
        same = self.run_plenum("compare", "chess", "chess", "--board", "square:4x4", "--set", "material=KRvK")
        self.assertEqual(same.returncode, 0, same.stderr)

    def test_errors(self):
        def fails(code, *arguments):
            result = self.run_plenum(*arguments)
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
            self.assertEqual(result.stdout, "")
            return result.stderr
        self.assertIn("no piece 'X'", fails(2, "solve", "chess", "--set", "material=KXvK"))
        self.assertIn("one K in an ending", fails(2, "solve", "chess", "--set", "material=RvK"))
        self.assertIn("as in KRvK", fails(2, "solve", "chess", "--set", "material=KRK"))
        self.assertIn("memory", fails(3, "solve", "chess", "--set", "material=KQvKR", "--memory", "30M"))
        self.assertIn("leave out", fails(2, "solve", "chess", "--set", "material=KRvK", "--table", "x"))
        self.assertIn("square:8x8", fails(2, "solve", "chess", "--board", "hexhex:3", "--set", "material=KRvK"))
        self.assertIn("row", fails(2, "solve", "chess", "--board", "square:5x5"))
        for verb in [["count", "--depth", "2"], ["reach", "--goal", "any(K & k)"], ["query"]]:
            self.assertIn("no position to begin with", fails(2, verb[0], "chess", "--set", "material=KRvK", *verb[1:]))
        self.assertIn("material of both", fails(2, "compare", "chess", "populace", "--board", "square:4x4", "--set", "material=KRvK"))

    def test_men_that_have_room_only_together(self):
        for material, men in [("KQQQvK", "(KQQQk)2/3/3"), ("KQQvKQ", "(KQQkq)2/3/3")]:
            settings = ["--board", "square:3x3", "--set", f"material={material}"]
            self.assertGreater(self.solved("safety-in-numbers", *settings)["positions"]["white_to_move"]["legal"], 0)
            for mover in "wb":
                ending = self.run_plenum("query", "safety-in-numbers", f"{men} {mover} - -", *settings, "--json")
                alone = self.run_plenum("query", "safety-in-numbers", f"{men} {mover} - -", "--json")
                self.assertEqual((ending.returncode, alone.returncode), (0, 0), ending.stderr + alone.stderr)
                found, wanted = json.loads(ending.stdout), json.loads(alone.stdout)
                for key in ["outcome", "plies"]:
                    self.assertEqual(found["value"][key], wanted["value"][key], material)
        for variant, board, material, why in [
                ("safety-in-numbers", "square:2x2", "KQvKQ", None), ("chess", "square:2x2", "KvK", "no room"),
                ("chess", "square:8x2", "KPvK", "no P can stand"), ("chess", "square:1x2", "KvK", "no room")]:
            result = self.run_plenum("solve", variant, "--board", board, "--set", f"material={material}")
            self.assertEqual(result.returncode, 2 if why else 0, result.stderr)
            self.assertIn(why or "", result.stderr)

    def test_cycles(self):
        game = ["safety-in-numbers", "--board", "square:4x4", "--set", "material=KRvKP"]
        sides = self.solved(*game)["positions"]
        ran = self.run_plenum("cycles", *game, "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        found = json.loads(ran.stdout)
        for key, counted in [("legal", "legal"), ("cycle", "cycle")]:
            self.assertEqual(found[key], sum(sides[side][counted] for side in ["white_to_move", "black_to_move"]), key)
        self.assertEqual(sum(n["cycle"] for n in found["by_stones"]), found["cycle"])
        self.assertEqual([n["stones"] for n in found["by_stones"]], [4])
        self.assertTrue(0 < found["forced_cycle"] <= found["cycle"])
        self.assertEqual([found[key] for key in ["reachable", "components", "trap"]], [None] * 3)
        example = found["example"]
        here = json.loads(self.run_plenum("query", *game, example["position"], "--json").stdout)
        self.assertEqual(here["value"]["outcome"], "cycle")
        self.assertEqual({m["move"] for m in here["moves"]}, {m["move"] for m in example["moves"]})
        self.assertEqual(example["line"], [])
        # Its way round is played by the rules, and only by moves that keep the value.
        there = json.loads(self.run_plenum("query", *game, example["position"], "--moves", " ".join(example["round"]), "--json").stdout)
        self.assertEqual(there["value"]["outcome"], "cycle")
        self.assertIn("A position where play can be forced to go round", self.run_plenum("cycles", *game).stdout)
        dot = self.run_plenum("cycles", *game, "--dot", os.path.join(self.folder, "x.dot"))
        self.assertEqual(dot.returncode, 2)
        self.assertIn("not looked for among all positions of an ending", dot.stderr)

    def test_sweep(self):
        games = ["chess", "--board", "square:4x4", "--set", "material=KRvK,KQvK"]
        page = self.run_plenum("sweep", *games)
        self.assertEqual(page.returncode, 0, page.stderr)
        self.assertIn("KQvK", page.stdout)
        rows = [json.loads(line) for line in self.run_plenum("sweep", *games, "--json").stdout.splitlines()]
        self.assertEqual([row["method"] for row in rows], ["ending", "ending"])
        alone = self.solved("chess", "--board", "square:4x4", "--set", "material=KQvK")
        self.assertEqual(rows[1]["positions"], alone["positions"])
        written = self.run_plenum("sweep", *games, "--csv")
        self.assertEqual(written.returncode, 0, written.stderr)
        lines = list(csv.DictReader(written.stdout.splitlines()))
        legal = alone["positions"]["white_to_move"]["legal"] + alone["positions"]["black_to_move"]["legal"]
        self.assertEqual(int(lines[1]["positions"]), legal)
        self.assertEqual(lines[1]["outcome"], "")

    def test_small_full_game(self):
        found = self.solved("safety-in-numbers", "--board", "square:3x4", "--set", "array=1k1/1p1/1P1/1K1 w - -", "--set",
                            "promote=Q")
        self.assertEqual(found["method"], "graph")
        self.assertGreater(found["positions"]["reachable"], 1000)

    def test_kings_meet(self):
        goal = ["reach", "safety-in-numbers", "--goal", "any(K & k)"]
        none = self.run_plenum(*goal, "--depth", "10")
        self.assertEqual(none.returncode, 1, none.stderr)
        line = ("d2-d4 a7-a5 Ke1-d2 d7-d5 Kd2-c3 Ke8-d7 d4&d5 Kd7-d6 Kc3-d4 Kd6&d5").split()
        one = self.run_plenum(*goal, "--moves", " ".join(line), "--json")
        self.assertEqual(json.loads(one.stdout)["line"], ["Kd4&d5"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
