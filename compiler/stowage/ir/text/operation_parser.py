# SPDX-License-Identifier: Apache-2.0
"""Reading operations in MLIR's generic syntax: what `operation_printer` writes, in any layout."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.text.attributes import Attribute, decode_fields
from stowage.ir.text.lexer import Lexer
from stowage.ir.text.literals import float_from_bits, string_value
from stowage.ir.text.operation import Block, Operation
from stowage.ir.text.ssa_names import value_name

_DTYPES = {dtype.value: dtype for dtype in DType}
_BOOLS = {"true": True, "false": False}


def parse_module(text: str) -> tuple[Operation, ...]:
    """The operations that a module holds.

    Raises:
        TextError: the text is no module in generic syntax; the message has line and column.
    """
    lexer = Lexer(text)
    module = _operation(lexer)
    if lexer.next.kind != "end" or module.name != "builtin.module" or module.block is None:
        raise lexer.error("one builtin.module and then the end")
    return module.block.operations


def _operation(lexer: Lexer) -> Operation:
    results = _results(lexer)
    name = string_value(lexer.expect_kind("string"))
    lexer.expect("(")
    operands = [value_name(lexer.expect_kind("value")) for _ in lexer.comma_separated(")")]
    block = _region(lexer) if lexer.take_if("(") else None
    attributes = _dictionary(lexer) if lexer.next.text == "{" else {}
    lexer.expect(":")
    operand_types = _types(lexer)
    lexer.expect("->")
    result_types = _types(lexer)
    return Operation(
        name, _values(lexer, operands, operand_types), _values(lexer, results, result_types), attributes, block
    )


def _results(lexer: Lexer) -> list[str]:
    names: list[str] = []
    while lexer.next.kind == "value":
        names.append(value_name(lexer.take().text))
        if not lexer.take_if(","):
            lexer.expect("=")
            break
    return names


def _values(lexer: Lexer, names: list[str], types: list[TensorType]) -> tuple[Value, ...]:
    if len(names) != len(types):
        raise lexer.error(f"{len(names)} types before this instead of {len(types)}")
    return tuple(Value(name, tensor) for name, tensor in zip(names, types, strict=True))


def _region(lexer: Lexer) -> Block:
    lexer.expect("{")
    arguments = _block_arguments(lexer) if lexer.next.kind == "block" else ()
    operations = []
    while not lexer.take_if("}"):
        operations.append(_operation(lexer))
    lexer.expect(")")
    return Block(arguments, tuple(operations))


def _block_arguments(lexer: Lexer) -> tuple[Value, ...]:
    lexer.take()
    arguments = []
    if lexer.take_if("("):
        for _ in lexer.comma_separated(")"):
            name = value_name(lexer.expect_kind("value"))
            lexer.expect(":")
            arguments.append(Value(name, _type(lexer)))
    lexer.expect(":")
    return tuple(arguments)


def _types(lexer: Lexer) -> list[TensorType]:
    if lexer.take_if("("):
        return [_type(lexer) for _ in lexer.comma_separated(")")]
    return [_type(lexer)]


def _type(lexer: Lexer) -> TensorType:
    lexer.expect("tensor")
    shape = lexer.take_shape()
    dtype = _DTYPES.get(lexer.next.text)
    if dtype is None:
        raise lexer.error("an element type")
    lexer.take()
    quant = decode_fields(Quant, _dictionary(lexer)) if lexer.take_if(",") else None
    lexer.expect(">")
    return TensorType(shape, dtype, quant)


def _dictionary(lexer: Lexer) -> dict[str, Attribute]:
    attributes: dict[str, Attribute] = {}
    lexer.expect("{")
    for _ in lexer.comma_separated("}"):
        name = lexer.expect_kind("word")
        lexer.expect("=")
        attributes[name] = _attribute(lexer)
    return attributes


def _attribute(lexer: Lexer) -> Attribute:
    if lexer.next.text == "{":
        return _dictionary(lexer)
    if lexer.next.text == "tensor":
        return _type(lexer)
    if lexer.take_if("["):
        return tuple(_attribute(lexer) for _ in lexer.comma_separated("]"))
    if lexer.take_if("array"):
        return _dense_array(lexer)
    return _scalar(lexer)


def _dense_array(lexer: Lexer) -> tuple[Attribute, ...]:
    lexer.expect("<")
    dtype = lexer.expect_kind("word")
    if lexer.take_if(">"):
        return ()
    lexer.expect(":")
    return tuple(_number(lexer, dtype) for _ in lexer.comma_separated(">"))


def _scalar(lexer: Lexer) -> Attribute:
    kind, text = lexer.next.kind, lexer.next.text
    if kind in ("integer", "float", "bits"):
        return _typed_number(lexer)
    lexer.take()
    if kind == "string":
        return string_value(text)
    if text in _BOOLS:
        return _BOOLS[text]
    if text in _DTYPES:
        return _DTYPES[text]
    raise lexer.error("an attribute before this")


def _typed_number(lexer: Lexer) -> int | float:
    kind, text = lexer.next.kind, lexer.take().text
    dtype = lexer.expect_kind("word") if lexer.take_if(":") else "f64" if kind == "float" else "i64"
    return _convert(kind, text, dtype)


def _number(lexer: Lexer, dtype: str) -> int | float:
    if lexer.next.kind not in ("integer", "float", "bits"):
        raise lexer.error("a number")
    return _convert(lexer.next.kind, lexer.take().text, dtype)


def _convert(kind: str, text: str, dtype: str) -> int | float:
    if not dtype.startswith("f"):
        return int(text, 0)
    return float_from_bits(int(text, 16)) if kind == "bits" else float(text)
