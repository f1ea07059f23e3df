# SPDX-License-Identifier: Apache-2.0
"""Writes the files that are generated from a board file; the Bazel rule behind `stowage_board` runs it.

Exit status 1 and one sentence on standard error where the board is refused; then no file is written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from stowage.errors import StowageError
from stowage.target.board import Board
from stowage.target.board_field import Field
from stowage.target.board_header import board_header
from stowage.target.board_reader import load_board
from stowage.target.linker_script import linker_script
from stowage.target.mpu_header import mpu_header
from stowage.target.qemu_arguments import qemu_arguments

LINKER_SCRIPT, HEADER, MPU_HEADER, EXECUTION = "stw_board.ld", "stw_board.h", "stw_board_mpu.h", "stw_board_exec.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        board = load_board(options.board, options.reserve)
        _check_core(board, options.core)
        files = generated_files(board)
    except StowageError as refusal:
        print(f"stowage: {refusal}", file=sys.stderr)
        return 1
    for name, text in files.items():
        (options.out / name).write_text(text, encoding="utf-8")
    return 0


def generated_files(board: Board) -> dict[str, str]:
    """All that is generated from a board file, by file name.

    Raises:
        InvalidBoard: the memory map takes more regions than the core's MPU has.
    """
    return {
        LINKER_SCRIPT: linker_script(board),
        HEADER: board_header(board),
        MPU_HEADER: mpu_header(board),
        EXECUTION: qemu_arguments(board),
    }


def _check_core(board: Board, core: str) -> None:
    if board.core.name != core:
        raise Field(board.file, "core").refusal(
            f'is "{board.core.name}", and stowage_board in the BUILD file says "{core}"', "make them the same"
        )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Write what is generated from a board file.")
    parser.add_argument("board", type=Path, metavar="BOARD", help="a file board.textproto")
    parser.add_argument("--reserve", action="append", default=[], metavar="NAME", help="a reservation to honour")
    parser.add_argument("--core", required=True, help="the core that the file has to name")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for the files")
    return parser


if __name__ == "__main__":
    sys.exit(main())
