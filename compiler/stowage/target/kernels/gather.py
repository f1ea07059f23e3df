# SPDX-License-Identifier: Apache-2.0
"""Transpose and Slice: elements taken at a fixed stride along each axis, gather.h."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.ir.ops.movement import Slice, Transpose
from stowage.target.kernels.axes import AXES, Extents, Strides, filled_up, merged, row_major_strides
from stowage.target.kernels.call_parts import pointers, require_elements, word
from stowage.target.kernels.kernel import FORWARD, KernelCall, Overlap, Site
from stowage.target.kernels.overlaps import strided_overlaps

_HEADER = "stowage/kernels/gather.h"


def lower_transpose(node: Node, site: Site) -> KernelCall:
    """The call for Transpose."""
    assert isinstance(node.op, Transpose)
    steps = row_major_strides(node.inputs[0].type.shape)
    return gather_call(node, tuple(steps[axis] for axis in node.op.permutation), 0)


def lower_slice(node: Node, site: Site) -> KernelCall:
    """The call for Slice."""
    op, steps = node.op, row_major_strides(node.inputs[0].type.shape)
    assert isinstance(op, Slice)
    strides = tuple(own * factor for own, factor in zip(steps, op.steps, strict=True))
    return gather_call(node, strides, sum(begin * own for begin, own in zip(op.begins, steps, strict=True)))


def gather_call(node: Node, strides: Strides, begin: int) -> KernelCall:
    """Output elements from input element `begin` on, at these strides along the output's axes, in elements."""
    require_elements(node)
    extents, (steps,) = merged(node.output.type.shape, strides)
    if not steps or steps[-1] == 1:
        return _runs(node, extents, steps, begin)
    size = node.output.type.dtype.size_bytes
    ctype = word(node.output)
    return KernelCall(
        header=_HEADER,
        function=f"stw_gather_u{8 * size}",
        parameters=(
            ("extents", filled_up(extents, 1)),
            ("strides", filled_up(steps, 0)),
            ("begin", begin),
            FORWARD,
        ),
        arguments=pointers((ctype,), ctype),
        overlaps=_overlaps(node, extents, steps, begin),
    )


def _runs(node: Node, extents: Extents, steps: Strides, begin: int) -> KernelCall:
    """The same where the last axis is contiguous: it is moved as bytes."""
    size = node.output.type.dtype.size_bytes
    bytes_apart = tuple(size * step for step in steps[:-1])
    return KernelCall(
        header=_HEADER,
        function="stw_gather_runs",
        parameters=(
            ("extents", (*filled_up(extents[:-1], 1, AXES - 1), 1)),
            ("strides", (*filled_up(bytes_apart, 0, AXES - 1), 1)),
            ("begin", begin * size),
            ("run_bytes", size * (extents[-1] if extents else 1)),
            FORWARD,
        ),
        arguments=pointers(("uint8_t",), "uint8_t"),
        overlaps=_overlaps(node, extents, steps, begin),
    )


def _overlaps(node: Node, extents: Extents, steps: Strides, begin: int) -> tuple[Overlap, ...]:
    size, last = node.output.type.dtype.size_bytes, begin
    last += sum(step * (extent - 1) for step, extent in zip(steps, extents, strict=True))
    behind = node.inputs[0].type.elements - 1 - last
    written = tuple(size * step for step in row_major_strides(extents))
    return strided_overlaps(0, extents, written, tuple(size * step for step in steps), (-size * begin, -size * behind))
