#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a position takes that the explorer is asked for: explorer_latency.py PLENUM [VARIANT...]

Each game in data/variants on its default board, or on a smaller one where that takes more than 15 s of processor time; 60 positions of random games, one after the
other, once the game is solved. Prints milliseconds by game, and the worst median. A benchmark, not a test: nothing fails.
"""
import os
import random
import statistics
import sys
import tempfile
import time

from explorer_server import Explorer

PLENUM = os.path.abspath(sys.argv[1])
SMALLER = ["", "hexhex:2", "square:3x3", "hexrect:3x3", "square:4x4", "square:2x3", "path:5"]
ENDINGS = ["material=KRvK", "material=KQvK"]  # where the men of the whole game are too many
MOST_SECONDS = 15  # of processor time for a solve
QUESTIONS = 60
LONGEST = 30  # moves of a random game


def game_of(page, name):
    """The parameters of a game that is small enough, and its method; None if there is none."""
    for board, settings in [*((board, []) for board in SMALLER), *(("square:4x4", [ending]) for ending in ENDINGS)]:
        game = {"variant": name, "board": board, "set": settings}
        status, info = page.ask("GET", "info", **game)
        chosen = [one for one in info.get("methods", []) if one["method"] == info["choice"]["method"]] if status == 200 else []
        if not chosen or chosen[0]["method"] in ("search", "bits"):
            continue
        if (chosen[0].get("estimate") or {}).get("cpu_seconds", 0) <= MOST_SECONDS:
            return game, chosen[0]["method"]
    return None


def times_of(page, game):
    variant = page.get("variant", **game)
    game = {**game, "position": "" if variant["has_start"] else variant["start"]}
    page.get("position", **game)  # solved now
    random.seed(1)
    moves, out = [], []
    for _ in range(QUESTIONS):
        began = time.monotonic()
        answer = page.get("position", moves=" ".join(moves), **game)
        out.append(1e3 * (time.monotonic() - began))
        moves = [*moves, random.choice(answer["moves"])["move"]] if answer["moves"] and len(moves) < LONGEST else []
    return out


def main():
    worst = 0
    with tempfile.TemporaryDirectory() as cache, Explorer(PLENUM, cache=cache) as page:
        names = sys.argv[2:] or [one["name"] for one in page.get("variants")["variants"]]
        for name in names:
            found = game_of(page, name)
            if found is None:
                print(f"{name:28} no board is small enough")
                continue
            game, method = found
            times = times_of(page, game)
            worst = max(worst, statistics.median(times))
            print(f"{name:28} {' '.join([game['board'] or 'default', *game['set']]):26} {method:8} median {statistics.median(times):6.1f} ms, longest {max(times):6.1f} ms", flush=True)
    print(f"worst median of {len(names)} games: {worst:.1f} ms")


if __name__ == "__main__":
    main()
