# SPDX-License-Identifier: Apache-2.0
"""The proof of a plan, made from the emitted program alone.

A state is proved for one run after another: a run begins with its bytes, which the caller's inputs must leave alone,
and ends with them again. So are a pool's bytes that are others': they are there before the inputs are written and still
there at the end, those apart that the caller fills between runs alone, which the outputs have to survive.

Nothing of the planner is believed: neither lives nor in-place pairs nor offsets. The program is run symbolically, with
every byte of the arena labelled by the buffer that was last written there. A call may read a buffer only where all its
bytes still carry its label, and may write over an operand of its own only as far as the kernel declares. A buffer that
is made in parts gets its label once every one of its bytes is known to be a part's, in the parts' order. A transfer's
bytes have a label of their own from its start on, which no call may read, and get their buffer's when it is waited for,
if nobody has touched them until then. The caller may write inputs and read outputs in any order, so that none of them
shares a byte with another.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from stowage.codegen.feed_check import check_feeds
from stowage.codegen.program import Access, ArenaPointer, Call, Joint, Port, Program, Slot, StatePort, Transfer
from stowage.codegen.slot_check import check_slots
from stowage.codegen.transfer_check import check_transfers
from stowage.codegen.unsound import unsound
from stowage.memory.share import Foreign
from stowage.target.kernels.kernel import FORWARD, Direction, Overlap

_CTYPE_BYTES = {"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "float": 4}
_WIDEST_BYTES = 8
_NOBODY = -1


def validate(program: Program) -> None:
    """Proves that no byte is read that is not its tensor's, none touched outside of the arena, and all slots true.

    Raises:
        InvalidPlan: names the step and the buffers at fault.
    """
    check_transfers(program)
    check_feeds(program)
    arena = _Arena(program)
    foreign = program.share.foreign if program.share else ()
    found = [*((state.held, "state") for state in program.states), *((port, "input") for port in program.inputs)]
    left = [(port, "output") for port in program.outputs] + [(state.kept, "state") for state in program.states]
    arena.lend(foreign)
    for port, kind in _with_bytes(found):
        arena.write(_port(port, Access.WRITE), f"{kind} {port.identifier}")
    arena.take_back(foreign, "what the caller writes spoils")
    for port, kind in _with_bytes(found):
        arena.read(_port(port, Access.READ), f"{kind} {port.identifier}")
    for moment, call in enumerate(program.calls, 1):
        _check_transfers(program, moment, arena)
        _check_call(call, arena)
        for joint in program.joints:
            if joint.moment == moment:
                arena.join(joint)
    arena.take_back(tuple(each for each in foreign if each.is_kept), "a run spoils")
    arena.lend(foreign)
    for state in program.states:
        _check_kept(state)
    for port, kind in _with_bytes(left):
        arena.read(_port(port, Access.READ), f"{kind} {port.identifier}")
    _check_apart([port for port, _ in _with_bytes(left)])
    _check_further(program, [port for port, _ in (*found, *left)])
    check_slots(program)


def _check_transfers(program: Program, moment: int, arena: _Arena) -> None:
    """The copies that start, and those that are waited for, before a moment's call."""
    for number, transfer in enumerate(program.transfers):
        if transfer.start == moment:
            arena.send(transfer, number)
    for number, transfer in enumerate(program.transfers):
        if transfer.wait == moment:
            arena.receive(transfer, number)


def _check_apart(ports: list[Port]) -> None:
    """What the caller may read, and write for the next run, has bytes of its own."""
    for one, other in combinations(ports, 2):
        a, b = _port(one, Access.READ), _port(other, Access.READ)
        if a.offset_bytes < b.end_bytes and b.offset_bytes < a.end_bytes:
            raise unsound(f"output {one.identifier}", f"it shares bytes with output {other.identifier}")


def _check_further(program: Program, ports: list[Port]) -> None:
    """What the caller reaches by the main arena lies there, and each further one is as aligned as it and follows those
    before it."""
    end_bytes = program.arena_bytes
    for arena in program.further_arenas:
        if arena.start_bytes % program.alignment_bytes or arena.start_bytes < end_bytes or arena.size_bytes < 0:
            raise unsound(f"arena {arena.name}", f"it cannot start at byte {arena.start_bytes}")
        end_bytes = arena.end_bytes
    for port in ports:
        if (beyond := program.arena_of(port.offset_bytes)) is not None and port.value.type.elements:
            raise unsound(f"port {port.identifier}", f"the caller does not reach it in arena {beyond.name}")
    names = [arena.name for arena in program.further_arenas]
    if len(set(names)) != len(names):
        raise unsound("arenas", "two of them have one name")
    if names and (program.share is not None or program.transfers or program.variant is not None):
        raise unsound(f"arena {names[0]}", "pools, transfers and models of several sizes have one arena")


