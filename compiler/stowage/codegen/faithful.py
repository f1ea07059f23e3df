# SPDX-License-Identifier: Apache-2.0
"""The proof that a program computes what its schedule says, wherever the plan has put things.

Call by call it has the schedule's kernels, parameters, constants and overlaps; every pointer leads to the bytes of the
value that the step is of, or to scratch of its own; a constant is read where it is stored, or where the transfer that
the schedule has for it has brought it; inputs, outputs and states are the schedule's. Places are only compared with
the slots of the same program, whose proof is `validate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stowage.codegen.program import Access, ArenaPointer, Call, DataPointer, Pointer, Port, Program
from stowage.codegen.unsound import unsound
from stowage.ir.graph import Array, Value
from stowage.schedule.schedule import Schedule, Step
from stowage.target.kernels.kernel import Argument, Direction, Place

_ACCESSES = {Place.INPUT: Access.READ, Place.OUTPUT: Access.WRITE, Place.SCRATCH: Access.SCRATCH}


def check_faithful(program: Program, schedule: Schedule) -> None:
    """Compares a program with its schedule.

    Raises:
        InvalidPlan: names the step or port at fault.
    """
    if len(program.calls) != len(schedule.steps):
        raise unsound("program", f"it has {len(program.calls)} calls for {len(schedule.steps)} steps")
    comparison = _Comparison(program, schedule)
    for moment, (call, step) in enumerate(zip(program.calls, schedule.steps, strict=True), 1):
        comparison.call(call, step, moment)
    comparison.ports_and_states()
    comparison.fed_input()
    comparison.joints()
    comparison.transfers()


class _Comparison:
    """A program and its schedule, with the tables to look things up in."""

    def __init__(self, program: Program, schedule: Schedule) -> None:
        self.program = program
        self.schedule = schedule
        self.slots = {slot.buffer: slot for slot in program.slots}
        self.data = {datum.symbol: datum for datum in program.data}
        self.views = {view.value.name: view for view in schedule.views}
        self.parts = _parts(schedule)
        self.digests = {value.name: digest for value, digest in schedule.constant_values}
        wanted = {each.buffer: each for each in schedule.transfers}
        self.staged = {
            (reader, wanted[each.buffer].constant): each
            for each in program.transfers
            if each.buffer in wanted
            for reader in wanted[each.buffer].readers
        }
        self.scratch: set[str] = set()
        if len(self.data) != len(program.data):
            raise unsound("constants", "two of them have one name")

    def call(self, call: Call, step: Step, moment: int) -> None:
        where = f'node "{step.node.name}"'
        kernels = [step.call.walking(direction) for direction in Direction]
        said = (call.header, call.function, call.parameters, call.overlaps)
        if said not in [(each.header, each.function, each.parameters, each.overlaps) for each in kernels]:
            raise unsound(where, "its call is not that of the schedule")
        if len(call.pointers) != len(step.call.arguments):
            raise unsound(where, f"its call has {len(call.pointers)} pointers for {len(step.call.arguments)} arguments")
        for pointer, argument in zip(call.pointers, step.call.arguments, strict=True):
            if not self._fits(pointer, argument, step, moment):
                raise unsound(where, f"its pointer to {argument.place.value} {argument.index} leads elsewhere")

    def _fits(self, pointer: Pointer, argument: Argument, step: Step, moment: int) -> bool:
        """Whether a pointer is to what the argument asks for."""
        constant = self._constant(argument, step)
        if argument.place is Place.CONSTANT and (moment, argument.index) in self.staged:
            return isinstance(pointer, ArenaPointer) and self._is_staged(pointer, argument, step, moment)
        if constant is not None:
            return isinstance(pointer, DataPointer) and self._is_constant(pointer, constant, argument.ctype)
        if not isinstance(pointer, ArenaPointer):
            return False
        told = (pointer.access, pointer.operand, pointer.ctype)
        if told != (_ACCESSES[argument.place], argument.index, argument.ctype):
            return False
        if argument.place is Place.SCRATCH:
            return self._is_scratch(pointer, step, step.call.scratch_bytes[argument.index])
        value = _values(argument, step)[argument.index]
        return pointer.size_bytes == value.type.size_bytes and self._is_at(pointer, value, moment)

    def _constant(self, argument: Argument, step: Step) -> Array | None:
        """What an argument reads from among the weights, if it does."""
        if argument.place is Place.CONSTANT:
            return step.call.constants[argument.index].array
        if argument.place is Place.SCRATCH:
            return None
        digest = self.digests.get(_values(argument, step)[argument.index].name)
        return None if digest is None else self.schedule.constants[digest]

    def _is_constant(self, pointer: DataPointer, array: Array, ctype: str) -> bool:
        """Whether the data of that name are the array's bytes."""
        datum = self.data.get(pointer.symbol)
        if datum is None or not pointer.ctype == datum.ctype == ctype:
            return False
        stored = self.program.constants.get(datum.digest)
        return stored is not None and stored.tobytes() == array.tobytes()

    def _is_staged(self, pointer: ArenaPointer, argument: Argument, step: Step, moment: int) -> bool:
        """Whether a pointer is to all that a transfer brings, which is the constant."""
        transfer = self.staged[moment, argument.index]
        array = step.call.constants[argument.index].array
        place = (transfer.buffer, transfer.offset_bytes, array.nbytes, Access.STAGED, argument.index, argument.ctype)
        read = (
            pointer.buffer,
            pointer.offset_bytes,
            pointer.size_bytes,
            pointer.access,
            pointer.operand,
            pointer.ctype,
        )
        return read == place and self._is_constant(DataPointer(transfer.symbol, argument.ctype), array, argument.ctype)

    def _is_scratch(self, pointer: ArenaPointer, step: Step, size_bytes: int) -> bool:
        """Whether it is all of a buffer that serves for nothing else, aligned as the kernel wants it."""
        alignment_bytes = step.call.scratch_alignment_bytes
        fresh = pointer.buffer not in self.scratch
        self.scratch.add(pointer.buffer)
        aligned = pointer.offset_bytes % alignment_bytes == 0 == self.program.alignment_bytes % alignment_bytes
        return fresh and aligned and self._within_slot(pointer) == 0 and pointer.size_bytes == size_bytes

    def _is_at(self, sited: ArenaPointer | Port, value: Value, moment: int) -> bool:
        """Whether a place is the value's own: all of a buffer of its name, or its part of the buffer that it views, or
        that its base has become a part of."""
        view = self.views.get(value.name)
        base, within_bytes = (value.name, 0) if view is None else (view.base.name, view.offset_bytes)
        part = self.parts.get(base)
        if part is not None and moment > part.joined:
            base, within_bytes = part.whole, part.offset_bytes + within_bytes
        return sited.buffer == base and self._within_slot(sited) == within_bytes

    def _within_slot(self, sited: ArenaPointer | Port) -> int | None:
        slot = self.slots.get(sited.buffer)
        return None if slot is None else sited.offset_bytes - slot.offset_bytes

    def ports_and_states(self) -> None:
        states = self.schedule.states
        held, kept = [state.held for state in states], [state.kept for state in states]
        self._ports(self.program.inputs, [value for value in self.schedule.inputs if value not in held], "input")
        self._ports(self.program.outputs, [value for value in self.schedule.outputs if value not in kept], "output")
        self._ports([state.held for state in self.program.states], held, "state")
        self._ports([state.kept for state in self.program.states], kept, "state")
        for port, state in zip(self.program.states, states, strict=True):
            if (port.output, port.initial) != (state.output, _zero(state.held)):
                raise unsound(f'state "{state.held.name}"', "it does not begin as zero, or is another output's")

    def fed_input(self) -> None:
        said, wanted = self.program.fed, self.schedule.fed
        if (None if said is None else said.value) != wanted:
            raise unsound("program", "the input that is fed by rows is not that of the schedule")

    def _ports(self, ports: Sequence[Port], values: Sequence[Value], kind: str) -> None:
        if [port.value for port in ports] != list(values):
            raise unsound("program", f"its {kind}s are not those of the schedule")
        if len({port.identifier for port in ports}) != len(ports):
            raise unsound("program", f"two of its {kind}s have one name")
        moment = 0 if kind == "input" else len(self.program.calls) + 1
        for port in ports:
            if port.value.type.elements and not self._is_at(port, port.value, moment):
                raise unsound(f'{kind} "{port.value.name}"', "it leads elsewhere")

    def joints(self) -> None:
        """Parts become one in their order, when the last is made."""
        said = [(joint.whole, joint.parts, joint.moment) for joint in self.program.joints]
        wanted = []
        for join in self.schedule.joins:
            names = tuple(part.name for part in join.parts)
            wanted.append((join.whole.name, names, max(self.parts[name].joined for name in names)))
        if said != wanted:
            raise unsound("program", "its parts do not become one as those of the schedule do")

    def transfers(self) -> None:
        """They are the schedule's; what each brings is held against the pointer that reads it."""
        said = [(each.buffer, each.start, each.wait) for each in self.program.transfers]
        if said != [(each.buffer, each.start, each.moment) for each in self.schedule.transfers]:
            raise unsound("program", "its transfers are not those of the schedule")


@dataclass(frozen=True, slots=True)
class _Part:
    """Where in which whole a value lies, and the moment after which it is only that."""

    whole: str
    offset_bytes: int
    joined: int


def _parts(schedule: Schedule) -> dict[str, _Part]:
    """By name, the values that are parts."""
    made = {value.name: moment for moment, step in enumerate(schedule.steps, 1) for value in step.node.outputs}
    parts: dict[str, _Part] = {}
    for join in schedule.joins:
        offset_bytes, joined = 0, max(made[part.name] for part in join.parts)
        for part in join.parts:
            parts[part.name] = _Part(join.whole.name, offset_bytes, joined)
            offset_bytes += part.type.size_bytes
    return parts


def _values(argument: Argument, step: Step) -> tuple[Value, ...]:
    return step.node.inputs if argument.place is Place.INPUT else step.node.outputs


def _zero(value: Value) -> int:
    """The integer, or real number, that stands for zero."""
    quant = value.type.quant
    return quant.zero_point if quant is not None and quant.axis is None else 0
