# SPDX-License-Identifier: Apache-2.0
"""An image that the hermetic compiler and a board's own linker script made: what it takes is what its source says."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.target.board_reader import load_board
from stowage.target.find_board import BOARDS
from tools.size.breakdown import by_kind, flash_shares
from tools.size.image import read_image
from tools.size.usage import Usage, usage

FOLDER = Path(__file__).parent
SIZES = {"sample_initialised": 24, "sample_zeroed": 28, "sample_weights": 123, "sample_arena": 456}
NAMES = ["microbit", "nrf52", "mps3_an547"]


@pytest.fixture(scope="module", params=NAMES)
def measured(request: pytest.FixtureRequest) -> tuple[str, Usage]:
    board = load_board(BOARDS / request.param / "board.textproto", [])
    return request.param, usage(read_image(FOLDER / f"sample_{request.param}.elf"), board)


def test_every_kind_has_its_bytes(measured: tuple[str, Usage]) -> None:
    name, used = measured
    flash, ram = dict(by_kind(used.flash)), dict(by_kind(used.ram))
    assert flash["weights"] == 123
    assert ram["arena"] == 456
    assert flash["data"] == ram["data"] == 24
    assert ram["bss"] >= 28
    assert ram["stack"] == load_board(BOARDS / name / "board.textproto", []).stack_size_bytes
    assert flash["code"] > 500
    assert flash.get("padding", 0) < 16


def test_every_symbol_has_its_size(measured: tuple[str, Usage]) -> None:
    _, used = measured
    sizes = {symbol.name: symbol.size_bytes for symbol in [*used.flash_symbols, *used.ram_symbols]}
    assert {name: sizes.get(name) for name in SIZES} == SIZES


def test_the_shares_add_up(measured: tuple[str, Usage]) -> None:
    _, used = measured
    assert dict(flash_shares(used, ["sample"]))["weights of sample"] == 123
    assert sum(size for _, size in flash_shares(used, ["sample"])) == used.flash_bytes
    assert sum(size for _, size, _ in used.regions) == used.flash_bytes + used.ram_bytes
