# SPDX-License-Identifier: Apache-2.0
"""Operators that gather a whole axis into one number, or weigh each element by its axis. Axes are non-negative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_axis, check_count, check_number, check_real, sole
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class ReduceMean(Op):
    """Mean over `axes`, which stay as extents of one if `keepdims`. Global average pooling is this over H and W."""

    mnemonic: ClassVar[str] = "reduce_mean"
    axes: tuple[int, ...]
    keepdims: bool = True

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_real("input", data)
        for axis in self.axes:
            check_axis(axis, data)
        return (TensorType(_reduced(data.shape, self.axes, self.keepdims), data.dtype),)


@dataclass(frozen=True, slots=True)
class Softmax(Op):
    """exp(x - max) / sum(exp(x - max)) along one axis."""

    mnemonic: ClassVar[str] = "softmax"
    axis: int

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_real("input", data)
        check_axis(self.axis, data)
        return (TensorType(data.shape, data.dtype),)


@dataclass(frozen=True, slots=True)
class ArgMax(Op):
    """Index (i64) of the largest element along an axis: the first of equals, or the last if asked."""

    mnemonic: ClassVar[str] = "arg_max"
    axis: int
    keepdims: bool = True
    select_last_index: bool = False

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_number("input", data)
        check_axis(self.axis, data)
        if data.shape[self.axis] == 0:
            raise ShapeError(f"axis {self.axis} of the input is empty and has no largest element")
        return (TensorType(_reduced(data.shape, (self.axis,), self.keepdims), DType.I64),)


@dataclass(frozen=True, slots=True)
class BatchNormalization(Op):
    """(x - mean) / sqrt(variance + epsilon) * scale + bias along `axis`: inputs x, scale, bias, mean, variance.

    It exists between importer and passes alone: folded into a neighbour, or made a Mul and an Add.
    """

    mnemonic: ClassVar[str] = "batch_normalization"
    axis: int
    epsilon: float = 1e-5

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "scale", "bias", "mean", "variance"))
        data = operands[0]
        check_axis(self.axis, data)
        for name, operand in zip(("scale", "bias", "mean", "variance"), operands[1:], strict=True):
            if operand.shape != (data.shape[self.axis],):
                raise ShapeError(
                    f"{name} has shape {list(operand.shape)}, but the input has {data.shape[self.axis]} channels"
                )
            check_real(name, operand)
        check_real("input", data)
        return (TensorType(data.shape, data.dtype),)


def _reduced(shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool) -> tuple[int, ...]:
    if keepdims:
        return tuple(1 if axis in axes else extent for axis, extent in enumerate(shape))
    return tuple(extent for axis, extent in enumerate(shape) if axis not in axes)
