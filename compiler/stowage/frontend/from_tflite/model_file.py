# SPDX-License-Identifier: Apache-2.0
"""The one door that a .tflite file comes in by.

A FlatBuffer is a web of offsets, and nothing has checked a file's before this does. The whole file is read into plain
records within one guard: an offset that leads outside, text that is none, a number that fits nowhere end in one
refusal. Counts have limits, so that a small file cannot claim a large model.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tflite

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_tflite.model_records import (
    Bytes,
    ModelRecord,
    OperatorRecord,
    Option,
    Quantisation,
    SubgraphRecord,
    TensorRecord,
)

IDENTIFIER = b"TFL3"
"""Bytes 4 to 8 of every file."""
_MOST = {"subgraphs": 1000, "tensors": 100_000, "operators": 100_000, "buffers": 200_000, "operator codes": 10_000}
_LONGEST_VECTOR = 100_000
_DAMAGE = (struct.error, IndexError, ValueError, TypeError, OverflowError, AttributeError, KeyError, MemoryError)
_AGAIN = "convert the model again"


class _Damaged(ValueError):
    """A count that no honest file has."""


def read_records(path: Path) -> ModelRecord:
    """Reads a file.

    Raises:
        InvalidModel: it cannot be read, is no .tflite file, or is damaged.
        UnsupportedModel: it keeps its weights outside of the FlatBuffer.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidModel(reason=f"cannot be read: {error.strerror}", remedy="give a file that can be read") from error
    if data[4:8] != IDENTIFIER:
        raise InvalidModel(
            reason="it is no TFLite model: bytes 4 to 8 are not TFL3", remedy="give a file that TFLite's converter made"
        )
    try:
        return _model(tflite.Model.GetRootAs(data, 0))
    except _DAMAGE as error:
        raise InvalidModel(reason=f"the file is damaged or cut off ({_told(error)})", remedy=_AGAIN) from error


def _told(error: BaseException) -> str:
    return str(error).splitlines()[0][:120] if isinstance(error, _Damaged) else "an offset leads outside of it"


def _each(name: str, count: int, item: Callable[[int], Any]) -> Iterator[Any]:
    if count > _MOST[name]:
        raise _Damaged(f"it claims {count} {name}")
    for index in range(count):
        yield item(index)


def _model(model: Any) -> ModelRecord:
    codes = [_code(code) for code in _each("operator codes", model.OperatorCodesLength(), model.OperatorCodes)]
    return ModelRecord(
        tuple(_subgraph(each, codes) for each in _each("subgraphs", model.SubgraphsLength(), model.Subgraphs)),
        tuple(_buffer(each) for each in _each("buffers", model.BuffersLength(), model.Buffers)),
    )


def _code(code: Any) -> tuple[str, str]:
    """The operator's kind and custom name; files before 2020 have the kind in a field of 8 bits."""
    number = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
    return _KINDS.get(number, f"operator {number}"), _text(code.CustomCode())


_KINDS = {number: name for name, number in vars(tflite.BuiltinOperator).items() if isinstance(number, int)}
_OPTIONS = {number: name for name, number in vars(tflite.BuiltinOptions).items() if isinstance(number, int)}


def _buffer(buffer: Any) -> Bytes:
    if buffer.Offset() > 1 or buffer.Size() > 1:
        raise UnsupportedModel(
            reason="it keeps weights behind the FlatBuffer, as models of more than 2 GiB do",
            remedy="use a smaller model",
        )
    data = buffer.DataAsNumpy() if buffer.DataLength() else np.zeros(0, np.uint8)
    if len(data) != buffer.DataLength():
        raise _Damaged("a buffer is longer than the file")
    return np.asarray(data, np.uint8)


def _subgraph(subgraph: Any, codes: list[tuple[str, str]]) -> SubgraphRecord:
    tensors = tuple(_tensor(each) for each in _each("tensors", subgraph.TensorsLength(), subgraph.Tensors))
    operators = _each("operators", subgraph.OperatorsLength(), subgraph.Operators)
    return SubgraphRecord(
        tensors,
        _indices(subgraph, "Inputs", tensors),
        _indices(subgraph, "Outputs", tensors),
        tuple(_operator(each, codes, tensors) for each in operators),
    )


def _numbers(table: Any, field: str) -> tuple[int, ...]:
    count = getattr(table, f"{field}Length")()
    if count > _LONGEST_VECTOR:
        raise _Damaged(f"a list of {count} numbers")
    numbers = getattr(table, f"{field}AsNumpy")() if count else ()
    return tuple(number.item() for number in np.asarray(numbers))


def _indices(table: Any, field: str, tensors: tuple[TensorRecord, ...]) -> tuple[int, ...]:
    """Indices of tensors, -1 where there is none."""
    indices = _numbers(table, field)
    if not all(-1 <= index < len(tensors) for index in indices):
        raise _Damaged(f"tensor {max(indices, key=abs)} of {len(tensors)}")
    return indices


def _text(text: bytes | None) -> str:
    return (text or b"").decode("utf-8")


def _tensor(tensor: Any) -> TensorRecord:
    return TensorRecord(
        _text(tensor.Name()),
        _numbers(tensor, "Shape"),
        not tensor.ShapeIsNone(),
        tensor.Type(),
        tensor.Buffer(),
        _quantisation(tensor.Quantization()),
        tensor.IsVariable(),
        tensor.Sparsity() is not None,
        _numbers(tensor, "ShapeSignature"),
    )


def _quantisation(quantisation: Any) -> Quantisation | None:
    if quantisation is None or not quantisation.ScaleLength():
        return None
    scales, points = _numbers(quantisation, "Scale"), _numbers(quantisation, "ZeroPoint")
    return Quantisation(scales, points, quantisation.QuantizedDimension())


def _operator(operator: Any, codes: list[tuple[str, str]], tensors: tuple[TensorRecord, ...]) -> OperatorRecord:
    kind, custom_name = codes[operator.OpcodeIndex()]
    return OperatorRecord(
        kind,
        custom_name,
        _indices(operator, "Inputs", tensors),
        _indices(operator, "Outputs", tensors),
        _indices(operator, "Intermediates", tensors),
        _options(operator),
        bytes(np.asarray(_numbers(operator, "CustomOptions"), np.uint8)),
    )


def _options(operator: Any) -> dict[str, Option]:
    """The numbers, texts and lists of whole numbers among an operator's builtin options, by the schema's names."""
    table, kind = operator.BuiltinOptions(), _OPTIONS.get(operator.BuiltinOptionsType(), "NONE")
    if table is None or kind == "NONE":
        return {}
    record = getattr(tflite, kind)()
    record.Init(table.Bytes, table.Pos)
    fields = [name for name in vars(type(record)) if not name.startswith("_") and _is_field(name)]
    read = {name: _field(record, name) for name in fields}
    return {name: value for name, value in read.items() if isinstance(value, int | float | str | tuple)}


def _is_field(name: str) -> bool:
    others = ("AsNumpy", "Length", "IsNone", "HasIdentifier")
    return name != "Init" and not name.startswith("GetRootAs") and not name.endswith(others)


def _field(record: Any, name: str) -> Any:
    if hasattr(record, f"{name}AsNumpy"):
        return _numbers(record, name)
    value = getattr(record, name)()
    return _text(value) if isinstance(value, bytes) else value
