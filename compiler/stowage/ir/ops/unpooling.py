# SPDX-License-Identifier: Apache-2.0
"""Where the largest elements of a pool were, and what puts numbers back there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_count, check_number, check_rank, check_real, sole
from stowage.ir.ops.volume import Triple, VolumePads
from stowage.ir.ops.window_shape import WindowAxis, check_taps, output_extent
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class MaxPoolIndices(Op):
    """Indices (i64) of the largest elements under a window: input [N, D, H, W, C] -> [N, OD, OH, OW, C].

    They count the input's elements in the order [N, C, D, H, W], or [N, C, W, H, D] if `column_major`. Of equal
    elements the first in the order of depth, height and width counts; padding never wins. Pads are those in front of
    the three axes, then those behind.
    """

    mnemonic: ClassVar[str] = "max_pool_indices"
    kernel: Triple
    strides: Triple = (1, 1, 1)
    pads: VolumePads = (0, 0, 0, 0, 0, 0)
    dilations: Triple = (1, 1, 1)
    column_major: bool = False

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_rank("input", data, 5, "[N, D, H, W, C]")
        check_number("input", data)
        names = ("depth", "height", "width")
        along = list(zip(names, data.shape[1:4], self.axes, strict=True))
        extents = [output_extent(*each) for each in along]
        for name, extent, axis in along:
            check_taps(name, extent, axis)
        return (TensorType((data.shape[0], *extents, data.shape[4]), DType.I64),)

    @property
    def axes(self) -> tuple[WindowAxis, ...]:
        """The window along each axis."""
        return tuple(
            WindowAxis(self.kernel[k], self.strides[k], self.dilations[k], self.pads[k], self.pads[k + 3])
            for k in range(3)
        )

    def steps(self, extents: tuple[int, ...]) -> tuple[int, ...]:
        """How far apart neighbours along depth, height and width are in the order of the indices."""
        depth, height, width = extents
        return (1, depth, depth * height) if self.column_major else (height * width, width, 1)


@dataclass(frozen=True, slots=True)
class Unpool(Op):
    """Zeros of the given shape, with the input's numbers at the places that `indices` (i64, in row-major order) has.

    Negative indices count from the end, others outside are taken for the nearest inside; of two for one place the later
    stays.
    """

    mnemonic: ClassVar[str] = "unpool"
    shape: tuple[int, ...]

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "indices"))
        data, indices = operands
        check_real("input", data)
        if indices.shape != data.shape or indices.dtype is not DType.I64 or math.prod(self.shape) < 1:
            named = f"{indices.dtype.value}{list(indices.shape)}"
            raise ShapeError(f"indices {named} do not place {list(data.shape)} in {list(self.shape)}")
        return (TensorType(self.shape, data.dtype),)
