# SPDX-License-Identifier: Apache-2.0
"""What pl081.c does to the lines of a data cache, and that a copy is wrong without any part of it."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from hal.dma.pl081_device import SIZE, fill, load, started

DONE = 0
MAINTENANCE = {
    "nothing": "",
    "the write-back of the source": "    stw_cache_clean(from, size_bytes);\n",
    "the write-back of the destination": "    stw_cache_clean_and_drop(to, size_bytes);\n",
    "the drop of the destination": "    stw_cache_drop(copies[handle].destination, copies[handle].size_bytes);\n",
}


@pytest.mark.parametrize("left_out", MAINTENANCE)
def test_each_act_of_maintenance_is_needed(left_out: str, tmp_path: Path) -> None:
    """The core has just written source and destination; lines are written back and read again at any time."""
    library = load(tmp_path, True, MAINTENANCE[left_out])
    wrong = 0
    for seed in range(40):
        device = started(library, seed)
        expected = bytearray(fill(device)[::-1])
        ctypes.memmove(device.memory, bytes(expected), SIZE)
        assert device.copy(0, 0x1_0000, 0x6000) == DONE
        expected[:0x6000] = expected[0x1_0000:0x1_6000]
        wrong += bytes(device.memory) != bytes(expected)
    library.model_end()
    assert (wrong > 0) == (left_out != "nothing")
