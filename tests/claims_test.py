#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that data/claims shows: claims_test.py PATH_TO_PLENUM

Every `$ command` in a console block of data/claims/*.md is given to bash, `plenum` being the program given; it has to print the lines below it.
Exit code 77 (skipped) where bash or jq is missing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands(text):
    """Every command of the console blocks with the lines it is shown to print."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.S | re.M):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *shown = part.splitlines()
            yield command, shown


def main():
    if not (shutil.which("bash") and shutil.which("jq")):
        print("bash and jq are needed")
        return 77
    environment = dict(os.environ, PATH=f"{pathlib.Path(sys.argv[1]).resolve().parent}:{os.environ['PATH']}", LC_ALL="C")
    cache = tempfile.TemporaryDirectory()  # nothing is taken from earlier runs
    environment["PLENUM_CACHE"] = cache.name
    ran = failed = 0
    for page in sorted((ROOT / "data" / "claims").glob("*.md")):
        for command, shown in commands(page.read_text(encoding="utf-8")):
            result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
            ran += 1
            if [line.rstrip() for line in result.stdout.splitlines()] != [line.rstrip() for line in shown]:
                failed += 1
                print(f"{page.name}: $ {command}\nprints\n{result.stdout}{result.stderr}\nnot\n" + "\n".join(shown) + "\n")
    cache.cleanup()
    print(f"{ran} commands, {failed} of them print something else")
    return 1 if failed or ran < 5 else 0


if __name__ == "__main__":
    sys.exit(main())