def _check_kept(state: StatePort) -> None:
    """What a run leaves has to be where, and as much as, the next run finds."""
    found, left = (
        (port.offset_bytes, port.value.type.size_bytes, port.value.type.dtype) for port in (state.held, state.kept)
    )
    if found != left:
        raise unsound(f"state {state.held.identifier}", f"a run leaves {left[:2]}, but the next one finds {found[:2]}")


def _with_bytes(ports: list[tuple[Port, str]]) -> Iterator[tuple[Port, str]]:
    """A tensor without elements touches no byte."""
    return (each for each in ports if each[0].value.type.elements)


class _Arena:
    """Which buffer each byte belongs to."""

    def __init__(self, program: Program) -> None:
        self._owner: NDArray[np.int32] = np.full(program.memory_bytes, _NOBODY, dtype=np.int32)
        self._program = program
        self._alignment_bytes = program.alignment_bytes
        self._slots = {slot.buffer: slot for slot in program.slots}
        self._labels = {buffer: label for label, buffer in enumerate(self._slots)}
        self._strangers: dict[Foreign, int] = {}

    def write(self, pointer: ArenaPointer, where: str) -> None:
        self._check(pointer, where)
        self._owner[pointer.offset_bytes : pointer.end_bytes] = self._labels[pointer.buffer]

    def spoil(self, pointer: ArenaPointer, where: str) -> None:
        self._check(pointer, where)
        self._owner[pointer.offset_bytes : pointer.end_bytes] = _NOBODY

    def read(self, pointer: ArenaPointer, where: str) -> None:
        self._check(pointer, where)
        label = self._labels[pointer.buffer]
        strangers = np.flatnonzero(self._owner[pointer.offset_bytes : pointer.end_bytes] != label)
        if strangers.size:
            offset = pointer.offset_bytes + int(strangers[0])
            raise unsound(where, f'byte {offset} of the arena no longer holds "{pointer.buffer}" when it is read')

    def send(self, transfer: Transfer, number: int) -> None:
        """Bytes are on their way: whoever touches them now is found out."""
        self.spoil(_of_transfer(transfer), f'transfer of "{transfer.buffer}"')
        self._owner[transfer.offset_bytes : transfer.offset_bytes + transfer.size_bytes] = _in_flight(number)

    def receive(self, transfer: Transfer, number: int) -> None:
        """They are there, if nobody has touched them."""
        where = f'transfer of "{transfer.buffer}"'
        owners = self._owner[transfer.offset_bytes : transfer.offset_bytes + transfer.size_bytes]
        touched = np.flatnonzero(owners != _in_flight(number))
        if touched.size:
            raise unsound(where, f"byte {transfer.offset_bytes + int(touched[0])} of the arena is touched on its way")
        self.write(_of_transfer(transfer), where)

    def lend(self, foreign: tuple[Foreign, ...]) -> None:
        """Others write their bytes."""
        for label, each in enumerate(foreign, len(self._labels)):
            if each.offset_bytes < 0 or each.size_bytes < 1 or each.offset_bytes + each.size_bytes > self._owner.size:
                raise unsound(each.name, f"it lies outside of an arena of {self._owner.size} bytes")
            self._owner[each.offset_bytes : each.offset_bytes + each.size_bytes] = self._strangers.setdefault(
                each, label
            )

    def take_back(self, foreign: tuple[Foreign, ...], what: str) -> None:
        """They find them as they left them."""
        for each in foreign:
            owners = self._owner[each.offset_bytes : each.offset_bytes + each.size_bytes]
            spoiled = np.flatnonzero(owners != self._strangers[each])
            if spoiled.size:
                raise unsound(each.name, f"{what} its byte {each.offset_bytes + int(spoiled[0])} of the arena")

    def join(self, joint: Joint) -> None:
        """Gives the bytes of the parts to the whole."""
        where = f'"{joint.whole}"'
        if any(buffer not in self._slots for buffer in (joint.whole, *joint.parts)):
            raise unsound(where, "it, or one of its parts, has no slot")
        whole, parts = self._slots[joint.whole], [self._slots[part] for part in joint.parts]
        end = whole.offset_bytes
        for part in parts:
            if part.offset_bytes != end:
                raise unsound(where, f'its part "{part.buffer}" does not begin where the one before it ends')
            self.read(_all_of(part, Access.READ), where)
            end += part.size_bytes
        if end != whole.offset_bytes + whole.size_bytes:
            raise unsound(where, "its parts do not fill it")
        self.write(_all_of(whole, Access.WRITE), where)

    def _check(self, pointer: ArenaPointer, where: str) -> None:
        if pointer.buffer not in self._slots:
            raise unsound(where, f'"{pointer.buffer}" has no slot')
        if pointer.offset_bytes < 0 or pointer.size_bytes < 0 or pointer.end_bytes > self._owner.size:
            span = f"bytes {pointer.offset_bytes} to {pointer.end_bytes}"
            raise unsound(where, f'"{pointer.buffer}" takes {span} of an arena of {self._owner.size} bytes')
        arena = self._program.arena_of(pointer.offset_bytes)
        if pointer.end_bytes > (self._program.arena_bytes if arena is None else arena.end_bytes):
            raise unsound(where, f'"{pointer.buffer}" reaches beyond the arena in which it begins')
        element_bytes = _CTYPE_BYTES.get(pointer.ctype, _WIDEST_BYTES)
        if pointer.offset_bytes % element_bytes or self._alignment_bytes % element_bytes:
            raise unsound(where, f'"{pointer.buffer}" lies misaligned at byte {pointer.offset_bytes}')


