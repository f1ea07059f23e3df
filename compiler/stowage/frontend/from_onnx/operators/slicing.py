# SPDX-License-Identifier: Apache-2.0
"""Slice, in all the forms that it had."""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.ops.movement import Slice


def _slice(site: NodeSite) -> Results:
    shape = site.type(0).shape
    starts, ends, axes, steps = _operands(site)
    if len({len(starts), len(ends), len(axes), len(steps)}) > 1:
        raise site.invalid("starts, ends, axes and steps are not equally many")
    begins, extents, strides = [0] * len(shape), list(shape), [1] * len(shape)
    seen: set[int] = set()
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        axis = site.axis(axis, len(shape))
        if step == 0 or axis in seen:
            raise site.invalid(f"axis {axis} has a step of 0 or is sliced twice")
        seen.add(axis)
        taken = range(*slice(start, end, step).indices(shape[axis]))
        begins[axis], extents[axis], strides[axis] = taken.start, len(taken), step
    op = Slice(tuple(begins), tuple(extents), tuple(strides))
    return (site.operand(0) if op == _whole(shape) else site.add(op, site.operand(0)),)


def _whole(shape: tuple[int, ...]) -> Slice:
    return Slice((0,) * len(shape), shape, (1,) * len(shape))


def _operands(site: NodeSite) -> tuple[tuple[int, ...], ...]:
    """Starts, ends, axes and steps: attributes (without steps) before operator set 10, operands since."""
    if site.opset < 10:
        starts, ends, axes, steps = site.ints("starts") or (), site.ints("ends") or (), site.ints("axes"), None
    else:
        starts, ends = site.known_ints(1, "the starts"), site.known_ints(2, "the ends")
        axes = site.known_ints(3, "the axes") if site.has(3) else None
        steps = site.known_ints(4, "the steps") if site.has(4) else None
    if axes is None:
        axes = tuple(range(len(starts)))
    return starts, ends, axes, (1,) * len(starts) if steps is None else steps


IMPORTERS: Importers = {"Slice": _slice}
