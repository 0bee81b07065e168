#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What once broke the program: each attack gets the answer it should have, in words, and soon.

    tests/attacks_test.py PLENUM

Small descriptions stand in attacks/; what is large is made here. Needs nothing but Python 3.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PLENUM = os.path.abspath(sys.argv.pop(1))
HERE = os.path.dirname(os.path.abspath(__file__))
SLOW = 15 if b"__asan" in open(PLENUM, "rb").read() or b"__tsan" in open(PLENUM, "rb").read() else 1
DENSE = "one-pass"
SECONDS = 10 * SLOW  # no attack takes longer
HEAD = 'name = "Made"\n[options]\nboard = { default = "path:3" }\n'
REST = '[moves.place]\nto = "empty"\n[end]\nstuck = "loses"\n'


def attack(name):
    return os.path.join(HERE, "attacks", name)


class Attack(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_plenum(self, *arguments, code=0, **more):
        """Runs it; whatever it is given, its output is text that may be shown."""
        environment = dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "cache"))
        ran = subprocess.run([PLENUM, *arguments], capture_output=True, env=environment, timeout=SECONDS, **more)
        for shown in (ran.stdout, ran.stderr):
            text = shown.decode("utf-8")  # fails where a byte is passed on as it came
            wild = [c for c in text if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or ord(c) in range(0x202A, 0x202F))]
            self.assertEqual(wild, [], text)
        self.assertEqual(ran.returncode, code, ran.stderr.decode()[:1000])
        return ran

    def path(self, name):
        return os.path.join(self.folder, name)

    def written(self, name, text):
        with open(self.path(name), "wb" if isinstance(text, bytes) else "w") as file:
            file.write(text)
        return self.path(name)


class Identity(Attack):
    """Two games of one name: what is kept of one is never the answer of the other."""

    def pair(self, name):
        return attack(f"{name}-a.toml"), attack(f"{name}-b.toml")

    def value(self, *arguments):
        """Of the start."""
        return json.loads(self.run_plenum(*arguments, "--json").stdout)["value"]

    def test_query_after_solve(self):
        a, b = self.pair("kinds-order")
        self.run_plenum("solve", a, "--method", DENSE)
        self.assertIn(b"\nfirst wins by 2 ", self.run_plenum("query", b, "r4 2").stdout)

    def test_kept_values(self):
        for name in ("kinds-order", "define-about", "quoted-space"):
            values = [self.value("solve", one, "--no-table", "--method", "graph") for one in self.pair(name)]
            for one, value in zip(self.pair(name), values):  # each after the other, with all that is kept
                for method in (DENSE, "auto"):
                    self.assertEqual(self.value("solve", one, "--method", method), value, (name, method))
                self.assertEqual(self.value("sweep", one), value, name)

    def test_table_of_another_game(self):
        for name in ("kinds-order", "define-about", "quoted-space"):
            a, b = self.pair(name)
            table = self.path(name + ".plenum")
            self.run_plenum("solve", a, "--method", DENSE, "--table", table)
            self.assertIn(b"this is a table of ", self.run_plenum("solve", b, "--table", table, code=2).stderr)

    def test_the_same_game_under_another_name(self):
        a, _ = self.pair("kinds-order")
        with open(a) as file:
            text = file.read()
        other = self.written("other.toml", text.replace('"KA"', '"Another"\nabout = "Prose."'))
        table = self.path("t.plenum")
        first = self.run_plenum("solve", a, "--method", DENSE, "--table", table)
        again = self.run_plenum("solve", other, "--table", table)
        self.assertIn(b"taken from", again.stdout)
        self.assertIn(b"KA on path:5", first.stdout)
        self.assertIn(b"Another on path:5", again.stdout)
        self.assertNotIn(b"KA on", again.stdout)
        self.assertEqual(json.loads(self.run_plenum("solve", other, "--table", table, "--json").stdout)["variant"], "Another")


