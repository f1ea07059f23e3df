# SPDX-License-Identifier: Apache-2.0
"""Test support: .tflite files made from plain descriptions of tensors and operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import flatbuffers
import numpy as np
import tflite

from stowage.ir.graph import Array

_TYPES = {
    "float16": tflite.TensorType.FLOAT16,
    "float32": tflite.TensorType.FLOAT32,
    "int8": tflite.TensorType.INT8,
    "int16": tflite.TensorType.INT16,
    "int32": tflite.TensorType.INT32,
    "int64": tflite.TensorType.INT64,
    "uint8": tflite.TensorType.UINT8,
    "bool": tflite.TensorType.BOOL,
    "resource": tflite.TensorType.RESOURCE,
}


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor to write: a constant where it has `data`; `scales` and `zero_points` are empty where it has none."""

    shape: tuple[int, ...]
    dtype: str
    data: Array | None = None
    scales: tuple[float, ...] = ()
    zero_points: tuple[int, ...] = ()
    axis: int = 0
    name: str = ""
    is_variable: bool = False
    signature: tuple[int, ...] = ()


def constant(data: Array, scales: tuple[float, ...] = (), zero_points: tuple[int, ...] = (), axis: int = 0) -> Tensor:
    """A constant tensor."""
    return Tensor(data.shape, data.dtype.name, data, scales, zero_points or (0,) * len(scales), axis)


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator to write: its operands and results are indices of tensors; `options` are of the table `kind`."""

    code: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    kind: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    intermediates: tuple[int, ...] = ()
    version: int = 1


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A subgraph to write."""

    tensors: Sequence[Tensor]
    operators: Sequence[Operator]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


def model_bytes(*subgraphs: Subgraph) -> bytes:
    """The file; the first subgraph is the model."""
    return _Writer().model(subgraphs)


class _Writer:
    """One FlatBuffer in the making."""

    def __init__(self) -> None:
        self._builder = flatbuffers.Builder(1024)
        self._buffers = [b""]
        self._codes: list[tuple[str, int]] = []

    def model(self, subgraphs: Sequence[Subgraph]) -> bytes:
        written = self._offsets([self._subgraph(each) for each in subgraphs])
        buffers = self._offsets([self._buffer(data) for data in self._buffers])
        codes = self._offsets([self._code(*code) for code in self._codes])
        fields = {"Version": 3, "OperatorCodes": codes, "Subgraphs": written, "Buffers": buffers}
        self._builder.Finish(self._table("Model", fields), b"TFL3")
        return bytes(self._builder.Output())

    def _table(self, kind: str, fields: Mapping[str, Any]) -> int:
        getattr(tflite, f"{kind}Start")(self._builder)
        for name, value in fields.items():
            getattr(tflite, f"{kind}Add{name}")(self._builder, value)
        end: int = getattr(tflite, f"{kind}End")(self._builder)
        return end

    def _offsets(self, offsets: Sequence[int]) -> int:
        self._builder.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            self._builder.PrependUOffsetTRelative(offset)
        end: int = self._builder.EndVector()
        return end

    def _numbers(self, numbers: Sequence[float], dtype: str) -> int:
        vector: int = self._builder.CreateNumpyVector(np.array(numbers, dtype))
        return vector

    def _buffer(self, data: bytes) -> int:
        vector = self._numbers(list(data), "uint8") if data else 0
        return self._table("Buffer", {"Data": vector} if data else {})

    def _code(self, name: str, version: int) -> int:
        number = getattr(tflite.BuiltinOperator, name)
        return self._table(
            "OperatorCode",
            {"DeprecatedBuiltinCode": min(number, 127), "BuiltinCode": number, "Version": version},
        )

    def _subgraph(self, subgraph: Subgraph) -> int:
        tensors = self._offsets([self._tensor(each, index) for index, each in enumerate(subgraph.tensors)])
        operators = self._offsets([self._operator(each) for each in subgraph.operators])
        inputs, outputs = self._numbers(subgraph.inputs, "int32"), self._numbers(subgraph.outputs, "int32")
        fields = {"Tensors": tensors, "Inputs": inputs, "Outputs": outputs, "Operators": operators}
        return self._table("SubGraph", fields)

    def _tensor(self, tensor: Tensor, index: int) -> int:
        name = self._builder.CreateString(tensor.name or f"t{index}")
        fields = {"Shape": self._numbers(tensor.shape, "int32"), "Type": _TYPES[tensor.dtype], "Name": name}
        if tensor.data is not None:
            self._buffers.append(np.ascontiguousarray(tensor.data).tobytes())
            fields["Buffer"] = len(self._buffers) - 1
        if tensor.scales:
            scales = self._numbers(tensor.scales, "float32")
            points = self._numbers(tensor.zero_points, "int64")
            parameters = {"Scale": scales, "ZeroPoint": points, "QuantizedDimension": tensor.axis}
            fields["Quantization"] = self._table("QuantizationParameters", parameters)
        if tensor.signature:
            fields["ShapeSignature"] = self._numbers(tensor.signature, "int32")
        if tensor.is_variable:
            fields["IsVariable"] = True
        return self._table("Tensor", fields)

    def _operator(self, operator: Operator) -> int:
        code = operator.code, operator.version
        if code not in self._codes:
            self._codes.append(code)
        fields = {
            "OpcodeIndex": self._codes.index(code),
            "Inputs": self._numbers(operator.inputs, "int32"),
            "Outputs": self._numbers(operator.outputs, "int32"),
        }
        if operator.intermediates:
            fields["Intermediates"] = self._numbers(operator.intermediates, "int32")
        if operator.kind:
            fields["BuiltinOptionsType"] = getattr(tflite.BuiltinOptions, operator.kind)
            fields["BuiltinOptions"] = self._options(operator)
        return self._table("Operator", fields)

    def _options(self, operator: Operator) -> int:
        values = {name: self._option(value) for name, value in operator.options.items()}
        return self._table(operator.kind, values)

    def _option(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return self._numbers(value, "int32")
        return self._builder.CreateString(value) if isinstance(value, str) else value
