# SPDX-License-Identifier: Apache-2.0
"""Reads a board file (`boards/<board>/board.textproto`) and refuses one that contradicts itself or its schema."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from google.protobuf import text_format

from stowage.errors import InvalidBoard
from stowage.target.board import Board, Master, Region, Role
from stowage.target.board_field import Field
from stowage.target.board_schema import new_board_message
from stowage.target.core import CORES, Core
from stowage.target.dma_reader import read_dma
from stowage.target.execution_reader import read_console, read_execution
from stowage.target.npu_reader import check_npu_reach, read_npu
from stowage.target.region_reader import read_regions
from stowage.target.reservation_reader import read_reservations, without_reserved
from stowage.target.role_reader import read_roles


def load_board(file: str | Path, reserve: Sequence[str] = ()) -> Board:
    """The board that `file` describes, with what is always reserved and the reservations named by `reserve` taken off.

    Raises:
        InvalidBoard: the file can't be read, doesn't follow the schema, or contradicts itself.
    """
    name = str(file)
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InvalidBoard(file=name, reason=f"can't be read: {reason}", remedy="name a board file") from error
    return parse_board(text, name, reserve)


def parse_board(text: str, file: str, reserve: Sequence[str] = ()) -> Board:
    """The board that `text`, the content of `file`, describes; see `load_board`."""
    here = Field(file)
    message = _parse_message(text, here)
    core = CORES[(here / "core").one_of(message.core, CORES)]
    regions = read_regions(here, message, core)
    reservations = read_reservations(here, message, regions)
    free, reserved = without_reserved(here, regions, reservations, reserve)
    board = Board(
        file=file,
        name=(here / "name").identifier(message.name),
        description=message.description,
        core=core,
        clock_hz=(here / "clock_hz").positive(message.clock_hz),
        interrupts=message.interrupts,
        stack_size_bytes=(here / "stack_size_bytes").positive(message.stack_size_bytes),
        regions=free,
        reservations=reservations,
        reserved=reserved,
        roles=read_roles(here, message, free),
        dma=read_dma(here / "dma", message),
        npu=read_npu(here / "npu", message),
        execution=read_execution(here, message, core),
        console=read_console(here, message),
    )
    _check_masters(here / "regions", board)
    check_npu_reach(here, board)
    _check_stack(here / "stack_size_bytes", board)
    _check_vector_table(here / "interrupts", board)
    return board


def _parse_message(text: str, file: Field) -> Any:
    message = new_board_message()
    try:
        text_format.Parse(text, message)
    except text_format.ParseError as error:
        where = f"line {error.GetLine()}" if error.GetLine() else ""
        reason = str(error).partition(" : ")[2].rstrip(".") or str(error)
        raise (file / where).refusal(reason, "see the fields and values in hal/proto/board.proto") from error
    return message


def _check_masters(regions: Field, board: Board) -> None:
    present = {Master.CPU} | ({Master.DMA} if board.dma else set()) | ({Master.NPU} if board.npu else set())
    for region in board.regions:
        for master in sorted(region.reached_by - present, key=lambda master: master.value):
            raise (regions[region.name] / "reached_by").refusal(
                f"the board has no {master.value}", f"describe it in the field {master.value}, or leave it out here"
            )


def _check_stack(here: Field, board: Board) -> None:
    stack: Region = board.roles[Role.STACK][0]
    if board.stack_size_bytes % 8:
        raise here.refusal(f"{board.stack_size_bytes} is not a multiple of 8", "round it up to one")
    if board.stack_size_bytes + board.stack_guard.size_bytes > stack.free.size_bytes:
        raise here.refusal(
            f'a stack of {board.stack_size_bytes} bytes is too large for region "{stack.name}", '
            f"which has {stack.free.size_bytes} bytes free",
            "give a smaller one, or put the stack elsewhere",
        )


def _check_vector_table(here: Field, board: Board) -> None:
    core: Core = board.core
    table = board.vector_table
    alignment = max(core.vector_alignment_bytes, 1 << (table.size_bytes - 1).bit_length())
    if not core.is_host and table.base % alignment:
        raise here.refusal(
            f"a vector table of {table.size_bytes} bytes at {table.base:#x} is not aligned to {alignment} bytes",
            "start the free part of the code region at such an address",
        )
