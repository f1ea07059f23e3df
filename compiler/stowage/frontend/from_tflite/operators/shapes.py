# SPDX-License-Identifier: Apache-2.0
"""SHAPE, RANK, RANGE, FILL, ZEROS_LIKE and BROADCAST_ARGS: what is known once shapes are."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.graph import Array, Value
from stowage.ir.ops.broadcast import broadcast

_MOST_ELEMENTS = 2**24


def shape(site: OperatorSite) -> list[Value]:
    """The extents of operand 0."""
    return [_known(site, np.array(site.input(0).type.shape))]


def rank(site: OperatorSite) -> list[Value]:
    """How many axes operand 0 has."""
    return [_known(site, np.array(len(site.input(0).type.shape)))]


def range_(site: OperatorSite) -> list[Value]:
    """From operand 0 to before operand 1 in steps of operand 2."""
    start, limit, step = (site.constant(index, "bounds").ravel() for index in range(3))
    if not step.size or not step[0] or abs(limit[0] - start[0]) > abs(step[0]) * _MOST_ELEMENTS:
        site.invalid("its bounds and its step make no list")
    return [_known(site, np.arange(start[0], limit[0], step[0]))]


def zeros_like(site: OperatorSite) -> list[Value]:
    """As many zeros as operand 0 has elements."""
    return [_known(site, np.zeros(site.input(0).type.shape))]


def broadcast_args(site: OperatorSite) -> list[Value]:
    """The shape that two shapes broadcast to."""
    return [_known(site, np.array(broadcast(site.integers(0, "shape"), site.integers(1, "shape"))))]


def fill(site: OperatorSite) -> list[Value]:
    """A constant of one number."""
    extents, number = site.integers(0, "shape"), site.constant(1, "number")
    if any(extent < 0 for extent in extents) or number.size != 1 or np.prod(extents, dtype=object) > _MOST_ELEMENTS:
        site.invalid(f"it fills the shape {list(extents)}")
    return [site.known(np.full(extents, number.ravel()[0]), "", site.declared())]


def _known(site: OperatorSite, array: Array) -> Value:
    return site.known(array.astype(site.declared().dtype.numpy), "")