class Terminal(Attack):
    def test_control_characters_are_shown(self):
        game = attack("escape-in-name.toml")
        for command in (["solve", game, "--board", "path:3"], ["info", game], ["check", game], ["cycles", game, "--board", "path:3"],
                        ["solve", game, "--board", "path:3", "--json"], ["compare", game, "populace", "--board", "path:3"],
                        ["sweep", game, "--board", "path:2..3"], ["sweep", game, "--board", "path:2..3", "--csv"], ["tables"], ["tables", "--json"],
                        ["query", game, "--board", "path:3"], ["query", game, "--board", "path:3", "--json"]):
            ran = self.run_plenum(*command)
            if command[0] in ("solve", "info", "cycles", "sweep") and command[-1] not in ("--json", "--csv"):
                self.assertIn(rb"q\x1b[31mRED\x07", ran.stdout, command)

    def test_what_is_given_is_shown(self):
        wild = b"a\x1b[2J\x07\xff\xc2\x9b\xe2\x80\xae"
        shown = rb"a\x1b[2J\x07\xff\xc2\x9b\xe2\x80\xae"
        name = self.written("x", REST)
        os.rename(name, os.path.join(self.folder.encode(), wild + b".toml"))
        for command, code in (([wild], 2), (["solve", wild], 2), (["solve", b"populace", b"--" + wild], 2), (["solve", b"populace", b"--set", wild + b"=1"], 2),
                              (["solve", b"populace", b"--board", wild], 2), (["query", b"populace", wild], 2), (["query", b"populace", b"--board", b"path:3", b"--moves", wild], 2),
                              (["verify", wild], 2), (["tables", b"--remove", wild], 2), (["reach", b"populace", b"--goal", b"'" + wild], 2),
                              (["check", os.path.join(self.folder.encode(), wild + b".toml")], 2), (["bench", wild], 2),
                              (["bench", b"--file", wild], 2), (["solve", b"populace", b"--memory", wild], 2), (["solve", b"populace", b"--threads", wild], 2)):
            ran = self.run_plenum(*[c if isinstance(c, bytes) else c.encode() for c in command], code=code)
            self.assertIn(shown, ran.stderr, command)
        self.assertIn(shown, self.run_plenum("query", "populace", "--board", "path:3", "--stdin", input=wild + b"\n", code=2).stdout.replace(b"\\\\", b"\\").replace("\ufffd".encode(), rb"\xff"), "JSON lines")

    def test_a_caret_stays_under_its_place(self):
        ran = self.run_plenum("check", self.written("bad.toml", HEAD + '[moves.place]\nto = "empty \u0007& mein"\n'.encode().decode() + REST), code=2)
        lines = ran.stderr.decode().split("\n")
        self.assertTrue(any("\\x07" in line or "control" in line for line in lines), ran.stderr)


