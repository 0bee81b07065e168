# SPDX-License-Identifier: Apache-2.0
"""Whether a sanitizer looks on. Everything takes ten to forty times as long then, and memory is not what it is; so tests do less of the same (see sanitized.h)."""


def sanitized(program):
    """Of the program at that path."""
    with open(program, "rb") as file:
        image = file.read()
    return b"__asan_init" in image or b"__tsan_init" in image


def little_memory(program):
    """A --memory in which the program searches but stores next to nothing. A search asks for twice what the program
    holds when it begins; sanitized, that is some 150 MB."""
    return "400M" if sanitized(program) else "60M"
