# SPDX-License-Identifier: Apache-2.0
"""Plans that take turns in one arena, as a record to be drawn: one after the other across, at the same addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stowage.memory.peak import moments_of
from stowage.memory.plan import Plan
from stowage.report.memory_record import Record, buffers_of, timeline_of


@dataclass(frozen=True, slots=True)
class Arena:
    """Where the plans take turns: its name, its bytes, and the region that it lies in."""

    name: str
    size_bytes: int
    region: str
    capacity_bytes: int


def side_by_side(arena: Arena, plans: Sequence[tuple[str, Plan]], kept: Sequence[Mapping[str, Any]]) -> Record:
    """What the drawing of a plan asks of a record.

    Args:
        arena: where they run.
        plans: each with what it is called.
        kept: the bytes that stay whatever runs, states among them, as `what`, `offset_bytes` and `size_bytes`.
    """
    kept_bytes = sum(int(span["size_bytes"]) for span in kept)
    timeline: list[Record] = []
    buffers: list[Record] = []
    for title, plan in plans:
        moments, start = moments_of(plan), len(timeline)
        passing = [buffer for buffer in buffers_of(plan, moments) if buffer["kind"] != "state"]
        states_bytes = sum(state.held.type.size_bytes for state in plan.schedule.states)
        timeline += _renamed(list(timeline_of(plan, moments)), title, kept_bytes - states_bytes)
        buffers += [_shifted(buffer, title, start) for buffer in passing]
    fullest = max(range(len(timeline)), key=lambda moment: int(timeline[moment]["used_bytes"]))
    return {
        "model": arena.name,
        "arena_bytes": arena.size_bytes,
        "steps": sum(len(plan.schedule.steps) for _, plan in plans),
        "regions": [{"region": arena.region, "capacity_bytes": arena.capacity_bytes}],
        "timeline": timeline,
        "buffers": [*(_kept(span, len(timeline)) for span in kept), *buffers],
        "peak": {"moment": fullest, "used_bytes": timeline[fullest]["used_bytes"]},
    }


def _renamed(entries: list[Record], title: str, others_bytes: int) -> Iterator[Record]:
    """A model's moments under its name, with the bytes that others keep meanwhile."""
    last = len(entries) - 1
    for number, entry in enumerate(entries):
        moment = {0: "inputs", last: "outputs"}.get(number, f"step {number}")
        yield {**entry, "moment": f"{title}, {moment}", "used_bytes": entry["used_bytes"] + others_bytes}


def _shifted(buffer: Record, title: str, start: int) -> Record:
    """A buffer in its model's part of the time, named apart from the other models'."""
    return {
        **buffer,
        "name": f"{title}: {buffer['name']}",
        "first": start + buffer["first"],
        "last": start + buffer["last"],
        "over": [f"{title}: {other}" for other in buffer["over"]],
    }


def _kept(span: Mapping[str, Any], moments: int) -> Record:
    return {
        "name": span["what"],
        "kind": "state",
        "type": "",
        "offset_bytes": span["offset_bytes"],
        "size_bytes": span["size_bytes"],
        "first": 0,
        "last": moments - 1,
        "over": [],
    }
