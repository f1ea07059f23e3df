# SPDX-License-Identifier: Apache-2.0
"""Elements chosen by indices: these are wrapped and clamped as the kernels do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops import selection
from stowage.ir.ops.op import Op
from stowage.ir.reference.operand import Operand
from stowage.ir.tensor_type import TensorType

SelectedFunction = Callable[[Any, Sequence[Operand], TensorType], Array]


def _inside(indices: Any, extent: Any) -> Any:
    """Negative indices count from the end; those outside become the nearest inside."""
    return np.clip(np.where(indices < 0, indices + extent, indices), 0, extent - 1)


def _gather(op: selection.Gather, operands: Sequence[Operand], result: TensorType) -> Array:
    data, indices = operands[0].array, operands[1].array
    return np.asarray(np.take(data, _inside(indices, data.shape[op.axis]), axis=op.axis))


def _gather_elements(op: selection.GatherElements, operands: Sequence[Operand], result: TensorType) -> Array:
    data, indices = operands[0].array, operands[1].array
    places: list[Any] = list(np.indices(indices.shape))
    places[op.axis] = _inside(indices, data.shape[op.axis])
    return np.asarray(data[tuple(places)])


def _gather_nd(op: selection.GatherNd, operands: Sequence[Operand], result: TensorType) -> Array:
    data, indices = operands[0].array, operands[1].array
    depth = indices.shape[-1]
    extents = np.array(data.shape[op.batch : op.batch + depth])
    places = np.moveaxis(_inside(indices, extents), -1, 0)
    outer = np.indices(indices.shape[:-1])[: op.batch]
    return np.asarray(data[(*outer, *places)])


def _scatter_nd(op: selection.ScatterNd, operands: Sequence[Operand], result: TensorType) -> Array:
    data, indices, updates = (operand.array for operand in operands)
    depth = indices.shape[-1]
    scattered: Any = data.copy()
    places = _inside(indices.reshape(-1, depth), np.array(data.shape[:depth]))
    for place, update in zip(places, updates.reshape(-1, *data.shape[depth:]), strict=True):
        at = tuple(place)
        scattered[at] = _COMBINE[op.reduction](scattered[at], update)
    return np.asarray(scattered)


def _scatter_elements(op: selection.ScatterElements, operands: Sequence[Operand], result: TensorType) -> Array:
    data, indices, updates = (operand.array for operand in operands)
    scattered: Any = data.copy()
    places: list[Any] = list(np.indices(indices.shape))
    places[op.axis] = _inside(indices, data.shape[op.axis])
    with np.errstate(over="ignore"):
        for *place, update in zip(*(axis.reshape(-1) for axis in places), updates.reshape(-1), strict=True):
            at = tuple(place)
            scattered[at] = _COMBINE[op.reduction](scattered[at], update)
    return np.asarray(scattered)


_COMBINE: Mapping[str, Callable[[Any, Any], Any]] = {
    "none": lambda old, new: new,
    "add": np.add,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


def _top_k(op: selection.TopK, operands: Sequence[Operand], result: TensorType) -> Array:
    """A stable sort of keys that are smaller for what comes earlier."""
    data: Any = operands[0].array
    opposite: Any = np.negative if data.dtype.kind == "f" else np.invert
    order = np.argsort(opposite(data) if op.largest else data, axis=op.axis, kind="stable")
    return np.asarray(np.take(order, np.arange(op.count), axis=op.axis).astype(np.int64))


SELECTED: Mapping[type[Op], SelectedFunction] = {
    selection.Expand: lambda op, operands, result: np.broadcast_to(operands[0].array, op.shape),
    selection.Gather: _gather,
    selection.GatherElements: _gather_elements,
    selection.GatherNd: _gather_nd,
    selection.ScatterElements: _scatter_elements,
    selection.ScatterNd: _scatter_nd,
    selection.TopK: _top_k,
}
"""By operator: the elements of its result, from its record, operands and the result's type."""
