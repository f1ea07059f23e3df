# SPDX-License-Identifier: Apache-2.0
"""The words of a command stream: codes, and how fields are packed. hal/npu/README.md is the definition."""

from __future__ import annotations

from collections.abc import Mapping

MAGIC, VERSION = 0x4D525453, 1
HEADER_WORDS = 6
END, STEP = 0x01, 0x02
COPY_IN, COPY_OUT = 0x10, 0x11
CONV2D, DEPTHWISE, FULLY_CONNECTED, MAX_POOL, AVERAGE_POOL, ADD, REQUANTISE = range(0x20, 0x27)


def command(code: int, *fields: int) -> tuple[int, ...]:
    """A command with its first word."""
    return (code | (len(fields) + 1) << 16, *(field & 0xFFFFFFFF for field in fields))


def halves(low: int, high: int) -> int:
    """Two 16-bit fields."""
    assert 0 <= low <= 0xFFFF and 0 <= high <= 0xFFFF, (low, high)
    return low | high << 16


def quarters(*fields: int) -> int:
    """Up to four 8-bit fields, the lowest first."""
    assert all(0 <= field <= 0xFF for field in fields), fields
    return sum(field << 8 * index for index, field in enumerate(fields))


def output_word(pad: int, zero_point: int, lowest: int, highest: int) -> int:
    """The four signed bytes of an output stage."""
    return quarters(*(field & 0xFF for field in (pad, zero_point, lowest, highest)))


def place(bank: int, offset_bytes: int) -> int:
    """Where something lies in the banks."""
    return bank << 24 | offset_bytes


def sum_words(fields: Mapping[str, int]) -> tuple[int, ...]:
    """The last words of a sum, from the parameters of the processor's kernel for it."""
    multipliers = fields["a_multiplier"], fields["b_multiplier"]
    if "a_right" not in fields:
        return (*multipliers, fields["offset"], fields["shift"], 0)
    zero_points = quarters(fields["a_zero_point"] & 0xFF, fields["b_zero_point"] & 0xFF)
    rights = quarters(fields["a_right"], fields["b_right"], fields["right"])
    return (*multipliers, zero_points, rights, fields["multiplier"])
