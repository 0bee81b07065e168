#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page and the completions: manual_test.py PATH_TO_PLENUM

Each is what `plenum manual` prints. The page has to name every option that --help shows; bash, zsh and fish have to take the scripts, and
bash and fish to offer what there is. A shell, or man, that is missing is left out, and said to be.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

PLENUM = os.path.abspath(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(w)[:400] for w in what))


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False, **more)
    return done.returncode, done.stdout, done.stderr


def has(program):
    if shutil.which(program):
        return True
    print(f"without {program}, which is not installed")
    return False


def commands():
    """Every command with its options, from --help."""
    page = run(PLENUM, "--help")[1]
    for name in re.findall(r"^  (\w+) ", page[page.index("Subcommands:"):], re.M):
        yield name, re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(PLENUM, name, "--help")[1], re.M)


def test_page(folder, known):
    page = run(PLENUM, "manual", "man")[1]
    for command, options in known.items():
        check(f".SS {command}\n" in page, "the page has no", command)
        for option in options:
            check(option.replace("-", r"\-") in page, "the page has no", option)
    check(not re.search(r"^[^.].*(?<!\\)-", re.sub(r"^\.\\\".*|^\.TH.*", "", page, flags=re.M), re.M), "a bare dash")
    file = os.path.join(folder, "plenum.1")
    with open(file, "w", encoding="utf-8") as out:
        out.write(page)
    if has("man"):
        code, shown, warnings = run("man", "--warnings", "-l", file, env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        check(code == 0 and not warnings, "man:", code, warnings)
        check("--no-remoteness" in shown and "EXIT STATUS" in shown, "man shows", shown)


def test_bash(folder, scripts, known):
    check(run("bash", "-n", scripts["bash"])[0] == 0, "bash -n")
    variants = run(PLENUM, "manual", "variants")[1].split()
    check("tic-tac-toe" in variants, "variants:", variants)
    cases = [
        (["s"], {c for c in known if c.startswith("s")}),
        (["--v"], {"--version"}),
        (["solve", "tic"], {v for v in variants if v.startswith("tic")}),
        (["solve", ""], set(variants)),
        (["solve", "tic-tac-toe", ""], set()),
        (["solve", "--board", "square:2x2", ""], set(variants)),
        (["compare", "hex", ""], set(variants)),
        (["solve", "hex", "--prog"], {"--progress"}),
        (["solve", "hex", "--progress", ""], {"auto", "plain", "json", "none"}),
        (["solve", "hex", "--progress", "=", "pl"], {"plain"}),
        (["solve", "hex", "--progress", "="], {"auto", "plain", "json", "none"}),
        (["solve", "hex", "--table", ""], set()),  # files, by bash itself
        (["info", "--"], set(known["info"])),
    ]
    for words, offered in cases:
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plenum; printf "%s\\n" "${COMPREPLY[@]}"'
        code, out, err = run("bash", "-uc", script, "bash", scripts["bash"], PLENUM, *words)
        check(not err and set(out.split()) == offered, words, "offers", out.split(), "and not", offered, err)
    # A name is offered as it stands, whatever it would mean to a shell.
    os.makedirs(os.path.join(folder, "data", "variants"))
    trap = os.path.join(folder, "data", "variants", "x$(touch${IFS}trapped).toml")
    open(trap, "w", encoding="utf-8").close()
    run("bash", "-uc", 'source "$1"; COMP_WORDS=("$2" solve x); COMP_CWORD=2; _plenum', "bash", scripts["bash"], PLENUM,
        cwd=folder, env={**os.environ, "PLENUM_DATA": os.path.join(folder, "data")})
    check(not os.path.exists(os.path.join(folder, "trapped")), "a name was run")


def test_zsh(scripts):
    code, _, err = run("zsh", "-n", scripts["zsh"])
    check(code == 0, "zsh -n", err)


def test_fish(folder, scripts):
    code, _, err = run("fish", "-n", scripts["fish"])
    check(code == 0, "fish -n", err)
    search = {**os.environ, "PATH": os.path.dirname(PLENUM) + os.pathsep + os.environ["PATH"], "HOME": folder}
    for typed, offered in [("solve tic", "tic-tac-toe"), ("solve hex --progress pl", "plain"), ("swe", "sweep"), ("solve --ta", "--table")]:
        _, out, err = run("fish", "-c", f'source {scripts["fish"]}; complete -C "plenum {typed}"', env=search)
        check(offered in [line.split("\t")[0] for line in out.splitlines()], typed, "offers", out, err)


def main():
    known = dict(commands())
    check({"solve", "query", "bench"} <= set(known), "commands:", known)
    with tempfile.TemporaryDirectory() as folder:
        scripts = {}
        for shell in ("bash", "zsh", "fish"):
            scripts[shell] = os.path.join(folder, shell)
            with open(scripts[shell], "w", encoding="utf-8") as out:
                out.write(run(PLENUM, "manual", shell)[1])
        test_page(folder, known)
        test_bash(folder, scripts, known)
        if has("zsh"):
            test_zsh(scripts)
        if has("fish"):
            test_fish(folder, scripts)
    for failure in failures:
        print("FAILED:", failure)
    print(f"{len(known)} commands, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
