# SPDX-License-Identifier: Apache-2.0
"""Test support: runs a program byte by byte with the most hostile kernels that keep their word.

Every byte is a token that says who wrote it. The program runs at once in its arena and on an ideal machine where each
buffer has storage of its own; it is sound if both always read the same tokens. A hostile kernel fills its scratch first
and once more at the end, wants it untouched in between, writes its output as early as its overlaps allow, and
reads every operand for which it declares none when the whole output is written. Overlaps are of its first output;
further ones it writes at the start and at the end. The caller writes inputs in any order. A transfer spoils its bytes
when it starts, wants them left alone, and brings all of them in the moment in which it is waited for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from stowage.codegen.program import Access, ArenaPointer, Call, Joint, Port, Program, StatePort, Transfer
from stowage.target.kernels.kernel import Direction

_BITS = re.compile(r"u?int(\d+)_t")
_WIDTHS = {"float": 4, "double": 8}
Token = tuple[object, ...]
Kept = dict[tuple[str, int], Token]
"""The tokens of a program's states by buffer and address."""


class Unsound(Exception):
    """A byte that isn't what it should be, or isn't there."""


def check(program: Program) -> None:
    """Runs a program.

    Raises:
        Unsound: its memory plan makes it compute something else than it says.
    """
    arena: dict[int, Token] = {}
    run(program, arena, reset(program, arena), "the run")


def reset(program: Program, arena: dict[int, Token]) -> Kept:
    """Begins a stream in an arena: every byte of every state gets a token of its own."""
    machine = _Machine(program, arena)
    for state in program.states:
        machine.aligned(state.held.offset_bytes, state.held.value.type.dtype.size_bytes)
        for index in range(state.held.value.type.size_bytes):
            token = ("state", program.name, state.held.value.name, index)
            machine.write(state.held.buffer, state.held.offset_bytes + index, token)
    return machine.own


def run(program: Program, arena: dict[int, Token], kept: Kept, label: str) -> Kept:
    """Runs a program once in an arena that may hold other things as well.

    Args:
        program: the program.
        arena: tokens by address, which the run changes.
        kept: what the last run of the program, or its reset, returned.
        label: of this run, so that its tokens are no other's.

    Raises:
        Unsound: the run does not find its states, or computes something else than it says.
    """
    machine = _Machine(program, arena, dict(kept), label)
    for port in program.inputs:
        machine.aligned(port.offset_bytes, port.value.type.dtype.size_bytes)
        for index in range(port.value.type.size_bytes):
            machine.write(port.buffer, port.offset_bytes + index, (label, "input", port.value.name, index))
    for port in [*(state.held for state in program.states), *program.inputs]:
        machine.read_port(port)
    for number, call in enumerate(program.calls):
        _transfers(machine, number + 1)
        _run(machine, number, call)
        for joint in program.joints:
            if joint.moment == number + 1:
                _join(machine, joint)
    for port in program.outputs:
        machine.aligned(port.offset_bytes, port.value.type.dtype.size_bytes)
        machine.read_port(port)
    return dict(item for state in program.states for item in _kept(machine, state))


def _transfers(machine: _Machine, moment: int) -> None:
    for transfer in machine.program.transfers:
        if transfer.start == moment:
            _bring(machine, transfer, "on its way")
    for transfer in machine.program.transfers:
        if transfer.wait == moment:
            for place in range(transfer.offset_bytes, transfer.offset_bytes + transfer.size_bytes):
                machine.read(transfer.buffer, place)
            _bring(machine, transfer, "arrived")


def _bring(machine: _Machine, transfer: Transfer, what: str) -> None:
    for index in range(transfer.size_bytes):
        token = (machine.label, what, transfer.symbol, index)
        machine.write(transfer.buffer, transfer.offset_bytes + index, token)


def _join(machine: _Machine, joint: Joint) -> None:
    """On the ideal machine the parts, one after the other, are moved into the whole's own storage."""
    slots = {slot.buffer: slot for slot in machine.program.slots}
    if any(buffer not in slots for buffer in (joint.whole, *joint.parts)):
        raise Unsound("a buffer without a place")
    address = slots[joint.whole].offset_bytes
    for part in (slots[name] for name in joint.parts):
        for place in range(part.offset_bytes, part.offset_bytes + part.size_bytes):
            machine.read(part.buffer, place)
            machine.own[joint.whole, address] = machine.own[part.buffer, place]
            address += 1


