# SPDX-License-Identifier: Apache-2.0
"""Encodes an MPU plan as register values for the two generations of Arm's M-profile MPU.

PMSAv7 (Armv7-M Architecture Reference Manual, B3.5): regions are powers of two in size and alignment and may overlap;
the higher number wins. PMSAv8 (Armv8-M Architecture Reference Manual, B7): regions have any multiple of 32 bytes and
must not overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from stowage.target.board import Board, Span
from stowage.target.board_field import Field
from stowage.target.core import MpuKind
from stowage.target.mpu_plan import MpuPlan, MpuRange, Permission, mpu_plan

# PMSAv7 RASR: XN (28), AP (24), TEX (19), S (18), C (17), B (16). Normal memory is write-through for code, write-back
# and write-allocate for data.
_RASR_ATTRIBUTES = {
    Permission.READ_EXECUTE: 0b110 << 24 | 1 << 17,
    Permission.READ_WRITE: 1 << 28 | 0b011 << 24 | 1 << 19 | 1 << 17 | 1 << 16,
    Permission.DEVICE: 1 << 28 | 0b011 << 24 | 1 << 18 | 1 << 16,
    Permission.NOTHING: 1 << 28,
}

# PMSAv8 RBAR: AP (1), XN (0). RLAR: index (1) into MAIR0, whose bytes are the three constants below.
_RBAR_ATTRIBUTES = {Permission.READ_EXECUTE: 0b110, Permission.READ_WRITE: 0b011, Permission.DEVICE: 0b011}
_MAIR_INDICES = {Permission.READ_EXECUTE: 0, Permission.READ_WRITE: 1, Permission.DEVICE: 2}
_MAIR_WRITE_THROUGH, _MAIR_WRITE_BACK, _MAIR_DEVICE_NGNRE = 0xAA, 0xFF, 0x04
MAIR0 = _MAIR_WRITE_THROUGH | _MAIR_WRITE_BACK << 8 | _MAIR_DEVICE_NGNRE << 16


@dataclass(frozen=True, slots=True)
class MpuRegion:
    """The registers of one MPU region: `rbar`, and `attributes` for RASR (PMSAv7) or RLAR (PMSAv8); for `range`."""

    rbar: int
    attributes: int
    range: MpuRange


def mpu_regions(board: Board) -> tuple[MpuRegion, ...]:
    """The regions to set up, by number; none where the core has no MPU.

    Raises:
        InvalidBoard: the memory map takes more regions than the core has.
    """
    encode = {MpuKind.NONE: _none, MpuKind.PMSAV7: _pmsav7, MpuKind.PMSAV8: _pmsav8}[board.core.mpu]
    regions = tuple(encode(mpu_plan(board)))
    if len(regions) > board.core.mpu_regions:
        raise Field(board.file, "regions").refusal(
            f"protecting this map takes {len(regions)} MPU regions, {board.core.title} has {board.core.mpu_regions}",
            "give regions sizes and bases that are powers of two, or merge neighbours",
        )
    return regions


def _none(plan: MpuPlan) -> Iterator[MpuRegion]:
    yield from ()


def _pmsav7(plan: MpuPlan) -> Iterator[MpuRegion]:
    for each in (*plan.ranges, *plan.holes):
        for block in _power_of_two_blocks(each.span):
            size_field = (block.size_bytes.bit_length() - 2) << 1
            yield MpuRegion(block.base, _RASR_ATTRIBUTES[each.permission] | size_field | 1, replace(each, span=block))


def _power_of_two_blocks(span: Span) -> Iterator[Span]:
    base = span.base
    while base < span.end:
        largest = 1 << ((span.end - base).bit_length() - 1)
        size = min(largest, base & -base) if base else largest
        yield Span(base, base + size)
        base += size


def _pmsav8(plan: MpuPlan) -> Iterator[MpuRegion]:
    for each in plan.ranges:
        for part in _without(each.span, plan.holes):
            rbar = part.base | _RBAR_ATTRIBUTES[each.permission]
            rlar = (part.end - 32) | _MAIR_INDICES[each.permission] << 1 | 1
            yield MpuRegion(rbar, rlar, replace(each, span=part))


def _without(span: Span, holes: tuple[MpuRange, ...]) -> Iterator[Span]:
    base = span.base
    for hole in sorted((hole.span for hole in holes if hole.span.overlaps(span)), key=lambda hole: hole.base):
        if base < hole.base:
            yield Span(base, hole.base)
        base = hole.end
    if base < span.end:
        yield Span(base, span.end)
