# SPDX-License-Identifier: Apache-2.0
"""The mean of a whole image in two steps, for an image that is made a few rows at a time: sums first, then the mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_count, check_rank, sole
from stowage.ir.ops.window import AveragePool2d
from stowage.ir.tensor_type import Quant, TensorType


@dataclass(frozen=True, slots=True)
class PoolSum(Op):
    """Sums of rows, channel by channel: rows [1, H, W, C] of quantised i8, earlier sums [1, 1, 1, C] of i32 (optional),
    which they are added to -> sums [1, 1, 1, C] of i32.

    The integers are summed as they are, so that the zero point of sums is that of the rows for each pixel summed.
    """

    mnemonic: ClassVar[str] = "pool_sum"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("rows",), ("earlier sums",))
        rows = operands[0]
        check_rank("rows", rows, 4, "[1, H, W, C]")
        if rows.dtype is not DType.I8 or rows.shape[0] != 1 or rows.quant is None:
            raise ShapeError(f"rows must be one quantised image of type i8, not {rows.dtype.value}{list(rows.shape)}")
        shape, zero_point = (1, 1, 1, rows.shape[3]), rows.shape[1] * rows.shape[2] * rows.quant.zero_point
        for earlier in operands[1:]:
            if (earlier.shape, earlier.dtype) != (shape, DType.I32) or earlier.quant is None:
                raise ShapeError(f"earlier sums must be quantised i32{list(shape)}")
            zero_point += earlier.quant.zero_point
        return (TensorType(shape, DType.I32, Quant((rows.quant.scale,), (zero_point,))),)


@dataclass(frozen=True, slots=True)
class PoolMean(Op):
    """What an average pool over a whole image makes, of the image's sums [1, 1, 1, C] of i32 -> [1, 1, 1, C] of i8.

    Attributes:
        pool: the average pool, whose kernel is as large as the image.
    """

    mnemonic: ClassVar[str] = "pool_mean"
    pool: AveragePool2d

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        sums = sole(operands)
        check_rank("sums", sums, 4, "[1, 1, 1, C]")
        if sums.shape[:3] != (1, 1, 1) or sums.dtype is not DType.I32 or sums.quant is None:
            raise ShapeError(f"sums must be quantised i32[1, 1, 1, C], not {sums.dtype.value}{list(sums.shape)}")
        (made,) = self.pool.result_types((self.image(sums),))
        if made.shape != sums.shape:
            raise ShapeError(f"a pool that makes {list(made.shape)} of its own window is not over a whole image")
        return (made,)

    @property
    def pixels(self) -> int:
        """How many pixels the image has."""
        return self.pool.kernel[0] * self.pool.kernel[1]

    def image(self, sums: TensorType) -> TensorType:
        """The type of the image that was summed."""
        assert sums.quant is not None
        quant = Quant(sums.quant.scales, (sums.quant.zero_point // self.pixels,))
        return TensorType((1, *self.pool.kernel, sums.shape[3]), DType.I8, quant)
