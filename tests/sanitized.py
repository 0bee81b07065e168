# SPDX-License-Identifier: Apache-2.0
"""Whether a sanitizer looks on. Everything takes ten to forty times as long then, and memory is not what it is; so tests do less of the same (see sanitized.h)."""
import functools


HELD = {b"__asan_init": 170, b"__tsan_init": 20}  # MB, when the program begins


@functools.cache
def sanitized(program):
    """What it holds for the sanitizer in MB, or 0: of the program at that path. Piece by piece: the most that a test has held counts for the processes that it begins."""
    before = b""
    with open(program, "rb") as file:
        while piece := file.read(1 << 18):
            for name, held in HELD.items():
                if name in before + piece:
                    return held
            before = piece[-16:]
    return 0


def follows_forks(program):
    """ThreadSanitizer ends a process that begins threads after one with threads has forked it, as those in which ranks solve the games of a sweep."""
    return sanitized(program) != HELD[b"__tsan_init"]


def command_seconds(program):
    """What one command of a test has."""
    return 3000 if sanitized(program) else 300


def little_memory(program, times=1, least=60):
    """A --memory of so many MB, and as many times what a sanitized program holds when it begins. A search asks for it twice."""
    return f"{least + times * sanitized(program)}M"
