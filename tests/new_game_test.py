#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `new` writes, and what `check` suggests and draws: new_game_test.py PATH_TO_PLENUM"""

import json
import os

from plenum_command import check, run, run_tests


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def suggested(text):
    write("asked.toml", text)
    code, out, err = run("check", "asked.toml", "--json")
    check(code == 0, "suggestions are no errors", code, out, err)
    return json.loads(out)["checked"][0]["suggestions"] if code == 0 else []


def test_new():
    code, out, err = run("new", "my-game")
    check(code == 0 and "my-game.toml" in out, code, out, err)
    code, out, err = run("check", "my-game.toml")
    check(code == 0 and "3 of 3 tests passed" in out and err == "", code, out, err)
    code, out, _ = run("solve", "my-game.toml")
    check(code == 0 and out.startswith("My game on square:3x3: a tie"), out[:100])
    with open("my-game.toml", encoding="utf-8") as file:
        before = file.read()
    code, _, err = run("new", "my-game.toml")
    with open("my-game.toml", encoding="utf-8") as file:
        check(code == 2 and "not overwritten" in err and file.read() == before, code, err)
    for name in ("../elsewhere", "-x", "a b", "", "x/y"):
        code, _, err = run("new", "--", name)
        check(code == 2, name, code, err)
    check(sorted(os.listdir(".")) == ["my-game.toml"], os.listdir("."))


def test_like():
    games = run("manual", "variants")[1].split()
    check(len(games) > 20, games)
    for game in games:
        name = f"like-{game}"
        code, _, err = run("new", name, "--like", game)
        check(code == 0, game, err)
        code, out, err = run("check", f"{name}.toml", "--json")
        found = json.loads(out)["checked"][0]
        check(code == 0 and found["ok"] and found["passed"] == found["tests"], game, out, err)
        described = json.loads(run("info", f"{name}.toml", "--json")[1])
        check(described["hash"] == json.loads(run("info", game, "--json")[1])["hash"], game, "is another game")
        with open(f"{name}.toml", encoding="utf-8") as file:
            text = file.read()
        for option in described["options"] if isinstance(described["options"], dict) else [o["name"] for o in described["options"]]:
            check(f"# {option} = {{ default = " in text, game, "does not list", option)
    # Taking away the # of an option leaves it what it was; a game cannot extend itself; a tweak of a file.
    with open("like-mnk.toml", encoding="utf-8") as file:
        text = file.read()
    write("changed.toml", text.replace("# k = { default = 4 }", "k = { default = 3 }"))
    check(json.loads(run("info", "changed.toml", "--json")[1])["hash"] == json.loads(run("info", "mnk", "--set", "k=3", "--json")[1])["hash"], "k = 3")
    code, _, err = run("new", "hex", "--like", "hex")
    check(code == 2 and "cannot extend" in err and not os.path.exists("hex.toml"), code, err)
    code, _, err = run("new", "second", "--like", "changed.toml")
    check(code == 0 and run("check", "second.toml")[0] == 0, err)
    code, _, err = run("new", "third", "--like", "no-such-game")
    check(code == 2 and not os.path.exists("third.toml"), code, err)


BASE = """name = "Asked"
options.board = { default = "square:3x3" }
[moves.place]
to = "empty"
"""


WALK = BASE + """[moves.walk]
from = "mine"
step = "STEP"
to   = "empty"
[end]
wins  = "any(line(mine, 3))"
stuck = "ties"
"""


def walk(step):
    return WALK.replace("STEP", step)


