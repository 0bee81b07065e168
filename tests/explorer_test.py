#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The explorer's server: what it answers is what the commands print, and what is wrong or foreign is refused.

    tests/explorer_test.py PLENUM
"""
import concurrent.futures
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from explorer_server import Explorer
from sanitized import sanitized

PLENUM = os.path.abspath(sys.argv.pop(1))
SANITIZED = sanitized(PLENUM)
REQUESTS = 200 if SANITIZED else 1000
MANGLED = 2000 if SANITIZED else 10_000
USUAL_PORT = 7536
GAMES = [("tic-tac-toe", "square:3x3"), ("populace", "hexhex:2"), ("cascade", "square:2x3"), ("connect-4", "square:4x4"), ("mu-torere", ""), ("hex", "hexrect:3x3")]


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.cache = os.path.join(cls.folder, "cache")
        cls.page = Explorer(PLENUM, "--memory", "2G", cache=cls.cache)
        cls.page.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.page.stop()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def run_plenum(self, *arguments):
        return subprocess.run([PLENUM, *arguments], capture_output=True, text=True, env=dict(os.environ, PLENUM_CACHE=os.path.join(self.folder, "other")))

    def test_the_commands_say_the_same(self):
        for variant, board in GAMES:
            game = [variant] + (["--board", board] if board else [])
            query = json.loads(self.run_plenum("query", *game, "--json").stdout)
            answer = self.page.get("position", variant=variant, board=board)
            drawn = answer.pop("drawn")
            self.assertEqual(answer, query)
            self.assertEqual(len(drawn["moves"]), len(query["moves"]))
            for move, one in zip(query["moves"], drawn["moves"]):
                # What is drawn of a move is what is written of it.
                cells = [cell for step in one["steps"] for cell in [step["from"], *step["to"]] if cell]
                self.assertEqual(bool(cells), move["move"] != "pass", move)
                self.assertTrue(all(cell in move["move"] for cell in cells), (move, one))
            names = [cell["name"] for cell in self.page.get("variant", variant=variant, board=board)["board"]["cells"]]
            for move, one in list(zip(query["moves"], drawn["moves"]))[:3]:
                after = self.page.get("position", variant=variant, board=board, moves=move["move"])
                # What a move changes, and nothing else, makes of the position what comes after it.
                here, there = dict(zip(names, drawn["cells"])), dict(zip(names, after["drawn"]["cells"]))
                self.assertEqual(one["changed"], {name: there[name] for name in names if there[name] != here[name]})
                self.assertEqual(after["position"], move["position"])
                self.assertEqual(after["value"]["margin"], move["margin"])
            solved = json.loads(self.run_plenum("solve", *game, "--no-table", "--json").stdout)
            statistics = self.page.get("statistics", variant=variant, board=board)
            for key in ("value", "pie", "openings", "positions", "margins", "hash", "cyclic", "balance", "measures"):
                self.assertEqual(statistics.get(key), solved.get(key), key)
            histograms = self.page.get("histograms", variant=variant, board=board)
            self.assertEqual(histograms["margins"], solved["margins"])
            self.assertEqual(histograms["positions"] + histograms["ended"], solved["positions"]["reachable"])
            self.assertEqual(sum(sum(one.values()) for one in histograms["stones"].values()), histograms["positions"])
        cycles = self.page.get("cycles", variant="populace", board="path:8", set="button=on")
        printed = json.loads(self.run_plenum("cycles", "populace", "--board", "path:8", "--set", "button=on", "--json").stdout)
        compared = self.page.get("compare", variant="populace", board="path:5", with_="threat=1", show=3)
        changed = json.loads(self.run_plenum("compare", "populace", "--board", "path:5", "--set", "threat=1", "--json").stdout)
        self.assertEqual(set(re.findall(r'data-node="(\d+)"', cycles.pop("graph"))), {str(k) for k in range(len(cycles["trap"]["positions"]))})
        for one, other in ((cycles, printed), (compared, changed)):
            one.pop("cost"), other.pop("cost")
            self.assertEqual(one, other)

    def test_measures_are_shown(self):
        """What `solve` measures unasked, in words and numbers; or why it was not measured."""
        solved = json.loads(self.run_plenum("solve", "tic-tac-toe", "--no-table", "--json").stdout)
        shown = self.page.get("measures", variant="tic-tac-toe")["html"]
        self.assertIn(f"the game has {solved['measures']['skill']:.2f}.", shown)
        self.assertIn(f">{solved['measures']['lines']}<", shown)
        self.assertIn(f"<th scope=\"row\">a tie</th><td>{solved['balance']['openings']['tie']}</td>", shown)
        self.assertEqual(shown.count('class="heat"'), 2)
        solved = json.loads(self.run_plenum("solve", "chess", "--board", "square:4x4", "--set", "material=KRvK", "--no-table", "--json").stdout)
        shown = self.page.get("measures", variant="chess", board="square:4x4", set="material=KRvK")["html"]
        self.assertIn("Play by players who err is not measured.", shown)
        self.assertIn(f"<td>{solved['measures']['positions']['positions']:,}</td>", shown)

    def test_figures(self):
        """What is asked is drawn, with its texts as texts; what is no figure is refused."""
        def figure(asked):
            return self.page.ask("POST", "figure", body=asked if isinstance(asked, str) else json.dumps(asked))
        status, line = figure({"line": {"caption": "<b>\"7\"</b>", "values": [7, None, -3, 2.5], "here": 2}})
        self.assertEqual(status, 200, line)
        self.assertIn('aria-label="&lt;b&gt;&quot;7&quot;&lt;/b&gt;: 7, -3, 2.5"', line["html"])
        self.assertEqual(line["html"].count("<circle"), 3)
        self.assertEqual(figure({"line": {"values": [7, None]}}), (200, {"schema": 1, "html": ""}))
        cell = {"text": "<i>7</i>", "number": 7, "opens": "0 0"}
        status, heat = figure({"heat": {"caption": "map", "corner": "b ↓, a →", "columns": ["a", "<u>"], "rows": ["b"], "cells": [[cell, {"text": "not solved", "why": "\"x\""}]]}})
        self.assertEqual(status, 200, heat)
        for part in ("&lt;i&gt;7&lt;/i&gt;", "&lt;u&gt;", ">b ↓, a →<", 'data-opens="0 0"', 'title="&quot;x&quot;"'):
            self.assertIn(part, heat["html"])
        self.assertNotRegex(line["html"] + heat["html"], r"<[biu]>|style=")
        for wrong in ("", "[", "[]", "7", "{}", "[" * 100000, {"line": {}}, {"line": 7}, {"line": {"values": ["7"]}}, {"line": {"values": [1e300, 2]}}, {"line": {"values": [[]]}},
                      {"line": {"values": [1, 2], "caption": 7}}, {"heat": {}}, {"heat": {"columns": ["a"], "rows": ["b"], "cells": [[]]}}, {"heat": {"columns": [7], "rows": [], "cells": []}},
                      {"heat": {"columns": ["a"], "rows": ["b"], "cells": [[{"text": 7}]]}}, {"heat": {"columns": ["a"] * 200, "rows": ["b"] * 200, "cells": [[{}] * 200] * 200}}):
            status, answer = figure(wrong)
            self.assertEqual((status, answer["error"][:9]), (400, "a figure:"), wrong)
        self.assertEqual(self.page.ask("GET", "figure")[0], 405)
        for letters in ("", "?", "X" * 300, "<"):
            self.assertEqual(self.page.ask("GET", "men", variant="tic-tac-toe", letters=letters)[0], 400, letters)
        self.assertEqual(self.page.get("men", variant="tic-tac-toe", letters="xo")["on_cell"].count("<circle"), 2)

    def test_pictures_have_one_style(self):
        """The style that reports have inside is a file of the page."""
        status, style, headers = self.page.send("GET", "/pictures.css")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/css; charset=utf-8"))
        report = os.path.join(self.folder, "report.html")
        self.assertEqual(self.run_plenum("report", "populace", "--board", "path:4", "-o", report).returncode, 0)
        with open(report, encoding="utf-8") as file:
            self.assertIn(style.decode(), file.read())
        self.assertNotIn("style=", json.dumps(self.page.get("variant", variant="populace", board="path:4")))

    def test_markup_in_a_description_stays_text(self):
        typed = ('name = "<script>alert(1)</script>\'"\nextends = "tic-tac-toe"\nabout = "<img src=x onerror=alert(1)>"\nauthor = "\\"><svg onload=alert(1)>"\n'
                 '[kinds.x]\nowner = "first"\n')
        answer = self.page.ask("POST", "check", body=typed)[1]
        draft = answer["draft"]
        self.assertEqual(answer["checked"][0]["errors"], [])
        for request in ("variant", "position", "histograms", "measures", "cycles"):
            answer = self.page.get(request, variant=draft)
            answer.pop("about", None), answer.pop("author", None), answer.pop("variant", None)  # these are no markup
            self.assertNotRegex(json.dumps(answer), r"<script|<img|<svg onload|onerror", request)

    def test_errors_are_the_commands(self):
        for arguments, parameters in ((["populac"], {"variant": "populac"}), (["populace", "--set", "threat=9"], {"variant": "populace", "set": "threat=9"}),
                                      (["tic-tac-toe", "xx/3/3 1"], {"variant": "tic-tac-toe", "position": "xx/3/3 1"}),
                                      (["tic-tac-toe", "--moves", "a1 a9"], {"variant": "tic-tac-toe", "moves": "a1 a9"})):
            said = self.run_plenum("query", *arguments).stderr
            status, answer = self.page.ask("GET", "position", **parameters)
            self.assertIn(status, (400, 404))
            first = answer["error"].splitlines()[0]
            self.assertIn(first.split(": ")[-1], said)
        status, answer = self.page.ask("GET", "statistics", variant="populace", board="square:8x8")
        while status == 202:
            self.page.follow(answer["job"])
            status, answer = self.page.ask("GET", "statistics", variant="populace", board="square:8x8")
        self.assertEqual(status, 413, answer)

    def test_from_elsewhere(self):
        """A position that cannot be reached from the start."""
        answer = self.page.get("position", variant="populace", board="path:3", position="xox 1")
        self.assertIs(answer["reachable"], False)
        self.assertEqual(answer["value"], json.loads(self.run_plenum("query", "populace", "--board", "path:3", "xox 1", "--json").stdout)["value"])

    def test_foreigners_are_refused(self):
        own = f"127.0.0.1:{self.page.port}"
        target = "/api/v1/variants"
        for headers, wanted in (({}, 200), ({"Host": f"localhost:{self.page.port}"}, 200), ({"Origin": f"http://{own}"}, 200), ({"Sec-Fetch-Site": "same-origin"}, 200),
                                ({"Host": "example.org"}, 421), ({"Host": f"example.org:{self.page.port}"}, 421), ({"Host": "127.0.0.1"}, 421), ({"Host": ""}, 421),
                                ({"Origin": "http://example.org"}, 403), ({"Origin": "null"}, 403), ({"Origin": f"https://{own}"}, 403),
                                ({"Origin": f"http://{own}.example.org"}, 403), ({"Origin": "http://127.0.0.1:1"}, 403),
                                ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403),
                                ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403)):
            status, text, _ = self.page.send("GET", target, headers=headers)
            self.assertEqual(status, wanted, headers)
            json.loads(text)
        # A link may lead to the page.
        self.assertEqual(self.page.send("GET", "/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})[0], 200)
        for method, path in (("POST", "solve?variant=tic-tac-toe"), ("POST", "check"), ("DELETE", "jobs/1")):
            self.assertEqual(self.page.send(method, f"/api/v1/{path}", headers={"Origin": "http://example.org"})[0], 403)
        _, _, headers = self.page.send("GET", "/")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])

    def test_this_machine_alone(self):
        with open("/proc/net/tcp", encoding="ascii") as file:
            at = [line.split()[1] for line in file if line.split()[3] == "0A" and line.split()[1].endswith(f":{self.page.port:04X}")]
        self.assertEqual(at, [f"0100007F:{self.page.port:04X}"])

    def test_no_file_is_served(self):
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/etc/passwd", "/main.js/..", "//", "/main.js%00"):
            self.assertEqual(self.page.send("GET", path)[0], 404, path)
        for name in ("/etc/passwd", "../variants/hex", "./hex.toml", "data/variants/hex.toml", "hex.toml"):
            self.assertEqual(self.page.ask("GET", "text", variant=name)[0], 404, name)
        for path in ("/etc/passwd", "./hex.toml", "../variants/hex", os.path.abspath(__file__)):
            answer = self.page.ask("POST", "check", body=f'name = "Nosy"\nextends = "{path}"\n')[1]
            self.assertIn("only games that come with the program", answer["checked"][0]["errors"][0])
            self.assertEqual(self.page.ask("GET", "variant", variant=answer["draft"])[0], 400)
        status, answer = self.page.ask("POST", "save", body="name = 'x'")
        self.assertEqual(status, 409)
        self.assertIn("--save", answer["error"])

    def test_a_link_survives_a_restart(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        for _ in range(2):  # the second begins while connections of the first may linger
            with Explorer(PLENUM, "--port", str(port)) as one:
                self.assertEqual(one.port, port)
                self.assertEqual(one.get("position", variant="tic-tac-toe", moves="b2")["value"]["outcome"], "tie")
                with Explorer(PLENUM) as other:
                    self.assertNotEqual(other.port, port)
        # Without being told it takes the same one each time, unless another explorer, of another test perhaps, has it.
        for _ in range(5):
            with Explorer(PLENUM) as one:
                if one.port == USUAL_PORT:
                    return
                try:
                    socket.create_server(("127.0.0.1", USUAL_PORT)).close()
                except OSError:
                    return
        self.fail(f"port {USUAL_PORT} is free and not taken")

    def test_many_at_a_time(self):
        asked = []
        for variant, board in GAMES:
            first = self.page.get("position", variant=variant, board=board)
            asked += [({"variant": variant, "board": board, "position": move["position"]}, move["margin"]) for move in first["moves"]]
        generator = random.Random(1)
        cases = [generator.choice(asked) for _ in range(REQUESTS)]

        def right(case):
            parameters, margin = case
            answer = self.page.get("position", **parameters)
            return answer["value"]["margin"] == margin and answer["position"] == parameters["position"]
        with concurrent.futures.ThreadPoolExecutor(32) as threads:
            self.assertEqual(sum(threads.map(right, cases)), REQUESTS)

    def test_who_comes_when_all_seats_are_taken_waits(self):
        seats = 128  # Server::kMostConnections
        idle = [socket.create_connection(("127.0.0.1", self.page.port), timeout=60) for _ in range(seats)]
        with concurrent.futures.ThreadPoolExecutor(1) as one:
            answer = one.submit(self.page.ask, "GET", "position", variant=GAMES[0][0], board=GAMES[0][1])
            with self.assertRaises(concurrent.futures.TimeoutError):
                answer.result(timeout=0.5)
            for connection in idle:
                connection.close()
            self.assertEqual(answer.result(timeout=60)[0], 200)

    def raw(self, data):
        """The status of the first answer to these bytes; nothing if there is none."""
        with socket.create_connection(("127.0.0.1", self.page.port), timeout=60) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has heard enough
            out = b""
            try:
                while b"\r\n" not in out:
                    more = connection.recv(4096)
                    if not more:
                        break
                    out += more
            except ConnectionResetError:
                pass
        match = re.match(rb"HTTP/1\.[01] (\d{3})", out)
        return int(match.group(1)) if match else None

    def test_mangled_requests(self):
        generator = random.Random(2)
        host = f"Host: 127.0.0.1:{self.page.port}\r\n"

        def text(alphabet, most):
            return "".join(generator.choice(alphabet) for _ in range(generator.randint(1, most)))
        odd = [chr(c) for c in range(33, 127) if chr(c) not in "&=%+#"]

        def path():
            return generator.choice(["variant", "position", "statistics", "cycles", "compare", "histograms", "measures", "men", "info", "text"])

        def get(target, headers=""):
            return f"GET {target} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n".encode("latin-1")
        kinds = [
            lambda: get(f"/api/v1/{path()}?variant=tic-tac-toe&x{text(odd, 9)}=1"),
            lambda: get(f"/api/v1/{path()}x{text('abc/.-', 30)}?variant=tic-tac-toe"),
            lambda: get(f"/api/v1/{path()}?variant=tic-tac-toe&board={text(odd, 40)}~"),
            lambda: get(f"/api/v1/{path()}?variant=~{text(odd, 60)}"),
            lambda: get(f"/api/v1/position?variant=tic-tac-toe&position={text(odd, 80)}~"),
            lambda: get(f"/api/v1/position?variant=tic-tac-toe&moves={text(odd, 80)}~"),
            lambda: get(f"/api/v1/position?variant=populace&set={text(odd, 60)}~"),
            lambda: get(f"/api/v1/{path()}?variant=%{text('ghijkz', 2)}"),
            lambda: get(f"/api/v1/{path()}?variant=tic-tac-toe&variant=tic-tac-toe"),
            lambda: get("/api/v1/position?" + "&".join(f"set=a{k}=1" for k in range(301))),
            lambda: get(f"/api/v1/jobs/{text(odd, 20)}~"),
            lambda: get(f"/x{text(odd, 200)}~"),
            lambda: get("/", f"Host: {text('abc', 5)}\r\n"),
            lambda: get("/", f"X: {'a' * generator.randint(33000, 60000)}\r\n"),
            lambda: get("/" + "a" * generator.randint(33000, 60000)),
            lambda: f"{text('ABCDEF', 8)} / HTTP/1.1\r\n{host}\r\n".encode(),
            lambda: f"GET / HTTP/{text('23456789', 1)}.1\r\n{host}\r\n".encode(),
            lambda: bytes(generator.choice([c for c in range(256) if c not in (10, 13)]) for _ in range(generator.randint(1, 60))) + b"\r\n\r\n",
            lambda: f"POST /api/v1/check HTTP/1.1\r\n{host}Content-Length: {generator.randint(600000, 10**12)}\r\n\r\n".encode(),
            lambda: f"POST /api/v1/check HTTP/1.1\r\n{host}Content-Length: -{generator.randint(1, 9)}\r\n\r\n".encode(),
            lambda: f"POST /api/v1/{path()} HTTP/1.1\r\n{host}Content-Length: 1\r\nConnection: close\r\n\r\nx".encode(),
            lambda: f"{generator.choice(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])} /api/v1/{path()} HTTP/1.1\r\n{host}Connection: close\r\n\r\n".encode(),
        ]
        wrong = {}
        with concurrent.futures.ThreadPoolExecutor(16) as threads:
            requests = [(k % len(kinds), kinds[k % len(kinds)]()) for k in range(MANGLED)]
            for (kind, request), status in zip(requests, threads.map(lambda one: self.raw(one[1]), requests)):
                if status is None or not 400 <= status < 500:
                    wrong.setdefault(kind, []).append((status, request[:200]))
        self.assertEqual({kind: some[:3] for kind, some in wrong.items()}, {})
        self.assertEqual(self.page.ask("GET", "variants")[0], 200)


class Jobs(unittest.TestCase):
    def test_a_job_is_followed_and_cancelled(self):
        with tempfile.TemporaryDirectory() as folder, Explorer(PLENUM, cache=os.path.join(folder, "cache")) as page:
            large = {"variant": "populace", "board": "square:4x5"}
            status, job = page.ask("POST", "solve", **large)
            self.assertEqual(status, 202)
            again = page.ask("POST", "solve", **large)[1]
            self.assertEqual(again["job"], job["job"])
            # It is the same for whoever asks what it will find out.
            self.assertEqual(page.ask("GET", "statistics", **large)[0], 202)
            waiting = page.ask("GET", "position", variant="tic-tac-toe")[1]
            self.assertEqual(waiting["state"], "waiting")
            self.assertEqual(page.ask("DELETE", f"jobs/{job['job']}")[0], 200)
            self.assertEqual(page.follow(job["job"])[-1]["state"], "cancelled")
            self.assertEqual(page.get("position", variant="tic-tac-toe")["value"]["outcome"], "tie")
            # What was cancelled may be begun again.
            self.assertNotEqual(page.ask("POST", "solve", **large)[1]["job"], job["job"])
            began = time.monotonic()
            self.assertEqual(page.stop(), 0)
            self.assertLess(time.monotonic() - began, 120 if SANITIZED else 30)

    def test_who_waits_is_told_that_another_cancelled(self):
        with tempfile.TemporaryDirectory() as folder, Explorer(PLENUM, cache=os.path.join(folder, "cache")) as page:
            page.ask("POST", "solve", variant="populace", board="square:4x5")
            with concurrent.futures.ThreadPoolExecutor() as pool:
                asking = pool.submit(page.ask, "GET", "position", variant="tic-tac-toe")
                while not asking.done() and page.ask("DELETE", "jobs/2")[0] != 200:
                    time.sleep(0.01)
                status, answer = asking.result()
            self.assertEqual((status, answer["state"]), (202, "cancelled"))
            page.ask("DELETE", "jobs/1")
            self.assertEqual(page.get("position", variant="tic-tac-toe")["value"]["outcome"], "tie")

    def test_too_many_jobs(self):
        with tempfile.TemporaryDirectory() as folder, Explorer(PLENUM, cache=os.path.join(folder, "cache")) as page:
            # Each takes most of a minute and less than 1 GB.
            statuses = [page.ask("POST", "solve", variant="populace", board="hexhex:3", set=[f"threat={threat}", f"button={button}", f"move_to={move_to}"])[0]
                        for threat in range(1, 7) for button in ("on", "off") for move_to in ("any", "no_drop", "no_drop_lifted")]
            self.assertIn(429, statuses)
            self.assertEqual(page.ask("GET", "variants")[0], 200)

    def test_what_may_be_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            cache = os.path.join(folder, "cache")
            path = os.path.join(folder, "mine.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write('name = "Mine"\nextends = "tic-tac-toe"\n')
            saved = os.path.join(folder, "saved.toml")
            with Explorer(PLENUM, path, "--save", saved, cache=cache) as page:
                self.assertEqual(page.get("variants")["opened"]["variant"], "mine.toml")
                self.assertEqual(page.get("variant", variant="mine.toml")["variant"], "Mine")
                self.assertIn("extends", page.get("text", variant="mine.toml")["text"])
                with open(path, "w", encoding="utf-8") as file:  # by an editor, meanwhile
                    file.write('name = "Ours"\nextends = "tic-tac-toe"\n')
                self.assertEqual(page.get("variant", variant="mine.toml")["variant"], "Ours")
                self.assertEqual(page.get("position", variant="mine.toml")["variant"], "Ours")
                self.assertEqual(page.get("position", variant="tic-tac-toe")["variant"], "Tic-tac-toe")  # the same rules by another name
                self.assertEqual(page.get("statistics", variant="mine.toml")["variant"], "Ours")
                self.assertEqual(page.ask("POST", "save", body="name = 'Typed'\n")[1]["saved"], saved)
                with open(saved, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "name = 'Typed'\n")
                draft = page.ask("POST", "check", body='name = "Draft"\nextends = "populace"\n')[1]["draft"]
                page.get("position", variant=draft, board="path:9")
            self.assertFalse(os.path.exists(os.path.join(cache, "tables")))  # nothing was kept of what was typed
            with open(os.path.join(folder, "tweak.toml"), "w", encoding="utf-8") as file:
                file.write('name = "Tweak"\nextends = "mine.toml"\n')
            with Explorer(PLENUM, "tweak.toml", cache=cache, folder=folder) as page:  # what it extends stands beside it
                text = page.get("text", variant="tweak.toml")["text"]
                typed = page.ask("POST", "check", body=text + "[options]\nboard = { default = \"square:4x4\" }\n")[1]
                self.assertEqual(typed["checked"][0]["errors"], [])
                self.assertEqual(page.get("position", variant=typed["draft"])["options"]["board"], "square:4x4")
                other = page.ask("POST", "check", body=text.replace("mine.toml", "saved.toml"))[1]
                self.assertIn("'extends' names 'saved.toml'", other["checked"][0]["errors"][0])
            table = os.path.join(folder, "game.plenum")
            solve = subprocess.run([PLENUM, "solve", "populace", "--board", "square:3x4", "--set", "threat=1", "--table", table], capture_output=True, text=True)
            self.assertEqual(solve.returncode, 0, solve.stderr)
            with Explorer(PLENUM, table, cache=cache) as page:
                answer = page.get("position", variant="game.plenum")
                self.assertEqual(answer["options"]["threat"], 1)
                self.assertEqual(answer["options"]["board"], "square:3x4")
                self.assertIn("there is a table", page.get("statistics", variant="game.plenum")["cost"]["reason"])
            for wrong, code in ((["nothing"], 2), (["populace", "--board", "nothing"], 2), (["--board", "path:3"], 2), (["--memory", "x"], 2)):
                done = subprocess.run([PLENUM, "explore", "--no-open", *wrong], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
