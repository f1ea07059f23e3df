# SPDX-License-Identifier: Apache-2.0
"""Elements chosen by indices, index.h, and repeated elements, gather.h."""

from __future__ import annotations

import math
from dataclasses import replace

from stowage.ir.graph import Node
from stowage.ir.ops.selection import Expand, Gather, GatherElements, GatherNd, ScatterNd
from stowage.target.kernels.axes import AXES, filled_up, row_major_strides
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, pointers, require_elements
from stowage.target.kernels.gather import gather_call
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, ParameterValue, Site

Fields = tuple[tuple[str, ParameterValue], ...]


def lower_expand(node: Node, site: Site) -> KernelCall:
    """The call for Expand: repeated axes have stride 0. Where it repeats, no safe distance is exact."""
    assert isinstance(node.op, Expand)
    shape, output = node.inputs[0].type.shape, node.op.shape
    own = [0 if extent == 1 else step for extent, step in zip(shape, row_major_strides(shape), strict=True)]
    call = gather_call(node, (0,) * (len(output) - len(shape)) + tuple(own), 0)
    return replace(call, overlaps=())


def lower_gather(node: Node, site: Site) -> KernelCall:
    """The call for Gather."""
    assert isinstance(node.op, Gather)
    data, indices = (value.type for value in node.inputs)
    axis = node.op.axis
    fields: Fields = (
        ("outer", math.prod(data.shape[:axis])),
        ("extent", data.shape[axis]),
        ("count", indices.elements),
        ("run_bytes", math.prod(data.shape[axis + 1 :]) * data.dtype.size_bytes),
    )
    return _call(node, "take", fields)


def lower_gather_elements(node: Node, site: Site) -> KernelCall:
    """The call for GatherElements."""
    assert isinstance(node.op, GatherElements)
    data, axis = node.inputs[0].type, node.op.axis
    steps = _byte_strides(node)
    fields: Fields = (
        ("extents", filled_up(node.output.type.shape, 1)),
        ("strides", filled_up((*steps[:axis], 0, *steps[axis + 1 :]), 0)),
        ("axis_extent", data.shape[axis]),
        ("axis_stride", steps[axis]),
        ("element_bytes", data.dtype.size_bytes),
    )
    return _call(node, "gather_elements", fields)


def lower_gather_nd(node: Node, site: Site) -> KernelCall:
    """The call for GatherNd."""
    op, (data, indices) = node.op, (value.type for value in node.inputs)
    assert isinstance(op, GatherNd)
    batches = math.prod(data.shape[: op.batch])
    fields: Fields = (
        *_tuples(node, op.batch, math.prod(indices.shape[op.batch : -1])),
        ("batches", batches),
        ("batch_bytes", data.size_bytes // batches),
    )
    return _call(node, "gather_nd", fields)


def lower_scatter_nd(node: Node, site: Site) -> KernelCall:
    """The call for ScatterNd."""
    op, (data, indices, _) = node.op, (value.type for value in node.inputs)
    assert isinstance(op, ScatterNd)
    if op.reduction != "none":
        raise NoKernel(f"scatter_nd with the reduction {op.reduction}")
    fields: Fields = (*_tuples(node, 0, math.prod(indices.shape[:-1])), ("bytes", data.size_bytes))
    return _call(node, "scatter_nd", fields, (Overlap(0, 0),))


def _tuples(node: Node, batch: int, tuples: int) -> Fields:
    """STW_TUPLE_SHAPE."""
    data, depth = node.inputs[0].type, node.inputs[1].type.shape[-1]
    indexed = slice(batch, batch + depth)
    if depth > AXES:
        raise NoKernel(f"tuples of {depth} indices, and kernels take {AXES}")
    return (
        ("tuples", tuples),
        ("depth", depth),
        ("extents", data.shape[indexed] + (1,) * (AXES - depth)),
        ("strides", _byte_strides(node)[indexed] + (0,) * (AXES - depth)),
        ("run_bytes", math.prod(data.shape[batch + depth :]) * data.dtype.size_bytes),
    )


def _byte_strides(node: Node) -> tuple[int, ...]:
    data = node.inputs[0].type
    return tuple(data.dtype.size_bytes * step for step in row_major_strides(data.shape))


def _call(node: Node, verb: str, fields: Fields, overlaps: tuple[Overlap, ...] = ()) -> KernelCall:
    require_elements(node)
    indices = node.inputs[1].type.dtype
    updates = ("uint8_t",) * (len(node.inputs) - 2)
    return KernelCall(
        header="stowage/kernels/index.h",
        function=f"stw_{verb}_{SUFFIXES[indices]}",
        parameters=fields,
        arguments=pointers(("uint8_t", CTYPES[indices], *updates), "uint8_t"),
        overlaps=overlaps,
    )