def _check_call(call: Call, arena: _Arena) -> None:
    pointers = [pointer for pointer in call.pointers if isinstance(pointer, ArenaPointer)]
    for pointer in (*_of(pointers, Access.READ), *_of(pointers, Access.STAGED)):
        arena.read(pointer, call.summary)
    for a, b in combinations(pointers, 2):
        if a.offset_bytes < b.end_bytes and b.offset_bytes < a.end_bytes and not _may_share(a, b, _standing(call)):
            raise unsound(call.summary, f'"{a.buffer}" and "{b.buffer}" share bytes that the kernel does not allow')
    for pointer in _of(pointers, Access.SCRATCH):
        arena.spoil(pointer, call.summary)
    for pointer in _of(pointers, Access.WRITE):
        arena.write(pointer, call.summary)


def _of(pointers: list[ArenaPointer], access: Access) -> Iterator[ArenaPointer]:
    return (pointer for pointer in pointers if pointer.access is access)


def _standing(call: Call) -> tuple[Overlap, ...]:
    """The overlaps that hold for the way in which the emitted call walks, where it could walk either way."""
    backward = dict(call.parameters).get(FORWARD[0])
    if backward is None:
        return call.overlaps
    direction = Direction.BACKWARD if backward else Direction.FORWARD
    return tuple(overlap for overlap in call.overlaps if overlap.direction is direction)


def _may_share(a: ArenaPointer, b: ArenaPointer, overlaps: tuple[Overlap, ...]) -> bool:
    """Overlaps are declared of the first output."""
    accesses = {a.access, b.access}
    if accesses == {Access.READ}:
        return True
    if accesses != {Access.READ, Access.WRITE}:
        return False
    source, output = (a, b) if a.access is Access.READ else (b, a)
    declared = [overlap for overlap in overlaps if overlap.input == source.operand and output.operand == 0]
    return any(_keeps(overlap, source, output) for overlap in declared)


def _keeps(overlap: Overlap, source: ArenaPointer, output: ArenaPointer) -> bool:
    """Whether the places honour the declared safe distance."""
    if overlap.direction is Direction.FORWARD:
        return source.offset_bytes - output.offset_bytes >= overlap.distance_bytes
    return output.end_bytes - source.end_bytes >= overlap.distance_bytes


def _in_flight(transfer: int) -> int:
    """The label of the bytes of a transfer that has not been waited for."""
    return _NOBODY - 1 - transfer


def _of_transfer(transfer: Transfer) -> ArenaPointer:
    return ArenaPointer(transfer.buffer, transfer.offset_bytes, transfer.size_bytes, Access.WRITE, 0, "uint8_t")


def _all_of(slot: Slot, access: Access) -> ArenaPointer:
    return ArenaPointer(slot.buffer, slot.offset_bytes, slot.size_bytes, access, 0, "uint8_t")


def _port(port: Port, access: Access) -> ArenaPointer:
    size_bytes = port.value.type.size_bytes
    ctype = f"uint{8 * port.value.type.dtype.size_bytes}_t"
    return ArenaPointer(port.buffer, port.offset_bytes, size_bytes, access, 0, ctype)
