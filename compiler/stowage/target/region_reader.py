# SPDX-License-Identifier: Apache-2.0
"""Reads the regions of a board file and refuses those that can't be."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, TypeVar

from stowage.target.board import Access, Master, Region, RegionKind, Span
from stowage.target.board_field import ADDRESS_SPACE_END, Field
from stowage.target.core import Core

# What the M-profile memory map keeps for peripherals and for the core's own registers; code and data can't live there.
_NOT_MEMORY = (
    (Span(0x4000_0000, 0x6000_0000), "peripherals"),
    (Span(0xA000_0000, ADDRESS_SPACE_END), "devices and the core's own registers"),
)

_Value = TypeVar("_Value")

_KINDS = {1: RegionKind.FLASH, 2: RegionKind.SRAM, 3: RegionKind.TCM, 4: RegionKind.DRAM}
_ACCESSES = {1: Access.READ_EXECUTE, 2: Access.READ_WRITE}
_MASTERS = {1: Master.CPU, 2: Master.DMA, 3: Master.NPU}


def read_regions(board: Field, message: Any, core: Core) -> tuple[Region, ...]:
    """The regions by rising address, nothing reserved yet.

    Raises:
        InvalidBoard: a field of a region is wrong, or two regions overlap.
    """
    here = board / "regions"
    if not message.regions:
        raise here.refusal("the board has no memory", "add at least a region to execute from and one to write to")
    here.unique(region.name for region in message.regions)
    regions = sorted((_read_region(here, region, core) for region in message.regions), key=lambda r: r.span.base)
    for lower, upper in pairwise(regions):
        if lower.span.overlaps(upper.span):
            raise here[upper.name].refusal(
                f'starts at {upper.span.base:#x}, inside region "{lower.name}" that ends at {lower.span.end:#x}',
                "correct the base or the size of one of them",
            )
    return tuple(regions)


def _read_region(regions: Field, message: Any, core: Core) -> Region:
    here = regions[(regions / "name").identifier(message.name)]
    span = _read_span(here, message)
    _check_address(here, span, core)
    return Region(
        name=message.name,
        description=message.description,
        span=span,
        free=span,
        kind=_given(here / "kind", message.kind, _KINDS),
        access=_given(here / "access", message.access, _ACCESSES),
        banks=_read_banks(here / "banks", message.banks, span),
        read_cost=message.read_cost or 1,
        write_cost=message.write_cost or 1,
        reached_by=_read_masters(here / "reached_by", message.reached_by),
    )


def _read_span(here: Field, message: Any) -> Span:
    base = (here / "base").aligned(message.base)
    size = (here / "size_bytes").aligned((here / "size_bytes").positive(message.size_bytes))
    if base + size > ADDRESS_SPACE_END:
        raise here.refusal(f"ends at {base + size:#x}, beyond 4 GiB", "correct its base or its size")
    return Span(base, base + size)


def _check_address(here: Field, span: Span, core: Core) -> None:
    for taken, owner in () if core.is_host else _NOT_MEMORY:
        if span.overlaps(taken):
            raise (here / "base").refusal(
                f"{core.title} keeps {taken.base:#x} to {taken.end - 1:#x} for {owner}", "correct the base or the size"
            )


def _given(here: Field, number: int, values: dict[int, _Value]) -> _Value:
    if number not in values:
        raise here.refusal("is missing", "see its values in hal/proto/board.proto")
    return values[number]


def _read_banks(here: Field, banks: int, span: Span) -> int:
    if banks and span.size_bytes % banks:
        raise here.refusal(f"{span.size_bytes} bytes don't divide into {banks} equal banks", "correct the number")
    return banks or 1


def _read_masters(here: Field, numbers: list[int]) -> frozenset[Master]:
    masters = frozenset(_given(here, number, _MASTERS) for number in numbers)
    if Master.CPU not in masters:
        raise here.refusal("the processor (CPU) is not among them", "add CPU, or leave the region out")
    return masters
