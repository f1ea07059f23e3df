# SPDX-License-Identifier: Apache-2.0
"""Schedule to Schedule: concats along the channels that grow part by part, where that takes less memory.

What is there already is moved for each part that comes, so that a concat is left as it is where nothing is gained. What
is gained shows in the arena alone: a lower bound may take it for granted that all operands lie below the concat.
"""

from __future__ import annotations

from collections.abc import Callable

from stowage.memory.lives import lives
from stowage.schedule.growths import concat_as_growth
from stowage.schedule.schedule import Schedule


def with_growths(schedule: Schedule, arena_bytes: Callable[[Schedule], int]) -> Schedule:
    """The schedule with as few growing concats as give the lowest arena that is found with them.

    Args:
        schedule: the steps.
        arena_bytes: what the arena of a schedule takes.
    """
    growing = _grown_in_turn(schedule, arena_bytes)
    grown = _grown(schedule, growing)
    least = arena_bytes(grown) if growing else 0
    for name in growing:
        without = [each for each in growing if each != name]
        fewer = _grown(schedule, without)
        if (bytes_ := arena_bytes(fewer)) <= least:
            growing, grown, least = without, fewer, bytes_
    return grown


def _grown_in_turn(schedule: Schedule, arena_bytes: Callable[[Schedule], int]) -> list[str]:
    """The nodes of concats that can grow, but for those that would then take more, those before them growing."""
    growing, before = list[str](), schedule
    least: int | None = None
    for name in [step.node.name for step in schedule.steps]:
        after = _with_growth(before, name)
        if after is not None:
            least = arena_bytes(before) if least is None else least
            if not _is_crowded(before, name, least):
                continue
            if (bytes_ := arena_bytes(after)) <= least:
                growing, before, least = [*growing, name], after, bytes_
    return growing


def _is_crowded(schedule: Schedule, concat: str, arena_bytes: int) -> bool:
    """Whether as much is alive while a concat runs as the arena holds; else that moment makes it no larger."""
    moment = next(k for k, step in enumerate(schedule.steps, 1) if step.node.name == concat)
    alive = [each.size_bytes for each in lives(schedule).buffers if each.first <= moment <= each.last]
    return sum(alive) >= arena_bytes


def _grown(schedule: Schedule, concats: list[str]) -> Schedule:
    """The schedule in which these concats grow, by their nodes' names; each can."""
    for name in concats:
        schedule = _with_growth(schedule, name) or schedule
    return schedule


def _with_growth(schedule: Schedule, concat: str) -> Schedule | None:
    index = next((k for k, step in enumerate(schedule.steps) if step.node.name == concat), None)
    return None if index is None else concat_as_growth(schedule, index)
