# SPDX-License-Identifier: Apache-2.0
"""Finds the board that a command line names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stowage.errors import InvalidBoard
from stowage.target.board_reader import load_board
from stowage.target.target import Target, target_of

BOARDS = Path(__file__).parents[3] / "boards"


def find_board(board: str, reserve: Sequence[str] = ()) -> Target:
    """The target for a board that Stowage brings, by its name (``nrf52``), or for a board file, by its path.

    Args:
        board: a name, or a path that ends in ``.textproto``.
        reserve: names of reservations that the image leaves alone.

    Raises:
        InvalidBoard: there is no such board, or its file is refused.
    """
    if board.endswith(".textproto"):
        return target_of(load_board(board, reserve))
    names = sorted(file.parent.name for file in BOARDS.glob("*/board.textproto"))
    if board not in names:
        raise InvalidBoard(
            file=board,
            reason="there is no such board",
            remedy=f"name one of {', '.join(names)}, or the path of a file board.textproto",
        )
    return target_of(load_board(BOARDS / board / "board.textproto", reserve))
