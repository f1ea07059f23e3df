# SPDX-License-Identifier: Apache-2.0
"""The plan level as text: ``parse_plan(print_plan(p), arrays_of(p.schedule)) == p``.

The module holds the "stowage.schedule" that the plan is for, and a "stowage.plan" with one "stowage.buffer" a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stowage.ir.graph import Array
from stowage.ir.text.attributes import Attribute, TextError, decode, decode_fields, encode, encode_fields
from stowage.ir.text.operation import Block, Operation
from stowage.ir.text.operation_parser import parse_module
from stowage.ir.text.operation_printer import module_text
from stowage.memory.plan import FurtherArenas, Placed, Plan
from stowage.memory.problem import Buffer
from stowage.memory.share import Share
from stowage.schedule.text import SCHEDULE, operation_schedule, schedule_operation

_PLAN, _BUFFER = "stowage.plan", "stowage.buffer"
_SIZES = ("arena_bytes", "alignment_bytes", "bound_bytes")
_SHARE, _FURTHER = "share", "further"
_NUMBERS = ("transfer_channels", "cache_line_bytes")
_PLACE = {"region": str, "offset_bytes": int}
_NONE: Mapping[str, Array] = MappingProxyType({})


def print_plan(plan: Plan) -> str:
    """A plan in MLIR's generic operation syntax."""
    attributes: dict[str, Attribute] = {name: getattr(plan, name) for name in _SIZES}
    if plan.share is not None:
        attributes[_SHARE] = encode(plan.share)
    if plan.further is not None:
        attributes[_FURTHER] = encode(plan.further)
    attributes |= {name: number for name in _NUMBERS if (number := getattr(plan, name))}
    block = Block((), tuple(_buffer(placed) for placed in plan.placed))
    return module_text((schedule_operation(plan.schedule), Operation(_PLAN, attributes=attributes, block=block)))


def parse_plan(text: str, arrays: Mapping[str, Array] = _NONE) -> Plan:
    """The plan that a text spells, over the given arrays by digest.

    Raises:
        TextError: the text is no dump of a plan, or a call has an array that is not among those given.
    """
    operations = parse_module(text)
    if [operation.name for operation in operations] != [SCHEDULE, _PLAN] or operations[1].block is None:
        raise TextError(f"expected a module with a {SCHEDULE} and a {_PLAN}")
    schedule, plan = operations
    if plan.attributes.keys() - {_SHARE, _FURTHER, *_NUMBERS} != set(_SIZES):
        raise TextError(
            f"a {_PLAN} has {', '.join(_SIZES)} and maybe a {_SHARE}, {_FURTHER} and {' and '.join(_NUMBERS)}"
        )
    sizes = {name: decode(plan.attributes[name], int) for name in _SIZES}
    share = decode(plan.attributes[_SHARE], Share) if _SHARE in plan.attributes else None
    placed = tuple(map(_placed, operations[1].block.operations))
    numbers = {name: decode(plan.attributes.get(name, 0), int) for name in _NUMBERS}
    further = decode(plan.attributes[_FURTHER], FurtherArenas) if _FURTHER in plan.attributes else None
    steps = operation_schedule(schedule, arrays)
    return Plan(steps, placed, **sizes, **numbers, share=share, further=further)


def _buffer(placed: Placed) -> Operation:
    place = {name: getattr(placed, name) for name in _PLACE}
    return Operation(_BUFFER, attributes={**encode_fields(placed.buffer), **place})


def _placed(line: Operation) -> Placed:
    if line.name != _BUFFER or not line.attributes.keys() >= _PLACE.keys():
        raise TextError(f"expected a {_BUFFER} with {', '.join(_PLACE)}")
    buffer = {name: value for name, value in line.attributes.items() if name not in _PLACE}
    place = {name: decode(line.attributes[name], hint) for name, hint in _PLACE.items()}
    return Placed(decode_fields(Buffer, buffer), **place)
