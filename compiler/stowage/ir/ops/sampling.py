# SPDX-License-Identifier: Apache-2.0
"""Operators that read an image between its pixels, at coordinates computed at run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import (
    Operands,
    check_alike,
    check_bias,
    check_count,
    check_groups,
    check_rank,
    check_real,
)
from stowage.ir.ops.window_shape import Pads, Pair, output_extents, window_axes
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class GridSample(Op):
    """Input [N, H, W, C] and grid [N, OH, OW, 2] -> [N, OH, OW, C]; a volume has an axis and a coordinate more.

    Attributes:
        mode: "nearest", "linear" or "cubic".
        padding: what lies beyond the ends: "zeros", "border" or "reflection".
        align_corners: whether -1 and 1 are the centres of the first and last pixel, or their outer edges.
    """

    mnemonic: ClassVar[str] = "grid_sample"
    mode: str = "linear"
    padding: str = "zeros"
    align_corners: bool = False

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "grid"))
        data, grid = operands
        check_real("input", data)
        check_real("grid", grid)
        axes = len(data.shape) - 2
        if (
            axes not in (2, 3)
            or len(grid.shape) != axes + 2
            or grid.shape[-1] != axes
            or grid.shape[0] != data.shape[0]
        ):
            raise ShapeError(f"a grid of shape {list(grid.shape)} has no places in an input of {list(data.shape)}")
        if 0 in data.shape:
            raise ShapeError(f"the input of shape {list(data.shape)} is empty")
        return (TensorType((*grid.shape[:-1], data.shape[-1]), data.dtype),)


@dataclass(frozen=True, slots=True)
class RoiAlign(Op):
    """Input [N, H, W, C], regions [R, 4] of (x, y, x, y), batch indices [R] (i64) -> [R, *size, C].

    Each region is divided into `size` bins, and each bin's `samples` x `samples` bilinear samples make one pixel.

    Attributes:
        size: (height, width).
        samples: along each axis of a bin.
        scale: of the regions' coordinates.
        mode: "avg" or "max"; the latter is over the four products of weight and pixel of each sample.
        half_pixel: whether coordinates are those of pixels' edges, and regions may be smaller than a pixel.
    """

    mnemonic: ClassVar[str] = "roi_align"
    size: Pair
    samples: int = 1
    scale: float = 1.0
    mode: str = "avg"
    half_pixel: bool = True

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "regions", "batch_indices"))
        data, regions, indices = operands
        check_rank("input", data, 4, "[N, H, W, C]")
        check_real("input", data)
        check_alike("input", data, "regions", regions)
        if len(indices.shape) != 1 or indices.dtype is not DType.I64 or regions.shape != (*indices.shape, 4):
            raise ShapeError(
                f"regions {list(regions.shape)} and batch indices {list(indices.shape)} do not go together"
            )
        if min(*self.size, self.samples) < 1 or 0 in data.shape:
            raise ShapeError(f"{self.samples} samples of {list(data.shape)} do not make {list(self.size)} bins")
        return (TensorType((regions.shape[0], *self.size, data.shape[3]), data.dtype),)


@dataclass(frozen=True, slots=True)
class DeformConv2d(Op):
    """Convolution whose taps are moved, and may be weighed, pixel by pixel.

    Operands: input [N, H, W, I], weights [O, KH, KW, I / groups], bias [O], offsets
    [N, OH, OW, offset_groups * KH * KW * 2] of (y, x), and optionally the taps' factors
    [N, OH, OW, offset_groups * KH * KW] -> [N, OH, OW, O]. The input channels are divided among the offset groups;
    beyond the image are zeros.
    """

    mnemonic: ClassVar[str] = "deform_conv2d"
    strides: Pair = (1, 1)
    pads: Pads = (0, 0, 0, 0)
    dilations: Pair = (1, 1)
    groups: int = 1
    offset_groups: int = 1

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights", "bias", "offsets"), ("factors",))
        data, weights, bias = operands[:3]
        check_rank("input", data, 4, "[N, H, W, I]")
        check_rank("weights", weights, 4, "[O, KH, KW, I / groups]")
        check_real("input", data)
        check_alike("input", data, "weights", weights)
        check_groups(self.groups, data.shape[3], weights.shape[0], weights.shape[3])
        check_bias(data, bias, weights.shape[0])
        _, height, width, _ = weights.shape
        axes = window_axes((height, width), self.strides, self.pads, self.dilations)
        pixels = (data.shape[0], *output_extents((data.shape[1], data.shape[2]), axes))
        taps = self.offset_groups * height * width
        for name, operand, each in zip(("offsets", "factors"), operands[3:], (2, 1), strict=False):
            check_alike("input", data, name, operand)
            if self.offset_groups < 1 or data.shape[3] % self.offset_groups or operand.shape != (*pixels, taps * each):
                raise ShapeError(f"{name} have shape {list(operand.shape)}, but must have {[*pixels, taps * each]}")
        return (TensorType((*pixels, weights.shape[0]), data.dtype),)
