# SPDX-License-Identifier: Apache-2.0
"""The schedule level as text: ``parse_schedule(print_schedule(s), arrays_of(s)) == s``.

A schedule is one "stowage.schedule" operation. Its lines are the constants, then the steps in order, each spelled as
its node is in a graph, with the kernel call as one attribute more, the states and the transfers; a join stands right
behind the last of its parts, a view right behind what makes its base.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from stowage.ir.graph import Array, Value, digest_of
from stowage.ir.text.attributes import Attribute, TextError, decode, decode_fields, encode, encode_fields
from stowage.ir.text.operation import Block, Operation
from stowage.ir.text.operation_parser import parse_module
from stowage.ir.text.operation_printer import module_text
from stowage.ir.text.parser import operation_node
from stowage.ir.text.printer import node_operation
from stowage.schedule.call_text import decode_call, encode_call
from stowage.schedule.schedule import Join, Schedule, State, Step, Transfer, View, join_moments

SCHEDULE = "stowage.schedule"
_STORED, _VIEW, _JOIN = "stowage.stored_constant", "stowage.view", "stowage.join"
_STATE, _TRANSFER, _RETURN = "stowage.state", "stowage.transfer", "stowage.return"
_NO_STEPS = (_STORED, _VIEW, _JOIN, _STATE, _TRANSFER)
_CALL = "call"
_GAP = "order_gap_bytes"
_CONSUMED = "consumed"
_FED = "fed"
_NONE: Mapping[str, Array] = MappingProxyType({})


def print_schedule(schedule: Schedule) -> str:
    """A schedule in MLIR's generic operation syntax."""
    return module_text((schedule_operation(schedule),))


def parse_schedule(text: str, arrays: Mapping[str, Array] = _NONE) -> Schedule:
    """The schedule that a text spells, over the given arrays by digest.

    Raises:
        TextError: the text is no dump of a schedule, or a call has an array that is not among those given.
    """
    operations = parse_module(text)
    if len(operations) != 1:
        raise TextError(f"expected a module with one {SCHEDULE}")
    return operation_schedule(operations[0], arrays)


def arrays_of(schedule: Schedule) -> dict[str, Array]:
    """All arrays of a schedule by digest: the graph's and those that kernels read in a form of their own."""
    own = {digest_of(constant.array): constant.array for step in schedule.steps for constant in step.call.constants}
    return {**schedule.constants, **own}


def schedule_operation(schedule: Schedule) -> Operation:
    """A schedule as one operation of a module."""
    lines = (*_lines(schedule), Operation(_RETURN, operands=schedule.outputs))
    attributes: dict[str, Attribute] = {"name": schedule.name}
    if schedule.order_gap_bytes:
        attributes[_GAP] = schedule.order_gap_bytes
    if schedule.consumed:
        attributes[_CONSUMED] = schedule.consumed
    if schedule.fed is not None:
        attributes[_FED] = encode(schedule.fed)
    return Operation(SCHEDULE, attributes=attributes, block=Block(schedule.inputs, lines))


def operation_schedule(operation: Operation, arrays: Mapping[str, Array]) -> Schedule:
    """The schedule that an operation stands for.

    Raises:
        TextError: it stands for none.
    """
    block = operation.block
    if operation.name != SCHEDULE or block is None or operation.attributes.keys() - {_GAP, _CONSUMED, _FED} != {"name"}:
        raise TextError(f"expected a {SCHEDULE} with a name")
    if not block.operations or block.operations[-1].name != _RETURN:
        raise TextError(f"expected a {SCHEDULE} that ends in a {_RETURN}")
    lines = block.operations[:-1]
    return Schedule(
        name=decode(operation.attributes["name"], str),
        inputs=block.arguments,
        outputs=block.operations[-1].operands,
        steps=tuple(_step(line, arrays) for line in lines if line.name not in _NO_STEPS),
        views=tuple(_view(line) for line in lines if line.name == _VIEW),
        constant_values=tuple(_stored(line) for line in lines if line.name == _STORED),
        constants=arrays,
        states=tuple(_state(line) for line in lines if line.name == _STATE),
        joins=tuple(_join(line) for line in lines if line.name == _JOIN),
        order_gap_bytes=decode(operation.attributes.get(_GAP, 0), int),
        consumed=decode(operation.attributes.get(_CONSUMED, ()), tuple[str, ...]),
        transfers=tuple(decode_fields(Transfer, line.attributes) for line in lines if line.name == _TRANSFER),
        fed=decode(operation.attributes[_FED], Value) if _FED in operation.attributes else None,
    )


def _lines(schedule: Schedule) -> Iterator[Operation]:
    for value, digest in schedule.constant_values:
        yield Operation(_STORED, (), (value,), {"digest": digest})
    yield from _views(schedule, schedule.inputs)
    joined = join_moments(schedule)
    for moment, step in enumerate(schedule.steps, 1):
        line = node_operation(step.node)
        yield Operation(line.name, line.operands, line.results, {**line.attributes, _CALL: encode_call(step.call)})
        yield from _views(schedule, step.node.outputs)
        for join in schedule.joins:
            if joined[join.whole.name] == moment:
                yield Operation(_JOIN, join.parts, (join.whole,))
                yield from _views(schedule, (join.whole,))
    for state in schedule.states:
        yield Operation(_STATE, (state.held, state.kept), (), {"output": state.output})
    for transfer in schedule.transfers:
        yield Operation(_TRANSFER, attributes=encode_fields(transfer))


def _views(schedule: Schedule, bases: tuple[Value, ...]) -> Iterator[Operation]:
    for view in schedule.views:
        if view.base in bases:
            yield Operation(_VIEW, (view.base,), (view.value,), {"offset_bytes": view.offset_bytes})


def _step(line: Operation, arrays: Mapping[str, Array]) -> Step:
    if _CALL not in line.attributes:
        raise TextError(f"{line.name} has no {_CALL}")
    fields = dict(line.attributes)
    call = decode_call(fields.pop(_CALL), arrays)
    return Step(operation_node(Operation(line.name, line.operands, line.results, fields)), call)


def _view(line: Operation) -> View:
    if len(line.operands) != 1 or len(line.results) != 1 or line.attributes.keys() != {"offset_bytes"}:
        raise TextError(f"{_VIEW} has one operand, one result and offset_bytes")
    return View(line.results[0], line.operands[0], decode(line.attributes["offset_bytes"], int))


def _join(line: Operation) -> Join:
    if not line.operands or len(line.results) != 1 or line.attributes:
        raise TextError(f"{_JOIN} has operands, its parts, and one result")
    return Join(line.results[0], line.operands)


def _state(line: Operation) -> State:
    if len(line.operands) != 2 or line.results or line.attributes.keys() != {"output"}:
        raise TextError(f"{_STATE} has two operands, an input and an output, and the output's name")
    return State(*line.operands, decode(line.attributes["output"], str))


def _stored(line: Operation) -> tuple[Value, str]:
    if line.operands or len(line.results) != 1 or line.attributes.keys() != {"digest"}:
        raise TextError(f"{_STORED} has one result and a digest")
    return line.results[0], decode(line.attributes["digest"], str)
