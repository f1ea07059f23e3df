# SPDX-License-Identifier: Apache-2.0
"""GATHER and its like, ONE_HOT, SCATTER_ND, REVERSE_V2, TILE and BROADCAST_TO."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.axes import axes_of, axis_of
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.read_as import read_as
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Equal, Where
from stowage.ir.ops.movement import Concat, Reshape, Slice
from stowage.ir.ops.selection import Expand, Gather, GatherNd, ScatterNd

_MOST_COPIES = 64


def gather(site: OperatorSite) -> list[Value]:
    """Slices along an axis at the indices of operand 1."""
    data, indices = site.input(0), site.input(1)
    axis = axis_of(site, site.option("Axis"), len(data.type.shape))
    batch = site.option("BatchDims")
    if not batch:
        return [read_as(site, site.add(Gather(axis), (data, indices)))]
    if batch != axis or batch >= len(indices.type.shape):
        site.refuse(f"it has {batch} batch dimensions and takes along axis {axis}", "take along the axis behind them")
    tuples = site.moved(Reshape((*indices.type.shape, 1)), indices, "tuples")
    return [read_as(site, site.add(GatherNd(batch), (data, tuples)))]


def gather_nd(site: OperatorSite) -> list[Value]:
    """Slices at the tuples of indices that the last axis of operand 1 holds."""
    return [read_as(site, site.add(GatherNd(), (site.input(0), site.input(1))))]


def embedding_lookup(site: OperatorSite) -> list[Value]:
    """Rows of operand 1 at the indices of operand 0."""
    return [read_as(site, site.add(Gather(0), (site.input(1), site.input(0))))]


def scatter_nd(site: OperatorSite) -> list[Value]:
    """Zeros with the slices of operand 1 added at the tuples of indices of operand 0."""
    updates, shape = site.input(1), site.integers(2, "shape")
    if updates.type.quant is not None:
        site.refuse("it adds quantised integers", "keep it in float32")
    zeros = site.known(np.zeros(shape, updates.type.dtype.numpy), "zeros")
    return [site.add(ScatterNd("add"), (zeros, site.input(0), updates))]


def reverse(site: OperatorSite) -> list[Value]:
    """From the last element to the first along the axes of operand 1."""
    data = site.input(0)
    shape = data.type.shape
    gone = axes_of(site, site.integers(1, "axes"), len(shape))
    begins = tuple(extent - 1 if axis in gone else 0 for axis, extent in enumerate(shape))
    steps = tuple(-1 if axis in gone else 1 for axis in range(len(shape)))
    return [read_as(site, site.add(Slice(begins, shape, steps), (data,)))]


def one_hot(site: OperatorSite) -> list[Value]:
    """Operand 2 at the place of each index along a new axis of the extent of operand 1, else operand 3."""
    indices, (depth,) = site.input(0), site.integers(1, "depth")
    rank = len(indices.type.shape) + 1
    axis = axis_of(site, site.option("Axis", -1), rank)
    wide = (*indices.type.shape[:axis], 1, *indices.type.shape[axis:])
    places = np.arange(depth, dtype=indices.type.dtype.numpy).reshape([depth, *[1] * (rank - 1 - axis)])
    lone = site.moved(Reshape(wide), indices, "indices")
    here = site.add(Equal(), (lone, site.known(places, "places")), "here")
    on, off = (site.moved(Reshape((1,)), site.input(index), role) for index, role in ((2, "on"), (3, "off")))
    return [site.add(Where(), (here, on, off))]


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
