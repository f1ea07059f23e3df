# SPDX-License-Identifier: Apache-2.0
"""Reads what is reserved on a board, and takes off the regions what one image has to leave alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stowage.target.board import Region, Reservation, ReservedRange, Span
from stowage.target.board_field import Field


def read_reservations(board: Field, message: Any, regions: Sequence[Region]) -> tuple[Reservation, ...]:
    """All reservations that the board file knows, in its order.

    Raises:
        InvalidBoard: a reservation has no name, owner or range, or a range that is not in its region.
    """
    here = board / "reservations"
    here.unique(reservation.name for reservation in message.reservations)
    return tuple(_read_reservation(here, each, regions) for each in message.reservations)


def without_reserved(
    board: Field, regions: Sequence[Region], reservations: Sequence[Reservation], selected: Sequence[str]
) -> tuple[tuple[Region, ...], tuple[str, ...]]:
    """The regions with less free, and the names of the reservations in force: those always so and those `selected`.

    Raises:
        InvalidBoard: a selected reservation is unknown, two in force overlap, or a region is used up or cut in two.
    """
    known = [reservation.name for reservation in reservations]
    for name in selected:
        (board / "reservations").one_of(name, known)
    in_force = [each for each in reservations if each.always or each.name in selected]
    free = {region.name: region for region in regions}
    for reservation in in_force:
        for taken in reservation.ranges:
            here = (board / "reservations")[reservation.name]
            free[taken.region] = _take(here, free[taken.region], taken.span)
    return tuple(free.values()), tuple(each.name for each in in_force)


def _read_reservation(reservations: Field, message: Any, regions: Sequence[Region]) -> Reservation:
    here = reservations[(reservations / "name").identifier(message.name)]
    if not message.owner:
        raise (here / "owner").refusal("is missing", "say in a line what owns the memory")
    if not message.ranges:
        raise (here / "ranges").refusal("nothing is reserved", "add a range, or leave the reservation out")
    ranges = tuple(_read_range(here / "ranges", each, regions) for each in message.ranges)
    return Reservation(message.name, message.owner, message.always, ranges)


def _read_range(ranges: Field, message: Any, regions: Sequence[Region]) -> ReservedRange:
    by_name = {region.name: region for region in regions}
    region = by_name[(ranges / "region").one_of(message.region, by_name)]
    here = ranges[region.name]
    base = (here / "base").aligned(message.base)
    size = (here / "size_bytes").aligned((here / "size_bytes").positive(message.size_bytes))
    if base < region.span.base or base + size > region.span.end:
        raise here.refusal(
            f"{base:#x} to {base + size - 1:#x} is not inside the region, "
            f"{region.span.base:#x} to {region.span.end - 1:#x}",
            "correct its base or its size",
        )
    return ReservedRange(region.name, Span(base, base + size))


def _take(here: Field, region: Region, taken: Span) -> Region:
    if not region.free.overlaps(taken):
        raise here.refusal(f'takes bytes of region "{region.name}" that are reserved already', "select one of the two")
    if region.free.base < taken.base and taken.end < region.free.end:
        raise here.refusal(
            f'cuts region "{region.name}" in two at {taken.base:#x}',
            "reserve from an end of the region, or describe it as two regions",
        )
    if taken.base <= region.free.base and region.free.end <= taken.end:
        raise here.refusal(
            f'leaves nothing of region "{region.name}"', "leave the region out of the roles and the board"
        )
    upper = taken.base <= region.free.base
    return replace(region, free=Span(taken.end, region.free.end) if upper else Span(region.free.base, taken.base))
