# SPDX-License-Identifier: Apache-2.0
"""Operators that choose elements by indices, which may be computed at run time, or repeat them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from stowage.ir.dtype import DType
from stowage.ir.ops.broadcast import check_broadcasts_to
from stowage.ir.ops.moved_quant import check_axes_kept
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import Operands, check_axis, check_count, check_number, sole
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class Expand(Op):
    """The tensor repeated along axes of extent one, and along new ones in front, up to `shape`."""

    mnemonic: ClassVar[str] = "expand"
    shape: tuple[int, ...]

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_broadcasts_to("input", data.shape, self.shape)
        check_per_tensor(data)
        return (TensorType(self.shape, data.dtype, data.quant),)


@dataclass(frozen=True, slots=True)
class Gather(Op):
    """Slices of the input along `axis` at indices (i32 or i64; negative ones count from the end): the axis is replaced
    by the axes of the indices. An index outside is taken for the nearest inside."""

    mnemonic: ClassVar[str] = "gather"
    axis: int

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "indices"))
        data, indices = operands
        check_axis(self.axis, data)
        check_indices(indices)
        check_axes_kept(data.quant, (self.axis,), "gathers")
        check_per_tensor(data)
        _check_not_empty(data, self.axis)
        shape = (*data.shape[: self.axis], *indices.shape, *data.shape[self.axis + 1 :])
        return (TensorType(shape, data.dtype, data.quant),)


@dataclass(frozen=True, slots=True)
class GatherElements(Op):
    """Element by element: the input's at the element's own place, but along `axis` at the index that is there."""

    mnemonic: ClassVar[str] = "gather_elements"
    axis: int

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "indices"))
        data, indices = operands
        check_axis(self.axis, data)
        check_indices(indices)
        check_per_tensor(data)
        _check_not_empty(data, self.axis)
        check_along_axis(indices, data, self.axis)
        return (replace(data, shape=indices.shape),)


@dataclass(frozen=True, slots=True)
class GatherNd(Op):
    """Slices of the input at the tuples of indices that the last axis of `indices` holds; the first `batch` axes are
    common to both."""

    mnemonic: ClassVar[str] = "gather_nd"
    batch: int = 0

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "indices"))
        data, indices = operands
        check_indices(indices)
        check_per_tensor(data)
        depth = _tuple_length(indices)
        common = data.shape[: self.batch] == indices.shape[: self.batch]
        if not common or not 0 < depth <= len(data.shape) - self.batch or self.batch >= len(indices.shape):
            raise ShapeError(f"indices of shape {list(indices.shape)} do not index {list(data.shape)}")
        return (replace(data, shape=(*indices.shape[:-1], *data.shape[self.batch + depth :])),)


@dataclass(frozen=True, slots=True)
class ScatterNd(Op):
    """The input with slices of `updates` put at tuples of indices: operands input, indices, updates.

    Attributes:
        reduction: "none" (the later of two updates of one place stays), "add", "mul", "min" or "max".
    """

    mnemonic: ClassVar[str] = "scatter_nd"
    reduction: str = "none"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "indices", "updates"))
        data, indices, updates = operands
        check_indices(indices)
        depth = _tuple_length(indices)
        expected = (*indices.shape[:-1], *data.shape[depth:])
        if not 0 < depth <= len(data.shape) or updates.shape != expected or updates.dtype != data.dtype:
            raise _misfit(data, indices, updates)
        return (TensorType(data.shape, data.dtype, data.quant),)


@dataclass(frozen=True, slots=True)
class ScatterElements(Op):
    """The input with each update put at its own place, but along `axis` at the index that is there: operands input,
    indices, updates.

    Attributes:
        reduction: as of `ScatterNd`.
    """

    mnemonic: ClassVar[str] = "scatter_elements"
    axis: int
    reduction: str = "none"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "indices", "updates"))
        data, indices, updates = operands
        check_axis(self.axis, data)
        check_indices(indices)
        check_along_axis(indices, data, self.axis)
        if updates.shape != indices.shape or updates.dtype != data.dtype:
            raise _misfit(data, indices, updates)
        return (TensorType(data.shape, data.dtype, data.quant),)


@dataclass(frozen=True, slots=True)
class TopK(Op):
    """Indices (i64) of the `count` largest elements along an axis (the smallest, if not `largest`), in that order; of
    equal elements the one with the lower index is first. A NaN is beyond all numbers of its sign."""

    mnemonic: ClassVar[str] = "top_k"
    axis: int
    count: int
    largest: bool = True

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_number("input", data)
        check_axis(self.axis, data)
        if not 1 <= self.count <= data.shape[self.axis]:
            raise ShapeError(f"{self.count} of {data.shape[self.axis]} elements along axis {self.axis} are asked for")
        return (TensorType((*data.shape[: self.axis], self.count, *data.shape[self.axis + 1 :]), DType.I64),)


SELECTIONS: tuple[type[Op], ...] = (Expand, Gather, GatherElements, GatherNd, ScatterElements, ScatterNd)
"""All of them: they keep the quantisation."""


def check_indices(indices: TensorType) -> None:
    """Refuses indices that are no signed integers."""
    if indices.dtype not in (DType.I32, DType.I64) or indices.quant is not None:
        raise ShapeError(f"indices have elements of type {indices.dtype.value}, but must have i32 or i64")


def check_along_axis(indices: TensorType, data: TensorType, axis: int) -> None:
    """Refuses indices whose own places are not all places of the data, save along the axis."""
    pairs = enumerate(zip(indices.shape, data.shape, strict=False))
    if len(indices.shape) != len(data.shape) or any(taken > extent for k, (taken, extent) in pairs if k != axis):
        raise ShapeError(f"indices of shape {list(indices.shape)} leave the input of shape {list(data.shape)}")


def check_per_tensor(data: TensorType) -> None:
    """Refuses a quantisation along an axis, which the chosen elements could not have."""
    if data.quant is not None and data.quant.axis is not None:
        raise ShapeError(f"the input is quantised along axis {data.quant.axis}")


def _check_not_empty(data: TensorType, axis: int) -> None:
    if data.shape[axis] == 0:
        raise ShapeError(f"axis {axis} of the input is empty")


def _misfit(data: TensorType, indices: TensorType, updates: TensorType) -> ShapeError:
    return ShapeError(
        f"updates {updates.dtype.value}{list(updates.shape)} do not go with indices {list(indices.shape)} into "
        f"{data.dtype.value}{list(data.shape)}"
    )


def _tuple_length(indices: TensorType) -> int:
    if not indices.shape:
        raise ShapeError("indices are a scalar, but their last axis must hold tuples")
    return indices.shape[-1]
