# SPDX-License-Identifier: Apache-2.0
"""Operators that choose or repeat elements: Gather and its kin, Expand, Tile, OneHot, Trilu, space and depth."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.declared_types import check_size
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Value
from stowage.ir.ops.broadcast import broadcast
from stowage.ir.ops.combination import Equal, Less, Where
from stowage.ir.ops.elementwise import Add, Cast
from stowage.ir.ops.movement import Reshape, Slice, Transpose
from stowage.ir.ops.selection import Expand, Gather, GatherElements, GatherNd
from stowage.ir.tensor_type import TensorType


def _gather(site: NodeSite) -> Results:
    """Constant indices at even distances are a Slice, which layouts pass through."""
    shape = site.type(0).shape
    axis = site.axis(site.integer("axis", 0), len(shape))
    known = site.tensors.known(site.proto.input[1]) if site.has(1) else None
    if known is None or not known.size:
        return (site.add(Gather(axis), site.operand(0), site.operand(1)),)
    places = _inside(site, known, shape[axis])
    step = int(places[1] - places[0]) if places.size > 1 else 1
    if step and np.array_equal(places, places[0] + step * np.arange(places.size)):
        begins = tuple(int(places[0]) if k == axis else 0 for k in range(len(shape)))
        steps = tuple(step if k == axis else 1 for k in range(len(shape)))
        extents = (*shape[:axis], places.size, *shape[axis + 1 :])
        taken = site.add(Slice(begins, extents, steps), site.operand(0), role="taken")
        return (site.add(Reshape((*shape[:axis], *known.shape, *shape[axis + 1 :])), taken),)
    indices = site.builder.constant(f"{site.output_name}.indices", places.reshape(known.shape).astype(np.int32))
    return (site.add(Gather(axis), site.operand(0), indices),)


def _inside(site: NodeSite, indices: Array, extent: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    flat = indices.astype(np.int64).reshape(-1)
    if flat.min() < -extent or flat.max() >= extent:
        raise site.invalid(f"an index leaves the axis of extent {extent}")
    return np.where(flat < 0, flat + extent, flat)


def _gather_elements(site: NodeSite) -> Results:
    axis = site.axis(site.integer("axis", 0), len(site.type(0).shape))
    return (site.add(GatherElements(axis), site.operand(0), site.operand(1)),)


def _gather_nd(site: NodeSite) -> Results:
    return (site.add(GatherNd(site.integer("batch_dims", 0)), site.operand(0), site.operand(1)),)


def _compress(site: NodeSite) -> Results:
    """A constant condition: its true places are constant indices."""
    condition = np.flatnonzero(site.known(1, "the condition")).astype(np.int32)
    value, axis = site.operand(0), 0
    if site.attribute("axis") is None:
        value = site.add(Reshape((value.type.elements,)), value, role="flat")
    else:
        axis = site.axis(site.integer("axis", 0), len(value.type.shape))
    if not condition.size or condition[-1] >= value.type.shape[axis]:
        raise site.invalid(f"the condition is true nowhere, or beyond the axis of extent {value.type.shape[axis]}")
    return (site.add(Gather(axis), value, site.builder.constant(f"{site.output_name}.indices", condition)),)


def _expand(site: NodeSite) -> Results:
    shape = broadcast(site.type(0).shape, site.known_ints(1, "the shape"))
    return (site.operand(0) if shape == site.type(0).shape else site.add(Expand(shape), site.operand(0)),)


def _tile(site: NodeSite) -> Results:
    """Each axis gets one of repeats in front, and both become one."""
    shape, repeats = site.type(0).shape, site.known_ints(1, "the repeats")
    if len(repeats) != len(shape) or min(repeats, default=0) < 0:
        raise site.invalid(f"the repeats {list(repeats)} do not go with the shape {list(shape)}")
    pairs = list(zip(repeats, shape, strict=True))
    apart = site.add(Reshape(tuple(k for _, extent in pairs for k in (1, extent))), site.operand(0), role="apart")
    repeated = site.add(Expand(tuple(k for pair in pairs for k in pair)), apart, role="repeated")
    return (site.add(Reshape(tuple(repeat * extent for repeat, extent in pairs)), repeated),)


def _one_hot(site: NodeSite) -> Results:
    """Where the index, counted from the end if negative, equals the place along the new axis."""
    depth = _depth(site)
    indices, rank = _as_index(site), len(site.type(0).shape) + 1
    axis = site.axis(site.integer("axis", -1), rank)
    shape = (*indices.type.shape[:axis], 1, *indices.type.shape[axis:])
    raised = site.add(Reshape(shape), indices, role="raised")
    wrapped = site.add(Add(), raised, _numbers(site, "depth", depth), role="from_end")
    negative = site.add(Less(), raised, _numbers(site, "zero", 0), role="negative")
    index = site.add(Where(), negative, wrapped, raised, role="index")
    along = tuple(depth if k == axis else 1 for k in range(rank))
    places = site.builder.constant(f"{site.output_name}.places", np.arange(depth, dtype=np.int32).reshape(along))
    hot = site.add(Equal(), index, places, role="hot")
    off, on = (_part(site, site.number(2), k) for k in (0, 1))
    return (site.add(Where(), hot, on, off),)


def _depth(site: NodeSite) -> int:
    """Checked before anything of its size is made."""
    given = site.known(1, "the depth")
    if given.size != 1 or given.item() < 1:
        raise site.invalid(f"the depth must be one positive number, but is {given.tolist()}")
    check_size(TensorType((*site.type(0).shape, int(given.item())), site.type(2).dtype), site.where)
    return int(given.item())


def _as_index(site: NodeSite) -> Value:
    value = site.number(0)
    return value if value.type.dtype is DType.I32 else site.add(Cast(DType.I32), value, role="whole")


def _numbers(site: NodeSite, role: str, number: int) -> Value:
    return site.builder.constant(f"{site.output_name}.{role}", np.array(number, np.int32))


def _part(site: NodeSite, values: Value, index: int) -> Value:
    return site.add(Slice((index,), (1,), (1,)), values, role=f"value{index}")


def _trilu(site: NodeSite) -> Results:
    value, shape = site.number(0), site.type(0).shape
    if len(shape) < 2:
        raise site.invalid(f"the input has shape {list(shape)}, but must have two axes or more")
    k = int(site.known(1, "the diagonal").item()) if site.has(1) else 0
    ones = np.ones(shape[-2:], np.bool_)
    kept = site.builder.constant(
        f"{site.output_name}.kept", np.triu(ones, k) if site.flag("upper", True) else np.tril(ones, k)
    )
    zero = site.builder.constant(f"{site.output_name}.zero", np.zeros((), value.type.dtype.numpy))
    return (site.add(Where(), kept, value, zero),)


def _depth_to_space(site: NodeSite) -> Results:
    block, (batch, channels, height, width) = _block(site)
    rest = channels // block**2
    if site.text("mode", "DCR", ("DCR", "CRD")) == "DCR":
        split, order = (batch, block, block, rest, height, width), (0, 3, 4, 1, 5, 2)
    else:
        split, order = (batch, rest, block, block, height, width), (0, 1, 4, 2, 5, 3)
    return _rearranged(site, split, order, (batch, rest, height * block, width * block))


def _space_to_depth(site: NodeSite) -> Results:
    block, (batch, channels, height, width) = _block(site)
    split = (batch, channels, height // block, block, width // block, block)
    order = (0, 3, 5, 1, 2, 4) if site.text("mode", "DCR", ("DCR", "CRD")) == "DCR" else (0, 1, 3, 5, 2, 4)
    result = (batch, channels * block**2, height // block, width // block)
    return _rearranged(site, split, order, result)


def _block(site: NodeSite) -> tuple[int, tuple[int, ...]]:
    block, shape = site.integer("blocksize", 0), site.type(0).shape
    divided = (shape[1] // max(block, 1) ** 2,) if site.proto.op_type == "DepthToSpace" else ()
    if len(shape) != 4 or block < 1 or 0 in divided:
        raise site.invalid(f"blocks of {block} do not go with the shape {list(shape)}")
    return block, shape


def _rearranged(site: NodeSite, split: tuple[int, ...], order: tuple[int, ...], result: tuple[int, ...]) -> Results:
    apart = site.add(Reshape(split), site.operand(0), role="blocks")
    return (site.add(Reshape(result), site.add(Transpose(order), apart, role="rearranged")),)


IMPORTERS: Importers = {
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "Compress": _compress,
    "Expand": _expand,
    "Tile": _tile,
    "OneHot": _one_hot,
    "Trilu": _trilu,
    "DepthToSpace": _depth_to_space,
    "SpaceToDepth": _space_to_depth,
}
