# SPDX-License-Identifier: Apache-2.0
"""Definitions, applied to the graph of moves by naive loops, against what solve, query and count say."""

import collections
import json

from command_line.results import check_line, solved
from command_line.session import answer, ask, check, equal, near, sign, size


def explore(options):
    """All positions that arise, each with query's answer, in the order of a search breadth first."""
    graph, frontier = {}, [ask(options, [{}])[0]["position"]]
    while frontier:
        for text, found in zip(frontier, ask(options, frontier)):
            equal(found["position"], text, options, "printed again")
            graph[text] = found
        frontier = list(dict.fromkeys(m["position"] for t in frontier for m in graph[t]["moves"] if m["position"] not in graph))
    return graph


def forced(graph, player, aim):
    """From where `player` can force the game to an end in `aim`, against anything."""
    out = {p for p in graph if graph[p]["value"]["plies"] == 0 and aim(size(graph[p]["value"]["margin"]))}
    grown = True
    while grown:
        grown = False
        for p, found in graph.items():
            if p in out or not found["moves"]:
                continue
            within = [m["position"] in out for m in found["moves"]]
            if any(within) if p.split()[1] == player else all(within):
                out.add(p)
                grown = True
    return out


def components(graph):
    """Strongly connected components with a cycle in them (Kosaraju)."""
    order, seen = [], set()
    for root in graph:
        stack = [] if root in seen else [(root, iter(graph[root]["moves"]))]
        seen.add(root)
        while stack:
            p, moves = stack[-1]
            after = next((m["position"] for m in moves if m["position"] not in seen), None)
            if after is None:
                order.append(stack.pop()[0])
            else:
                seen.add(after)
                stack.append((after, iter(graph[after]["moves"])))
    back = collections.defaultdict(list)
    for p, found in graph.items():
        for m in found["moves"]:
            back[m["position"]].append(p)
    out, left = [], set(graph)
    for root in reversed(order):
        if root not in left:
            continue
        left.discard(root)
        part, stack = {root}, [root]
        while stack:
            for before in back[stack.pop()]:
                if before in left:
                    left.discard(before)
                    part.add(before)
                    stack.append(before)
        if len(part) > 1 or any(m["position"] == root for m in graph[root]["moves"]):
            out.append(part)
    return out


def check_graph(options):
    data, graph = solved(options), explore(options)
    where = json.dumps(options)
    start = next(iter(graph))
    ended = {p for p, a in graph.items() if a["value"]["plies"] == 0}
    margin = {p: size(a["value"]["margin"]) for p, a in graph.items()}
    check(all(a["reachable"] for a in graph.values()), where, "a position that arises is called unreachable")
    check(all(not graph[p]["moves"] and not graph[p]["line"] for p in ended), where, "a move after the end")
    # Who can force what, from the ends alone.
    goals = sorted({abs(margin[p]) for p in ended} - {0}, reverse=True)
    expected = {}
    for s, player in ((1, "1"), (-1, "2")):
        for goal in goals:
            for p in forced(graph, player, lambda m, s=s, goal=goal: s * m >= goal):
                expected.setdefault(p, s * goal)
    level = forced(graph, "1", lambda m: m >= 0) | forced(graph, "2", lambda m: m <= 0)
    keeps = {p for p in ended if margin[p] == 0}  # then: an end at 0 can be reached, all values kept
    drawn = [p for p in graph if expected.get(p, 0) == 0]
    while grown := [p for p in drawn if p not in keeps and any(m["position"] in keeps for m in graph[p]["moves"])]:
        keeps.update(grown)
    counted = collections.Counter()
    for p, found in graph.items():
        value = found["value"]
        equal(margin[p], expected.get(p, 0), where, p, "value")
        if p in ended:
            continue
        v = margin[p]
        outcome = "first" if v > 0 else "second" if v < 0 else "tie" if p in level else "cycle"
        equal(value["outcome"], outcome, where, p, "outcome")
        counted[outcome] += 1
        counted["forced_cycle"] += outcome == "cycle" and p not in keeps
        if v != 0:
            lengths = [m["plies"] for m in found["moves"] if size(m["margin"]) == v]
            short = (v > 0) == (p.split()[1] == "1")
            equal(value["plies"], 1 + (min if short else max)(lengths), where, p, "plies")
        for m in found["moves"]:
            equal({k: m[k] for k in value}, graph[m["position"]]["value"], where, p, m["move"])
        line, at = found["line"], p
        been = [p]
        for move in line:
            at = next(m["position"] for m in graph[at]["moves"] if m["move"] == move)
            been.append(at)
        check(len(set(been[:-1])) == len(line), where, p, "the line goes round", line)
        check(all(margin[b] == v for b in been), where, p, "the line gives the value away", line)
        equal(found["line_repeats"], at in been[:-1], where, p, "line_repeats")
        check_line(options, found, graph[at])
    for key in ("first", "second", "tie", "cycle", "forced_cycle"):
        equal(data["positions"][key], counted[key], where, key)
    equal(data["positions"]["reachable"], len(graph), where, "reachable")
    equal(data["positions"]["ended"], len(ended), where, "ended")
    for key, s in (("first", 1), ("tie", 0), ("second", -1)):
        equal(data["ended_by"][key], sum(sign(margin[p]) == s for p in ended), where, "ended_by", key)
    equal({size(m): n for m, n in data["margins"].items()}, collections.Counter(margin[p] for p in graph if p not in ended), where, "margins")
    parts = components(graph)
    sizes = [len(part) for part in parts]
    equal([data["cycles"][k] for k in ("components", "largest", "positions")], [len(parts), max(sizes, default=0), sum(sizes)], where, "components")
    for player, number in (("first", "1"), ("second", "2")):
        other = "2" if number == "1" else "1"
        equal(data["cycles"]["endless"][player], start not in forced(graph, other, lambda m: True), where, "endless", player)
    going_on = [p for p in graph if p not in ended]
    near(data["moves"]["mean"], sum(len(graph[p]["moves"]) for p in going_on) / len(going_on), where, "moves.mean")
    equal(data["moves"]["max"], max(len(graph[p]["moves"]) for p in going_on), where, "moves.max")
    # Games and random play, a ply at a time.
    games, chances = collections.Counter({start: 1}), {start: 1.0}
    ends, plies, depth = collections.Counter(), 0.0, 0
    while chances and sum(chances.values()) > 1e-13:
        if depth <= 6:
            equal(answer("count", options, "--depth", str(depth))["nodes"], sum(games.values()), where, "count", depth)
            games_after = collections.Counter()
            for p, n in games.items():
                for m in graph[p]["moves"]:
                    games_after[m["position"]] += n
            games = games_after
        after = collections.defaultdict(float)
        for p, chance in chances.items():
            if p in ended:
                ends[sign(margin[p])] += chance
                plies += depth * chance
                continue
            for m in graph[p]["moves"]:
                after[m["position"]] += chance / len(graph[p]["moves"])
        chances, depth = after, depth + 1
        if depth == 20000:
            break
    play = data["random_play"]
    for key, s in (("first", 1), ("tie", 0), ("second", -1)):
        near(play[key], ends[s], where, "random_play", key)
    near(play["plies"], plies, where, "random_play.plies", within=1e-8)
