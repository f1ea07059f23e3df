# SPDX-License-Identifier: Apache-2.0
"""Quantisation with scales and zero points that are tensors like any other: computed at run time, or blocks of them.

A tensor's type can only carry what is known at build time, for a tensor or an axis. All else is arithmetic: quotients
rounded half to even and saturated, differences of integers, products.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Cast, Clip, Div, Mul, Sub
from stowage.ir.ops.function import Round
from stowage.ir.ops.movement import Reshape, Slice
from stowage.ir.ops.selection import Expand

SATURATING = (DType.I8, DType.U8, DType.I16, DType.U16)
Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """How integers stand for reals: real = scale * (integer - zero point), elements broadcast.

    Attributes:
        scale: float32.
        zero_point: of the integers' type; None is 0.
    """

    scale: Value
    zero_point: Value | None


def is_known(site: NodeSite, *indices: int) -> bool:
    """Whether no input of the model changes these operands (those that are there)."""
    return all(site.elements(index) is not None for index in indices if site.has(index))


def steps_of(site: NodeSite, scale: int, zero_point: int, shape: Shape, axis: int, block: int = 0) -> Steps:
    """Scale and zero point as tensors that broadcast to a tensor of the given shape.

    Args:
        site: the node.
        scale: index of the scale among the operands.
        zero_point: index of the zero point, which is optional.
        shape: of the quantised tensor.
        axis: along which several scales lie.
        block: elements along the axis that share a scale, where scales have as many axes as the tensor; else 0.
    """
    zeros = spread(site, site.number(zero_point), shape, axis, block) if site.has(zero_point) else None
    return Steps(in_float32(site, spread(site, site.real(scale), shape, axis, block)), zeros)


def spread(site: NodeSite, value: Value, shape: Shape, axis: int, block: int = 0) -> Value:
    """One number, one for every entry of an axis, or one a block: in a shape that broadcasts to `shape`."""
    own = value.type.shape
    if value.type.elements == 1:
        return value if not own else site.moved(Reshape(()), value, "scalar")
    axis = site.axis(axis, len(shape))
    if block:
        return _blocks(site, value, shape, axis, block)
    if own != (shape[axis],):
        raise site.invalid(f"scales of shape {list(own)} do not go with axis {axis} of the shape {list(shape)}")
    return site.moved(Reshape((*own, *(1,) * (len(shape) - 1 - axis))), value, "along_axis")


def _blocks(site: NodeSite, value: Value, shape: Shape, axis: int, block: int) -> Value:
    """Each element along the axis is repeated, and the last block may be shorter."""
    own = value.type.shape
    if own != (*shape[:axis], -(-shape[axis] // block), *shape[axis + 1 :]):
        raise site.invalid(f"scales of shape {list(own)} are none of blocks of {block} along axis {axis} of {shape}")
    before, count, after = own[:axis], own[axis], own[axis + 1 :]
    apart = site.moved(Reshape((*before, count, 1, *after)), value, "blocks")
    repeated = site.add(Expand((*before, count, block, *after)), apart, role="repeated")
    whole = site.add(Reshape((*before, count * block, *after)), repeated, role="whole")
    if whole.type.shape == shape:
        return whole
    return site.add(Slice((0,) * len(shape), shape, (1,) * len(shape)), whole, role="cut")


def quantised(site: NodeSite, reals: Value, steps: Steps, dtype: DType) -> Value:
    """Integers of a type of at most 16 bits: saturate(round_half_even(x / scale) + zero point)."""
    if dtype not in SATURATING:
        raise site.unsupported(f"it quantises to {dtype.value}", "quantise to int8, uint8, int16 or uint16")
    limits = np.iinfo(dtype.numpy.name)
    quotient = site.add(Div(), in_float32(site, reals), steps.scale, role="steps")
    rounded = site.add(Round(), quotient, role="rounded")
    if steps.zero_point is not None:
        rounded = site.add(Add(), rounded, in_float32(site, steps.zero_point), role="shifted")
    return site.add(Cast(dtype), site.add(Clip(float(limits.min), float(limits.max)), rounded, role="saturated"))


def dequantised(site: NodeSite, integers: Value, steps: Steps) -> Value:
    """float32 reals: scale * (integer - zero point)."""
    return site.add(Mul(), in_float32(site, centred(site, integers, steps.zero_point)), steps.scale, role="reals")


def centred(site: NodeSite, integers: Value, zero_point: Value | None) -> Value:
    """Integers less their zero point, in 32 bits."""
    if zero_point is None:
        return as_type(site, integers, DType.I32)
    return site.add(Sub(), as_type(site, integers, DType.I32), as_type(site, zero_point, DType.I32), role="centred")


def in_float32(site: NodeSite, value: Value) -> Value:
    """The numbers as float32."""
    return as_type(site, value, DType.F32)


def as_type(site: NodeSite, value: Value, dtype: DType) -> Value:
    """The numbers in an element type."""
    return value if value.type.dtype is dtype else site.add(Cast(dtype), value, role=f"as_{dtype.name.lower()}")