def test_suggestions():
    check(suggested(BASE + '[end]\nwins = "any(line(mine, 3))"\nstuck = "ties"\n') == [], "nothing is forgotten")
    cases = [
        (BASE + '[moves.take]\nfrom = "theirs & mine"\n[end]\nstuck = "ties"\n', "'take' was never legal", "asked.toml:5:"),
        (BASE + '[end]\nwins = "any(line(mine, 3))"\n', "nothing says what becomes of them", "asked.toml:5:"),
        (BASE + '[end]\nwins = "count(mine) > 9"\nstuck = "ties"\n', "this never ended a game", "asked.toml:6:9"),
        ('name = "A"\noptions.board = { default = "square:3x3" }\noptions.mode = { default = 1, range = [0, 2] }\n[moves.place]\nto = "empty"\nwhen = "count(empty) < 9 * mode + 1"\n'
         '[end]\nstuck = "ties"\n', "with mode=0 there is no move at the start", "asked.toml:3:"),
        (BASE + 'when = "count(mine) > 9"\n[end]\nstuck = "ties"\n', "there is no move at the start", "asked.toml:3:"),
        (BASE + '[state]\nlast = { type = "player" }\n[end]\nstuck = "ties"\n', "no rule reads 'last'", "asked.toml:6:"),
        (BASE + '[end]\nwins = "any(mine & {a1})"\nstuck = "ties"\n[start]\nx = "{b2}"\n', "without '{a1}' the game would have 16 symmetries", "asked.toml:6:20"),
        (walk("left"), "without 'left' the game would have 16 symmetries, not 4", "asked.toml:7:9"),
        (walk("left | up | down"), "without 'left' the game would have 8 symmetries, not 4", "asked.toml:7:9"),
        (walk("left | right | up"), "without 'up' the game would have 8 symmetries, not 4", "asked.toml:7:24"),
        (walk("sideways").replace("[moves.walk]", '[define]\nsideways = "left"\n[moves.walk]'), "without 'left' the game", "asked.toml:6:13"),
        (walk("left | up"), "without the move 'walk' the game would have 16 symmetries", "asked.toml:5:8"),
    ]
    # A move that is legal with another value of an option is not forgotten.
    check(suggested('name = "A"\noptions.board = { default = "path:3" }\noptions.more = { default = 0, range = [0, 1] }\n[moves.place]\nto = "empty"\n'
                    '[moves.take]\nfrom = "theirs"\nwhen = "count(mine) < 3 * more"\n[end]\nwhen = "count(empty) == 0"\nscore = "count(mine)"\nstuck = "ties"\n') == [], "taken with more=1")
    for text, what, place in cases:
        found = suggested(text)
        mine = [one for one in found if what in one]
        check(len(mine) == 1 and mine[0].startswith(place) and "^" in mine[0], what, found)
    # They stand on stderr, the exit code is 0, and games that come with Plenum have none.
    write("asked.toml", cases[0][0])
    code, out, err = run("check", "asked.toml")
    check(code == 0 and "asked.toml: ok" in out and "plenum: suggestion: asked.toml:5:" in err, code, out, err)
    code, _, err = run("check", "hexapawn", "hex", "connect-4")
    check(code == 0 and "suggestion" not in err, err)


def test_moves():
    code, out, err = run("check", "hexapawn", "--moves")
    check(code == 0 and "  step: " in out and "  capture: " in out and "->" in out, out, err)
    found = json.loads(run("check", "hexapawn", "--moves", "--json")[1])["checked"][0]["moves"]
    check([one["name"] for one in found] == ["step", "capture"], found)
    for one in found:
        after = json.loads(run("query", "hexapawn", one["before"], "--moves-only", "--json")[1])["moves"]
        check({"move": one["move"], "position": one["after"]} in after, one, after)
    write("asked.toml", BASE + '[moves.take]\nfrom = "theirs & mine"\n[end]\nstuck = "ties"\n')
    found = json.loads(run("check", "asked.toml", "--moves", "--json")[1])["checked"][0]["moves"]
    check(found[1] == {"name": "take", "move": None, "before": None, "after": None}, found)
    check(json.loads(run("check", "chess", "--moves", "--json")[1])["checked"][0]["moves"] == [], "pieces")


run_tests(globals())
