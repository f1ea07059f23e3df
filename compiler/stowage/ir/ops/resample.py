# SPDX-License-Identifier: Apache-2.0
"""An axis whose new elements are weighted sums of some of the old: resizing by any filter, an axis at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_axis, check_count, check_real
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class Resample(Op):
    """Element o along `axis` is the sum over the taps k of weights[o, k] * input element places[o, k].

    Operands: input, constant places (i32 [size, taps], each inside of the axis), constant weights (f32 [size, taps]).
    """

    mnemonic: ClassVar[str] = "resample"
    axis: int

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "places", "weights"))
        data, places, weights = operands
        check_axis(self.axis, data)
        check_real("input", data)
        if places.dtype is not DType.I32 or weights.dtype is not DType.F32:
            raise ShapeError(
                f"places are {places.dtype.value} and weights {weights.dtype.value}, but must be i32 and f32"
            )
        if len(places.shape) != 2 or places.shape != weights.shape or not all(places.shape):
            raise ShapeError(f"places {list(places.shape)} and weights {list(weights.shape)} must both be [size, taps]")
        shape = (*data.shape[: self.axis], places.shape[0], *data.shape[self.axis + 1 :])
        return (TensorType(shape, data.dtype),)
