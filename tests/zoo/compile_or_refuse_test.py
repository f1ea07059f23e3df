# SPDX-License-Identifier: Apache-2.0
"""A model that is refused still gives files to build an image of, and they say why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stowage.target.find_board import BOARDS
from tests.zoo.compile_or_refuse import main

ROOM = Path("tests/zoo")
DIGITS = Path("examples/digits/digits_int8.onnx")
BRANCHES = Path("examples/branches/branches_f32.onnx")
PRODUCTS = {
    *("zoo.h", "zoo_arena.h", "zoo_weights.h", "zoo.c", "zoo_weights.c"),
    *("zoo_memory.txt", "zoo_memory.json"),
}


def compiled(model: Path, board: str, folder: Path, *more: str) -> dict[str, str]:
    stand_in = [word for name in ("stand_in.h", "stand_in.c") for word in ("--stand-in", str(ROOM / name))]
    board_file = BOARDS / board / "board.textproto"
    assert main([str(model), "--board", str(board_file), "--name", "zoo", *stand_in, "--out", str(folder), *more]) == 0
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_model_that_fits_is_compiled(tmp_path: Path) -> None:
    files = compiled(DIGITS, "nrf52", tmp_path)
    assert files.keys() == PRODUCTS
    assert json.loads(files["zoo_memory.json"])["arena_bytes"] > 0
    assert "zoo_run" in files["zoo.c"]


@pytest.mark.parametrize(
    ("model", "board", "kind"),
    [(BRANCHES, "microbit", "DoesNotFit"), (ROOM / "stand_in.c", "host", "UnsupportedModel")],
)
def test_one_that_is_refused_is_replaced(model: Path, board: str, kind: str, tmp_path: Path) -> None:
    files = compiled(model, board, tmp_path)
    assert files.keys() == PRODUCTS
    record = json.loads(files["zoo_memory.json"])
    assert record["refusal"] == kind
    assert record["sentence"].startswith(f"{model}: ") and record["sentence"] + "\n" == files["zoo_memory.txt"]
    assert files["zoo.h"] == (ROOM / "stand_in.h").read_text()


def test_a_limit_of_ram_is_kept(tmp_path: Path) -> None:
    plain, limited = (
        compiled(DIGITS, "nrf52", tmp_path / name, *ram) for name, ram in (("a", ()), ("b", ("--ram=700",)))
    )
    arenas = [json.loads(files["zoo_memory.json"])["arena_bytes"] for files in (plain, limited)]
    assert arenas[1] <= 700 < arenas[0]
