# SPDX-License-Identifier: Apache-2.0
"""The program level as text: ``parse_program(print_program(p)) == p``, constants aside.

A program is one "stowage.program" operation; every port, slot, constant and call is a line, its fields attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from stowage.codegen.program import Call, Datum, FedInput, Joint, Port, Program, Slot, StatePort, Transfer
from stowage.codegen.variant import Variant
from stowage.ir.graph import Array
from stowage.ir.text.attributes import Attribute, TextError, decode, decode_fields, encode, encode_fields
from stowage.ir.text.operation import Block, Operation
from stowage.ir.text.operation_parser import parse_module
from stowage.ir.text.operation_printer import module_text
from stowage.memory.plan import FurtherArenas
from stowage.memory.share import Share
from stowage.schedule.call_text import decode_parameters, encode_parameters

_PROGRAM = "stowage.program"
_LINES: Mapping[str, tuple[str, type[Any]]] = {
    "stowage.input": ("inputs", Port),
    "stowage.output": ("outputs", Port),
    "stowage.state": ("states", StatePort),
    "stowage.slot": ("slots", Slot),
    "stowage.datum": ("data", Datum),
    "stowage.call": ("calls", Call),
    "stowage.joint": ("joints", Joint),
    "stowage.transfer": ("transfers", Transfer),
}
"""By operation: the field of `Program` that its lines make, and the record that each is."""
_ATTRIBUTES = {"name": str, "arena_bytes": int, "alignment_bytes": int}
_OPTIONAL: Mapping[str, type[Any]] = {
    "share": Share,
    "variant": Variant,
    "transfer_channels": int,
    "cache_line_bytes": int,
    "further": FurtherArenas,
    "fed": FedInput,
}
_PARAMETERS = "parameters"
_NONE: Mapping[str, Array] = MappingProxyType({})


def print_program(program: Program) -> str:
    """A program in MLIR's generic operation syntax."""
    lines = tuple(
        Operation(name, attributes=_encode(record))
        for name, (field, _) in _LINES.items()
        for record in getattr(program, field)
    )
    attributes = {name: encode(getattr(program, name)) for name in _ATTRIBUTES}
    attributes |= {name: encode(value) for name in _OPTIONAL if (value := getattr(program, name)) not in (None, 0)}
    return module_text((Operation(_PROGRAM, attributes=attributes, block=Block((), lines)),))


def parse_program(text: str, constants: Mapping[str, Array] = _NONE) -> Program:
    """The program that a text spells, over the given constant table.

    Raises:
        TextError: the text is no dump of a program.
    """
    operations = parse_module(text)
    if [operation.name for operation in operations] != [_PROGRAM] or operations[0].block is None:
        raise TextError(f"expected a module with one {_PROGRAM}")
    attributes, lines = operations[0].attributes, operations[0].block.operations
    if attributes.keys() - _OPTIONAL.keys() != _ATTRIBUTES.keys():
        raise TextError(f"a {_PROGRAM} has {', '.join(_ATTRIBUTES)} and maybe a {' or a '.join(_OPTIONAL)}")
    unknown = [line.name for line in lines if line.name not in _LINES]
    if unknown:
        raise TextError(f"a {_PROGRAM} holds no {unknown[0]}")
    tables: dict[str, Any] = {
        field: tuple(_decode(record, line.attributes) for line in lines if line.name == name)
        for name, (field, record) in _LINES.items()
    }
    named = {name: decode(attributes[name], hint) for name, hint in _ATTRIBUTES.items()}
    named |= {name: decode(attributes[name], hint) for name, hint in _OPTIONAL.items() if name in attributes}
    return Program(**named, **tables, constants=constants)


def _encode(record: Port | StatePort | Slot | Datum | Call | Joint | Transfer) -> dict[str, Attribute]:
    if not isinstance(record, Call):
        return encode_fields(record)
    fields = {name: encode(getattr(record, name)) for name in Call.__dataclass_fields__ if name != _PARAMETERS}
    return {**fields, _PARAMETERS: encode_parameters(record.parameters)}


def _decode(record: type[Any], attributes: Mapping[str, Attribute]) -> Any:
    if record is Call and _PARAMETERS in attributes:
        pairs: Attribute = tuple((name, value) for name, value in decode_parameters(attributes[_PARAMETERS]))
        attributes = {**attributes, _PARAMETERS: pairs}
    return decode_fields(record, attributes)
