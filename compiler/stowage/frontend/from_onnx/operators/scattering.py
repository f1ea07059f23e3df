# SPDX-License-Identifier: Apache-2.0
"""Operators that put elements at places given by indices: Scatter, ScatterElements, ScatterND, TensorScatter."""

from __future__ import annotations

import math

import numpy as np

from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Max, Min, Mod
from stowage.ir.ops.elementwise import Add, Cast
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.op import Op
from stowage.ir.ops.selection import ScatterElements, ScatterNd

_REDUCTIONS = ("none", "add", "mul", "min", "max")


def _scatter_elements(site: NodeSite) -> Results:
    axis = site.axis(site.integer("axis", 0), len(site.type(0).shape))
    op = ScatterElements(axis, site.text("reduction", "none", _REDUCTIONS))
    return (site.add(op, site.number(0), site.operand(1), site.number(2)),)


def _scatter_nd(site: NodeSite) -> Results:
    op = ScatterNd(site.text("reduction", "none", _REDUCTIONS))
    return (site.add(op, site.number(0), site.operand(1), site.number(2)),)


def _tensor_scatter(site: NodeSite) -> Results:
    """All axes up to the written one become one, of rows: where an update goes is one index."""
    cache, update = site.type(0).shape, site.type(1).shape
    axis = site.axis(site.integer("axis", -2), len(cache))
    if axis == 0 or len(update) != len(cache) or update != (*cache[:axis], update[axis], *cache[axis + 1 :]):
        raise site.invalid(f"an update of shape {list(update)} does not go into {list(cache)} along axis {axis}")
    count, rest = math.prod(cache[: axis + 1]), cache[axis + 1 :]
    indices = _row_indices(site, cache[: axis + 1], update[axis])
    rows = site.add(Reshape((count, *rest)), site.number(0), role="rows")
    updates = site.add(Reshape((*indices.type.shape[:-1], *rest)), site.number(1), role="update_rows")
    return (site.add(Reshape(cache), site.add(ScatterNd(), rows, indices, updates, role="written")),)


def _row_indices(site: NodeSite, outer: tuple[int, ...], length: int) -> Value:
    """The row that each row of the update goes to: [batch, all axes between, length, 1], from extents outer."""
    batch, between, capacity = outer[0], math.prod(outer[1:-1]), outer[-1]
    steps = np.arange(length, dtype=np.int32).reshape(1, 1, length, 1)
    first = _added(site, Add(), _starts(site, batch), steps, "step")
    if site.text("mode", "linear", ("linear", "circular")) == "circular":
        place = _added(site, Mod(), first, np.array(capacity, np.int32), "capacity")
    else:
        raised = _added(site, Max(), first, np.array(0, np.int32), "first")
        place = _added(site, Min(), raised, np.array(capacity - 1, np.int32), "last")
    bases = capacity * np.arange(batch * between, dtype=np.int32).reshape(batch, between, 1, 1)
    return _added(site, Add(), place, bases, "base")


def _starts(site: NodeSite, batch: int) -> Value:
    if not site.has(2):
        return site.builder.constant(f"{site.output_name}.starts", np.zeros((batch, 1, 1, 1), np.int32))
    starts = site.operand(2)
    if starts.type.shape != (batch,):
        raise site.invalid(f"there are {starts.type.elements} places to write at for a batch of {batch}")
    whole = starts if starts.type.dtype is DType.I32 else site.add(Cast(DType.I32), starts, role="whole")
    return site.add(Reshape((batch, 1, 1, 1)), whole, role="starts")


def _added(
    site: NodeSite, op: Op, value: Value, numbers: np.ndarray[tuple[int, ...], np.dtype[np.int32]], role: str
) -> Value:
    constant = site.builder.constant(f"{site.output_name}.{role}", numbers)
    return site.add(op, value, constant, role=f"with_{role}")


IMPORTERS: Importers = {
    "Scatter": _scatter_elements,
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "TensorScatter": _tensor_scatter,
}
