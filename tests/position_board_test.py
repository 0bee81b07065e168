#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A position on the command line brings its own board and men: position_board_test.py PATH_TO_PLENUM

What is said of it has to be what is said where board and men are given besides; where they are given otherwise, they hold.
"""

import json

from plenum_command import check, run, run_tests


def same(position, board, given, *command):
    """`command` says the same of the position alone and with what it brings."""
    alone = run(*command)
    whole = run(*command, "--board", board, *given)
    check(alone[0] == whole[0] == 0 and alone[1] == whole[1], command, "says", alone, "and with the board", whole)
    check(position in alone[1] or command[0] == "count", command, "says", alone)
    check(f"taken to be on {board}" in alone[2] and "taken to be" not in whole[2], "the board is said:", alone[2], whole[2])


def test_pieces():
    for game, position, board in [("safety-in-numbers", "k2/1rK/3/2R w - -", "square:3x4"), ("safety-in-numbers", "k1/2/(KR)1/2 b - -", "square:2x4"),
                                  ("chess", "1k1/3/1K1/C2 w - -", "square:3x4")]:
        given = ["--set", f"array={position}"]
        same(position, board, given, "query", game, position, "--json")
        same(position, board, given, "query", game, position, "--moves-only", "--json")
        same(position, board, given, "count", game, "--position", position, "--depth", "3")
    # Values are those of the ending that was solved another way.
    position = "k1K1/3R/4/4 b - -"
    alone = json.loads(run("query", "chess", position, "--json")[1])
    ending = json.loads(run("query", "chess", position, "--json", "--set", "material=KRvK")[1])  # the board is brought here too
    for answer in (alone, ending):
        check(answer["position"] == position, answer)
    check(alone["value"]["outcome"] == ending["value"]["outcome"] and len(alone["moves"]) == len(ending["moves"]), alone, ending)
    # Men that the array has not, on the board that there is; and few enough to be solved.
    position = "8/8/8/8/8/2k5/8/K6R w - -"
    answer = json.loads(run("query", "chess", position, "--json")[1])
    check([answer["value"]["outcome"], answer["value"]["plies"]] == ["first", 27], answer["value"])
    code, _, said = run("reach", "chess", "--position", "k3/4/1K2/3R w - -", "--goal", "!any(k)", "--depth", "2")
    check(code == 1 and "square:4x4" in said, "reach", code, said)


def test_stones():
    same("2/2/2 1", "square:2x3", [], "query", "connect-4", "2/2/2 1", "--json")
    same("x2/3 2", "square:3x2", [], "count", "tic-tac-toe", "--position", "x2/3 2", "--depth", "2")


def test_refused():
    for arguments, message in [
        (["chess", "8/8/8/8/8/2k5/8/K6X w - -"], "position: there is no piece 'X' here"),
        (["chess", "kk2/4/4/3K w - -"], "position: second has more than one K"),
        (["chess", "k3/4/4/2K w - -"], "row 8 of square:8x8 has 8 cells"),  # rows of several lengths are no board
        (["chess", "k2/3/2K w - -", "--board", "square:8x8"], "row 8 of square:8x8 has 8 cells"),
        (["chess", "k2/3/2K w - -", "--set", "board=square:8x8"], "row 8 of square:8x8 has 8 cells"),
        (["chess", "k2/3/2Q w - -", "--set", "material=KvK"], "there is no piece 'Q' here"),
        (["tic-tac-toe", "xx/1/3 1"], "of square:3x3 has 3 cells"),
        (["populace", "xx/o1 1", "--board", "hexhex:2"], "of hexhex:2"),
    ]:
        code, out, said = run("query", *arguments)
        check(code == 2 and not out and message in said, arguments, "say", code, out, said)


run_tests(globals())
