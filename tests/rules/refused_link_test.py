# SPDX-License-Identifier: Apache-2.0
"""A firmware that is too big for its board fails the link, and the linker names the region and the excess."""

from __future__ import annotations

import re
from pathlib import Path

TABLE_BYTES, FLASH_BYTES = 0x4000, 0x4000
BUFFER_BYTES, STACK_BYTES, RAM_BYTES = 0x2000, 1024, 0x2000


def excess_bytes(region: str, said: str) -> int:
    match = re.search(rf"region `{region}' overflowed by (\d+) bytes", said)
    assert match, said
    return int(match[1])


def test_linker_says_which_region_overflows_by_how_much() -> None:
    said = Path("tests/rules/too_large.txt").read_text()
    # Code comes on top of the table, variables of the HAL on top of the buffer: neither is as much as 8 KiB.
    assert TABLE_BYTES - FLASH_BYTES < excess_bytes("flash", said) < TABLE_BYTES - FLASH_BYTES + 8192
    ram = BUFFER_BYTES + STACK_BYTES - RAM_BYTES
    assert ram <= excess_bytes("sram", said) < ram + 8192
