# SPDX-License-Identifier: Apache-2.0
"""What a program tells about its buffers, to people and to the poison build, is exactly what its calls do with them.

Place, size and life of every buffer are derived again from the emitted calls and ports; the arena ends where the
highest buffer does. That of a pool may go on, as `validate_pool` knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stowage.codegen.program import ArenaPointer, Port, Program, Slot
from stowage.codegen.unsound import unsound


@dataclass(slots=True)
class _Use:
    """The bytes of a buffer that are touched, and the moments at which they are."""

    start_bytes: int
    end_bytes: int
    first: int
    last: int

    def widen(self, other: _Use) -> None:
        self.start_bytes = min(self.start_bytes, other.start_bytes)
        self.end_bytes = max(self.end_bytes, other.end_bytes)
        self.first = min(self.first, other.first)
        self.last = max(self.last, other.last)


def check_slots(program: Program) -> None:
    """Compares every slot with what is done to its buffer.

    Raises:
        InvalidPlan: names the buffer.
    """
    slots = {slot.buffer: slot for slot in program.slots}
    if len(slots) != len(program.slots):
        raise unsound("arena", "two slots are of one buffer")
    if len({slot.macro for slot in program.slots}) != len(slots):
        raise unsound("arena", "two slots have one macro")
    derived = _uses(program)
    for buffer, use in derived.items():
        if buffer not in slots:
            raise unsound("arena", f'"{buffer}" has no slot')
        _check_slot(slots[buffer], use)
    idle = slots.keys() - derived.keys()
    if idle:
        raise unsound("arena", f'nothing uses "{min(idle)}"')
    if program.share is None and program.arena_bytes != end_bytes(program):
        raise unsound("arena", f"it has {program.arena_bytes} bytes, but its buffers end at byte {end_bytes(program)}")
    for arena in program.further_arenas:
        end = max((_end(slot) for slot in program.slots_in(arena)), default=arena.start_bytes)
        if arena.end_bytes != end:
            size_bytes, local_bytes = arena.size_bytes, end - arena.start_bytes
            raise unsound(
                f"arena {arena.name}", f"it has {size_bytes} bytes, but its buffers end at byte {local_bytes}"
            )


def end_bytes(program: Program) -> int:
    """Where the highest buffer of the main arena ends."""
    return max((_end(slot) for slot in program.slots_in(None)), default=0)


def _end(slot: Slot) -> int:
    return slot.offset_bytes + slot.size_bytes


def _uses(program: Program) -> dict[str, _Use]:
    derived: dict[str, _Use] = {}
    for buffer, use in _each_use(program):
        if buffer in derived:
            derived[buffer].widen(use)
        else:
            derived[buffer] = use
    return derived


def _each_use(program: Program) -> Iterator[tuple[str, _Use]]:
    """A state is found at moment 0, and left at that at which outputs are read. A joint, which is proved before, reads
    all of its parts and makes all of its whole."""
    end = len(program.calls) + 1
    ports = [(port, 0) for port in program.inputs] + [(port, end) for port in program.outputs]
    ports += [(state.held, 0) for state in program.states] + [(state.kept, end) for state in program.states]
    yield from (_of_port(port, moment) for port, moment in ports if port.value.type.elements)
    for moment, call in enumerate(program.calls, 1):
        for pointer in call.pointers:
            if isinstance(pointer, ArenaPointer):
                yield pointer.buffer, _Use(pointer.offset_bytes, pointer.end_bytes, moment, moment)
    for transfer in program.transfers:
        end_bytes = transfer.offset_bytes + transfer.size_bytes
        yield transfer.buffer, _Use(transfer.offset_bytes, end_bytes, transfer.start, transfer.wait)
    slots = {slot.buffer: slot for slot in program.slots}
    for joint in program.joints:
        for slot in (slots[buffer] for buffer in (joint.whole, *joint.parts)):
            yield slot.buffer, _Use(slot.offset_bytes, slot.offset_bytes + slot.size_bytes, joint.moment, joint.moment)


def _of_port(port: Port, moment: int) -> tuple[str, _Use]:
    return port.buffer, _Use(port.offset_bytes, port.offset_bytes + port.value.type.size_bytes, moment, moment)


def _check_slot(slot: Slot, use: _Use) -> None:
    """A buffer of no bytes has a slot of one."""
    end_bytes = slot.offset_bytes + slot.size_bytes
    if use.start_bytes < slot.offset_bytes or use.end_bytes > end_bytes:
        raise unsound("arena", f'"{slot.buffer}" is used outside of its slot')
    if use.start_bytes > slot.offset_bytes or max(use.end_bytes, use.start_bytes + 1) < end_bytes:
        raise unsound("arena", f'the slot of "{slot.buffer}" has bytes that nothing uses')
    if use.first < slot.first or use.last > slot.last:
        raise unsound("arena", f'"{slot.buffer}" is used outside of its life')
    if use.first > slot.first or use.last < slot.last:
        raise unsound("arena", f'"{slot.buffer}" is not used at the ends of its life')
