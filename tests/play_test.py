#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""plenum play through a pipe: play_test.py PLENUM"""
import os
import subprocess
import sys
import unittest

PLENUM = os.path.abspath(sys.argv.pop(1))


def play(words, *arguments):
    done = subprocess.run([PLENUM, "play", *arguments], input="\n".join(words) + "\n", capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


class Play(unittest.TestCase):
    def test_against_the_program(self):
        """Badly played it is lost, and the program's moves are legal ones."""
        code, out, err = play(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"] * 2, "tic-tac-toe")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("second plays b2", out)  # all else loses to a corner
        self.assertIn("ended: ", out)
        self.assertNotIn("ended: first", out)

    def test_two_people(self):
        code, out, err = play(["a1", "a2", "b1", "b2", "undo", "undo", "b1", "b2", "c1"], "tic-tac-toe", "--program", "nobody")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(out.rstrip().endswith("ended: first wins by 1"), out[-200:])

    def test_the_program_alone(self):
        code, out, _ = play([], "tic-tac-toe", "--program", "both")
        self.assertEqual(code, 0)
        self.assertTrue(out.rstrip().endswith("ended: a tie"), out[-200:])
        self.assertEqual(out.count(" plays "), 9)

    def test_round_and_round(self):
        code, out, _ = play([], "mu-torere", "--program", "both")
        self.assertEqual(code, 0)
        self.assertIn("so play goes round for ever", out)

    def test_what_else_can_be_typed(self):
        code, out, err = play(["help", "values", "moves", "hint", "a9", "position", "undo", "", "quit"], "tic-tac-toe", "--position", "xx1/oo1/3 1", "--program", "nobody")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("take back the last move", out)
        self.assertIn("c3         ended: first wins by 1", out)
        self.assertIn("(?)", out)
        self.assertIn("\nfirst> c3\n", out)
        self.assertIn("a9", out)
        self.assertIn("moves lists the legal moves", out)
        self.assertIn("xx1/oo1/3 1", out)
        self.assertIn("there is nothing to take back", out)

    def test_ends_of_input_and_errors(self):
        self.assertEqual(play([], "populace", "--board", "path:3", "--program", "nobody")[0], 0)
        self.assertEqual(play([], "nothing")[0], 2)
        self.assertEqual(play([], "tic-tac-toe", "--position", "x")[0], 2)
        self.assertEqual(play([], "tic-tac-toe", "--program", "third")[0], 2)


if __name__ == "__main__":
    unittest.main()
