# SPDX-License-Identifier: Apache-2.0
"""Any record as MLIR attributes, and back: frozen dataclasses become dictionaries, field by field.

| Python                  | MLIR                                     |
|-------------------------|------------------------------------------|
| bool, int, float, str   | ``true``, ``3``, ``0.5``, ``"text"``     |
| tuple of ints, floats   | ``array<i64: 1, 2>``, ``array<f64: 0.5>``|
| any other tuple         | ``[…]``                                  |
| DType, TensorType       | the type as an attribute                 |
| another Enum            | its value                                |
| another dataclass       | ``{field = …}`` without fields of None   |

`encode` goes from a Python value to an `Attribute`, the tree that `operation_printer` writes and `operation_parser`
reads; `decode` goes back, led by the type that a field is declared with.
"""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Mapping
from typing import Any, Union

from stowage.ir.dtype import DType
from stowage.ir.tensor_type import TensorType

Attribute = bool | int | float | str | DType | TensorType | tuple["Attribute", ...] | Mapping[str, "Attribute"]


class TextError(ValueError):
    """Text that is not a dump of the level that is read; the message says where and what was expected."""


def encode(value: object) -> Attribute:
    """The attribute of a value; None has none and is left out by `encode_fields`."""
    if isinstance(value, bool | int | float | str | DType | TensorType):
        return value
    if isinstance(value, tuple):
        return tuple(encode(element) for element in value)
    if isinstance(value, enum.Enum):
        return encode(value.value)
    return encode_fields(value)


def encode_fields(record: Any) -> dict[str, Attribute]:
    """The fields of a dataclass as attributes by name, those that are None left out."""
    fields = {field.name: getattr(record, field.name) for field in dataclasses.fields(record) if field.compare}
    return {name: encode(value) for name, value in fields.items() if value is not None}


def decode_fields(record: type[Any], attributes: Mapping[str, Attribute]) -> Any:
    """A dataclass from attributes by field name; an absent one is None or, outside equality, the field's default.

    Raises:
        TextError: an attribute is missing, unknown or of another type than the field.
    """
    fields = [field.name for field in dataclasses.fields(record) if field.compare]
    unknown = sorted(set(attributes) - set(fields))
    if unknown:
        raise TextError(f"{record.__name__} has no field {unknown[0]}")
    hints = typing.get_type_hints(record)
    return record(**{name: _decode_field(record, name, attributes, hints[name]) for name in fields})


def _decode_field(record: type[Any], name: str, attributes: Mapping[str, Attribute], hint: Any) -> Any:
    if name not in attributes and type(None) in typing.get_args(hint):
        return None
    try:
        return decode(attributes[name], hint)
    except KeyError:
        raise TextError(f"{record.__name__} needs a field {name}") from None


def decode(attribute: Attribute, hint: Any) -> Any:
    """The value of type `hint` that an attribute stands for.

    Raises:
        TextError: it stands for none.
    """
    origin = typing.get_origin(hint)
    if origin in (Union, types.UnionType):
        return _decode_union(attribute, typing.get_args(hint))
    if origin is tuple:
        return _decode_tuple(attribute, typing.get_args(hint), hint)
    if type(attribute) is hint:
        return attribute
    if isinstance(hint, type) and issubclass(hint, enum.Enum) and isinstance(attribute, int | str):
        return _decode_enum(attribute, hint)
    if dataclasses.is_dataclass(hint) and isinstance(attribute, Mapping):
        return decode_fields(typing.cast("type[Any]", hint), attribute)
    raise _mismatch(attribute, hint)


def _decode_union(attribute: Attribute, members: tuple[Any, ...]) -> Any:
    for member in members:
        try:
            return decode(attribute, member)
        except TextError:
            continue
    raise _mismatch(attribute, members)


def _decode_tuple(attribute: Attribute, elements: tuple[Any, ...], hint: Any) -> tuple[Any, ...]:
    if not isinstance(attribute, tuple):
        raise _mismatch(attribute, hint)
    if elements[1:] == (Ellipsis,):
        elements = elements[:1] * len(attribute)
    if len(elements) != len(attribute):
        raise _mismatch(attribute, hint)
    return tuple(decode(part, element) for part, element in zip(attribute, elements, strict=True))


def _decode_enum(attribute: int | str, hint: type[enum.Enum]) -> enum.Enum:
    try:
        return hint(attribute)
    except ValueError:
        raise _mismatch(attribute, hint) from None


def _mismatch(attribute: Attribute, expected: Any) -> TextError:
    return TextError(f"{attribute!r} is no {expected}")
