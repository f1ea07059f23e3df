# SPDX-License-Identifier: Apache-2.0
"""Operators that give the same elements another shape, or just pass them on."""

from __future__ import annotations

import math

import numpy as np

from stowage.frontend.from_onnx.axes import axes_operand
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.ops.movement import Reshape, Transpose


def _reshaped(site: NodeSite, shape: tuple[int, ...]) -> Results:
    value = site.operand(0)
    return (value if shape == value.type.shape else site.add(Reshape(shape), value),)


def _reshape(site: NodeSite) -> Results:
    old = site.type(0).shape
    wanted = list(site.known_ints(1, "the new shape"))
    if not site.flag("allowzero"):
        if any(extent == 0 and axis >= len(old) for axis, extent in enumerate(wanted)):
            raise site.invalid(f"the new shape {wanted} copies an axis that the input {list(old)} does not have")
        wanted = [extent or old[axis] for axis, extent in enumerate(wanted)]
    if wanted.count(-1) > 1 or min(wanted, default=0) < -1:
        raise site.invalid(f"the new shape {wanted} has more than one unknown extent or a negative one")
    if -1 in wanted:
        rest = math.prod(extent for extent in wanted if extent != -1)
        wanted[wanted.index(-1)] = math.prod(old) // rest if rest else 0
    return _reshaped(site, tuple(wanted))


def _flatten(site: NodeSite) -> Results:
    shape = site.type(0).shape
    axis = site.integer("axis", 1)
    if not -len(shape) <= axis <= len(shape):
        raise site.invalid(f"axis {axis} does not exist in a tensor of rank {len(shape)}")
    axis = axis + len(shape) if axis < 0 else axis
    return _reshaped(site, (math.prod(shape[:axis]), math.prod(shape[axis:])))


def _squeeze(site: NodeSite) -> Results:
    shape = site.type(0).shape
    axes = axes_operand(site, len(shape), operand_since=13)
    if axes is None:
        axes = tuple(axis for axis, extent in enumerate(shape) if extent == 1)
    for axis in axes:
        if shape[axis] != 1:
            raise site.invalid(f"axis {axis} of the shape {list(shape)} has extent {shape[axis]}, not 1")
    return _reshaped(site, tuple(extent for axis, extent in enumerate(shape) if axis not in axes))


def _unsqueeze(site: NodeSite) -> Results:
    shape = site.type(0).shape
    count = len(site.ints("axes") or ()) if site.opset < 13 else site.known(1, "the list of axes").size
    rank = len(shape) + count
    axes = axes_operand(site, rank, operand_since=13)
    if axes is None:
        raise site.invalid("the axes to add are missing")
    extents = iter(shape)
    return _reshaped(site, tuple(1 if axis in axes else next(extents) for axis in range(rank)))


def _transpose(site: NodeSite) -> Results:
    rank = len(site.type(0).shape)
    permutation = site.ints("perm") or tuple(reversed(range(rank)))
    return (site.add(Transpose(permutation), site.operand(0)),)


def _dropout(site: NodeSite) -> Results:
    """In inference, or with a ratio of 0, it passes everything on, and its mask is true everywhere."""
    drops = not site.has(1) or site.known(1, "the ratio").any()
    if drops and site.has(2) and site.known(2, "training_mode").any():
        raise site.unsupported("training_mode is true, so that it drops numbers at random", "export for inference")
    mask = [np.ones(site.type(0).shape, np.bool_)] if site.makes(1) else []
    return (site.operand(0), *mask)


def _shape(site: NodeSite) -> Results:
    shape = site.type(0).shape
    end = site.integer("end", len(shape))
    return (np.array(shape[site.integer("start", 0) : end], np.int64),)


def _size(site: NodeSite) -> Results:
    return (np.array(site.type(0).elements, np.int64),)


IMPORTERS: Importers = {
    "Reshape": _reshape,
    "Flatten": _flatten,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Transpose": _transpose,
    "Dropout": _dropout,
    "Shape": _shape,
    "Size": _size,
}
