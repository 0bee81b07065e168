# SPDX-License-Identifier: Apache-2.0
"""Tables whose texts are forged, with all checksums right again: what a careful forger would leave behind."""
import ctypes
import ctypes.util
import json
import struct


def checksum(data, seed=0, kept=[]):
    """XXH3 with 64 bits, by the library that the program has."""
    if not kept:
        name = ctypes.util.find_library("xxhash") or "libxxhash.so.0"
        kept.append(ctypes.CDLL(name).XXH3_64bits_withSeed)
        kept[0].restype = ctypes.c_uint64
        kept[0].argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
    return kept[0](data, len(data), seed)


def forge(path, header=None, footer=None, version=1):
    """Changes the texts of a table, by a function of the JSON or into other bytes, and mends all checksums."""
    with open(path, "rb") as file:
        data = file.read()
    block_bytes, header_bytes = struct.unpack_from("<IQ", data, 12)
    index, end = struct.unpack_from("<QQ", data, len(data) - 56)
    texts = []
    for text, change in ((data[40:40 + header_bytes], header), (data[end:-56], footer)):
        if callable(change):
            parsed = json.loads(text)
            change(parsed)
            text = json.dumps(parsed, separators=(",", ":"), ensure_ascii=False).encode()
        elif change is not None:
            text = change
        texts.append(text)
    first = struct.pack("<8sIIQQ", b"PLENUMTB", version, block_bytes, len(texts[0]), checksum(texts[0]))
    moved = len(texts[0]) - header_bytes
    middle = data[40 + header_bytes:end]
    last = struct.pack("<QQQQQ", index + moved, end + moved, 40 + len(texts[0]) + len(middle) + len(texts[1]) + 56,
                       checksum(data[index:end]), checksum(texts[1]))
    with open(path, "wb") as file:
        file.write(first + struct.pack("<Q", checksum(first)) + texts[0] + middle + texts[1] + last +
                   struct.pack("<Q", checksum(last)) + b"PLENUMTE")


def change_stored_byte(path, number):
    """Changes a byte of the values: the one of that number among those of blocks that are not compressed; mends the checksum of its block.
    Whether there is such a byte."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    block_bytes, header_bytes = struct.unpack_from("<IQ", data, 12)
    at, end = struct.unpack_from("<QQ", data, len(data) - 56)
    layers, = struct.unpack_from("<I", data, at)
    at += 4
    lengths = []  # before compression
    for _ in range(layers):
        layer, name = struct.unpack_from("<QI", data, at)
        at += 12 + name
        lengths += [min(block_bytes, layer - begin) for begin in range(0, layer, block_bytes)]
    block = 40 + header_bytes
    for place, length in enumerate(lengths):
        stored, = struct.unpack_from("<I", data, at + 4 * place)
        if stored == length and number < length:
            data[block + 8 + number] ^= 1 << number % 3
            struct.pack_into("<Q", data, block, checksum(bytes(data[block + 8:block + 8 + stored]), seed=place))
            with open(path, "wb") as file:
                file.write(data)
            return True
        number -= length if stored == length else 0
        block += 8 + stored
    return False
