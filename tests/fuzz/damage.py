# SPDX-License-Identifier: Apache-2.0
"""Ways in which the bytes of a file break, whatever its format."""

from __future__ import annotations

import random
from collections.abc import Callable

Damage = Callable[[bytearray, random.Random], None]
"""Breaks the bytes in place; they are never empty before."""

# Numbers at the ends of what 32-bit offsets, counts and sizes can say, little-endian.
_WORDS = tuple(
    number.to_bytes(4, "little") for number in (0, 1, 4, 0x7F, 0x8000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFC, 2**32 - 1)
)
# The same as protobuf's variable-length numbers: 2^31, 2^63 - 1, 2^64 - 1, one that never ends, 2 GB.
_VARINTS = (
    b"\x80\x80\x80\x80\x08",
    b"\xff" * 8 + b"\x7f",
    b"\xff" * 9 + b"\x01",
    b"\xff" * 12,
    b"\x80\x80\x80\x80\x07",
)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes after one to four damages."""
    broken = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        chance.choice(_DAMAGES)(broken, chance)
        broken = broken or bytearray(1)
    return bytes(broken)


def _flip_bit(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _set_byte(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] = chance.choice((0, 1, 0x7F, 0x80, 0xFF))


def _truncate(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def _cut_out(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    del data[start : start + chance.randint(1, 16)]


def _repeat(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    data[start:start] = data[start : start + chance.randint(1, 64)]


def _exchange(data: bytearray, chance: random.Random) -> None:
    size = chance.randint(1, 32)
    first, second = chance.randrange(len(data)), chance.randrange(len(data))
    data[first : first + size], data[second : second + size] = (
        data[second : second + size],
        data[first : first + size],
    )


def _extreme_word(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data)) // 4 * 4
    data[start : start + 4] = chance.choice(_WORDS)


def _extreme_varint(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data))
    data[start : start + chance.randint(0, 2)] = chance.choice(_VARINTS)


_DAMAGES: tuple[Damage, ...] = (
    _flip_bit,
    _flip_bit,
    _set_byte,
    _truncate,
    _cut_out,
    _repeat,
    _exchange,
    _extreme_word,
    _extreme_varint,
)