class Hangs(Attack):
    def test_many_passes(self):
        self.assertIn(b"passes are counted up to 200", self.run_plenum("solve", attack("passes-huge.toml"), code=2).stderr)
        passing = self.written("passing.toml", HEAD + REST.replace("[end]", "[moves.pass]\n[end]"))
        for many, words in (("1000000000", b"passes are counted up to 200"), ("1000000000 * 1000000", b"passes are counted up to 200"),
                            ("4294967298", b"this number is too large")):
            self.assertIn(words, self.run_plenum("reach", passing, "--goal", f"passes == {many}", code=2).stderr)
        # Two passes end this game, so there is an answer.
        self.assertIn(b"never", self.run_plenum("reach", "populace", "--board", "path:3", "--goal", "passes == 1000000000", code=1).stdout)

    def test_check_has_a_limit(self):
        ran = self.run_plenum("check", attack("check-unlimited-memory.toml"), "--memory", "200M", code=3)
        self.assertIn(b"test 1 cannot be run: memory", ran.stderr)

    def test_many_definitions_and_options(self):
        for table, one in (("define", 'd{} = "count(mine) + {}"'), ("moves", 'm{} = {{ to = "empty", when = "count(mine) == {}" }}')):
            text = HEAD + f"[{table}]\n" + "\n".join(one.format(i, i) for i in range(4000)) + "\n" + REST
            start = time.monotonic()
            self.run_plenum("info", self.written("many.toml", text), code=0 if table == "define" else 2)
            self.assertLess(time.monotonic() - start, 2 * SLOW, table)
        in_one_line = "define = { " + ", ".join(f'd{i} = "{i}"' for i in range(4000)) + " }\n"
        self.run_plenum("check", self.written("row.toml", in_one_line + HEAD + REST))
        deep = HEAD + "[define]\n" + "\n".join(f'd{i} = "d{i + 1}"' for i in range(4000)) + '\nd4000 = "1"\n' + REST.replace('"empty"', '"empty & count(mine) < d0"')
        self.assertIn(b"written out", self.run_plenum("check", self.written("deep.toml", deep), code=2).stderr)
        twice = HEAD + "[define]\n" + "\n".join(f'd{i} = "d{i + 1} + d{i + 1}"' for i in range(60)) + '\nd60 = "1"\n' + REST.replace('"empty"', '"empty & count(mine) < d0"')
        self.assertIn(b"written out", self.run_plenum("check", self.written("twice.toml", twice), code=2).stderr)
        text = HEAD + "\n".join(f"o{i} = {{ default = 1, range = [1, 3] }}" for i in range(4000)) + "\n" + REST
        self.assertIn(b"there are 4001 options", self.run_plenum("check", self.written("many.toml", text), code=2).stderr)

    def test_files_that_never_end(self):
        pipe = self.path("pipe.toml")
        os.mkfifo(pipe)
        os.symlink("/dev/zero", self.path("zero.toml"))
        with open(self.path("large.toml"), "wb") as file:
            file.truncate(6_000_000_000)
        for name, words in ((pipe, b"no regular file"), (self.path("zero.toml"), b"no regular file"), (self.path("large.toml"), b"6000000000 bytes"),
                            ("/proc/kmsg", b"a description needs a name"), ("/dev/stdin", b"no regular file"), (self.folder, b"a folder")):
            for command in (["info"], ["verify"], ["bench", "--file"], ["check"], ["query"]):
                ran = subprocess.run([PLENUM, *command, name], capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL,
                                     env=dict(os.environ, PLENUM_CACHE=self.path("cache")))
                self.assertIn(ran.returncode, (2, 4), (command, name, ran.stderr))
                if command[0] in ("info", "check"):
                    self.assertIn(words, ran.stderr, (command, name))
        extends = self.written("extends.toml", f'name = "E"\nextends = "{pipe}"\n')
        self.assertIn(b"no regular file", self.run_plenum("info", extends, code=2).stderr)


class Crashes(Attack):
    def test_deep_documents(self):
        for text in ("x" + ".a" * 16_400 + " = 1\n", "[x" + ".a" * 16_400 + "]\n", "x = " + "[" * 20_000 + "]" * 20_000 + "\n",
                     "x = " + "{ a = " * 20_000 + "1" + " }" * 20_000 + "\n", "x" + ".'a'" * 16_400 + " = 1\n", "x" + " . \"a\"" * 16_400 + " = 1\n",
                     "x = " + "[" * 20_000, "[" * 20_000, "".join(f"[{'a.' * i}a]\n" for i in range(40))):
            ran = self.run_plenum("info", self.written("deep.toml", 'extends = "tic-tac-toe"\n' + text), code=2)
            self.assertIn(b"nested too deeply", ran.stderr, text[:40])

    def test_files_that_extend_each_other(self):
        for i in range(2_000):
            self.written(f"t{i}.toml", f'name = "t{i}"\nextends = "t{i + 1}"\n')
        self.written("t2000.toml", 'name = "t"\nextends = "populace"\n')
        self.assertIn(b"files extend one another", self.run_plenum("info", self.path("t0.toml"), code=2).stderr)
        self.run_plenum("info", self.path("t1980.toml"))

    @unittest.skipIf(SLOW > 1, "sanitizers take more address space than there is")
    def test_no_room_for_threads(self):
        for megabytes in (40, 60, 80, 120, 200, 400):
            limit = megabytes * 1_000_000
            ran = subprocess.run([PLENUM, "solve", "cascade", "--board", "square:3x3", "--method", "search"], capture_output=True, timeout=SECONDS,
                                 env=dict(os.environ, PLENUM_CACHE=self.path("cache")), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            self.assertIn(ran.returncode, (0, 3, 127), (megabytes, ran.stderr))
            if ran.returncode == 3:
                self.assertTrue(ran.stderr.startswith(b"plenum: "), ran.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
