# SPDX-License-Identifier: Apache-2.0
"""Operators that put elements into another order: TopK, and ReverseSequence."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Less, Where
from stowage.ir.ops.elementwise import Cast, Mul, Sub
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.selection import Gather, GatherElements, TopK


def _top_k(site: NodeSite) -> Results:
    """Always sorted; where it need not be, any order is right. The number of elements is an attribute before operator
    set 10."""
    value, shape = site.operand(0), site.type(0).shape
    if value.type.quant is not None and value.type.quant.axis is not None:
        value = site.number(0)
    axis = site.axis(site.integer("axis", -1), len(shape))
    count = site.integer("k", 0) if site.opset < 10 else _count(site)
    if not 1 <= count <= shape[axis]:
        raise site.invalid(f"the {count} largest of {shape[axis]} elements are asked for")
    indices = site.add(TopK(axis, count, site.flag("largest", True)), value, role="indices")
    return (site.add(GatherElements(axis), value, indices), indices)


def _count(site: NodeSite) -> int:
    given = site.known_ints(1, "the number of elements")
    if len(given) != 1:
        raise site.invalid(f"the number of elements must be one number, but is {list(given)}")
    return given[0]


def _reverse_sequence(site: NodeSite) -> Results:
    """Rows of a matrix [both axes together, all others] are gathered: of step t and sequence b the row of the step
    length - 1 - t, where that is before the length, else its own."""
    shape = site.type(0).shape
    time, batch = (site.integer(name, k) for k, name in enumerate(("time_axis", "batch_axis")))
    if sorted((time, batch)) != [0, 1] or len(shape) < 2:
        raise site.invalid(f"time axis {time} and batch axis {batch} must be 0 and 1 of a tensor of rank 2 or more")
    rows = site.add(Reshape((shape[0] * shape[1], *shape[2:])), site.operand(0), role="rows")
    place = _reversed_places(site, shape[time], shape[batch], time)
    return (site.add(Gather(0), rows, place),)


def _reversed_places(site: NodeSite, steps: int, sequences: int, time: int) -> Value:
    """Row indices [T, B] or [B, T]; a step is `stride` rows away from the next, and sequences begin at `own`."""
    stride = sequences if time == 0 else 1
    column, row = ((-1, 1), (1, -1)) if time == 0 else ((1, -1), (-1, 1))
    step = np.arange(steps, dtype=np.int32).reshape(column)
    own = np.arange(sequences, dtype=np.int32).reshape(row) * (1 if time == 0 else steps)
    lengths = site.add(Reshape(own.shape), _lengths(site, sequences), role="lengths")
    ends = site.add(Mul(), lengths, _constant(site, "stride", np.array(stride, np.int32)), role="ends")
    mirrored = site.add(Sub(), ends, _constant(site, "mirror", stride * (step + 1) - own), role="mirrored")
    inside = site.add(Less(), _constant(site, "step", step), lengths, role="inside")
    return site.add(Where(), inside, mirrored, _constant(site, "same", stride * step + own), role="places")


def _lengths(site: NodeSite, sequences: int) -> Value:
    lengths = site.operand(1)
    if lengths.type.shape != (sequences,):
        raise site.invalid(f"there are {lengths.type.elements} lengths for {sequences} sequences")
    return lengths if lengths.type.dtype is DType.I32 else site.add(Cast(DType.I32), lengths, role="whole")


def _constant(site: NodeSite, role: str, numbers: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> Value:
    return site.builder.constant(f"{site.output_name}.{role}", numbers.astype(np.int32))


IMPORTERS: Importers = {"TopK": _top_k, "ReverseSequence": _reverse_sequence}
