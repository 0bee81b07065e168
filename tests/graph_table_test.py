#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of games whose positions are stored, on the command line: graph_table_test.py PLENUM"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PLENUM = os.path.abspath(sys.argv.pop(1))


class Graph(unittest.TestCase):
    """A game whose positions are stored, since no other method takes it."""
    GAME = ["quixo", "--board", "square:3x3"]

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.table = os.path.join(self.folder, "game.plenum")

    def run_plenum(self, *arguments):
        environment = dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache"))
        return subprocess.run([PLENUM, *arguments], capture_output=True, text=True, env=environment)

    def test_table(self):
        whole = json.loads(self.run_plenum("solve", *self.GAME, "--json").stdout)
        self.assertEqual(whole["method"], "graph")
        self.assertNotIn("table", whole)  # none is kept by itself
        first = self.run_plenum("solve", *self.GAME, "--table", self.table)
        self.assertEqual(first.returncode, 0, first.stderr)
        again = self.run_plenum("solve", *self.GAME, "--table", self.table, "--json")
        self.assertEqual(again.returncode, 0, again.stderr)
        kept = json.loads(again.stdout)
        for key in ["value", "openings", "positions", "margins", "ended_by", "cycles", "random_play", "moves", "cyclic"]:
            self.assertEqual(kept[key], whole[key], key)
        self.assertIn("taken from", self.run_plenum("solve", *self.GAME, "--table", self.table).stdout)
        verified = self.run_plenum("verify", self.table, "--json")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        checked = json.loads(verified.stdout)["checked"]
        self.assertEqual(checked["reached"], whole["positions"]["reachable"])
        self.assertTrue(checked["facts"] and checked["remoteness"])
        with open(self.table, "rb") as file:
            bytes_now = file.read()
        self.run_plenum("solve", *self.GAME, "--table", self.table + "2", "--threads", "1")
        with open(self.table + "2", "rb") as file:
            self.assertEqual(file.read(), bytes_now)

    def test_positions(self):
        self.run_plenum("solve", *self.GAME, "--table", self.table)
        asked = json.loads(self.run_plenum("query", *self.GAME, "--json").stdout)
        table = json.loads(self.run_plenum("query", self.table, "--json").stdout)
        for key in ["position", "value", "reachable", "moves"]:
            self.assertEqual(asked[key], table[key], key)
        for move in asked["moves"]:
            here = json.loads(self.run_plenum("query", self.table, move["position"], "--json").stdout)
            self.assertEqual(here["value"], {key: move[key] for key in ["outcome", "margin", "plies"]})


if __name__ == "__main__":
    unittest.main()
