# SPDX-License-Identifier: Apache-2.0
"""Decides what a board's memory protection unit allows: which address ranges, and what may be done in each.

Nothing outside the ranges can be touched at all. Code can't be written and data can't be executed; where the image
starts at address 0, nothing can be read through a null pointer; where other memory lies below the stack, a guard is
left between them. The chip's peripherals are open.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from stowage.target.board import Access, Board, Span

_PERIPHERALS = Span(0x4000_0000, 0x6000_0000)


class Permission(enum.Enum):
    """What may be done in a range, by privileged and unprivileged code alike."""

    READ_EXECUTE = "read, execute"
    READ_WRITE = "read, write"
    DEVICE = "read, write, in order and uncached"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class MpuRange:
    """Addresses with one permission, and what they are, for people."""

    span: Span
    permission: Permission
    purpose: str


@dataclass(frozen=True, slots=True)
class MpuPlan:
    """Disjoint `ranges`, and `holes` in them where nothing is allowed after all."""

    ranges: tuple[MpuRange, ...]
    holes: tuple[MpuRange, ...]


def mpu_plan(board: Board) -> MpuPlan:
    """What the board's MPU allows. Reserved memory stays open: its owner runs under the same MPU."""
    memories = _memories(board)
    peripherals = MpuRange(_PERIPHERALS, Permission.DEVICE, "peripherals")
    holes = (
        MpuRange(_null_page(board), Permission.NOTHING, "null pointers"),
        MpuRange(board.stack_guard, Permission.NOTHING, "stack guard"),
    )
    return MpuPlan((*memories, peripherals), tuple(hole for hole in holes if hole.span.size_bytes))


def _null_page(board: Board) -> Span:
    """As much of a vector table at address 0 as is a power of two: only the core reads it, and it passes the MPU by."""
    table = board.vector_table
    return Span(0, 1 << (table.size_bytes.bit_length() - 1) if table.base == 0 else 0)


def _memories(board: Board) -> tuple[MpuRange, ...]:
    """The board's regions, neighbours that allow the same as one."""
    ranges = list[MpuRange]()
    for region in board.regions:
        permission = Permission.READ_EXECUTE if region.access is Access.READ_EXECUTE else Permission.READ_WRITE
        if ranges and ranges[-1].permission is permission and ranges[-1].span.end == region.span.base:
            before = ranges.pop()
            span, purpose = Span(before.span.base, region.span.end), f"{before.purpose}, {region.name}"
            ranges.append(MpuRange(span, permission, purpose))
        else:
            ranges.append(MpuRange(region.span, permission, region.name))
    return tuple(ranges)
