# SPDX-License-Identifier: Apache-2.0
"""Tests that what is generated from the board files and kept in the tree is what would be generated now."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.errors import InvalidBoard
from stowage.target.board_products import GOLDENS, board_products
from stowage.target.board_reader import load_board
from stowage.target.readme_table import BEGIN, END, with_readme_table

ROOT = Path(__file__).parents[3]
UPDATE = "run `./bazelw run //boards:update` and look at what it changes"


def test_readmes_and_goldens_are_up_to_date() -> None:
    products = dict(board_products(ROOT))
    missing = [str(path) for path in products if not (ROOT / path).exists()]
    stale = [str(path) for path, text in products.items() if (ROOT / path).read_text(encoding="utf-8") != text]
    assert (missing, stale) == ([], []), UPDATE


def test_no_golden_is_left_over() -> None:
    kept = {path.relative_to(ROOT) for path in (ROOT / GOLDENS).glob("*/*")}
    assert kept == {path for path, _ in board_products(ROOT) if path.is_relative_to(GOLDENS)}, UPDATE


@pytest.mark.parametrize("readme", ["# b\n", f"{BEGIN}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"])
def test_a_readme_without_a_place_for_the_map_is_refused(readme: str) -> None:
    board = load_board(ROOT / "boards" / "host" / "board.textproto")
    with pytest.raises(InvalidBoard) as refusal:
        with_readme_table(readme, "b/README.md", board)
    assert str(refusal.value).startswith("b/README.md: the place for the memory map is not marked; put a line <!--")


def test_what_people_wrote_around_the_map_stays() -> None:
    board = load_board(ROOT / "boards" / "nrf52" / "board.textproto")
    text = with_readme_table(f"before\n{BEGIN}\nstale\n{END}\nafter\n", "b/README.md", board)
    assert text.startswith(f"before\n{BEGIN}\n| Region |")
    assert text.endswith(f"|\n{END}\nafter\n")
    assert "| `sram`: Internal SRAM, eight 8 KiB and one 192 KiB AHB slaves | `0x20000000` | 256 KiB | sram |" in text
    assert "| Nordic SoftDevice S140 7.x with its master boot record | `flash` `0x00000000`, 156 KiB; `sram`" in text
