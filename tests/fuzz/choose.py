#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chooses few small inputs that reach much: choose.py CONTROL-FILE FOLDER [FILES [BYTES]]

CONTROL-FILE is what libFuzzer's -merge=1 -merge_control_file=... leaves: which features each input has. Takes the input with the
most new features for its size, again and again, and copies them to FOLDER under the hash of their bytes.
"""

import hashlib
import os
import sys


def read_control(path):
    """Names, and by name the features."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    count = int(lines[0])
    names = lines[2 : 2 + count]
    features = {}
    for line in lines[2 + count :]:
        words = line.split()
        if words[:1] == ["FT"]:
            features[names[int(words[1])]] = set(map(int, words[2:]))
    return features


def choose(features, most_files, most_bytes):
    chosen, have, used = [], set(), 0
    left = {name: set(found) for name, found in features.items()}
    while left and len(chosen) < most_files:
        for found in left.values():
            found -= have
        size = {name: os.path.getsize(name) for name in left}
        left = {name: found for name, found in left.items() if found and used + size[name] <= most_bytes}
        if not left:
            break
        best = max(left, key=lambda name: (len(left[name]) / (size[name] + 100), name))
        have |= left.pop(best)
        used += size[best]
        chosen.append(best)
    return chosen, len(have), used


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    most = [int(word) for word in sys.argv[3:]] + [64, 24000][len(sys.argv) - 3 :]
    features = read_control(sys.argv[1])
    chosen, reached, used = choose(features, most[0], most[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    for name in chosen:
        with open(name, "rb") as file:
            content = file.read()
        with open(os.path.join(sys.argv[2], hashlib.sha1(content).hexdigest()[:12]), "wb") as file:
            file.write(content)
    every = len(set().union(*features.values())) if features else 0
    print(f"{len(chosen)} of {len(features)} inputs, {used} bytes, {reached} of {every} features")
    return 0


if __name__ == "__main__":
    sys.exit(main())
