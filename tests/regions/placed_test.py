# SPDX-License-Identifier: Apache-2.0
"""The linker places each arena of a model in the board's region for it, in an image that is built and not run."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.target.board_reader import load_board
from tests.rules.elf import read_elf

REGIONS = {
    "digits_everywhere_arena": "axi_sram",
    "digits_everywhere_arena_itcm": "itcm",
    "digits_everywhere_arena_fast": "dtcm",
    "digits_everywhere_arena_sram_d2": "sram_d2",
    "digits_everywhere_arena_sram_d3": "sram_d3",
    "digits_everywhere_arena_sdram": "sdram",
}


@pytest.mark.parametrize(("arena", "region"), REGIONS.items())
def test_each_arena_lies_in_its_region(arena: str, region: str) -> None:
    board = load_board(Path("boards/stm32h747/board.textproto"))
    free = next(each.free for each in board.regions if each.name == region)
    symbol = read_elf(Path("tests/regions/everywhere_fw.elf")).symbol(arena)
    assert free.base <= symbol.address < symbol.address + symbol.size_bytes <= free.end