def _kept(machine: _Machine, state: StatePort) -> Iterator[tuple[tuple[str, int], Token]]:
    """The next run reads, where the state is held, what this one made to be kept."""
    for index in range(state.held.value.type.size_bytes):
        machine.read(state.kept.buffer, state.kept.offset_bytes + index)
        kept = machine.own[state.kept.buffer, state.kept.offset_bytes + index]
        if machine.arena.get(state.held.offset_bytes + index) != kept:
            raise Unsound(f"the next run does not find byte {index} of {state.kept.buffer}")
        yield (state.held.buffer, state.held.offset_bytes + index), kept


@dataclass(slots=True)
class _Machine:
    """Two memories: the arena, and a storage for each buffer whose addresses are those of the arena."""

    program: Program
    arena: dict[int, Token]
    own: dict[tuple[str, int], Token] = field(default_factory=dict)
    label: str = ""

    def aligned(self, address: int, element_bytes: int) -> None:
        if address % element_bytes or self.program.alignment_bytes % element_bytes:
            raise Unsound(f"misaligned at {address}")

    def write(self, buffer: str, address: int, token: Token) -> None:
        if not 0 <= address < self.program.arena_bytes:
            raise Unsound(f"byte {address} of an arena of {self.program.arena_bytes}")
        self.arena[address] = self.own[buffer, address] = token

    def read(self, buffer: str, address: int) -> None:
        token = self.own.get((buffer, address))
        if token is None or not 0 <= address < self.program.arena_bytes or self.arena.get(address) != token:
            raise Unsound(f"byte {address} should be {buffer}'s {token}, but is {self.arena.get(address)}")

    def read_port(self, port: Port) -> None:
        for index in range(port.value.type.size_bytes):
            self.read(port.buffer, port.offset_bytes + index)


def _run(machine: _Machine, number: int, call: Call) -> None:
    pointers = [pointer for pointer in call.pointers if isinstance(pointer, ArenaPointer)]
    for pointer in pointers:
        machine.aligned(pointer.offset_bytes, _width_bytes(pointer.ctype))
    by_access = {access: [each for each in pointers if each.access is access] for access in Access}
    _fill(machine, number, by_access[Access.SCRATCH])
    output, *others = sorted(by_access[Access.WRITE], key=lambda each: each.operand)
    _fill(machine, number, others)
    reads = _reads(call, [*by_access[Access.READ], *by_access[Access.STAGED]], output.size_bytes)
    for time in range(output.size_bytes + 1):
        for buffer, address in reads[time]:
            machine.read(buffer, address)
        if time < output.size_bytes:
            index = time if _forward(call) else output.size_bytes - 1 - time
            machine.write(output.buffer, output.offset_bytes + index, (machine.label, number, index))
    for pointer in by_access[Access.SCRATCH]:
        _read_all(machine, pointer)
    _fill(machine, number, by_access[Access.SCRATCH])
    _fill(machine, number, others)
    for pointer in (output, *others):
        _read_all(machine, pointer)


def _width_bytes(ctype: str) -> int:
    bits = _BITS.fullmatch(ctype)
    return int(bits[1]) // 8 if bits else _WIDTHS[ctype]


def _fill(machine: _Machine, number: int, pointers: list[ArenaPointer]) -> None:
    for pointer in pointers:
        for address in range(pointer.offset_bytes, pointer.end_bytes):
            machine.write(pointer.buffer, address, (machine.label, number, pointer.buffer, address))


def _read_all(machine: _Machine, pointer: ArenaPointer) -> None:
    for address in range(pointer.offset_bytes, pointer.end_bytes):
        machine.read(pointer.buffer, address)


def _forward(call: Call) -> bool:
    return all(overlap.direction is Direction.FORWARD for overlap in call.overlaps)


def _reads(call: Call, operands: list[ArenaPointer], written: int) -> dict[int, list[tuple[str, int]]]:
    """What is read when so many bytes of the output, of which there will be `written`, are there."""
    distances = {overlap.input: overlap.distance_bytes for overlap in call.overlaps}
    reads: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for pointer in operands:
        distance = distances.get(pointer.operand) if pointer.access is Access.READ else None
        for index in range(pointer.size_bytes):
            time = written if distance is None else max(0, min(written, index + distance))
            offset = index if _forward(call) else pointer.size_bytes - 1 - index
            reads[time].append((pointer.buffer, pointer.offset_bytes + offset))
    return reads
