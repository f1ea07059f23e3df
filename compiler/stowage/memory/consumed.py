# SPDX-License-Identifier: Apache-2.0
"""What is read row by row makes room as it is read: bytes that no later step reads are free for what is made then.

A value that is made while another one is consumed may lie over the rows that have been read for the last time. That is
one demand on where it starts: each of its bytes is written when the byte of the other one below it is dead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from stowage.ir.graph import Value
from stowage.memory.problem import Buffer, InPlace
from stowage.schedule.schedule import Schedule, View, storage


@dataclass(frozen=True, slots=True)
class _Write:
    """Bytes of a buffer up to `end_bytes` are first written at `moment`."""

    moment: int
    end_bytes: int


def made_over_what_is_read(schedule: Schedule, buffers: tuple[Buffer, ...]) -> Iterator[InPlace]:
    """For each value that the schedule consumes, the buffers that may lie over what has been read of it."""
    within = storage(schedule)
    kept = {name for state in schedule.states for name in (state.held.name, state.kept.name)}
    sources = {within[name].base.name if name in within else name for name in schedule.consumed}
    known = {buffer.name: buffer for buffer in buffers}
    writes = _writes(schedule, within, known)
    for source in (known[name] for name in sorted(sources - kept) if name in known):
        heads = _dead_heads(schedule, within, source)
        for buffer in buffers:
            if source.first < buffer.first <= source.last and buffer.name not in kept:
                during = [write for write in writes[buffer.name] if write.moment <= source.last]
                distance = max(write.end_bytes - heads[write.moment] for write in during)
                if distance < buffer.size_bytes:
                    yield InPlace(buffer.name, source.name, distance)


def _dead_heads(schedule: Schedule, within: Mapping[str, View], source: Buffer) -> list[int]:
    """By moment, how many of a buffer's first bytes neither the step of that moment nor a later one reads."""
    heads = [source.size_bytes] * (source.last + 1)
    if source.last > len(schedule.steps):  # it is an output
        return [0] * (source.last + 1)
    for moment, step in enumerate(schedule.steps[: source.last], 1):
        reads = [_place(value, within) for value in step.node.inputs]
        starts = [offset for name, offset in reads if name == source.name]
        heads[moment] = min([heads[moment], *starts])
    for moment in reversed(range(source.last)):
        heads[moment] = min(heads[moment], heads[moment + 1])
    return heads


def _writes(schedule: Schedule, within: Mapping[str, View], known: Mapping[str, Buffer]) -> dict[str, list[_Write]]:
    """What steps write of each buffer; of those that are no values (scratch), all at once."""
    writes: dict[str, list[_Write]] = {name: [] for name in known}
    for moment, step in enumerate(schedule.steps, 1):
        for value in step.node.outputs:
            name, offset = _place(value, within)
            if name in writes:
                writes[name].append(_Write(moment, offset + value.type.size_bytes))
    return {name: each or [_Write(known[name].first, known[name].size_bytes)] for name, each in writes.items()}


def _place(value: Value, within: Mapping[str, View]) -> tuple[str, int]:
    view = within.get(value.name)
    return (value.name, 0) if view is None else (view.base.name, view.offset_bytes)
