# SPDX-License-Identifier: Apache-2.0
"""Test support: random nodes of the window and matrix families, lowered and computed by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.reference import run
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Site
from stowage.target.kernels.operator_trial import OperatorTrial

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Geometry:
    """An operator and the shapes of its operands."""

    op: Op
    shapes: tuple[Shape, ...]
    channel_axis: int | None = None
    """The axis of the second operand that may have a scale for each entry."""


@dataclass(frozen=True, slots=True)
class RandomWindow:
    """A source of random trials of one operator, element type and arithmetic, for a core with some features."""

    random: np.random.Generator
    dtype: DType
    arithmetic: Arithmetic = Arithmetic.ONNX
    features: frozenset[str] = frozenset()

    def trials(self, kind: type[Op], count: int) -> list[OperatorTrial]:
        """`count` trials of an operator of the window or matrix families."""
        return [self._trial(self._geometry(kind)) for _ in range(count)]

    def _integer(self, lowest: int, highest: int) -> int:
        return int(self.random.integers(lowest, highest, endpoint=True))

    def _pair(self, lowest: int, highest: int) -> tuple[int, int]:
        return self._integer(lowest, highest), self._integer(lowest, highest)

    def _flag(self) -> bool:
        return bool(self.random.integers(2))

    def _geometry(self, kind: type[Op]) -> _Geometry:
        while True:
            geometry = self._matrix(kind) if kind in (FullyConnected, MatMul) else self._window(kind)
            types = tuple(TensorType(shape, DType.F32) for shape in geometry.shapes)
            try:
                geometry.op.result_types(types)
            except ShapeError:
                continue
            return geometry

    def _matrix(self, kind: type[Op]) -> _Geometry:
        depth, channels = self._integer(1, 40), self._integer(1, 11)
        leading = tuple(self._integer(1, 3) for _ in range(self._integer(0, 3)))
        if kind is FullyConnected:
            return _Geometry(FullyConnected(self._clamp()), ((*leading, depth), (channels, depth), (channels,)), 0)
        second = tuple(extent if self._flag() else 1 for extent in leading)[self._integer(0, len(leading)) :]
        rows = self._integer(1, 5)
        return _Geometry(MatMul(), ((*leading, rows, depth), (*second, depth, channels)), len(second) + 1)

    def _window(self, kind: type[Op]) -> _Geometry:
        small = self._integer(0, 3) == 0
        kernel = (1, 1) if small else self._pair(1, 5)
        strides = (1, 1) if self._flag() else self._pair(1, 3)
        dilations = (1, 1) if self._flag() else self._pair(1, 2)
        pads = (0, 0, 0, 0) if small or self._integer(0, 2) == 0 else (*self._pair(0, 3), *self._pair(0, 3))
        image = (self._integer(1, 2), *self._pair(1, 9))
        channels, clamp = self._integer(1, 9), self._clamp()
        if kind is Conv2d:
            groups = self._integer(1, 3) if self._flag() else 1
            outputs = groups * self._integer(1, 6)
            weights = (outputs, *kernel, channels)
            op: Op = Conv2d(strides, pads, dilations, groups, clamp)
            return _Geometry(op, ((*image, groups * channels), weights, (outputs,)), 0)
        if kind is DepthwiseConv2d:
            channels += 8 * self._integer(0, 2) if "mve" in self.features else 0
            outputs = channels * (self._integer(1, 3) if self._flag() else 1)
            op = DepthwiseConv2d(strides, pads, dilations, clamp)
            return _Geometry(op, ((*image, channels), (*kernel, outputs), (outputs,)), 2)
        if kind is MaxPool2d:
            return _Geometry(MaxPool2d(kernel, strides, pads, dilations), ((*image, channels),))
        counted = self._flag() and self.arithmetic is Arithmetic.ONNX
        op = AveragePool2d(kernel, strides, pads, dilations, counted, clamp)
        return _Geometry(op, ((*image, channels),))

    def _clamp(self) -> tuple[float, float] | None:
        choices = (None, (0.0, float("inf")), (0.0, 6.0), (-1.5, 2.25))
        return choices[self._integer(0, len(choices) - 1)]

    def _trial(self, geometry: _Geometry) -> OperatorTrial:
        operands = self._reals(geometry) if self.dtype is DType.F32 else self._integers(geometry)
        result = self._result(geometry, [type_ for type_, _ in operands])
        return self._lowered(geometry.op, operands, result)

    def _lowered(self, op: Op, operands: list[tuple[TensorType, Array]], result: TensorType) -> OperatorTrial:
        inputs = tuple(Value(f"input_{index}", type_) for index, (type_, _) in enumerate(operands))
        node = Node("node", op, inputs, (Value("output", result),))
        arrays = {value.name: array for value, (_, array) in zip(inputs, operands, strict=True)}
        expected = run(Graph("trial", inputs, node.outputs, (node,), self.arithmetic), arrays)["output"]
        known = {} if isinstance(op, MatMul) else dict(list(arrays.items())[1:])
        call = lower(node, Site(known, self.arithmetic, self.features))
        return OperatorTrial(node, call, tuple(arrays.values()), expected)

    def _reals(self, geometry: _Geometry) -> list[tuple[TensorType, Array]]:
        arrays = [self.random.standard_normal(shape).astype(np.float32) for shape in geometry.shapes]
        return self._with_optional_bias([(TensorType(array.shape, DType.F32), array) for array in arrays])

    def _integers(self, geometry: _Geometry) -> list[tuple[TensorType, Array]]:
        others = geometry.shapes[1:]
        quants = [self._quant(), *(self._second_quant(geometry) for _ in others[:1])]
        operands: list[tuple[TensorType, Array]] = [
            (TensorType(shape, DType.I8, quant), self.random.integers(-128, 127, shape, np.int8, endpoint=True))
            for shape, quant in zip(geometry.shapes, quants, strict=False)
        ]
        for shape in others[1:]:
            bias = self.random.integers(-20_000, 20_000, shape, np.int32)
            operands.append((TensorType(shape, DType.I32), bias))
        return self._with_optional_bias(operands)

    def _with_optional_bias(self, operands: list[tuple[TensorType, Array]]) -> list[tuple[TensorType, Array]]:
        return operands[:2] if self._integer(0, 3) == 0 else operands

    def _quant(self) -> Quant:
        return Quant((self._scale(),), (self._integer(-128, 127),))

    def _scale(self) -> float:
        return float(np.float32(2.0 ** self.random.uniform(-9, -1)))

    def _second_quant(self, geometry: _Geometry) -> Quant:
        """Symmetric, save of a MatMul, whose second operand is no weight."""
        zero_point = self._integer(-128, 127) if isinstance(geometry.op, MatMul) else 0
        axis = geometry.channel_axis
        if axis is None or self._flag():
            return Quant((self._scale(),), (zero_point,))
        count = geometry.shapes[1][axis]
        return Quant(tuple(self._scale() for _ in range(count)), (zero_point,) * count, axis)

    def _result(self, geometry: _Geometry, types: Sequence[TensorType]) -> TensorType:
        (made,) = geometry.op.result_types(tuple(TensorType(type_.shape, DType.F32) for type_ in types))
        if self.dtype is DType.F32:
            return made
        kept = isinstance(geometry.op, AveragePool2d) and self.arithmetic is Arithmetic.TFLITE
        if kept or isinstance(geometry.op, MaxPool2d):
            return TensorType(made.shape, DType.I8, types[0].quant)
        scale = _widest_scale(types) * 2.0 ** self.random.uniform(-1, 9)
        return TensorType(made.shape, DType.I8, Quant((float(scale),), (self._integer(-128, 127),)))


def _widest_scale(types: Sequence[TensorType]) -> float:
    """The largest scale that the real products (or inputs) of quantised operands have."""
    widest = 1.0
    for type_ in types[:2]:
        if type_.quant is not None:
            widest *= max(type_.quant.scales)
    return widest
