#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The explorer's page in a real browser: explorer_page_test.py PLENUM [--pictures FOLDER]

Moves, keys, links, options, comparison, sweep, cycles, the editor and its errors, a job that is cancelled, a game against perfect play; nothing on the browser's
console; and no violation that axe-core finds, in every view, in light and dark, wide and narrow. With --pictures it makes pictures of the views instead.
"""
import os
import sys
import tempfile
import time
import unittest
import urllib.error

from explorer_server import Explorer
from explorer_views import VIEWS, axe, show
from sanitized import sanitized
from webdriver import Browser, available

PLENUM = os.path.abspath(sys.argv.pop(1))
SECONDS = 300 if sanitized(PLENUM) else 60


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.server = Explorer(PLENUM, "populace", "--board", "hexhex:2", cache=os.path.join(cls.folder.name, "cache"))
        cls.server.__enter__()
        cls.browser = Browser()
        cls.browser.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.server.stop()
        cls.folder.cleanup()

    def setUp(self):
        self.open("")

    def tearDown(self):
        # Whatever happened, the next test need not wait for what this one began, nor does the page ask for more.
        self.browser.open("about:blank")
        number = 1
        while self.server.ask("DELETE", f"jobs/{number}")[0] == 200:
            number += 1
        said = [entry for entry in self.browser.console() if entry["level"] != "DEBUG"]
        expected = getattr(self, "expected", 0)
        self.assertLessEqual(len(said), expected, said)

    def open(self, fragment):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}{'#' + fragment if fragment else ''}")
        self.ready()

    def wait(self, script, *arguments):
        return self.browser.wait(script, *arguments, seconds=SECONDS)

    def ready(self):
        """Until what the address says is shown."""
        self.wait("return document.body.dataset.ready === location.hash && document.querySelector('#job').hidden")

    def last_job(self):
        job = 0
        while self.server.ask("GET", f"jobs/{job + 1}")[0] == 200:
            job += 1
        return job

    def line(self):
        return self.browser.run("return new URLSearchParams(location.hash.slice(1)).get('moves') ?? ''")

    def wait_line(self, moves):
        self.wait("return (new URLSearchParams(location.hash.slice(1)).get('moves') ?? '') === arguments[0]", moves)
        self.ready()

    def test_moves(self):
        b = self.browser
        self.assertEqual(b.text(".verdict"), "First wins by 7 in 3 plies.")
        b.click("[data-cell=a1]")
        self.wait_line("a1")
        self.assertEqual(b.text(".verdict"), "First wins by 7 in 10 plies.")
        self.assertEqual(b.run("return document.querySelectorAll('.board .stone').length"), 1)
        b.click("[data-move=b3]")
        self.wait_line("a1 b3")
        b.click(".buttons button")  # undo
        self.wait_line("a1")
        b.keys("Left")
        self.wait_line("")
        b.keys("Right", "Right")
        self.wait_line("a1 b3")
        b.run("history.back()")
        self.wait_line("a1")
        # Where a move leads is shown while it is pointed at.
        b.run("document.querySelector('[data-move=c1]').focus()")
        self.assertEqual(b.run("return document.querySelectorAll('.board .stone').length"), 2)
        b.run("document.querySelector('[data-move=c1]').blur()")
        self.assertEqual(b.run("return document.querySelectorAll('.board .stone').length"), 1)
        b.keys("l")
        self.wait("return document.querySelectorAll('.arrow').length > 2")

    def test_a_move_in_parts(self):
        self.open("view=position&variant=populace&board=path:5&position=x1xx1 1")
        b = self.browser
        moves = b.run("return [...document.querySelectorAll('[data-move]')].map((m) => m.dataset.move)")
        move = next(m for m in moves if "-" in m)
        begin, end = move.split("-")
        b.click(f"[data-cell='{begin}']")
        self.wait("return document.querySelector('.cell.chosen')")
        b.keys("Escape")
        self.assertFalse(b.run("return !!document.querySelector('.cell.chosen')"))
        b.click(f"[data-cell='{begin}']")
        b.click(f"[data-cell='{end}']")
        self.wait_line(move)
        # A kind is chosen by its move.
        self.open("view=position&variant=cascade&board=square:2x2")
        b.click("[data-cell=a1]")
        self.wait("return document.querySelectorAll('.pick button').length >= 3")
        b.run("[...document.querySelectorAll('.pick button')].find((x) => x.querySelector('b')?.textContent === 'r@a1').click()")
        self.wait_line("r@a1")
        # A shape, and a part that may be left out.
        self.open("view=position&variant=l-game")
        for cell in ("c2", "d2", "c3", "c4"):
            b.click(f"[data-cell={cell}]")
        self.wait("return document.querySelectorAll('.pick button').length >= 1")
        b.click("[data-cell=d1]")
        b.click("[data-cell=a1]")
        self.wait_line("c2+d2+c3+c4,d1-a1")

    def test_keys_alone(self):
        b = self.browser
        for _ in range(40):
            b.keys("Tab")
            if b.run("return document.activeElement.dataset?.cell ?? ''"):
                break
        first = b.run("return document.activeElement.dataset.cell")
        self.assertTrue(first)
        b.keys("Right")
        second = b.run("return document.activeElement.dataset.cell")
        self.assertNotEqual(first, second)
        b.keys("Enter")
        self.wait_line(second)
        b.keys("b")
        self.wait("return (new URLSearchParams(location.hash.slice(1)).get('moves') ?? '').split(' ').length === 2")
        b.keys("2")
        self.wait("return document.querySelector('.statistics .facts')")
        b.keys("1")
        self.wait("return document.querySelector('.position')")
        b.keys("?")
        self.wait("return document.querySelector('#help').open")
        self.ready()

    def test_a_link_holds_it_all(self):
        b = self.browser
        self.open("view=position&variant=populace&board=path:6&set=threat%3D3&set=button%3Don&moves=2")
        address, verdict, cells = b.run("return [document.querySelector('#permalink').href, document.querySelector('.verdict').textContent, document.querySelectorAll('.board .stone').length]")
        with Explorer(PLENUM, cache=os.path.join(self.folder.name, "cache")) as other:
            b.open("about:blank")
            b.open(address.replace(self.server.address, other.address))
            self.ready()
            self.assertEqual(b.run("return [document.querySelector('.verdict').textContent, document.querySelectorAll('.board .stone').length, document.querySelector('#option-threat').value]"), [verdict, cells, "3"])

    def test_options_and_comparison(self):
        b = self.browser
        self.open("view=position&variant=populace&board=path:5&moves=3")
        before = b.text(".verdict")
        b.run("const s = document.querySelector('#option-threat'); s.value = '1'; s.dispatchEvent(new Event('change'))")
        self.wait("return document.querySelector('.verdict').textContent !== arguments[0] && location.hash.includes('threat')", before)
        self.ready()
        self.assertEqual(self.line(), "3")  # the same position, under the new rules
        b.click("#view-compare")  # with the game as it was before
        self.wait("return document.querySelector('.matrix')")
        self.assertEqual(b.run("return document.querySelector('#b-threat').value"), "2")
        self.ready()
        b.run("const s = document.querySelector('#b-threat'); s.value = '2'; s.dispatchEvent(new Event('change'))")
        self.wait("return document.querySelector('.verdict').textContent.includes('304 of 933 positions change value, 76 of them the winner')")
        self.ready()
        self.assertEqual(b.run("return document.querySelectorAll('.two .board').length"), 2)
        self.wait("const n = document.querySelectorAll('.changed-list li').length; return n > 0 && document.querySelectorAll('.changed-list .small-board svg').length === n")
        b.click(".changed-list button")
        self.wait("return new URLSearchParams(location.hash.slice(1)).get('position')")
        self.ready()

    def test_the_editor(self):
        b = self.browser
        self.open("view=editor&variant=populace")
        self.wait("return document.querySelector('#editor-status').textContent === 'Nothing is wrong.'")
        b.run("const t = document.querySelector('#description'); t.value = t.value.replace('droppable(mine)\"', 'dropable(mine)\"'); t.dispatchEvent(new Event('input'))")
        self.wait("return document.querySelector('.problems .error')")
        self.assertIn("did you mean 'droppable'", b.text(".problems .error"))
        line = b.run("return document.querySelector('.gutter .wrong').textContent.trim()")
        self.assertIn(f":{line}:", b.text(".problems .error"))
        self.assertTrue(b.run("return document.querySelector('#open-draft').disabled"))
        b.run("const t = document.querySelector('#description'); t.value = 'name = \"Typed\"\\nextends = \"tic-tac-toe\"\\n'; t.dispatchEvent(new Event('input'))")
        self.wait("return document.querySelector('#editor-status').textContent === 'Nothing is wrong.'")
        b.click("#open-draft")
        self.wait("return document.title.startsWith('Typed') && document.querySelector('.verdict')?.textContent === 'A tie.'")

    def test_what_is_typed_is_played_and_kept(self):
        b = self.browser
        self.open("view=editor&variant=populace&board=path:5&set=threat%3D1")
        self.wait("return document.querySelector('#editor-status').textContent === 'Nothing is wrong.'")
        b.run("const t = document.querySelector('#description'); t.value = t.value.replace(/^name .*$/m, 'name = \"Mine\"'); t.dispatchEvent(new Event('input'))")
        self.wait("return document.querySelector('#editor-status').textContent === 'Nothing is wrong.' && !document.querySelector('#open-draft').disabled")
        # Downloaded: the text, under the name of a file. (The browser is kept from asking where to put it.)
        kept = b.run("const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.kept = text; }); return make(blob); };"
                     "HTMLAnchorElement.prototype.click = function () { window.keptAs = this.download; };"
                     "document.querySelector('#download').click(); return window.keptAs")
        self.assertTrue(kept.endswith(".toml"), kept)
        self.wait("return window.kept === document.querySelector('#description').value")
        self.assertIn("pass", b.run("return fetch('language.md').then((r) => r.text())"))
        b.click("#open-draft")
        self.wait("return document.title.startsWith('Mine on path:5') && document.querySelector('#option-threat').value === '1'")
        self.ready()

    def test_an_ending_begins_anywhere(self):
        self.open("view=position&variant=chess&board=square:4x4&set=material%3DKRvK")
        self.assertTrue(self.browser.run("return new URLSearchParams(location.hash.slice(1)).get('position')"))
        self.assertEqual(self.browser.run("return document.querySelectorAll('.board .stone').length"), 3)
        self.assertGreater(self.browser.run("return document.querySelectorAll('[data-move]').length"), 0)

    def test_a_mistake_in_the_address(self):
        b = self.browser
        self.expected = 1  # the browser's own line about a request that was refused
        self.browser.open("about:blank")
        b.open(f"{self.server.address}#view=position&variant=populac")
        self.wait("return !document.querySelector('#problem').hidden")
        self.assertIn("did you mean 'populace'?", b.text("#problem"))

    def test_a_job_is_cancelled(self):
        b = self.browser
        self.browser.open("about:blank")
        b.open(f"{self.server.address}#view=position&variant=populace&board=square:4x5")
        self.wait("return document.querySelector('#solve-anyway')")  # not begun without being asked for
        self.assertEqual(b.run("return document.querySelector('.ways').textContent.includes('Solve it all the same')"), True)
        b.click("#solve-anyway")
        under_way = "return !document.querySelector('#job').hidden && document.querySelector('#job span').textContent.includes(':')"
        self.wait(under_way)
        # It goes on while moves are made.
        job = self.last_job()
        for _ in range(2):
            moves = len(self.line().split())
            b.run("document.querySelector('[data-move]').click()")
            self.wait("return (new URLSearchParams(location.hash.slice(1)).get('moves') ?? '').split(' ').filter(Boolean).length === arguments[0] && document.querySelector('.verdict').textContent === 'Solving …'", moves + 1)
            self.wait(under_way)
        time.sleep(1)
        self.assertEqual(self.server.ask("GET", f"jobs/{job}")[1]["state"], "working")
        self.assertEqual(self.server.ask("GET", f"jobs/{job + 1}")[0], 404)
        b.click("#cancel")
        self.wait("return document.querySelector('#problem').textContent === 'Cancelled.' && document.querySelector('#job').hidden")
        self.open("view=position&variant=tic-tac-toe")
        self.assertEqual(b.text(".verdict"), "A tie.")

    def test_two_questions_have_one_job(self):
        """What one of them gives up is worked out for the other all the same."""
        b = self.browser
        large = self.server.ask("POST", "solve", variant="populace", board="square:4x5")[1]["job"]  # the questions wait behind it
        b.run("""
            window.answers = {};
            return import('./api.js').then(({get}) => {
              const ask = (name, signal) => get('position', {variant: 'cascade', board: 'square:2x3'}, {signal}).then((answer) => { answers[name] = answer.value.outcome; }, (error) => { answers[name] = error.constructor.name; });
              const first = new AbortController();
              ask('first', first.signal);
              ask('second', new AbortController().signal);
              window.giveUp = () => first.abort();
            });""")
        self.wait("return !document.querySelector('#job').hidden && document.querySelector('#job span').textContent === 'Waiting …'")
        time.sleep(1)
        b.run("giveUp()")
        time.sleep(1)
        self.assertEqual(self.server.ask("GET", f"jobs/{large + 1}")[1]["state"], "waiting")
        # Another page that ends the job does not end the question.
        self.assertEqual(self.server.ask("DELETE", f"jobs/{large + 1}")[0], 200)
        end = time.time() + SECONDS
        while self.last_job() == large + 1:
            self.assertLess(time.time(), end, "the question is not asked again")
            time.sleep(0.02)
        self.server.ask("DELETE", f"jobs/{large}")
        self.wait("return answers.second")
        self.assertEqual(b.run("return answers"), {"first": "Cancelled", "second": self.server.get("position", variant="cascade", board="square:2x3")["value"]["outcome"]})

    def test_a_trap_is_walked_round(self):
        b = self.browser
        self.open("view=cycles&variant=populace&board=path:8&set=button%3Don")
        been = []
        for _ in range(4):
            self.wait("return document.querySelector('.choices [data-to]')")
            been.append(b.text(".choices .where"))
            b.click(".choices [data-to]")
            self.wait("return document.querySelector('.choices .where').textContent !== arguments[0]", been[-1])
        self.assertEqual(len(set(been)), 4)
        self.assertEqual(b.text(".choices .where"), been[0])

    def test_played_to_the_end_against_perfect_play(self):
        b = self.browser
        self.open("view=position&variant=tic-tac-toe")
        b.run("const s = document.querySelector('#opponent'); s.value = 'second'; s.dispatchEvent(new Event('change'))")
        for turn in range(5):
            if "The game has ended" in b.text(".verdict") or not b.run("return document.querySelectorAll('[data-move]').length"):
                break
            b.run("document.querySelectorAll('[data-move]')[document.querySelectorAll('[data-move]').length - 1].click()")  # the worst move
            self.wait("const n = (new URLSearchParams(location.hash.slice(1)).get('moves') ?? '').split(' ').length;"
                      "return n >= arguments[0] || (n === arguments[0] - 1 && document.querySelector('.verdict').textContent.startsWith('Ended'))", 2 * turn + 2)
            self.ready()
        self.assertTrue(b.text(".verdict").startswith("Ended"), b.text(".verdict"))
        self.assertNotIn("first wins", b.text(".verdict"))
        b.run("const s = document.querySelector('#opponent'); s.value = 'nobody'; s.dispatchEvent(new Event('change'))")

    def test_undo_against_the_program(self):
        b = self.browser
        self.open("view=position&variant=tic-tac-toe&opponent=second")  # whom it plays stands in the link
        self.assertEqual(b.run("return [document.querySelector('#opponent').value, document.querySelector('#strength').value]"), ["second", "0"])
        b.click("[data-cell=b2]")
        self.wait("return (new URLSearchParams(location.hash.slice(1)).get('moves') ?? '').split(' ').length === 2")
        self.ready()
        b.keys("Left")  # its move and one's own
        self.wait_line("")
        self.assertIn("opponent=second", b.run("return location.hash"))

    def test_what_is_said_of_a_game(self):
        b = self.browser
        self.open("view=position&variant=populace&board=path:5")
        pie = self.server.get("statistics", variant="populace", board="path:5")["pie"]["margin"]
        words = "nobody is ahead" if pie == 0 else f"{'first' if pie > 0 else 'second'} wins by {abs(pie)}"
        self.wait("return document.querySelector('.more').textContent.includes(arguments[0])", f"without the pie; with it {words}.")
        # A move that gave something away has a mark behind it, one that keeps the value has none.
        b.run("document.querySelector('.move.keeps').click()")
        self.wait("return document.querySelectorAll('.line li').length === 2 || location.hash.includes('moves')")
        self.ready()
        self.assertEqual(b.run("return document.querySelectorAll('.line abbr').length"), 0)
        worse = b.run("const m = [...document.querySelectorAll('.moves .move:not(.keeps)')]; m.at(-1).click(); return m.length")
        self.assertGreater(worse, 0)
        self.wait("return document.querySelectorAll('.line abbr').length === 1")
        self.ready()
        b.keys("g")
        self.assertTrue(b.run("return document.activeElement.dataset?.cell ?? ''"))

    def test_pictures_are_the_programs(self):
        """The page shows what the program has drawn: the board, what stands on it, arrows, charts, the trap."""
        b = self.browser
        game = {"variant": "populace", "board": "hexhex:2"}
        variant = self.server.get("variant", **game)
        self.open("view=position&variant=populace&board=hexhex:2&moves=a1")
        same = "const t = document.createElement('template'); t.innerHTML = arguments[1]; const shown = document.querySelector(arguments[0]); return [shown.innerHTML, t.content.firstElementChild.innerHTML]"
        shown, sent = b.run("const t = document.createElement('template'); t.innerHTML = arguments[0];"
                            "const outlines = (root) => [...root.querySelectorAll('[data-cell]')].map((cell) => cell.dataset.cell + cell.querySelector('.cell').getAttribute('points'));"
                            "return [outlines(document.querySelector('.position .board')), outlines(t.content)]", variant["board"]["svg"])
        self.assertEqual(shown, sent)
        self.assertEqual(len(shown), 7)
        stone = b.run("return document.querySelector('.board .men > g').innerHTML")
        self.assertIn(stone, [b.run("const t = document.createElement('template'); t.innerHTML = `<svg>${arguments[0]}</svg>`; return t.content.firstElementChild.innerHTML", kind["on_cell"]) for kind in variant["kinds"]])
        marks = self.server.get("position", moves="a1", **game)
        begins = [(move, cell) for move, one in zip(marks["moves"], marks["drawn"]["moves"], strict=True) for step in one["steps"][:1] for cell in ([step["from"]] if step["from"] else step["to"])]
        keeping = {cell for move, cell in begins if move["keeps"]}
        self.assertEqual(b.run("return document.querySelectorAll('.board .mark').length"), len({cell for _, cell in begins}))
        self.assertEqual(b.run("return document.querySelectorAll('.board .mark.keeps').length"), len(keeping))
        self.assertEqual(set(b.run("return [...document.querySelectorAll('.board .sign-letter')].map((x) => x.textContent)")) - set("WCTL"), set())
        shown = b.run("return ['.board .mark .value', '.moves .value'].map((where) => [...document.querySelectorAll(where)].map((x) => x.textContent))")
        self.assertTrue(shown[0] and all(shown[0]))
        self.assertLessEqual(set(shown[0]), set(shown[1]))  # a mark and the list say the same
        self.wait("return document.querySelector('.plot .chart.line')")
        self.assertEqual(b.run("return document.querySelectorAll('.plot .point').length"), 2)
        self.open("view=statistics&variant=populace&board=hexhex:2")
        shown, sent = b.run(same.replace("t.content.firstElementChild.innerHTML", "t.content.querySelector('.bars').innerHTML"), "[data-part=histograms] .bars", self.server.get("histograms", **game)["html"])
        self.assertEqual(shown, sent)
        self.open("view=cycles&variant=populace&board=path:8&set=button%3Don")
        b.run("document.querySelector('.trap .here').classList.remove('here')")
        shown, sent = b.run(same, ".trap", self.server.get("cycles", variant="populace", board="path:8", set="button=on")["graph"])
        self.assertEqual(shown, sent.replace(" here", ""))
        self.assertEqual(b.run("return [...document.scripts].map((one) => one.getAttribute('src'))"), ["main.js"])
        # What pictures refer to is there, and they have the colours of reports.
        self.assertEqual(b.run("return ['arrowhead', 'edgehead', 'hatched', 'dotted', 'lined'].filter((id) => document.querySelectorAll(`#parts #${id}`).length !== 1)"), [])
        self.assertEqual(b.run("return getComputedStyle(document.querySelector('.cell')).fill"), "rgb(246, 241, 228)")

    def test_measures(self):
        b = self.browser
        self.open("view=statistics&variant=tic-tac-toe")
        measured = self.server.get("statistics", variant="tic-tac-toe")
        said = b.text("[data-part=measures]")
        self.assertIn(f"the game has {measured['measures']['skill']:.2f}.", said)
        self.assertIn("First moves by what they lead to", said)
        grid = b.run("return [...document.querySelectorAll('[data-part=measures] .heat')].map((map) => [...map.querySelectorAll('td')].map((cell) => [cell.textContent, getComputedStyle(cell).backgroundColor]))")
        for shown, results in zip(grid, (measured["measures"]["grid"]["quickest"], measured["measures"]["grid"]["any"]), strict=True):
            scores = [one["first"] + (one["tie"] + one["endless"]) / 2 for row in results for one in row]
            self.assertEqual([text for text, _ in shown], [f"{score:.3f}" for score in scores])
            # The darker the more: colours come from the style sheet, as the page's policy forbids styles in markup.
            light = [sum(map(int, colour[4:-1].split(", "))) for _, colour in shown]
            self.assertGreater(light[scores.index(min(scores))], light[scores.index(max(scores))])
        self.open("view=statistics&variant=chess&board=square:4x4&set=material%3DKRvK")
        self.assertIn("Play by players who err is not measured.", b.text("[data-part=measures]"))

    def test_markup_in_a_description_stays_text(self):
        b = self.browser
        self.open("view=editor&variant=tic-tac-toe")
        name = "<img src=x onerror='window.hacked = 1'><script>window.hacked = 1</script>"
        b.run("const t = document.querySelector('#description'); t.value = arguments[0]; t.dispatchEvent(new Event('input'))",
              f'name = "{name}"\nextends = "tic-tac-toe"\nauthor = "<b>somebody</b>"\nabout = "<script>window.hacked = 1</script>"\n')
        self.wait("return document.querySelector('#editor-status').textContent === 'Nothing is wrong.' && !document.querySelector('#open-draft').disabled")
        b.click("#open-draft")
        self.wait("return document.title.startsWith(arguments[0]) && document.querySelector('.verdict')?.textContent === 'A tie.'", name)
        self.ready()
        for view in ("statistics", "compare", "cycles", "sweep"):
            b.click(f"#view-{view}")
            self.ready()
            self.assertEqual(b.run("return [window.hacked ?? null, document.scripts.length, document.querySelectorAll('img, b > script, .author b').length]"), [None, 1, 0], view)

    def test_a_crowd_is_put(self):
        """Men that stand together nowhere else are drawn when they are put."""
        b = self.browser
        self.open("view=position&variant=safety-in-numbers&board=square:4x4&set=material%3DKPvK&position=2k1/P3/4/K3 w - -")
        b.click("#edit")
        b.run("const o = document.querySelector('.palette input[value=P]'); o.checked = true; o.dispatchEvent(new Event('change'))")
        b.click("[data-cell=a1]")
        self.wait("return document.querySelectorAll('.board .men > g:first-child .stone').length === 2")

    def test_a_sweep_stays(self):
        b = self.browser
        show(b, self.server.address, "sweep", SECONDS)
        self.assertIn(" ", b.text(".scale"))
        texts = b.run("return [...document.querySelectorAll('.heat td button')].map((x) => x.textContent)")
        b.keys("1")
        self.wait("return document.querySelector('.position')")
        self.ready()
        b.keys("4")
        self.wait("return document.querySelectorAll('.heat td button').length === 12")
        self.ready()
        self.assertEqual(b.run("return [...document.querySelectorAll('.heat td button')].map((x) => x.textContent)"), texts)
        label = b.run("const x = document.querySelectorAll('.heat td button')[7]; x.click(); return x.ariaLabel")
        self.wait("return document.querySelector('.position .verdict')")
        self.ready()
        threat, board = label.split(":", 1)[0].split(",")[0].split()[1], label.split(", board ")[1].rsplit(":", 1)[0]
        self.assertEqual(b.run("return [document.querySelector('#option-threat').value, document.querySelector('#board').value]"), [threat, board])

    def test_a_smaller_board(self):
        b = self.browser
        b.open("about:blank")
        b.open(f"{self.server.address}#view=position&variant=populace&board=square:4x5")
        self.wait("return document.querySelector('#smaller-board')")
        board = b.text("#smaller-board").split()[-1]
        b.click("#smaller-board")
        self.wait("return document.querySelector('#board').value === arguments[0] && document.querySelectorAll('[data-move]').length > 0", board)
        self.ready()
        self.assertTrue(b.text(".verdict").startswith(("First wins", "Second wins", "A tie", "A forced", "A cycle")), b.text(".verdict"))

    def test_anything_may_be_put_anywhere(self):
        b = self.browser
        self.open("view=position&variant=tic-tac-toe")
        b.click("#edit")
        b.click("[data-cell=a1]")
        b.click("[data-cell=b1]")
        b.run("const o = document.querySelector('.palette input[value=o]'); o.checked = true; o.dispatchEvent(new Event('change'))")
        b.click("[data-cell=b2]")
        b.click("[data-cell=c2]")
        self.assertEqual(b.run("return document.querySelector('#edit-text').value"), "3/1oo/xx1 1")
        b.run("document.querySelector('.edit form').requestSubmit()")
        self.wait("return document.querySelector('.verdict').textContent === 'First wins by 1 in 1 ply.'")

    def test_narrow(self):
        with Browser(width=360, height=700) as narrow:
            for name in VIEWS:
                show(narrow, self.server.address, name, SECONDS)
                wide = narrow.run("return [document.documentElement.scrollWidth, innerWidth]")
                self.assertLessEqual(wide[0], wide[1], name)


class Accessibility(unittest.TestCase):
    def test_every_view(self):
        try:
            script = axe(os.path.dirname(os.path.dirname(PLENUM)))
        except urllib.error.URLError as error:
            self.skipTest(f"axe-core cannot be had here: {error}")
        with tempfile.TemporaryDirectory() as folder, Explorer(PLENUM, cache=os.path.join(folder, "cache")) as server:
            for dark in (False, True):
                with Browser(dark=dark) as browser:
                    for name in VIEWS:
                        show(browser, server.address, name, SECONDS)
                        browser.run(script)
                        found = browser.run("return axe.run(document, {resultTypes: ['violations']})")
                        self.assertEqual([(v["id"], [n["html"][:160] + n.get("failureSummary", "")[:300] for n in v["nodes"][:2]]) for v in found["violations"]], [], (name, dark))


def pictures(folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as cache, Explorer(PLENUM, cache=cache) as server, Browser(width=1000, height=700) as browser:
        for name in VIEWS:
            show(browser, server.address, name, SECONDS)
            browser.run("document.querySelector('.compare .verdict, .cycles .verdict')?.scrollIntoView()")
            browser.picture(os.path.join(folder, f"explorer-{name}.webp"))


if __name__ == "__main__":
    if not available():
        print("there is no browser here (packages chromium and chromium-driver): nothing was tried")
        sys.exit(77)
    if "--pictures" in sys.argv:
        pictures(sys.argv[sys.argv.index("--pictures") + 1])
    else:
        unittest.main()
