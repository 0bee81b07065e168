#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables as a user meets them: kept, found again, refused when damaged or of another game, gone on with after a kill.

    tests/table_command_test.py PLENUM
"""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from sanitized import sanitized
from table_forging import forge

PLENUM = os.path.abspath(sys.argv.pop(1))
SANITIZED = sanitized(PLENUM)
PATIENCE = 1200 if SANITIZED else 60  # seconds


class Tables(unittest.TestCase):
    """A game by rows."""
    NAME = "Populace"
    GAME = ["populace", "--board", "square:3x4", "--method", "rows"]
    LARGE = ["populace", "--board", "square:4x4"]
    METHOD = "rows"
    POSITION = "x2/3/3/1o1 1"
    OTHER = "button=on"
    FACTS = True  # can be left out
    KILLS = 50

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

    def solved(self, *arguments):
        result = self.run_plenum("solve", *self.GAME, *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_same_counts_as_position_by_position(self):
        dense = self.solved("--no-table")
        sparse = json.loads(self.run_plenum("solve", *self.GAME[:3], "--method", "graph", "--json").stdout)
        for key in ["value", "pie", "openings", "positions", "margins", "ended_by", "moves", "options", "hash"]:
            self.assertEqual(dense[key], sparse[key], key)
        self.assertEqual(dense["cycles"]["endless"], sparse["cycles"]["endless"])
        self.assertIsNone(dense["cycles"]["components"])
        if self.FACTS:
            self.assertEqual(dense["whole_board"]["positions"], 3**12 * 3 * 2)

    def test_values_alone(self):
        full = self.solved("--no-table")
        values = self.solved("--no-table", "--no-remoteness")
        self.assertEqual(values["value"]["margin"], full["value"]["margin"])
        self.assertEqual(values["positions"]["forced_cycle"] is None, self.FACTS)
        self.assertEqual(values["cycles"]["endless"]["first"] is None, self.FACTS)
        self.assertIn(values["value"]["plies"], (None, 0))
        for key in ["reachable", "first", "tie", "cycle"]:
            self.assertEqual(values["positions"][key], full["positions"][key])

    def test_asked_twice(self):
        first = self.solved()
        self.assertTrue(os.path.exists(first["table"]))
        second = self.solved()
        self.assertEqual(second["table"], first["table"])
        first.pop("cost"), second.pop("cost")
        self.assertEqual(first, second)
        page = self.run_plenum("solve", *self.GAME).stdout
        self.assertIn("taken from " + first["table"], page)
        listed = json.loads(self.run_plenum("tables", "--json").stdout)["tables"]
        self.assertEqual([t["board"] for t in listed], ["square:3x4"])
        removed = self.run_plenum("tables", "--remove", self.NAME)
        self.assertIn("removed 1 table", removed.stdout)
        self.assertFalse(os.path.exists(first["table"]))
        self.assertEqual(self.run_plenum("tables", "--remove", "nothing").returncode, 2)

    def test_more_is_asked_than_the_table_has(self):
        self.solved("--table", self.table, "--no-remoteness")
        short = os.path.getsize(self.table)
        self.assertIsNotNone(self.solved("--table", self.table)["positions"]["forced_cycle"])
        self.assertGreater(os.path.getsize(self.table), short)

    def test_query(self):
        self.solved("--table", self.table)
        position = self.POSITION
        from_table = self.run_plenum("query", self.table, position, "--json")
        self.assertEqual(from_table.returncode, 0, from_table.stderr)
        sparse = self.run_plenum("query", *self.GAME[:3], position, "--json")
        a, b = json.loads(from_table.stdout), json.loads(sparse.stdout)
        for key in ["position", "value", "moves"]:
            self.assertEqual(a[key], b[key])
        # By itself the position may be solved from there; one of many is solved with the whole game.
        self.assertIn(b["reachable"], [a["reachable"]] if b["solved_from"] == a["solved_from"] else [None])
        whole = self.run_plenum("query", *self.GAME[:3], "--stdin", "--json", input=position + "\n")
        c = json.loads(whole.stdout)
        for key in ["position", "value", "reachable", "solved_from", "moves"]:
            self.assertEqual(a[key], c[key])
        self.assertEqual(self.run_plenum("query", self.table, "--board", "square:3x3").returncode, 2)

    def test_another_game(self):
        self.solved("--table", self.table)
        other = self.run_plenum("solve", *self.GAME, "--set", self.OTHER, "--table", self.table)
        self.assertEqual(other.returncode, 2)
        self.assertIn(f"not of {self.NAME} on square:3x4", other.stderr)
        with open(self.table, "w") as file:
            file.write("my diary")
        self.assertIn(self.run_plenum("solve", *self.GAME, "--table", self.table).returncode, (2, 4))
        self.assertEqual(self.bytes_of(self.table), b"my diary")

    def test_damage(self):
        self.solved("--table", self.table)
        good = self.bytes_of(self.table)
        generator = random.Random(1)
        for _ in range(6 if SANITIZED else 30):
            at = generator.randrange(len(good))
            bad = bytearray(good)
            bad[at] ^= 1 << generator.randrange(8)
            with open(self.table, "wb") as file:
                file.write(bad)
            result = self.run_plenum("query", self.table, "--moves-only")
            asked = self.run_plenum("query", self.table, self.POSITION, "--json")
            self.assertIn(asked.returncode, (0, 2, 4))
            self.assertIn(result.returncode, (0, 2, 4))
            if asked.returncode == 0:  # another block
                self.assertEqual(json.loads(asked.stdout)["value"]["margin"], self.margin(good))
        for length in (0, 1, 39, len(good) // 2, len(good) - 1):
            with open(self.table, "wb") as file:
                file.write(good[:length])
            self.assertIn(self.run_plenum("query", self.table).returncode, (2, 4))

    def margin(self, good):
        if not hasattr(self, "known"):
            path = os.path.join(self.folder, "good.plenum")
            with open(path, "wb") as file:
                file.write(good)
            self.known = json.loads(self.run_plenum("query", path, self.POSITION, "--json").stdout)["value"]["margin"]
        return self.known

    def begin_solving(self, table, environment, *more):
        return subprocess.Popen([PLENUM, "solve", *self.GAME, "--table", table, *more], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env=environment)

    def test_threads_and_kills(self):
        self.solved("--table", self.table, "--threads", "1")
        expected = self.bytes_of(self.table)
        two = os.path.join(self.folder, "two.plenum")
        environment = dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache"))
        begin = time.time()
        process = self.begin_solving(two, environment, "--threads", "2")
        while not os.path.exists(two) and process.poll() is None:
            time.sleep(0.002)
        seconds = 1.2 * (time.time() - begin)  # some of them are killed when their table is there
        self.assertEqual(process.wait(), 0)
        self.assertEqual(self.bytes_of(two), expected)
        generator = random.Random(2)
        path = os.path.join(self.folder, "killed.plenum")
        for round in range(self.KILLS // 10 if SANITIZED else self.KILLS):
            if round % 10 == 0 and os.path.exists(path):
                os.remove(path)
            process = self.begin_solving(path, environment)
            time.sleep(generator.uniform(0, seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
            if os.path.exists(path):
                self.assertEqual(self.bytes_of(path), expected)
        if os.path.exists(path):
            os.remove(path)
        self.solved("--table", path)
        self.assertEqual(self.bytes_of(path), expected)
        os.mkdir(path + ".partial")  # as left by one that was killed when its table was there
        self.solved("--table", path)
        self.assertEqual(sorted(os.listdir(self.folder)), ["game.plenum", "killed.plenum", "two.plenum"])

    def test_finished_tiers_are_taken_up(self):
        process = subprocess.Popen([PLENUM, "solve", *self.LARGE, "--table", self.table],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        pieces = self.table + ".partial"
        deadline = time.time() + PATIENCE
        while time.time() < deadline and not (os.path.isdir(pieces) and len(os.listdir(pieces)) >= 3):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 130)
        self.assertGreaterEqual(len(os.listdir(pieces)), 3)

    def test_no_room(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        full = self.run_plenum("solve", *self.GAME, "--table", self.table, preexec_fn=limit)
        self.assertEqual(full.returncode, 3, full.stderr)
        self.assertIn(self.folder, full.stderr)
        self.assertFalse(os.path.exists(self.table))
        kept = self.run_plenum("solve", *self.GAME, "--json", preexec_fn=limit)  # the cache folder is no must
        self.assertEqual(kept.returncode, 0, kept.stderr)
        nowhere = self.run_plenum("solve", *self.GAME, "--table", "/proc/nowhere/game.plenum")
        self.assertEqual(nowhere.returncode, 3, nowhere.stderr)
        little = self.run_plenum("solve", *self.LARGE, "--method", self.METHOD, "--memory", "20M", "--no-table")
        self.assertEqual(little.returncode, 3, little.stderr)
        self.assertIn("needs", little.stderr)

    @unittest.skipIf(SANITIZED, "sanitizers hold memory of their own")
    def test_memory(self):
        game = ["populace", "--board", "square:4x4"]
        info = json.loads(self.run_plenum("info", *game, "--json").stdout)
        need = int(next(m for m in info["methods"] if m["method"] == "rows")["values_alone"]["bytes"])
        values = ["solve", *game, "--method", "rows", "--no-remoteness", "--no-table", "--json", "--memory"]
        less = self.run_plenum(*values, str(need * 9 // 10))
        self.assertEqual(less.returncode, 3, less.stderr)
        need = need * 51 // 50  # what the process holds before it begins is not the same in every run
        enough = self.run_plenum(*values, str(need))
        self.assertEqual(enough.returncode, 0, enough.stderr)
        self.assertLess(json.loads(enough.stdout)["cost"]["peak_bytes"], 1.05 * need)

    def test_verify(self):
        for more in [[], ["--no-remoteness"]]:
            self.assertEqual(self.run_plenum("solve", *self.GAME, "--table", self.table, *more).returncode, 0)
            result = self.run_plenum("verify", self.table, "--json", "--threads", "2")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            found = json.loads(result.stdout)
            self.assertTrue(found["verified"])
            self.assertEqual(found["mismatches"], [])
            self.assertEqual(found["checked"]["facts"], self.FACTS and not more)
            self.assertEqual(found["checked"]["remoteness"], not more)
            self.assertEqual(found["options"]["board"], "square:3x4")
            self.assertIn("nothing is wrong", self.run_plenum("verify", self.table).stdout)
            self.assertEqual(self.run_plenum("verify", self.table, "--memory", "1M").returncode, 3)
            damaged = bytearray(self.bytes_of(self.table))
            damaged[len(damaged) // 2] ^= 1
            with open(self.table, "wb") as file:
                file.write(damaged)
            result = self.run_plenum("verify", self.table)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("damaged", result.stderr)
            os.remove(self.table)
        self.assertEqual(self.run_plenum("verify", self.table).returncode, 2)

    def refused(self, arguments, code, *words):
        result = self.run_plenum(*arguments, timeout=60)
        self.assertEqual(result.returncode, code, (arguments, result.stderr))
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("exception", result.stderr)
        return result

    def test_forged_texts(self):
        self.solved("--table", self.table)
        good = self.bytes_of(self.table)

        def entry(*places, value=None):
            def change(text):
                for place in places[:-1]:
                    text = text[place]
                if value is None:
                    del text[places[-1]]
                else:
                    text[places[-1]] = value
            return change
        deep = b"[" * 200000
        forgeries = [({"footer": entry("summary", value=5)}, "summary"), ({"footer": entry("summary")}, "summary"),
                     ({"footer": entry("summary", value=[])}, "summary"), ({"footer": b"[1]"}, "footer"),
                     ({"footer": entry("summary", "stored", value="x")}, "summary"), ({"footer": deep}, "nested"),
                     ({"footer": entry("summary", "value", "plies", value=1.5)}, "summary"),
                     ({"footer": b'{"summary":' + deep}, "nested"), ({"footer": b"{"}, "footer"),
                     ({"header": deep}, "nested"), ({"header": b"null"}, "header"), ({"header": b""}, "header"),
                     ({"header": entry("settings", value=3)}, "settings"), ({"header": entry("game")}, "game"),
                     ({"header": entry("version", value=1e300)}, "version"), ({"header": entry("version")}, "version"),
                     ({"header": entry("boards", value=-1)}, "boards"), ({"header": entry("boards", value=1)}, "boards"),
                     ({"header": entry("hash", value="0" * 16)}, "another game"), ({"footer": entry("hash", value="0" * 16)}, "another game"),
                     ({key: entry("hash", value="0" * 16) for key in ("header", "footer")}, "hash"), ({"header": entry("board", value="path:3")}, "board"),
                     ({"header": entry("variant", value="Go")}, "variant"), ({"header": entry("states", value=7)}, "states"),
                     ({"header": entry("description", value="name = 1")}, "description"),
                     ({"header": entry("settings", "x", value="y")}, "description"),
                     ({"header": entry("method", value="x")}, "method"), ({"header": entry("more", value=1)}, "more")]
        commands = [["solve", *self.GAME, "--table", self.table], ["verify", self.table], ["query", self.table]]
        for change, word in forgeries[::4] if SANITIZED else forgeries:
            with open(self.table, "wb") as file:
                file.write(good)
            forge(self.table, **change)
            for command in commands:
                self.refused(command, 4, self.table + " is damaged", word, "Remove this file and solve again")
        # In the cache folder it is no obstacle, and is listed.
        kept = self.solved()["table"]
        for text in (entry("hash", value=7), entry("hash", value="0" * 16), deep):
            forge(kept, header=text)
            self.assertIn("is damaged", self.run_plenum("tables").stdout)
            with open(os.path.join(os.path.dirname(kept), "b.plenum"), "wb") as file:
                file.write(good)  # one that is sound, after it or before
            listed = json.loads(self.run_plenum("tables", "--json").stdout)["tables"]
            self.assertEqual(sorted(table["problem"] is None for table in listed), [False, True])
            os.remove(file.name)
            again = self.run_plenum("solve", *self.GAME)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertNotIn("taken from", again.stdout)
            self.assertIn("taken from", self.run_plenum("solve", *self.GAME).stdout)

    def test_another_version(self):
        self.solved("--table", self.table)
        good = self.bytes_of(self.table)

        def version(number):
            def change(header):
                header.update(version=number, program="9.9")
            return change
        for change, wrote in (({"header": version(1)}, "version 9.9"), ({"header": version(99)}, "version 9.9"),
                              ({"version": 2}, "version 2"), ({"version": 4000000000}, "version 4000000000")):
            with open(self.table, "wb") as file:
                file.write(good)
            forge(self.table, **change)
            for command in (["solve", *self.GAME, "--table", self.table], ["verify", self.table], ["query", self.table]):
                result = self.refused(command, 3, self.table, wrote, "to go on, ", f"rm {self.table} && plenum solve ")
            if "header" in change:  # the command that it gives does it
                command = result.stderr[result.stderr.index("rm "):].replace("plenum solve", f"{PLENUM} solve")
                again = subprocess.run(command, shell=True, capture_output=True, text=True)
                self.assertEqual(again.returncode, 0, command + again.stderr)
                self.assertEqual(self.run_plenum("verify", self.table).returncode, 0)
            kept = self.solved()["table"]
            forge(kept, **change)
            self.assertIn("version", self.run_plenum("tables").stdout)
            self.assertNotIn("taken from", self.run_plenum("solve", *self.GAME).stdout)
            self.assertIn("taken from", self.run_plenum("solve", *self.GAME).stdout)

    def test_links_and_what_is_no_file(self):
        far = os.path.join(self.folder, "far")
        os.mkdir(far)
        link = os.path.join(self.folder, "link")
        os.symlink("far/table", link)
        for _ in range(2):  # it leads nowhere at first
            self.solved("--table", link)
            self.assertTrue(os.path.islink(link))
            self.assertEqual(os.listdir(far), ["table"])
        self.assertEqual(self.run_plenum("verify", link).returncode, 0)
        names = {name: os.path.join(self.folder, name) for name in ("round", "back", "pipe", "null")}
        os.symlink("back", names["round"])
        os.symlink("round", names["back"])
        os.symlink("/dev/null", names["null"])
        os.mkfifo(names["pipe"])
        for path, word in ((names["round"], "leads back to itself"), (names["pipe"], "named pipe"),
                           (names["null"], "device"), ("/dev/null", "device"), (far, "folder")):
            self.refused(["solve", *self.GAME, "--table", path], 2, path, word)
            self.refused(["verify", path], 2)
            self.refused(["query", path], 2)
        for command in (["cycles"], ["compare"], ["reach", "--goal", "true"], ["sweep"], ["report", "-o", "r.html"]):
            self.refused([command[0], link, *command[1:]], 2, "table of a solved game")

    def test_what_else_lies_in_the_cache_folder(self):
        folder = os.path.dirname(self.solved()["table"])
        os.mkdir(os.path.join(folder, "folder.plenum"))
        os.mkdir(os.path.join(folder, "folder.plenum", "kept"))
        os.mkfifo(os.path.join(folder, "pipe.plenum"))
        os.symlink("nowhere", os.path.join(folder, "link.plenum"))
        os.symlink("round.plenum", os.path.join(folder, "round.plenum"))
        listed = json.loads(self.run_plenum("tables", "--json", timeout=60).stdout)["tables"]
        self.assertEqual(len(listed), 5)
        self.assertEqual(sum(table["problem"] is None for table in listed), 1)
        self.assertLess(max(table["bytes"] for table in listed), 10**9)
        self.assertIn("5 tables in", self.run_plenum("tables").stdout)
        self.assertEqual(self.run_plenum("tables", "--remove", "folder.plenum").returncode, 2)  # somebody's folder
        self.assertTrue(os.path.exists(os.path.join(folder, "folder.plenum", "kept")))

    def test_any_size(self):
        for game in (["tic-tac-toe"], ["taifas", "--board", "square:3x3"], ["cascade", "--board", "square:2x3"]):
            table = os.path.join(self.folder, game[0])
            self.assertEqual(self.run_plenum("solve", *game, "--table", table).returncode, 0)
            self.assertEqual(self.run_plenum("verify", table).returncode, 0)

    def test_contradictions(self):
        self.assertEqual(self.run_plenum("solve", *self.GAME, "--table", self.table, "--no-table").returncode, 2)
        search = self.run_plenum("solve", "tic-tac-toe", "--method", "search", "--table", self.table)
        self.assertEqual(search.returncode, 2)
        self.assertIn("leave out --table", search.stderr)
        why = self.run_plenum("solve", "breakthrough", "--method", "rows")
        self.assertEqual(why.returncode, 2)


class OnePass(Tables):
    """The same of a game in one pass."""
    NAME = "Taifas"
    GAME = ["taifas", "--board", "square:3x4", "--method", "one-pass"]
    LARGE = ["taifas", "--board", "square:4x4"]
    METHOD = "one-pass"
    POSITION = "3/b2/1w1/3 1 last_zone=first"
    OTHER = "completes=split"
    FACTS = False
    KILLS = 20

    def test_query_beyond_what_can_arise(self):
        self.solved("--table", self.table)
        self.assertEqual(self.run_plenum("query", "taifas", "--board", "square:3x4", "--json").returncode, 0)
        for position in ("bw1/3/3/3 1", "bbb/bbb/3/3 1"):
            table = json.loads(self.run_plenum("query", self.table, position, "--json").stdout)
            sparse = json.loads(self.run_plenum("query", *self.GAME[:3], position, "--json").stdout)
            for key in ["position", "value", "reachable", "moves"]:
                self.assertEqual(table[key], sparse[key], key)


if __name__ == "__main__":
    unittest.main()
