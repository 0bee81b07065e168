# SPDX-License-Identifier: Apache-2.0
"""The views of the explorer's page, and axe-core, which looks at them: for explorer_page_test.py."""
import base64
import hashlib
import io
import os
import tarfile
import urllib.request

AXE = "https://registry.npmjs.org/axe-core/-/axe-core-4.10.2.tgz"
AXE_SHA512 = "RE3mdQ7P3FRSe7eqCWoeQ/Z9QXrtniSjp1wUjt5nRC3WIpz5rSCve6o3fsZ2aCpJtrZjSZgjwXAoTO5k4tEI0w=="
VIEWS = {
    "play": ("view=position&variant=populace&board=hexhex:2&moves=a1", "[data-cell=b3]"),
    "squares": ("view=position&variant=tic-tac-toe&moves=b2 a1 c2", ".move.keeps"),
    "corner": ("view=position&variant=cascade&board=square:3x3", ".move.keeps"),
    "points": ("view=position&variant=mu-torere", ".move.keeps"),
    "pieces": ("view=position&variant=safety-in-numbers&board=square:4x4&set=material%3DKPvKP&position=2kp/p3/1P2/K3 w - -".replace("2kp", "2k1"), ".move"),
    "statistics": ("view=statistics&variant=populace&board=hexhex:2", "[data-part=histograms] .bars + .bars + .bars"),
    "compare": ("view=compare&variant=populace&board=hexhex:2&compare.with={\"threat\":\"1\"}", ".matrix"),
    "sweep": ("view=sweep&variant=populace&board=path:5", "#sweep-begin"),
    "cycles": ("view=cycles&variant=populace&board=path:8&set=button%3Don", ".trap .here"),
    "editor": ("view=editor&variant=hex", ".gutter span"),
}


def axe(folder):
    """axe-core, from the npm registry, once, into that folder; its sum is checked."""
    path = os.path.join(folder, "axe-core-4.10.2.js")
    if not os.path.exists(path):
        with urllib.request.urlopen(AXE, timeout=60) as answer:
            packed = answer.read()
        if base64.b64encode(hashlib.sha512(packed).digest()).decode() != AXE_SHA512:
            raise AssertionError(f"{AXE} is not what it was")
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            text = archive.extractfile("package/axe.min.js").read()
        with open(path, "wb") as file:
            file.write(text)
    with open(path, encoding="utf-8") as file:
        return file.read()


def show(browser, address, name, seconds):
    """A view, once all of it is there."""
    fragment, there = VIEWS[name]
    browser.open("about:blank")
    browser.open(f"{address}#{fragment}")
    browser.wait("return document.body.dataset.ready && document.querySelector(arguments[0]) && document.querySelector('#problem').hidden", there, seconds=seconds)
    if name == "sweep":
        browser.run("document.querySelector('#sweep-board-values, #sweep-down-values').value = 'path:4 path:5'")
        browser.click("#sweep-begin")
        browser.wait("return document.querySelectorAll('.heat td button').length === 12", seconds=seconds)
