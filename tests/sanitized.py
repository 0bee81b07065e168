# SPDX-License-Identifier: Apache-2.0
"""Whether a sanitizer looks on. Everything takes ten to forty times as long then, and memory is not what it is; so tests do less of the same (see sanitized.h)."""


def sanitized(program):
    """Of the program at that path."""
    with open(program, "rb") as file:
        image = file.read()
    return b"__asan_init" in image or b"__tsan_init" in image


def little_memory(program, times=1):
    """A --memory of 60 MB, and as many times what a sanitized program holds when it begins. A search asks for it twice."""
    return f"{60 + (170 * times if sanitized(program) else 0)}M"
