#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the machine does not give, and interrupts: exit codes and words, never an abort; memory as it was predicted.

    tests/limits_test.py PLENUM
"""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PLENUM = os.path.abspath(sys.argv.pop(1))
RUNAWAY = 'name = "runaway"\nextends = "populace"\n[[test]]\nboard = "%s"\nvalue = "tie"\n'


def limited(bytes_):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return limit


def is_instrumented():
    """Sanitizers reserve address space and hold memory of their own."""
    try:
        return subprocess.run([PLENUM, "--version"], capture_output=True, preexec_fn=limited(400_000_000)).returncode != 0
    except OSError:
        return True


INSTRUMENTED = is_instrumented()


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.cache = os.path.join(self.folder, "cache")

    def environment(self, **more):
        return dict(os.environ, PLENUM_CACHE=self.cache, **more)

    def run_plenum(self, *arguments, environment=None, **more):
        return subprocess.run([PLENUM, *arguments], capture_output=True, text=True, timeout=500,
                              env=environment or self.environment(), **more)

    def interrupted_after(self, seconds, *arguments, which=signal.SIGINT):
        """Exit code, stderr, and how long it took to hear the interrupt."""
        with subprocess.Popen([PLENUM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env=self.environment()) as process:
            time.sleep(seconds)
            begin = time.monotonic()
            process.send_signal(which)
            _, error = process.communicate(timeout=500)
            return process.returncode, error, time.monotonic() - begin

    def write(self, name, text):
        path = pathlib.Path(self.folder, name)
        path.write_text(text)
        return str(path)

    def test_unknown_processor_levels(self):
        for level in ["xyz", "V3", "v5", "base ", "native,v3"]:
            result = self.run_plenum("count", "tic-tac-toe", "--depth", "1", environment=self.environment(PLENUM_CPU=level))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"PLENUM_CPU: there is no level '{level}'", result.stderr)
            self.assertIn("the levels are base, v3, v4 and native; this machine can run base", result.stderr)
        flags = pathlib.Path("/proc/cpuinfo").read_text().split()
        for level, flag in [("base", None), ("v3", "avx2"), ("native", "avx2"), ("v4", "avx512bw")]:
            result = self.run_plenum("count", "tic-tac-toe", "--depth", "1", environment=self.environment(PLENUM_CPU=level))
            if flag is None or flag in flags:
                self.assertEqual((result.returncode, result.stdout), (0, "9\n"), result.stderr)
            else:
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(f"PLENUM_CPU: this machine cannot run '{level}'", result.stderr)

    def test_check_has_a_limit(self):
        large = self.write("large.toml", RUNAWAY % "hexhex:3")
        small = self.write("small.toml", RUNAWAY.replace("runaway", "small") % "path:2")
        result = self.run_plenum("check", large, "--memory", "500M")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("test 1 cannot be run: memory: runaway on hexhex:3", result.stderr)
        self.assertIn("--memory", result.stderr)
        result = self.run_plenum("check", large, small, "--memory", "500M", "--json")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual([one["tests"] for one in json.loads(result.stdout)["checked"]], [1, 1])
        self.assertEqual(self.run_plenum("check", small, "--memory", "much").returncode, 2)

    def test_check_hears_interrupts(self):
        long = self.write("long.toml", RUNAWAY % "square:4x4")
        code, error, _ = self.interrupted_after(1, "check", long, "--memory", "4G", "--progress", "plain")
        self.assertEqual(code, 130, error)
        self.assertIn("interrupted", error)

    @unittest.skipIf(INSTRUMENTED, "sanitizers take address space of their own")
    def test_little_address_space(self):
        commands = {
            "graph": "solve cascade --board square:3x3 --method graph --no-table",
            "rows": "solve populace --board square:2x3 --method rows --no-table",
            "one pass": "solve taifas --board square:3x3 --method one-pass --no-table",
            "bits": "solve taifas --board square:3x3 --method bits --no-table",
            "search": "solve cascade --board square:3x3 --method search",
            "openings": "solve cascade --board square:2x3 --method search --openings --threads 8",
            "ending": "solve chess --set material=KPvK --board square:4x4 --no-table",
            "query": "query populace --board path:4",
            "sweep": "sweep populace --board path:3..4 --no-cache",
            "reach": "reach populace --board path:4 --goal any(x)",
            "compare": "compare chess safety-in-numbers --set material=KRvK --board square:4x4",
            "count": "count populace --board path:5 --depth 4",
        }
        for name, command in commands.items():
            codes = set()
            for megabytes in [*range(20, 130, 9), 180, 250]:
                result = self.run_plenum(*command.split(), preexec_fn=limited(megabytes * 1_000_000))
                said = (name, megabytes, result.returncode, result.stderr)
                self.assertIn(result.returncode, [0, 3], said)
                if result.returncode == 3 and name != "sweep":
                    self.assertRegex(result.stderr, "plenum: (memory|threads|the machine)", said)
                    self.assertRegex(result.stderr, "--memory|--threads|even begin", said)
                codes.add(result.returncode)
            self.assertIn(0, codes, name)

    @unittest.skipIf(INSTRUMENTED, "sanitizers hold memory of their own")
    def test_endings_take_what_is_predicted(self):
        for variant in ["chess", "safety-in-numbers"]:
            for board, material in [("4x4", "KPvKP"), ("5x5", "KQvKR"), ("5x5", "KRvKP"), ("6x6", "KBNvK"), ("6x6", "KRvKR")]:
                game = [variant, "--board", f"square:{board}", "--set", f"material={material}", "--json"]
                predicted = json.loads(self.run_plenum("info", *game).stdout)["ending"]["bytes"]
                peak = json.loads(self.run_plenum("solve", *game, "--no-table").stdout)["cost"]["peak_bytes"]
                self.assertLessEqual(peak, predicted, game)
                self.assertLessEqual(predicted, 1.3 * peak + 2e6, game)

    @unittest.skipIf(INSTRUMENTED, "sanitizers hold memory of their own")
    def test_graphs_take_no_more_than_they_may(self):
        # One tier, 66 moves a position, symmetries that are lifted sixteen ways.
        hop = self.write("hop.toml", 'name = "Hop"\noptions = { board = { default = "square:6x6" } }\n'
                         '[start]\nx = "{a1 b1}"\no = "{a6 b6}"\n[moves.hop]\nfrom = "mine"\nstep = false\nwithin = "20"\n'
                         'to = "empty"\n[end]\nwhen = "!any(stones)"\nscore = "0"\nstuck = "loses"\n')
        accepted = []
        for megabytes in range(40, 90, 4):
            result = self.run_plenum("solve", hop, "--method", "graph", "--no-table", "--json", "--memory", f"{megabytes}M")
            self.assertIn(result.returncode, [0, 3], result.stderr)
            if result.returncode == 0:
                peak = json.loads(result.stdout)["cost"]["peak_bytes"]
                self.assertLessEqual(peak, megabytes * 1_000_000)
                accepted.append(megabytes)
                break
        self.assertTrue(accepted)
        self.assertGreater(accepted[0], 40)

    def test_endings_hear_interrupts(self):
        game = ["chess", "--board", "square:7x7", "--set", "material=KQvKR"]
        begin = time.monotonic()
        whole = self.run_plenum("solve", *game)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        seconds = time.monotonic() - begin
        shutil.rmtree(self.cache)
        draw = random.Random(1)
        heard = 0
        for command, which in [("solve", signal.SIGINT), ("solve", signal.SIGTERM), ("solve", signal.SIGINT),
                               ("query", signal.SIGTERM), ("compare", signal.SIGINT)]:
            arguments = {
                "solve": ["solve", *game],
                "query": ["query", *game, "7/7/7/7/7/R6/K1k4 b - -"],
                "compare": ["compare", "chess", "safety-in-numbers", *game[1:]],
            }[command]
            # All of it is one slice: who asks only between slices hears nothing before the end.
            code, error, after = self.interrupted_after(draw.uniform(0.2, 0.8) * seconds, *arguments, which=which)
            self.assertIn(code, [0, 130], error)
            heard += code == 130
            if code == 130:
                self.assertEqual(error, "plenum: interrupted\n")
            self.assertLess(after, 1 + 0.2 * seconds, arguments)
            if code == 0:
                shutil.rmtree(self.cache)
        self.assertGreaterEqual(heard, 3)
        # What was finished is kept and taken.
        tables = os.listdir(os.path.join(self.cache, "tables"))
        self.assertGreaterEqual(len(tables), 1)
        again = self.run_plenum("solve", *game)
        self.assertIn("were there already", again.stdout)


if __name__ == "__main__":
    unittest.main()
