# SPDX-License-Identifier: Apache-2.0
"""Tests of the numbers in the C header that no golden can judge."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from stowage.target.board import QemuMachine
from stowage.target.board_header import board_header, counter_scale_q31
from stowage.target.board_reader import load_board

BOARDS = Path(__file__).parents[3] / "boards"


@pytest.mark.parametrize("name", ["microbit", "nrf52", "mps2_an386", "mps2_an500", "mps2_an505", "mps3_an547"])
def test_the_counter_is_exact_to_one_instruction(name: str) -> None:
    """A count of ticks is off by less than one; scaled and rounded it has to give back every number of instructions."""
    board = load_board(BOARDS / name / "board.textproto")
    assert isinstance(board.execution, QemuMachine)
    tick_ns = Fraction(10**9, board.execution.systick_hz)
    for instructions in (1, 2, 3, 1000, 12_345_678, 10**9):
        exact = instructions * (1 << board.execution.icount_shift) / tick_ns
        for ticks in (int(exact), int(exact) + 1):
            assert (ticks * counter_scale_q31(board) + (1 << 30)) >> 31 == instructions


def test_a_board_without_emulator_has_no_scale() -> None:
    assert counter_scale_q31(load_board(BOARDS / "host" / "board.textproto")) == 0


def test_every_region_that_may_be_written_is_listed() -> None:
    header = board_header(load_board(BOARDS / "mps3_an547" / "board.textproto"))
    listed = [line.split('"')[1] for line in header.splitlines() if line.startswith('    X("')]
    assert listed == ["dtcm", "isram", "ddr"]
