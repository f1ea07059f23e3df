# SPDX-License-Identifier: Apache-2.0
"""Tests of the command that the Bazel rule runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stowage.target.board_files import EXECUTION, HEADER, LINKER_SCRIPT, MPU_HEADER, main

BOARDS = Path(__file__).parents[3] / "boards"


def _run(board: Path, out: Path, *more: str) -> int:
    return main([str(board), "--out", str(out), *more])


def test_all_files_are_written(tmp_path: Path) -> None:
    assert _run(BOARDS / "nrf52" / "board.textproto", tmp_path, "--core", "cortex_m4f") == 0
    assert {path.name for path in tmp_path.iterdir()} == {LINKER_SCRIPT, HEADER, MPU_HEADER, EXECUTION}


def test_a_reservation_moves_the_image(tmp_path: Path) -> None:
    more = ("--core", "cortex_m4f", "--reserve", "softdevice_s140", "--reserve", "bootloader")
    assert _run(BOARDS / "nrf52" / "board.textproto", tmp_path, *more) == 0
    script = (tmp_path / LINKER_SCRIPT).read_text()
    assert "flash (rx) : ORIGIN = 0x00027000, LENGTH = 0x000d1000\n" in script
    assert "sram (rw) : ORIGIN = 0x20003000, LENGTH = 0x0003d000\n" in script
    execution = json.loads((tmp_path / EXECUTION).read_text())
    assert execution["boot"] == {"vectors": 0x27000, "reset_address": 0}


def test_another_core_in_the_build_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = BOARDS / "nrf52" / "board.textproto"
    assert _run(board, tmp_path, "--core", "cortex_m33") == 1
    assert capsys.readouterr().err == (
        f'stowage: {board}: core: is "cortex_m4f", and stowage_board in the BUILD file says "cortex_m33"; '
        "make them the same.\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_refused_board_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = tmp_path / "board.textproto"
    board.write_text("nonsense")
    out = tmp_path / "out"
    out.mkdir()
    assert _run(board, out, "--core", "cortex_m0") == 1
    assert capsys.readouterr().err.startswith(f"stowage: {board}: line 1: ")
    assert list(out.iterdir()) == []
