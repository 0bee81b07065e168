#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of one game by several methods, in one file or in the cache folder: tables_in_one_place_test.py PLENUM"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PLENUM = os.path.abspath(sys.argv.pop(1))
PATIENCE = 1200  # seconds


class InOnePlace(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.table = os.path.join(self.folder, "game.plenum")

    def run_plenum(self, *arguments, **more):
        environment = dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache"))
        return subprocess.run([PLENUM, *arguments], capture_output=True, text=True, env=environment, **more)

    def bytes_of(self, path):
        with open(path, "rb") as file:
            return file.read()

    def test_tiers_outlive_the_table_of_another_method(self):
        game = ["connect-4", "--board", "square:4x4"]
        self.run_plenum("solve", *game, "--method", "one-pass")
        tables = os.path.join(self.folder, "cache", "tables")
        self.assertEqual(len(os.listdir(tables)), 1)
        pieces = os.path.join(tables, os.listdir(tables)[0] + ".partial")
        process = subprocess.Popen([PLENUM, "solve", *game, "--method", "rows"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache")))
        deadline = time.time() + PATIENCE
        while time.time() < deadline and not (os.path.isdir(pieces) and len(os.listdir(pieces)) >= 3):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        left = sorted(name for name in os.listdir(pieces) if name.endswith(".piece"))
        self.assertGreaterEqual(len(left), 2)
        again = self.run_plenum("solve", *game, "--method", "rows", "--memory", "20M")
        self.assertEqual(again.returncode, 3, again.stderr)
        self.assertEqual(sorted(os.listdir(pieces)), left)

    def test_a_table_that_says_more_is_not_written_over(self):
        game = ["connect-4", "--board", "square:3x4"]
        self.run_plenum("solve", *game, "--method", "one-pass", "--table", self.table)
        before = self.bytes_of(self.table)
        refused = self.run_plenum("solve", *game, "--method", "bits", "--table", self.table)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("name another file with --table", refused.stderr)
        self.assertEqual(self.bytes_of(self.table), before)


if __name__ == "__main__":
    unittest.main()
