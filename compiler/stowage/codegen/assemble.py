# SPDX-License-Identifier: Apache-2.0
"""Plan to Program: every pointer resolved to an offset or a symbol, every constant stored once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from stowage.codegen.identifiers import Names
from stowage.codegen.program import (
    Access,
    ArenaPointer,
    Call,
    DataPointer,
    Datum,
    FedInput,
    Joint,
    Pointer,
    Port,
    Program,
    Slot,
    StatePort,
    Transfer,
)
from stowage.ir.graph import Array, Node, Value, digest_of
from stowage.ir.tensor_type import TensorType
from stowage.memory.lives import kept_bases, moments, scratch_name
from stowage.memory.plan import Plan
from stowage.schedule.schedule import Step, join_moments, storage
from stowage.target.kernels.kernel import Argument, Direction, KernelConstant, Overlap, Place

_ELEMENTS = {
    **{f"{kind}{8 * size}_t": np.dtype(f"{kind[0]}{size}") for kind in ("int", "uint") for size in (1, 2, 4, 8)},
    "float": np.dtype(np.float32),
    "double": np.dtype(np.float64),
}
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
        self.kept = kept_bases(self.schedule)
        self.offsets |= {kept: self.offsets[held] for kept, held in self.kept.items()}
        self.within = storage(self.schedule)
        self.views = {view.value.name: view.base.name for view in self.schedule.views}
        self.joined = join_moments(self.schedule)
        self.staged = {
            (reader, each.constant): each.buffer for each in self.schedule.transfers for reader in each.readers
        }
        self.digests = {value.name: digest for value, digest in self.schedule.constant_values}
        self.slot_names = Names()
        self.step_names = Names()
        self.data_names = Names()
        self.data: dict[tuple[str, str], Datum] = {}
        self.arrays: dict[str, Array] = {}

    def program(self) -> Program:
        held, kept = ([getattr(state, end) for state in self.schedule.states] for end in ("held", "kept"))
        calls = tuple(self._call(index, self._walking(step)) for index, step in enumerate(self.schedule.steps))
        transfers = tuple(self._transfers())
        return Program(
            name=self.schedule.name,
            inputs=self._ports([value for value in self.schedule.inputs if value not in held]),
            outputs=self._ports([value for value in self.schedule.outputs if value not in kept]),
            slots=tuple(self._slots()),
            arena_bytes=self.plan.arena_bytes,
            alignment_bytes=self.plan.alignment_bytes,
            data=tuple(self.data.values()),
            calls=calls,
            constants=self.arrays,
            states=tuple(self._states(held, kept)),
            share=self.plan.share,
            further=self.plan.further,
            fed=self._fed(),
            joints=tuple(self._joints()),
            transfers=transfers,
            transfer_channels=self.plan.transfer_channels,
            cache_line_bytes=self.plan.cache_line_bytes,
        )

    def _fed(self) -> FedInput | None:
        fed = self.schedule.fed
        return None if fed is None else FedInput(fed, Names().of(fed.name))

    def _transfers(self) -> Iterator[Transfer]:
        for each in self.schedule.transfers:
            step = self.schedule.steps[each.moment - 1]
            argument = next(a for a in step.call.arguments if (a.place, a.index) == (Place.CONSTANT, each.constant))
            source = self._constant(step, step.call.constants[each.constant], argument.ctype)
            size_bytes = self.schedule.transferred(each).nbytes
            yield Transfer(each.buffer, source.symbol, self.offsets[each.buffer], size_bytes, each.start, each.moment)

    def _joints(self) -> Iterator[Joint]:
        for join in self.schedule.joins:
            parts = tuple(part.name for part in join.parts)
            yield Joint(join.whole.name, parts, self.joined[join.whole.name])

    def _states(self, held: Sequence[Value], kept: Sequence[Value]) -> Iterator[StatePort]:
        ends = zip(self._ports(held), self._ports(kept), strict=True)
        for state, (before, after) in zip(self.schedule.states, ends, strict=True):
            yield StatePort(before, after, state.output, initial_element(state.held.type))

    def _ports(self, values: Sequence[Value]) -> tuple[Port, ...]:
        names = Names()
        return tuple(self._port(value, names.of(value.name)) for value in values)

    def _slots(self) -> Iterator[Slot]:
        """A state's bytes are two: one until its input is read for the last time, one from its output on. Those of a
        join are its parts', until the last of them is made, and its whole's."""
        first, last = moments(self.schedule)
        for placed in self.plan.placed:
            buffer = placed.buffer
            end = min(buffer.last, last.get(buffer.name, buffer.last))
            begin = self.joined.get(buffer.name, buffer.first)
            yield self._slot(buffer.name, placed.offset_bytes, buffer.size_bytes, begin, end)
        for kept, held in self.kept.items():
            size_bytes = next(each.buffer.size_bytes for each in self.plan.placed if each.buffer.name == held)
            yield self._slot(kept, self.offsets[kept], size_bytes, first[kept], last[kept])
        made = {value.name: moment for moment, step in enumerate(self.schedule.steps, 1) for value in step.node.outputs}
        for join in self.schedule.joins:
            for part in join.parts:
                end, size_bytes = self.joined[join.whole.name], part.type.size_bytes
                yield self._slot(part.name, self._offset(part.name), size_bytes, made[part.name], end)

    def _slot(self, buffer: str, offset_bytes: int, size_bytes: int, first: int, last: int) -> Slot:
        macro = f"{self.schedule.name}_offset_{self.slot_names.of(buffer)}".upper()
        return Slot(macro, buffer, offset_bytes, size_bytes, first, last)

    def _buffer(self, value: Value, moment: int) -> str:
        """Whose bytes a value is at a moment: a part is its whole's from the moment after the last part is made."""
        base = self.views.get(value.name, value.name)
        if base not in self.within:
            return base
        whole = self.within[base].base.name
        return base if moment <= self.joined[whole] else whole

    def _port(self, value: Value, identifier: str) -> Port:
        """A tensor without elements has a place, the start of the arena, but no byte there."""
        offset_bytes = self._offset(value.name) if value.type.elements else 0
        return Port(value, identifier, self._buffer(value, len(self.schedule.steps) + 1), offset_bytes)

    def _offset(self, value: str) -> int:
        if value in self.within:
            view = self.within[value]
            return self.offsets[view.base.name] + view.offset_bytes
        return self.offsets[value]

    def _call(self, index: int, step: Step) -> Call:
        call = step.call
        return Call(
            symbol=f"{self.schedule.name}_{index:02d}_{self.step_names.of(step.node.name)}",
            summary=_summary(step),
            header=call.header,
            function=call.function,
            parameters=call.parameters,
            pointers=tuple(self._pointer(step, index + 1, argument) for argument in call.arguments),
            overlaps=call.overlaps,
        )

    def _walking(self, step: Step) -> Step:
        """The step with its kernel walking the way that its places ask for: backward where forward will not do."""
        forward = step.call.walking(Direction.FORWARD)
        if forward == step.call or self._stands(step.node, forward.overlaps):
            return replace(step, call=forward)
        return replace(step, call=step.call.walking(Direction.BACKWARD))

    def _stands(self, node: Node, overlaps: tuple[Overlap, ...]) -> bool:
        """Whether the output and each input lie apart, or as these overlaps of a forward walk allow."""
        return all(self._keeps(index, node, overlaps) for index in range(len(node.inputs)))

    def _keeps(self, index: int, node: Node, overlaps: tuple[Overlap, ...]) -> bool:
        source, output = node.inputs[index], node.outputs[0]
        if source.name in self.digests or source.type.elements == 0:
            return True
        below_bytes = self._offset(source.name) - self._offset(output.name)
        apart = below_bytes >= output.type.size_bytes or -below_bytes >= source.type.size_bytes
        return apart or any(each.input == index and below_bytes >= each.distance_bytes for each in overlaps)

    def _pointer(self, step: Step, moment: int, argument: Argument) -> Pointer:
        if argument.place is Place.CONSTANT and (moment, argument.index) in self.staged:
            buffer = self.staged[moment, argument.index]
            size_bytes = step.call.constants[argument.index].array.nbytes
            return ArenaPointer(buffer, self.offsets[buffer], size_bytes, Access.STAGED, argument.index, argument.ctype)
        if argument.place is Place.CONSTANT:
            return self._constant(step, step.call.constants[argument.index], argument.ctype)
        if argument.place is Place.SCRATCH:
            return self._scratch(step, argument)
        values = step.node.inputs if argument.place is Place.INPUT else step.node.outputs
        value = values[argument.index]
        if value.name in self.digests:
            array = self.schedule.constants[self.digests[value.name]]
            return self._constant(step, KernelConstant(value.name, array), argument.ctype)
        access, size_bytes = _ACCESS[argument.place], value.type.size_bytes
        buffer = self._buffer(value, moment)
        return ArenaPointer(buffer, self._offset(value.name), size_bytes, access, argument.index, argument.ctype)

    def _scratch(self, step: Step, argument: Argument) -> ArenaPointer:
        name = scratch_name(step, argument.index)
        size = step.call.scratch_bytes[argument.index]
        return ArenaPointer(name, self.offsets[name], size, Access.SCRATCH, argument.index, argument.ctype)

    def _constant(self, step: Step, constant: KernelConstant, ctype: str) -> DataPointer:
        array = _as_read(constant.array, ctype)
        digest = digest_of(array)
        key = (digest_of(array.reshape(-1)), ctype)
        if key not in self.data:
            symbol = f"{self.schedule.name}_data_{self.data_names.of(f'{step.node.name}_{constant.role}')}"
            self.data[key] = Datum(symbol, constant.role, ctype, digest)
            self.arrays[digest] = array
        return DataPointer(self.data[key].symbol, ctype)


def initial_element(type_: TensorType) -> int:
    """What stands for zero."""
    return 0 if type_.quant is None or type_.quant.axis is not None else type_.quant.zero_point


def _as_read(array: Array, ctype: str) -> Array:
    """The same bytes as elements of a C type: kernels that only move elements read them as words or bytes."""
    wanted = _ELEMENTS[ctype]
    return array if array.dtype == wanted else np.ascontiguousarray(array).reshape(-1).view(wanted)


def _summary(step: Step) -> str:
    """For instance `conv2d "conv1": i8 1x8x8x1 -> i8 1x8x8x8`."""
    sources = "".join(f"{_type(value)} -> " for value in step.node.inputs[:1])
    results = ", ".join(_type(value) for value in step.node.outputs)
    return f'{step.node.op.mnemonic} "{step.node.name}": {sources}{results}'


def _type(value: Value) -> str:
    return f"{value.type.dtype.value} {'x'.join(map(str, value.type.shape)) or 'scalar'}"
