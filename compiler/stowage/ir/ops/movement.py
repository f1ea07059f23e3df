# SPDX-License-Identifier: Apache-2.0
"""Operators that only move elements: they work on every element type and keep the quantisation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.moved_quant import check_axes_kept, permuted, reshaped, sliced
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_alike, check_axis, check_count, check_rank, sole
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class Reshape(Op):
    """The same elements in row-major order under another shape. Flatten, Squeeze and Unsqueeze are this."""

    mnemonic: ClassVar[str] = "reshape"
    shape: tuple[int, ...]

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if math.prod(self.shape) != data.elements:
            raise ShapeError(
                f"input has {data.elements} elements, but shape {list(self.shape)} has {math.prod(self.shape)}"
            )
        return (TensorType(self.shape, data.dtype, reshaped(data, self.shape)),)


@dataclass(frozen=True, slots=True)
class Transpose(Op):
    """Output axis k is input axis permutation[k]."""

    mnemonic: ClassVar[str] = "transpose"
    permutation: tuple[int, ...]

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if sorted(self.permutation) != list(range(len(data.shape))):
            raise ShapeError(f"{list(self.permutation)} is no permutation of the axes of the shape {list(data.shape)}")
        shape = tuple(data.shape[axis] for axis in self.permutation)
        return (TensorType(shape, data.dtype, permuted(data.quant, self.permutation)),)


@dataclass(frozen=True, slots=True)
class Concat(Op):
    """Operands (one or more) one after the other along an axis. Quantised operands have the output's quantisation."""

    mnemonic: ClassVar[str] = "concat"
    axis: int

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        if not operands:
            raise ShapeError("takes one or more operands, but has 0")
        first = operands[0]
        check_axis(self.axis, first)
        for index, operand in enumerate(operands[1:], 1):
            self._check_follows(first, operand, index)
        check_axes_kept(first.quant, (self.axis,), "concatenates")
        length = sum(operand.shape[self.axis] for operand in operands)
        return (TensorType(self._around(first.shape, length), first.dtype, first.quant),)

    def _around(self, shape: tuple[int, ...], extent: int) -> tuple[int, ...]:
        return (*shape[: self.axis], extent, *shape[self.axis + 1 :])

    def _check_follows(self, first: TensorType, operand: TensorType, index: int) -> None:
        check_alike("operand 0", first, f"operand {index}", operand)
        if first.quant != operand.quant:
            raise ShapeError(f"operand {index} has another quantisation than operand 0")
        same_rank = len(first.shape) == len(operand.shape)
        if not same_rank or self._around(first.shape, 0) != self._around(operand.shape, 0):
            raise ShapeError(
                f"operand {index} of shape {list(operand.shape)} cannot follow {list(first.shape)} on axis {self.axis}"
            )


@dataclass(frozen=True, slots=True)
class Slice(Op):
    """Element k of each axis is input element begin + k * step; `shape` is the output's. Steps may be negative.

    All three have one entry an axis. Split is several of these.
    """

    mnemonic: ClassVar[str] = "slice"
    begins: tuple[int, ...]
    shape: tuple[int, ...]
    steps: tuple[int, ...]

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if not len(self.begins) == len(self.shape) == len(self.steps) == len(data.shape):
            raise ShapeError(f"begins, shape and steps must have one entry for each axis of {list(data.shape)}")
        for axis, extent in enumerate(data.shape):
            self._check_inside(axis, extent)
        return (TensorType(self.shape, data.dtype, sliced(data.quant, self.begins, self.shape, self.steps)),)

    def _check_inside(self, axis: int, extent: int) -> None:
        begin, count, step = self.begins[axis], self.shape[axis], self.steps[axis]
        last = begin + (count - 1) * step
        if step == 0 or count < 0 or (count and not (0 <= begin < extent and 0 <= last < extent)):
            raise ShapeError(f"{count} elements from {begin} in steps of {step} leave axis {axis} of extent {extent}")


@dataclass(frozen=True, slots=True)
class Pad(Op):
    """Elements added around: `before` and `after` have one entry an axis (negative ones crop).

    Attributes:
        mode: "constant", "reflect", "edge" or "wrap".
        value: the real value of added elements in mode "constant".
    """

    mnemonic: ClassVar[str] = "pad"
    before: tuple[int, ...]
    after: tuple[int, ...]
    mode: str = "constant"
    value: float = 0.0

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        if not len(self.before) == len(self.after) == len(data.shape):
            raise ShapeError(f"before and after must have one entry for each axis of {list(data.shape)}")
        for axis, extent in enumerate(data.shape):
            self._check_pads(axis, extent)
        padded = tuple(axis for axis in range(len(data.shape)) if self.before[axis] or self.after[axis])
        check_axes_kept(data.quant, padded, "pads")
        shape = tuple(sum(parts) for parts in zip(self.before, data.shape, self.after, strict=True))
        return (TensorType(shape, data.dtype, data.quant),)

    def _check_pads(self, axis: int, extent: int) -> None:
        before, after = self.before[axis], self.after[axis]
        kept, added = extent + min(before, 0) + min(after, 0), max(before, after, 0)
        if kept < 0:
            raise ShapeError(f"pads {before} and {after} crop more than the extent {extent} of axis {axis}")
        longest = {"constant": added, "reflect": max(kept - 1, 0), "edge": added if kept else 0}
        longest["wrap"] = longest["edge"]
        if self.mode not in longest:
            raise ShapeError(f"mode {self.mode} is none of {', '.join(longest)}")
        if added > longest[self.mode]:
            raise ShapeError(
                f"axis {axis} of extent {extent} is too short for pads {before} and {after} in mode {self.mode}"
            )


@dataclass(frozen=True, slots=True)
class Resize(Op):
    """Another height and width for an image [N, H, W, C] -> [N, OH, OW, C], as ONNX Resize defines it.

    Attributes:
        size: (OH, OW).
        scales: (height, width) factors that coordinates are computed with.
        mode: "nearest" or "linear".
        coordinates: ONNX's coordinate_transformation_mode ("half_pixel", "asymmetric", "align_corners",
        "pytorch_half_pixel", …).
        nearest: ONNX's nearest_mode.
    """

    mnemonic: ClassVar[str] = "resize"
    size: tuple[int, int]
    scales: tuple[float, float]
    mode: str = "nearest"
    coordinates: str = "half_pixel"
    nearest: str = "round_prefer_floor"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_rank("input", data, 4, "[N, H, W, C]")
        if min(self.size) < 1 or min(data.shape[1:3]) < 1 or min(self.scales) <= 0:
            raise ShapeError(f"cannot resize {list(data.shape)} to the size {list(self.size)} by {list(self.scales)}")
        check_axes_kept(data.quant, (1, 2), "resizes")
        return (TensorType((data.shape[0], *self.size, data.shape[3]), data.dtype, data.quant),)


@dataclass(frozen=True, slots=True)
class Constant(Op):
    """A constant: its bytes are in the graph's constant table under `digest`. No operands; carries its output's
    type."""

    mnemonic: ClassVar[str] = "constant"
    digest: str
    type: TensorType

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ())
        return (self.type,)
