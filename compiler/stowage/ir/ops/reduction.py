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
class Reduction(Op):
    """All elements along `axes` make one number of their type; the axes stay as extents of one if `keepdims`."""

    mnemonic: ClassVar[str]
    changes_single_elements: ClassVar[bool] = False
    """Whether it does something to an element alone."""
    makes_reals: ClassVar[bool] = False
    """Whether whole numbers do not make whole ones."""
    takes_truths: ClassVar[bool] = False
    """Whether elements may be truth values, false being the smaller one."""
    axes: tuple[int, ...]
    keepdims: bool = True

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if not self.takes_truths:
            check_number("input", data)
        for axis in self.axes:
            check_axis(axis, data)
        return (TensorType(_reduced(data.shape, self.axes, self.keepdims), data.dtype),)


@dataclass(frozen=True, slots=True)
class ReduceSum(Reduction):
    """Sum."""

    mnemonic: ClassVar[str] = "reduce_sum"


@dataclass(frozen=True, slots=True)
class ReduceProd(Reduction):
    """Product."""

    mnemonic: ClassVar[str] = "reduce_prod"


@dataclass(frozen=True, slots=True)
class ReduceMax(Reduction):
    """Largest."""

    mnemonic: ClassVar[str] = "reduce_max"
    takes_truths: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ReduceMin(Reduction):
    """Smallest."""

    mnemonic: ClassVar[str] = "reduce_min"
    takes_truths: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ReduceL1(Reduction):
    """Sum of sizes."""

    mnemonic: ClassVar[str] = "reduce_l1"
    changes_single_elements: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ReduceL2(Reduction):
    """Square root of the sum of squares."""

    mnemonic: ClassVar[str] = "reduce_l2"
    makes_reals: ClassVar[bool] = True
    changes_single_elements: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ReduceSumSquare(Reduction):
    """Sum of squares."""

    mnemonic: ClassVar[str] = "reduce_sum_square"
    changes_single_elements: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ReduceLogSum(Reduction):
    """Logarithm of the sum."""

    mnemonic: ClassVar[str] = "reduce_log_sum"
    makes_reals: ClassVar[bool] = True
    changes_single_elements: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ReduceLogSumExp(Reduction):
    """Logarithm of the sum of all e^x, without overflow."""

    mnemonic: ClassVar[str] = "reduce_log_sum_exp"
    makes_reals: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Normalize(Op):
    """(x - mean) / sqrt(variance + epsilon), both over `axes`; not `centred`: x / sqrt(mean of squares + epsilon)."""

    mnemonic: ClassVar[str] = "normalize"
    axes: tuple[int, ...]
    epsilon: float = 1e-5
    centred: bool = True

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_real("input", data)
        for axis in self.axes:
            check_axis(axis, data)
        return (TensorType(data.shape, data.dtype),)


@dataclass(frozen=True, slots=True)
class Cumulation(Op):
    """All elements up to each along an axis taken together: without the element itself if `exclusive`, from the end if
    `reverse`."""

    axis: int
    exclusive: bool = False
    reverse: bool = False

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_number("input", data)
        check_axis(self.axis, data)
        return (TensorType(data.shape, data.dtype),)


@dataclass(frozen=True, slots=True)
class CumSum(Cumulation):
    """Their sums."""

    mnemonic: ClassVar[str] = "cum_sum"


@dataclass(frozen=True, slots=True)
class CumProd(Cumulation):
    """Their products."""

    mnemonic: ClassVar[str] = "cum_prod"


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
