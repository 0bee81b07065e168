#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A report in a real browser: nothing is fetched, nothing is complained of, all of it can be read.

    tests/report_page_test.py PATH_TO_PLENUM
"""
import os
import subprocess
import sys
import tempfile
import time
import unittest

from sanitized import sanitized
from webdriver import Browser, available

PLENUM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else sys.exit(__doc__)


class Report(unittest.TestCase):
    def test_in_a_browser(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "report.html")
            environment = dict(os.environ, PLENUM_CACHE=os.path.join(folder, "cache"))
            began = time.monotonic()
            subprocess.run([PLENUM, "report", "populace", "--board", "hexhex:2", "-o", file], check=True, timeout=60, env=environment, stdout=subprocess.DEVNULL)
            self.assertLess(time.monotonic() - began, 60 if sanitized(PLENUM) else 10)
            with Browser(width=1000, height=900) as browser:
                browser.open("file://" + file)
                self.assertEqual(browser.console(), [])
                self.assertIn("With best play first wins by 7, in 3 plies.", browser.text(".verdict"))
                self.assertEqual(browser.run("return performance.getEntriesByType('resource').length"), 0)
                self.assertEqual(browser.run("return document.scripts.length"), 0)
                # Pictures have a size, and what they use is there.
                small = browser.run("return [...document.querySelectorAll('svg.board, svg.chart')].filter((s) => s.getBoundingClientRect().width < 60 || s.getBoundingClientRect().height < 30).length")
                self.assertEqual(small, 0)
                self.assertGreater(browser.run("return document.querySelectorAll('svg.board').length"), 10)
                self.assertEqual(browser.run("return getComputedStyle(document.querySelector('.man.first')).fill"), "rgb(21, 21, 21)")
                wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
                self.assertLessEqual(wide[0], wide[1])
                self.assertEqual(browser.console(), [])


if __name__ == "__main__":
    if not available():
        print("there is no browser here (packages chromium and chromium-driver): nothing was tried")
        sys.exit(77)
    unittest.main()
