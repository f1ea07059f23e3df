# SPDX-License-Identifier: Apache-2.0
"""Writing operations in MLIR's generic syntax, one a line; any MLIR tool reads them with unregistered dialects allowed.

Quantisation is the encoding of a tensor type: ``tensor<1x8xi8, {scales = array<f64: 0.5>, zero_points = array<i64:
3>}>``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import cast

from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.tensor_type import TensorType
from stowage.ir.text.attributes import Attribute, encode_fields
from stowage.ir.text.literals import float_text, string_text
from stowage.ir.text.operation import Block, Operation
from stowage.ir.text.ssa_names import ssa_name

_INDENT = "  "


def module_text(operations: tuple[Operation, ...]) -> str:
    """A module that holds the operations."""
    return "\n".join(_lines(Operation("builtin.module", block=Block((), operations)), "")) + "\n"


def _lines(operation: Operation, indent: str) -> Iterator[str]:
    head = indent + _head(operation)
    if operation.block is None:
        yield head + _tail(operation)
        return
    yield f"{head} ({{"
    if operation.block.arguments:
        yield f"{indent}^bb0({', '.join(_argument(value) for value in operation.block.arguments)}):"
    for inner in operation.block.operations:
        yield from _lines(inner, indent + _INDENT)
    yield f"{indent}}})" + _tail(operation)


def _head(operation: Operation) -> str:
    results = ", ".join(ssa_name(value.name) for value in operation.results)
    operands = ", ".join(ssa_name(value.name) for value in operation.operands)
    return f"{results}{' = ' if results else ''}{string_text(operation.name)}({operands})"


def _tail(operation: Operation) -> str:
    attributes = f" {_dictionary(operation.attributes)}" if operation.attributes else ""
    operands = ", ".join(type_text(value.type) for value in operation.operands)
    results = ", ".join(type_text(value.type) for value in operation.results)
    return f"{attributes} : ({operands}) -> " + (results if len(operation.results) == 1 else f"({results})")


def _argument(value: Value) -> str:
    return f"{ssa_name(value.name)}: {type_text(value.type)}"


def type_text(tensor: TensorType) -> str:
    """A tensor type."""
    extents = "".join(f"{extent}x" for extent in tensor.shape)
    encoding = "" if tensor.quant is None else f", {_dictionary(encode_fields(tensor.quant))}"
    return f"tensor<{extents}{tensor.dtype.value}{encoding}>"


def attribute_text(attribute: Attribute) -> str:
    """An attribute."""
    if isinstance(attribute, bool):
        return "true" if attribute else "false"
    if isinstance(attribute, float):
        return float_text(attribute) if math.isfinite(attribute) else f"{float_text(attribute)} : f64"
    if isinstance(attribute, str):
        return string_text(attribute)
    if isinstance(attribute, DType):
        return attribute.value
    if isinstance(attribute, TensorType):
        return type_text(attribute)
    if isinstance(attribute, tuple):
        return _sequence(attribute)
    return _dictionary(attribute) if isinstance(attribute, Mapping) else str(attribute)


def _sequence(elements: tuple[Attribute, ...]) -> str:
    kinds = {type(element) for element in elements}
    if kinds == {int}:
        return f"array<i64: {', '.join(map(str, elements))}>"
    if kinds == {float} and all(math.isfinite(cast("float", element)) for element in elements):
        return f"array<f64: {', '.join(map(attribute_text, elements))}>"
    return f"[{', '.join(map(attribute_text, elements))}]"


def _dictionary(attributes: Mapping[str, Attribute]) -> str:
    return "{" + ", ".join(f"{name} = {attribute_text(value)}" for name, value in attributes.items()) + "}"
