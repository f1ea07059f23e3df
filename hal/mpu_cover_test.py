# SPDX-License-Identifier: Apache-2.0
"""cortex_m/mpu_cover.h: regions for spans of all sizes, decoded again as the architecture manual says."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).absolute().parents[1]
SOURCE = """\
#include "hal/cortex_m/mpu_cover.h"

uint32_t cover(uint32_t start, uint32_t end, struct stw_mpu_region *regions, uint32_t room);
uint32_t cover(uint32_t start, uint32_t end, struct stw_mpu_region *regions, uint32_t room)
{
    return stw_mpu_cover(start, end, regions, room);
}
"""
ROOM = 4


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("cover")
    (folder / "cover.c").write_text(SOURCE)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-shared", "-fPIC", f"-I{ROOT}"]
    command = [os.environ.get("CC", "cc"), *flags, str(folder / "cover.c"), "-o", str(folder / "cover.so")]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(folder / "cover.so"))


def open_spans(library: ctypes.CDLL, start: int, end: int) -> list[tuple[int, int]]:
    """What the regions let be written: disjoint spans by address, neighbours made one."""
    regions = (ctypes.c_uint32 * (2 * ROOM))()
    count = library.cover(ctypes.c_uint32(start), ctypes.c_uint32(end), regions, ctypes.c_uint32(ROOM))
    parts = sorted(part for index in range(count) for part in decoded(regions[2 * index], regions[2 * index + 1]))
    spans: list[tuple[int, int]] = []
    for low, high in parts:
        assert not spans or low >= spans[-1][1], "regions do not overlap"
        if spans and spans[-1][1] == low:
            spans[-1] = (spans[-1][0], high)
        else:
            spans.append((low, high))
    return spans


def decoded(rbar: int, rasr: int) -> Iterator[tuple[int, int]]:
    """B3.5.8 and B3.5.9: base, size, and the eighths that are disabled."""
    size = 1 << ((rasr >> 1 & 0x1F) + 1)
    assert size >= 32
    assert rbar % size == 0
    assert (rasr & 1, rasr >> 24 & 7, rasr >> 28 & 1) == (1, 0b011, 1)
    disabled = rasr >> 8 & 0xFF
    assert size >= 256 or not disabled
    for eighth in range(8):
        if not disabled >> eighth & 1:
            yield rbar + eighth * size // 8, rbar + (eighth + 1) * size // 8


def test_a_power_of_two(library: ctypes.CDLL) -> None:
    assert open_spans(library, 0x2000_0000, 0x2000_1000) == [(0x2000_0000, 0x2000_1000)]


@settings(deadline=None, max_examples=500)
@given(st.integers(1, 3 << 20), st.integers(1, 7))
def test_arenas_as_trials_lay_them(library: ctypes.CDLL, size: int, place: int) -> None:
    """The end, rounded up to the arena's alignment of 8, is a multiple of an eighth of the next power of two."""
    grain = max(512, 1 << (size - 1).bit_length()) // 8 if size > 512 else 64
    blocks = -(-size // grain) + place
    end = 0x2000_0000 + blocks * grain - (-size % 8)
    ((low, high),) = open_spans(library, end - size, end)
    assert high == -(-end // 32) * 32
    assert high - end < 8
    slack_bytes = (end - size) - low
    assert 0 <= slack_bytes < 32 + 8 * grain / 500


@settings(deadline=None, max_examples=500)
@given(st.integers(0x2000_0000, 0x2000_4000), st.integers(1, 1 << 16))
def test_any_span_is_open_or_refused(library: ctypes.CDLL, start: int, size: int) -> None:
    spans = open_spans(library, start, start + size)
    if spans:
        ((low, high),) = spans
        assert low <= start
        assert start + size <= high
