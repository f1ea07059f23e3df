# SPDX-License-Identifier: Apache-2.0
"""Elements chosen by indices, index.h, and repeated elements, gather.h."""

from __future__ import annotations

import math
from dataclasses import replace

from stowage.ir.graph import Node
from stowage.ir.ops.selection import Expand, Gather, GatherElements, GatherNd
from stowage.target.kernels.axes import AXES, filled_up, merged, row_major_strides
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, pointers, require_elements
from stowage.target.kernels.gather import gather_call
from stowage.target.kernels.kernel import KernelCall, NoKernel, ParameterValue, Site

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
    size = node.output.type.dtype.size_bytes
    fields: Fields = (*axis_shape(node, node.op.axis, size), ("element_bytes", size))
    return _call(node, "gather_elements", fields)


def axis_shape(node: Node, axis: int, unit: int) -> Fields:
    """The walk over indices of a node, whose first operand they index along an axis: extents, the operand's strides
    along all other axes, and its extent and stride along that one; an element counts `unit` in strides."""
    data, indices = (value.type for value in node.inputs[:2])
    steps = tuple(unit * step for step in row_major_strides(data.shape))
    extents, (strides,) = merged(indices.shape, (*steps[:axis], 0, *steps[axis + 1 :]))
    return (
        ("extents", filled_up(extents, 1)),
        ("strides", filled_up(strides, 0)),
        ("axis_extent", data.shape[axis]),
        ("axis_stride", steps[axis]),
    )


def lower_gather_nd(node: Node, site: Site) -> KernelCall:
    """The call for GatherNd."""
    op, (data, indices) = node.op, (value.type for value in node.inputs)
    assert isinstance(op, GatherNd)
    batches = math.prod(data.shape[: op.batch])
    fields: Fields = (
        *tuple_shape(node, op.batch, math.prod(indices.shape[op.batch : -1]), data.dtype.size_bytes),
        ("batches", batches),
        ("batch_bytes", data.size_bytes // batches),
    )
    return _call(node, "gather_nd", fields)


def tuple_shape(node: Node, batch: int, tuples: int, unit: int) -> Fields:
    """STW_TUPLE_SHAPE.

    Args:
        node: the node, whose second operand holds the tuples.
        batch: how many axes come before those that tuples index.
        tuples: how many there are, in each batch.
        unit: what an element counts in strides and run.
    """
    data, depth = node.inputs[0].type, node.inputs[1].type.shape[-1]
    indexed = slice(batch, batch + depth)
    if depth > AXES:
        raise NoKernel(f"tuples of {depth} indices, and kernels take {AXES}")
    return (
        ("tuples", tuples),
        ("depth", depth),
        ("extents", data.shape[indexed] + (1,) * (AXES - depth)),
        ("strides", tuple(unit * step for step in row_major_strides(data.shape)[indexed]) + (0,) * (AXES - depth)),
        ("run", math.prod(data.shape[batch + depth :]) * unit),
    )


def _call(node: Node, verb: str, fields: Fields) -> KernelCall:
    require_elements(node)
    indices = node.inputs[1].type.dtype
    return KernelCall(
        header="stowage/kernels/index.h",
        function=f"stw_{verb}_{SUFFIXES[indices]}",
        parameters=fields,
        arguments=pointers(("uint8_t", CTYPES[indices]), "uint8_t"),
    )
