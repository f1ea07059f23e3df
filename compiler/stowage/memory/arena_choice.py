# SPDX-License-Identifier: Apache-2.0
"""Which regions of a board a model has arenas in beside the main one: the names that are asked for, made sense of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stowage.errors import StowageError
from stowage.target.board import Role
from stowage.target.target import Target, TargetRegion

FAST = "fast"
"""The name that stands for the first region for `arena_fast`, whatever a board calls it."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A further arena that is asked for.

    Attributes:
        name: what it is called in C, `<model>_arena_<name>`: a region's name, or `fast`.
        role: for which the board has its region.
        region: where it lies; the main arena's, where a board's fast region is that.
        room_bytes: the most that it may take; nothing in the main arena's region.
    """

    name: str
    role: Role
    region: TargetRegion
    room_bytes: int


def chosen_arenas(target: Target, limits_bytes: Mapping[str, int]) -> tuple[Chosen, ...]:
    """The further arenas, in the order in which they are asked for.

    The host has one memory. A model for a board's regions can be built for it nevertheless, with nothing in them.

    Args:
        target: the board.
        limits_bytes: the most that the model may take, by name of a region for arenas, or `fast`.

    Raises:
        StowageError: there is no such region, it is that of the main arena, or two names stand for one.
    """
    chosen = tuple(_chosen(target, name, limit_bytes) for name, limit_bytes in limits_bytes.items())
    main, seen = target.preferred(Role.ARENA), dict[str, str]()
    for each in chosen:
        if each.region != main and each.region.name in seen:
            raise _refused(
                each.name,
                f'"{each.name}" and "{seen[each.region.name]}" are one region of board {target.board}',
                "name it once",
            )
        seen[each.region.name] = each.name
    return chosen


def _chosen(target: Target, name: str, limit_bytes: int) -> Chosen:
    main, known = target.preferred(Role.ARENA), dict(_further(target))
    if target.core.is_host:
        return Chosen(name, Role.ARENA_FAST, main, 0)
    if name == FAST:
        region = target.preferred(Role.ARENA_FAST)
        room_bytes = 0 if region.name == main.name else min(limit_bytes, region.capacity_bytes)
        return Chosen(name, Role.ARENA_FAST, region, room_bytes)
    if name == main.name:
        raise _refused(
            name, f'"{name}" is the region of the arena itself on board {target.board}', "name further ones alone"
        )
    if name not in known:
        names = ", ".join(sorted(known)) or "no other"
        raise _refused(
            name,
            f'board {target.board} has no region "{name}" for arenas beside that of the arena itself, but {names}',
            f'name one of its regions for arena or arena_fast, or "{FAST}" for whichever is the first for arena_fast',
        )
    role, region = known[name]
    return Chosen(name, role, region, min(limit_bytes, region.capacity_bytes))


def _further(target: Target) -> Iterator[tuple[str, tuple[Role, TargetRegion]]]:
    """By name, the regions for arenas beside the main one, with the role whose sections lead there."""
    main = target.preferred(Role.ARENA)
    for role in (Role.ARENA_FAST, Role.ARENA):
        yield from ((region.name, (role, region)) for region in target.roles[role] if region.name != main.name)


def _refused(name: str, reason: str, remedy: str) -> StowageError:
    return StowageError(where=f"--arena {name}", reason=reason, remedy=f"{remedy} (arenas)")
