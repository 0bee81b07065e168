# SPDX-License-Identifier: Apache-2.0
"""What solve and query say: its shape, what its numbers must be to one another, that a line of best play is one."""

import json
import re

from command_line.session import answer, ask, check, equal, near, sign, size, well_written

NUMBER, COUNT, TEXT, FLAG = (int, float), (int,), (str,), (bool,)
SHAPE = {
    "schema": COUNT, "variant": TEXT, "hash": TEXT, "options": {}, "method": TEXT, "cyclic": FLAG,
    "value": {"outcome": TEXT, "margin": (int, float, str), "plies": (int, type(None))},
    "pie": (dict, type(None)), "openings": (list,),
    "positions": dict.fromkeys("reachable canonical ended first second tie cycle forced_cycle".split(), COUNT),
    "margins": {}, "ended_by": dict.fromkeys("first tie second".split(), COUNT),
    "draw_rate": dict.fromkeys("positions openings ends random_play".split(), NUMBER),
    "cycles": {"components": COUNT, "largest": COUNT, "positions": COUNT, "endless": {"first": FLAG, "second": FLAG}},
    "random_play": {"first": NUMBER, "tie": NUMBER, "second": NUMBER, "endless": NUMBER, "plies": (int, float, type(None))},
    "moves": {"mean": NUMBER, "max": COUNT},
    "cost": {"seconds": NUMBER, "positions_per_second": NUMBER, "peak_bytes": COUNT, "threads": COUNT},
}


def check_shape(data, shape, where):
    for key, kind in shape.items():
        if not check(key in data, where, "has no key", key):
            continue
        if isinstance(kind, dict):
            check(isinstance(data[key], dict), where, key, "is no object")
            check_shape(data[key], kind, f"{where}.{key}")
        else:
            check(type(data[key]) in kind, where, key, "is", repr(data[key]))


def check_value(value, where):
    margin = size(value["margin"])
    check(well_written(value["margin"]), where, "margin written", value["margin"])
    allowed = {1: ["first"], -1: ["second"], 0: ["tie", "cycle"]}[sign(margin)]
    check(value["outcome"] in allowed, where, value)
    check((value["plies"] is None) == (margin == 0) or value["plies"] == 0, where, value)


def solved(options):
    """What solve says, with all that its numbers must be to one another."""
    data = answer("solve", options)
    where = json.dumps(options)
    check_shape(data, SHAPE, where)
    check_value(data["value"], where)
    n, margins = data["positions"], data["margins"]
    going_on = n["first"] + n["second"] + n["tie"] + n["cycle"]
    equal(n["reachable"], going_on + n["ended"], where, "reachable")
    equal(sum(data["ended_by"].values()), n["ended"], where, "ended_by")
    equal(sum(margins.values()), going_on, where, "margins")
    check(all(count > 0 for count in margins.values()), where, "a margin without positions", margins)
    equal(margins.get("0", 0), n["tie"] + n["cycle"], where, "margin 0")
    for player, s in (("first", 1), ("second", -1)):
        equal(sum(c for m, c in margins.items() if sign(size(m)) == s), n[player], where, "margins for", player)
    check(n["forced_cycle"] <= n["cycle"] and n["canonical"] <= n["reachable"], where, n)
    openings = data["openings"]
    for opening in openings:
        check_value(opening, f"{where} after {opening['move']}")
    best = max(size(o["margin"]) for o in openings)
    equal(size(data["value"]["margin"]), best, where, "value against the best opening")
    if best != 0:
        lengths = [o["plies"] for o in openings if size(o["margin"]) == best]
        equal(data["value"]["plies"], 1 + (min if best > 0 else max)(lengths), where, "plies")
    placements = {o["move"]: abs(size(o["margin"])) for o in openings if re.fullmatch(r"\w+", o["move"]) and o["move"] != "pass"}
    if options.get("pie") == "off":
        check(data["pie"] is None, where, "pie is not null")
    else:
        fairest = min(placements.values())
        equal(size(data["pie"]["margin"]), -fairest, where, "pie")
        equal(data["pie"]["openings"], [move for move, v in placements.items() if v == fairest], where, "fairest openings")
    cells = answer("info", options)["board"]["names"]
    equal([o["move"] for o in openings], cells + ["pass"], where, "openings in board order")
    rate = data["draw_rate"]
    near(rate["positions"], (n["tie"] + n["cycle"]) / going_on, where, "draw_rate.positions")
    near(rate["openings"], sum(size(o["margin"]) == 0 for o in openings) / len(openings), where, "draw_rate.openings")
    near(rate["ends"], data["ended_by"]["tie"] / n["ended"], where, "draw_rate.ends")
    play = data["random_play"]
    near(rate["random_play"], play["tie"] + play["endless"], where, "draw_rate.random_play")
    near(sum(play[k] for k in ("first", "tie", "second", "endless")), 1, where, "random play")
    check((play["plies"] is None) == (play["endless"] > 0), where, play)
    cycles = data["cycles"]
    equal(data["cyclic"], cycles["components"] > 0, where, "cyclic")
    check(cycles["largest"] <= cycles["positions"] <= n["reachable"], where, cycles)
    equal(cycles["components"] == 0, cycles["positions"] == 0, where, cycles)
    check(n["cycle"] == 0 or cycles["components"] > 0, where, "cycles without components")
    return data


def check_openings(options, data):
    """query says of the start and of each opening what solve says, and its line of best play is one."""
    root = ask(options, [{}])[0]
    equal(root["value"], data["value"], options, "query of the start")
    check(root["reachable"] is True, options, "the start is reachable")
    asked = [{k: m[k] for k in ("move", "outcome", "margin", "plies")} for m in root["moves"]]
    equal(asked, data["openings"], options, "query's moves")
    positions = [root["position"]] + [m["position"] for m in root["moves"]]
    by_position = ask(options, positions)
    by_moves = ask(options, [{}] + [{"moves": m["move"]} for m in root["moves"]])
    equal(by_position, by_moves, options, "asked by position and by moves")
    for text, found, opening in zip(positions[1:], by_position[1:], data["openings"]):
        equal(found["position"], text, options, "position after query")
        equal(found["value"], {k: opening[k] for k in ("outcome", "margin", "plies")}, options, "value after", opening["move"])
    lines = [{"position": p, "moves": " ".join(a["line"])} for p, a in zip(positions, by_position)]
    for found, last in zip(by_position, ask(options, lines)):
        check_line(options, found, last)


def check_line(options, found, last):
    where = f"{options} {found['position']} {found['line']}"
    value, ended = found["value"], last["value"]["plies"] == 0
    if value["outcome"] == "cycle":
        check(found["line_repeats"] and not ended, where, "of a cycle does not repeat")
        return
    check(not found["line_repeats"] and ended, where, "does not end")
    equal(last["value"]["margin"], value["margin"], where, "end")
    check(value["plies"] in (None, len(found["line"])), where, "is not", value["plies"], "plies long")
