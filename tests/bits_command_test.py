#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Games by bits as a user meets them: as table_command_test.py, of which the values of positions are not kept.

    tests/bits_command_test.py PLENUM
"""
import json
import os
import signal
import subprocess
import time
import unittest

import table_command_test
from table_command_test import PATIENCE, PLENUM, SANITIZED
from table_forging import forge


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Bits(table_command_test.Tables):
    """A game by bits: what was found is kept, values are not."""
    NAME = "Taifas"
    GAME = ["taifas", "--board", "square:3x4", "--method", "bits"]
    LARGE = ["taifas", "--board", "square:4x4" if SANITIZED else "square:4x5", "--method", "bits"]
    OTHER = "pie=off"
    test_values_alone = test_more_is_asked_than_the_table_has = test_query = test_damage = test_any_size = None
    test_contradictions = None

    def test_same_counts_as_position_by_position(self):
        bits = self.solved("--no-table")
        dense = json.loads(self.run_plenum("solve", *self.GAME[:3], "--method", "one-pass", "--no-table", "--json").stdout)
        for key in ["pie", "options", "hash"]:
            self.assertEqual(bits[key], dense[key], key)
        self.assertEqual(bits["value"]["outcome"], dense["value"]["outcome"])
        self.assertEqual([o["outcome"] for o in bits["openings"]], [o["outcome"] for o in dense["openings"]])
        self.assertEqual(bits["method"], "bits")
        # Any colouring of any cells, with the last zone somebody's but at the start.
        self.assertEqual(bits["whole_board"]["positions"], 2 * 3**12 - 1)
        for tier in bits["tiers"]:
            self.assertEqual(tier["first"] + tier["second"] + tier["tie"], tier["positions"])

    def test_finished_tiers_are_taken_up(self):
        process = subprocess.Popen([PLENUM, "solve", *self.LARGE, "--table", self.table],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pieces = self.table + ".partial"
        deadline = time.time() + PATIENCE
        while time.time() < deadline and not os.path.exists(os.path.join(pieces, "bits-014.piece")):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertTrue(os.listdir(pieces))
        self.assertLessEqual(len(os.listdir(pieces)), 3)  # the last tier, perhaps the one before, perhaps one half written
        taken_up = json.loads(self.run_plenum("solve", *self.LARGE, "--table", self.table, "--json").stdout)
        whole = json.loads(self.run_plenum("solve", *self.LARGE, "--no-table", "--json").stdout)
        for key in ["value", "pie", "openings", "tiers", "whole_board"]:
            self.assertEqual(taken_up[key], whole[key], key)
        self.assertFalse(os.path.exists(pieces))

    def test_no_room(self):
        little = self.run_plenum("solve", *self.LARGE, "--memory", "20M", "--no-table")
        self.assertEqual(little.returncode, 3, little.stderr)
        self.assertIn("needs", little.stderr)
        nowhere = self.run_plenum("solve", *self.GAME, "--table", "/proc/nowhere/game.plenum")
        self.assertEqual(nowhere.returncode, 3, nowhere.stderr)

    def test_verify(self):
        self.solved("--table", self.table)
        for command in ("verify", "query"):
            result = self.run_plenum(command, self.table)
            self.assertEqual(result.returncode, 0 if command == "verify" else 2, result.stderr)
            self.assertIn("solved by bits", result.stdout + result.stderr)
        again = json.loads(self.run_plenum("verify", self.table, "--json").stdout)
        self.assertTrue(again["verified"] and again["solved_again"])

        def lie(footer):
            footer["summary"]["value"]["outcome"] = "tie"
        forge(self.table, footer=lie)
        wrong = self.run_plenum("verify", self.table)
        self.assertEqual(wrong.returncode, 1, wrong.stderr)
        self.assertIn("/value/outcome", wrong.stdout)
        os.remove(self.table)
        dense = self.run_plenum("solve", *self.GAME[:3], "--no-remoteness", "--table", self.table)
        self.assertEqual(dense.returncode, 0, dense.stderr)
        self.assertIn("are reachable", dense.stdout)
        self.assertEqual(self.run_plenum("verify", self.table).returncode, 0)

    @unittest.skipIf(SANITIZED, "sanitizers hold memory of their own")
    def test_memory(self):
        info = json.loads(self.run_plenum("info", *self.LARGE[:3], "--json").stdout)
        need = int(next(m for m in info["methods"] if m["method"] == "bits")["estimate"]["bytes"])
        solve = ["solve", *self.LARGE, "--no-table", "--json", "--memory"]
        less = self.run_plenum(*solve, str(need * 9 // 10))
        self.assertEqual(less.returncode, 3, less.stderr)
        need = need * 51 // 50
        enough = self.run_plenum(*solve, str(need))
        self.assertEqual(enough.returncode, 0, enough.stderr)
        self.assertLess(json.loads(enough.stdout)["cost"]["peak_bytes"], 1.05 * need)

    def test_other_games(self):
        why = self.run_plenum("solve", "in-crowd", "--board", "square:3x3", "--method", "bits")
        self.assertEqual(why.returncode, 2)
        self.assertIn("it counts by how much a player wins", why.stderr)


class BitRows(Bits):
    """A game that may go round for ever, by bits: a threshold at a time."""
    NAME = "Populace"
    GAME = ["populace", "--board", "square:3x4", "--method", "bits"]
    LARGE = ["populace", "--board", "square:4x4", "--method", "bits"]
    OTHER = "button=on"
    test_other_games = None

    def test_same_counts_as_position_by_position(self):
        rows = json.loads(self.run_plenum("solve", *self.GAME[:3], "--method", "rows", "--no-table", "--json").stdout)
        for more in ([], ["--margins"]):
            bits = self.solved("--no-table", *more)
            self.assertEqual(bits["method"], "bits")
            for key in ["pie", "options", "hash"]:
                self.assertEqual(bits[key], rows[key], key)
            for key in ["outcome", "margin"]:
                self.assertEqual(bits["value"][key], rows["value"][key])
                self.assertEqual([o[key] for o in bits["openings"]], [o[key] for o in rows["openings"]])
            self.assertEqual(bits["whole_board"]["positions"], 3**12)
        # Every margin of every tier: the colourings with so many stones, each player to move.
        by_stones = {t["stones"]: t["at_least"] for t in bits["tiers"]}
        self.assertEqual(sorted(by_stones), list(range(13)))
        for stones, at_least in by_stones.items():
            self.assertEqual(sorted(map(int, at_least)), list(range(1, 13)), stones)
            falling = [at_least[str(t)]["first"] for t in range(1, 13)]
            self.assertEqual(falling, sorted(falling, reverse=True))
        for tier in bits["tiers"]:
            self.assertEqual(tier["first"] + tier["second"] + tier["tie"] + tier["cycle"], tier["positions"])

    def test_outcome_alone(self):
        of_all = {}
        for method in ("bits", "rows", "graph"):
            result = self.run_plenum("solve", *self.GAME[:3], "--only", "outcome", "--method", method, "--no-table", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            of_all[method] = json.loads(result.stdout)
        margins = self.solved("--no-table")
        for method, found in of_all.items():
            self.assertEqual(found["value"]["outcome"], margins["value"]["outcome"], method)
            self.assertEqual([o["outcome"] for o in found["openings"]], [o["outcome"] for o in margins["openings"]])

    def test_pieces_that_will_say_more_than_the_table_stay(self):
        wanted = json.loads(self.run_plenum("solve", *self.LARGE, "--table", self.table, "--json").stdout)
        fresh = bytes_of(self.table)
        margins = [PLENUM, "solve", *self.LARGE, "--margins", "--table", self.table]
        piece = os.path.join(self.table + ".partial", "bits-finished.piece")
        process = subprocess.Popen(margins, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + PATIENCE
        while time.time() < deadline and process.poll() is None and not os.path.exists(piece):
            time.sleep(0.001)
        process.kill()
        process.wait()
        if not os.path.exists(piece):
            self.skipTest("it was faster than the signal")
        kept = bytes_of(piece)
        refused = self.run_plenum("solve", *self.LARGE, "--margins", "--memory", "20M", "--table", self.table)
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertEqual(bytes_of(piece), kept)
        taken = self.run_plenum("solve", *self.LARGE, "--table", self.table)
        self.assertIn("taken from", taken.stdout + taken.stderr)
        self.assertEqual(bytes_of(piece), kept)
        # Without the margins what was found of them is not told, and a table has the bytes that it always has.
        os.rename(self.table, self.table + ".first")
        taken_up = json.loads(self.run_plenum("solve", *self.LARGE, "--table", self.table, "--json").stdout)
        self.assertEqual(taken_up["tiers"], wanted["tiers"])
        self.assertEqual(bytes_of(self.table), fresh)

    def test_a_table_of_outcomes_is_opened_again(self):
        for method in ("bits", "rows", "graph"):
            table = f"{self.table}-{method}"
            asked = (*self.GAME[:3], "--only", "outcome", "--method", method, "--table", table, "--json")
            first = self.run_plenum("solve", *asked)
            self.assertEqual(first.returncode, 0, first.stderr)
            kept = os.stat(table).st_mtime_ns
            again = self.run_plenum("solve", *asked)
            self.assertEqual((again.returncode, again.stderr), (0, ""))
            self.assertEqual(json.loads(again.stdout)["openings"], json.loads(first.stdout)["openings"])
            self.assertEqual(os.stat(table).st_mtime_ns, kept, "solved again")
            self.assertEqual(self.run_plenum("verify", table).returncode, 0)
            if method != "bits":
                self.assertEqual(self.run_plenum("query", table).returncode, 0)
            plain = self.run_plenum("solve", *self.GAME[:3], "--method", method, "--table", table)
            self.assertIn("another file", plain.stderr)

    def test_finished_tiers_are_taken_up(self):
        pieces = self.table + ".partial"
        whole = json.loads(self.run_plenum("solve", *self.LARGE, "--no-table", "--json").stdout)
        for how, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            process = subprocess.Popen([PLENUM, "solve", *self.LARGE, "--table", self.table], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            deadline = time.time() + PATIENCE
            while time.time() < deadline and not os.path.exists(os.path.join(pieces, "bits-finished.piece")):
                time.sleep(0.001)
            process.send_signal(how)
            page = process.communicate()[0]
            if process.returncode == 0:  # it was faster than the signal
                self.assertTrue(os.path.exists(self.table))
                os.remove(self.table)
                continue
            self.assertEqual(process.returncode, code)
            self.assertEqual("not solved; what is proven:" in page, how == signal.SIGINT)
            self.assertIn("bits-finished.piece", os.listdir(pieces))
            taken_up = json.loads(self.run_plenum("solve", *self.LARGE, "--table", self.table, "--json").stdout)
            for key in ["value", "pie", "openings", "tiers", "whole_board"]:
                self.assertEqual(taken_up[key], whole[key], key)
            self.assertFalse(os.path.exists(pieces))
            os.remove(self.table)


if __name__ == "__main__":
    unittest.main()
