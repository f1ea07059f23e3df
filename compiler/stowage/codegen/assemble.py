# SPDX-License-Identifier: Apache-2.0
"""Plan to Program: every pointer resolved to an offset or a symbol, every constant stored once."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.codegen.identifiers import Names
from stowage.codegen.program import Access, ArenaPointer, Call, DataPointer, Datum, Pointer, Port, Program, Slot
from stowage.ir.graph import Array, Value, digest_of
from stowage.memory.lives import scratch_name
from stowage.memory.plan import Plan
from stowage.schedule.schedule import Step
from stowage.target.kernels.kernel import Argument, KernelConstant, Place

_ACCESS = {Place.INPUT: Access.READ, Place.OUTPUT: Access.WRITE, Place.SCRATCH: Access.SCRATCH}


def assemble(plan: Plan) -> Program:
    """The program of a plan."""
    return _Assembly(plan).program()


class _Assembly:
    """The tables that resolving pointers fills: names given, constants stored."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.schedule = plan.schedule
        self.offsets = {placed.buffer.name: placed.offset_bytes for placed in plan.placed}
        self.views = {view.value.name: view for view in self.schedule.views}
        self.digests = {value.name: digest for value, digest in self.schedule.constant_values}
        self.slot_names = Names()
        self.symbols = Names()
        self.data: dict[tuple[str, str], Datum] = {}
        self.arrays: dict[str, Array] = {}

    def program(self) -> Program:
        calls = tuple(self._call(index, step) for index, step in enumerate(self.schedule.steps))
        return Program(
            name=self.schedule.name,
            inputs=self._ports(self.schedule.inputs),
            outputs=self._ports(self.schedule.outputs),
            slots=tuple(self._slots()),
            arena_bytes=self.plan.arena_bytes,
            alignment_bytes=self.plan.alignment_bytes,
            data=tuple(self.data.values()),
            calls=calls,
            constants=self.arrays,
        )

    def _ports(self, values: tuple[Value, ...]) -> tuple[Port, ...]:
        names = Names()
        return tuple(Port(value, names.of(value.name), self._base(value), self._offset(value.name)) for value in values)

    def _slots(self) -> Iterator[Slot]:
        for placed in self.plan.placed:
            buffer = placed.buffer
            macro = f"{self.schedule.name}_{self.slot_names.of(buffer.name)}_offset".upper()
            yield Slot(macro, buffer.name, placed.offset_bytes, buffer.size_bytes, buffer.first, buffer.last)

    def _base(self, value: Value) -> str:
        return self.views[value.name].base.name if value.name in self.views else value.name

    def _offset(self, value: str) -> int:
        if value in self.views:
            view = self.views[value]
            return self.offsets[view.base.name] + view.offset_bytes
        return self.offsets[value]

    def _call(self, index: int, step: Step) -> Call:
        call = step.call
        return Call(
            symbol=f"{self.schedule.name}_{index:02d}_{self.symbols.of(step.node.name)}",
            summary=_summary(step),
            header=call.header,
            function=call.function,
            parameters=call.parameters,
            pointers=tuple(self._pointer(step, argument) for argument in call.arguments),
            overlaps=call.overlaps,
        )

    def _pointer(self, step: Step, argument: Argument) -> Pointer:
        if argument.place is Place.CONSTANT:
            return self._constant(step, step.call.constants[argument.index], argument.ctype)
        if argument.place is Place.SCRATCH:
            return self._scratch(step, argument)
        values = step.node.inputs if argument.place is Place.INPUT else step.node.outputs
        value = values[argument.index]
        if value.name in self.digests:
            array = self.schedule.constants[self.digests[value.name]]
            return self._constant(step, KernelConstant(value.name, array), argument.ctype)
        base = self._base(value)
        access = _ACCESS[argument.place]
        return ArenaPointer(
            base, self._offset(value.name), value.type.size_bytes, access, argument.index, argument.ctype
        )

    def _scratch(self, step: Step, argument: Argument) -> ArenaPointer:
        name = scratch_name(step, argument.index)
        size = step.call.scratch_bytes[argument.index]
        return ArenaPointer(name, self.offsets[name], size, Access.SCRATCH, argument.index, argument.ctype)

    def _constant(self, step: Step, constant: KernelConstant, ctype: str) -> DataPointer:
        digest = digest_of(constant.array)
        key = (digest, ctype)
        if key not in self.data:
            symbol = f"{self.schedule.name}_{self.symbols.of(f'{step.node.name}_{constant.role}')}"
            self.data[key] = Datum(symbol, constant.role, ctype, digest)
            self.arrays[digest] = constant.array
        return DataPointer(self.data[key].symbol, ctype)


def _summary(step: Step) -> str:
    """For instance `conv2d "conv1": i8 1x8x8x1 -> i8 1x8x8x8`."""
    sources = ", ".join(_type(value) for value in step.node.inputs[:1])
    results = ", ".join(_type(value) for value in step.node.outputs)
    return f'{step.node.op.mnemonic} "{step.node.name}": {sources} -> {results}'


def _type(value: Value) -> str:
    return f"{value.type.dtype.value} {'x'.join(map(str, value.type.shape)) or 'scalar'}"
