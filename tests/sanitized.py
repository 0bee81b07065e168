# SPDX-License-Identifier: Apache-2.0
"""Whether a sanitizer looks on. Everything takes ten to forty times as long then, and memory is not what it is; so tests do less of the same (see sanitized.h)."""
import functools


@functools.cache
def sanitized(program):
    """Of the program at that path. Piece by piece: the most that a test has held counts for the processes that it begins."""
    names = (b"__asan_init", b"__tsan_init")
    before = b""
    with open(program, "rb") as file:
        while piece := file.read(1 << 18):
            if any(name in before + piece for name in names):
                return True
            before = piece[-16:]
    return False


def little_memory(program, times=1):
    """A --memory of 60 MB, and as many times what a sanitized program holds when it begins. A search asks for it twice."""
    return f"{60 + (170 * times if sanitized(program) else 0)}M"
