# SPDX-License-Identifier: Apache-2.0
"""A board with a SoftDevice reserved is one attribute away: the image leaves the SoftDevice's memory alone."""

from __future__ import annotations

from pathlib import Path

from stowage.target.board_reader import load_board
from tests.rules.elf import read_elf

# Nordic's memory map of S140 7.x: the application's flash starts behind 156 KiB, its RAM behind the SoftDevice's.
APPLICATION_FLASH = 0x27000
APPLICATION_RAM = 0x20003000


def test_image_lies_beside_the_softdevice() -> None:
    elf = read_elf(Path("tests/rules/beside_softdevice.elf"))
    assert elf.symbol("stw_vectors").address == APPLICATION_FLASH
    assert min(elf.stored) == APPLICATION_FLASH
    ram = [address for address, _ in elf.sections.values() if address >= 0x20000000]
    assert min(ram) == APPLICATION_RAM


def test_map_is_the_one_of_the_board_file_with_the_reservation() -> None:
    board = load_board(Path("boards/nrf52/board.textproto"), ["softdevice_s140"])
    assert {region.name: region.free.base for region in board.regions} == {
        "flash": APPLICATION_FLASH,
        "sram": APPLICATION_RAM,
    }
