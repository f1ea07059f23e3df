# SPDX-License-Identifier: Apache-2.0
"""A tensor that is being computed with: its type and its elements, seen as reals or as integers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array
from stowage.ir.quantised_clamp import Bounds, integer_range
from stowage.ir.tensor_type import TensorType

Reals = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor's type and elements."""

    type: TensorType
    array: Array

    @property
    def reals(self) -> Reals:
        """The numbers that the elements stand for."""
        if self.type.quant is None:
            return self.array.astype(np.float64)
        return self.centred * along_axis(self.type.quant.scales, self.type)

    @property
    def centred(self) -> Reals:
        """The integers without their zero point: exact in float64, and so are sums of products of them below 2**53."""
        assert self.type.quant is not None
        return self.array.astype(np.float64) - along_axis(self.type.quant.zero_points, self.type)


def along_axis(parameters: tuple[float, ...], tensor: TensorType) -> Reals:
    """Scales or zero points in a shape that broadcasts against the tensor."""
    assert tensor.quant is not None
    shape = [1] * len(tensor.shape)
    if tensor.quant.axis is not None:
        shape[tensor.quant.axis] = len(parameters)
    return np.array(parameters, dtype=np.float64).reshape(shape)


def stored(reals: Reals, result: TensorType) -> Array:
    """Reals as elements of a type: rounded to its floats, quantised (half to even, saturating), or truncated.

    What is no number, as the square root of an integer that no input ever makes, is the quantised integer 0.
    """
    if result.dtype.is_float:
        with np.errstate(over="ignore"):
            return reals.astype(result.dtype.numpy)
    if result.quant is None:
        return np.trunc(reals).astype(result.dtype.numpy)
    steps = np.rint(reals / along_axis(result.quant.scales, result)) + along_axis(result.quant.zero_points, result)
    return saturated(np.where(np.isnan(steps), 0, steps), result, integer_range(result.dtype))


def saturated(integers: Reals | Integers, result: TensorType, bounds: Bounds) -> Array:
    """Whole numbers as elements of an integer type, clamped to bounds within it."""
    clamped: Array = np.clip(integers, *bounds).astype(result.dtype.numpy)
    return clamped
