# SPDX-License-Identifier: Apache-2.0
"""Tests of the compiler's view of a board, and of finding boards by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.errors import InvalidBoard
from stowage.target.board import Role
from stowage.target.find_board import BOARDS, find_board

NAMES = [
    "host",
    "microbit",
    "mps2_an385",
    "mps2_an386",
    "mps2_an500",
    "mps2_an505",
    "mps2_an521_npu",
    "mps3_an547",
    "nrf52",
    "stm32h747",
]


@pytest.mark.parametrize("name", NAMES)
def test_each_board_is_found_by_its_name(name: str) -> None:
    assert find_board(name).board == name


def test_a_board_file_is_found_by_its_path() -> None:
    path = str(BOARDS / "nrf52" / "board.textproto")
    assert find_board(path, ["softdevice_s140"]).file == path


def test_an_unknown_board_is_refused() -> None:
    with pytest.raises(InvalidBoard) as refusal:
        find_board("nrf53")
    assert str(refusal.value) == (
        f"nrf53: there is no such board; name one of {', '.join(NAMES)}, or the path of a file board.textproto."
    )


def test_a_board_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidBoard):
        find_board(str(tmp_path / "board.textproto"))


@pytest.mark.parametrize(
    ("name", "features"),
    [
        ("microbit", {"thumb1"}),
        ("nrf52", {"fpu", "dsp"}),
        ("mps2_an500", {"fpu", "dsp"}),
        ("mps2_an505", {"fpu", "dsp"}),
        ("mps3_an547", {"fpu", "dsp", "mve"}),
        ("host", {"fpu"}),
    ],
)
def test_features_follow_the_core(name: str, features: set[str]) -> None:
    assert find_board(name).features == features


def test_capacity_leaves_the_stack_out() -> None:
    arena = find_board("nrf52").preferred(Role.ARENA)
    assert (arena.name, arena.capacity_bytes) == ("sram", 256 * 1024 - 4096)


def test_capacity_leaves_reservations_and_guard_out() -> None:
    target = find_board("nrf52", ["softdevice_s140"])
    assert target.preferred(Role.ARENA).capacity_bytes == 256 * 1024 - 0x3000 - 256 - 4096
    assert target.preferred(Role.WEIGHTS).capacity_bytes == 1024 * 1024 - 0x27000


def test_roles_keep_their_order() -> None:
    assert [region.name for region in find_board("mps3_an547").roles[Role.ARENA]] == ["isram", "ddr"]
