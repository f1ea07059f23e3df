# SPDX-License-Identifier: Apache-2.0
"""GATHER, TILE and BROADCAST_TO."""

from __future__ import annotations

from stowage.frontend.from_tflite.axes import axis_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.read_as import read_as
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Concat
from stowage.ir.ops.selection import Expand, Gather

_MOST_COPIES = 64


def gather(site: OperatorSite) -> list[Value]:
    """Slices along an axis at the indices of operand 1."""
    data, indices = site.input(0), site.input(1)
    if site.option("BatchDims"):
        site.refuse("it has batch dimensions", "gather along an axis of the whole tensor")
    axis = axis_of(site, site.option("Axis"), len(data.type.shape))
    return [read_as(site, site.add(Gather(axis), (data, indices)))]


def tile(site: OperatorSite) -> list[Value]:
    """As many copies along each axis as operand 1 says."""
    value = site.input(0)
    copies = site.integers(1, "number of copies")
    if len(copies) != len(value.type.shape) or min(copies, default=1) < 1:
        site.invalid(f"it makes {list(copies)} copies of the shape {list(value.type.shape)}")
    if max(copies, default=1) > _MOST_COPIES:
        site.refuse(f"it makes {max(copies)} copies", f"make at most {_MOST_COPIES} along an axis")
    for axis, count in enumerate(copies):
        if count > 1:
            value = site.add(Concat(axis), (value,) * count, f"axis_{axis}")
    return [read_as(site, value)]


def broadcast_to(site: OperatorSite) -> list[Value]:
    """Copies along axes of extent one, up to the shape of operand 1."""
    return [read_as(site, site.add(Expand(site.integers(1, "shape")), (site.input(0),)))]
