# SPDX-License-Identifier: Apache-2.0
"""Arenas in regions that a board has not, or has too little of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.refused.command_line import refusal

MODEL = Path("examples/digits/digits_int8.onnx")
BOARD = Path("boards/mps2_an505/board.textproto")


@pytest.mark.parametrize(
    ("arenas", "sentence"),
    [
        (["fast"], '--arena: "fast" does not give a region a size; write REGION=SIZE, for instance fast=16KiB.'),
        (["fast=much"], '--arena fast: "much" is no size; write one such as 1048576 or 1MiB.'),
        (["fast=1KiB", "fast=2KiB"], '--arena: region "fast" is given two sizes; give it one.'),
    ],
)
def test_what_is_no_arena(tmp_path: Path, arenas: list[str], sentence: str) -> None:
    assert refusal(MODEL, BOARD, tmp_path / "out", *(f"--arena={each}" for each in arenas)) == sentence


@pytest.mark.parametrize(
    ("arenas", "sentence"),
    [
        (
            ["dtcm=1KiB"],
            '--arena dtcm: board mps2_an505 has no region "dtcm" for arenas beside that of the arena itself, but '
            'isram, psram; name one of its regions for arena or arena_fast, or "fast" for whichever is the first for '
            "arena_fast (arenas).",
        ),
        (
            ["ssram23=1KiB"],
            '--arena ssram23: "ssram23" is the region of the arena itself on board mps2_an505; name further ones alone '
            "(arenas).",
        ),
        (
            ["fast=1KiB", "isram=1KiB"],
            '--arena isram: "isram" and "fast" are one region of board mps2_an505; name it once (arenas).',
        ),
    ],
)
def test_regions_that_no_arena_can_be_in(tmp_path: Path, arenas: list[str], sentence: str) -> None:
    told = refusal(MODEL, BOARD, tmp_path / "out", *(f"--arena={each}" for each in arenas))
    assert told == f"{MODEL}: {sentence}"


def board_with(folder: Path, main_bytes: int) -> Path:
    """AN505 with so many bytes in the region of arena, stack and data, of which the stack takes 4,096."""
    before, kept = "size_bytes: 0x00400000  # 4 MiB", "  kind: SRAM\n  access: READ_WRITE"
    text = BOARD.read_text()
    assert f"{before}\n{kept}" in text
    board = folder / "board.textproto"
    board.write_text(text.replace(f"{before}\n{kept}", f"size_bytes: {main_bytes}\n{kept}"))
    return board


def test_a_region_too_small_for_what_the_caller_reaches(tmp_path: Path) -> None:
    """Whatever other regions there are."""
    assert refusal(MODEL, board_with(tmp_path, 4096), tmp_path / "out", "--arena=psram=1MiB") == (
        f'{MODEL}: "image": inputs, outputs and states lie in the arena and need 64 B there, but region ssram23 of '
        "board mps2_an505 has 0 B for it, 64 B too few; make them smaller, or choose a board whose first region for "
        "arenas is larger."
    )


def test_a_buffer_that_no_region_holds(tmp_path: Path) -> None:
    told = refusal(MODEL, board_with(tmp_path, 4352), tmp_path / "out", "--arena=psram=256", "--arena=fast=64")
    assert told == (
        f'{MODEL}: buffer "stem_relu_QuantizeLinear_Output": its 768 B are more than any region has in which it may '
        "lie (isram, ssram23, psram); let it lie in a larger one, or make it smaller."
    )
