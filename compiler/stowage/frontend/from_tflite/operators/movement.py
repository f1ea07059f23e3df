# SPDX-License-Identifier: Apache-2.0
"""Operators that move elements: their integers stay, whatever the result says that these stand for."""

from __future__ import annotations

import math

import numpy as np
import tflite
from numpy.typing import NDArray

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.read_as import read_as
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Concat, Pad, Reshape, Slice, Transpose


def reshape(site: OperatorSite) -> list[Value]:
    """To the shape of operand 1, or of the options, or that the result is declared with; one -1 is worked out."""
    data = site.input(0)
    if site.has(1):
        wanted = site.integers(1, "shape")
    else:
        option = site.record.options.get("NewShape", ())
        wanted = option if isinstance(option, tuple) and option else site.declared_shape()
    return [read_as(site, site.add(Reshape(_without_gap(site, wanted, data.type.elements)), (data,)))]


def _without_gap(site: OperatorSite, shape: tuple[int, ...], elements: int) -> tuple[int, ...]:
    known = math.prod(extent for extent in shape if extent != -1)
    if shape.count(-1) > 1 or any(extent < -1 for extent in shape) or (-1 in shape and (not known or elements % known)):
        site.invalid(f"{elements} elements cannot take the shape {list(shape)}")
    return tuple(elements // known if extent == -1 else extent for extent in shape)


def as_declared(site: OperatorSite) -> list[Value]:
    """SQUEEZE and EXPAND_DIMS: the shape that the result is declared with."""
    data = site.input(0)
    return [read_as(site, site.add(Reshape(_without_gap(site, site.declared_shape(), data.type.elements)), (data,)))]


def transpose(site: OperatorSite) -> list[Value]:
    """Result axis k is input axis permutation[k]."""
    rank = len(site.input(0).type.shape)
    permutation = tuple(axis % rank if -rank <= axis < rank else axis for axis in site.integers(1, "permutation"))
    return [read_as(site, site.add(Transpose(permutation), (site.input(0),)))]


def pad(site: OperatorSite) -> list[Value]:
    """PAD with zeros, PADV2 with a given number."""
    data = site.input(0)
    before, after = _pads(site, data)
    value = float(site.constant(2, "padding value").ravel()[0]) if site.has(2) else 0.0
    if site.has(2) and data.type.quant is not None:
        value = data.type.quant.scale * (value - data.type.quant.zero_point)
    return [read_as(site, site.add(Pad(before, after, value=value), (data,)))]


def mirror_pad(site: OperatorSite) -> list[Value]:
    """MIRROR_PAD, which repeats the edge in the mode SYMMETRIC and does not in the mode REFLECT."""
    value = site.input(0)
    before, after = _pads(site, value)
    if site.option("Mode") == tflite.MirrorPadMode.REFLECT:
        return [read_as(site, site.add(Pad(before, after, "reflect"), (value,)))]
    for axis, pads in enumerate(zip(before, after, strict=True)):
        value = _mirrored(site, value, axis, pads) if any(pads) else value
    return [read_as(site, value)]


def _mirrored(site: OperatorSite, value: Value, axis: int, pads: tuple[int, int]) -> Value:
    """The first elements, from the edge on, before it, and the last behind."""
    extent = value.type.shape[axis]
    if max(pads) > extent:
        site.invalid(f"its padding {list(pads)} is longer than axis {axis} of {extent}")
    front = _backwards(site, value, axis, pads[0] - 1, pads[0]) if pads[0] else None
    back = _backwards(site, value, axis, extent - 1, pads[1]) if pads[1] else None
    parts = [part for part in (front, value, back) if part is not None]
    return site.add(Concat(axis), parts, f"mirrored_{axis}")


def _backwards(site: OperatorSite, value: Value, axis: int, first: int, count: int) -> Value:
    shape = value.type.shape
    begins = tuple(first if each == axis else 0 for each in range(len(shape)))
    taken = tuple(count if each == axis else extent for each, extent in enumerate(shape))
    steps = tuple(-1 if each == axis else 1 for each in range(len(shape)))
    return site.add(Slice(begins, taken, steps), (value,), f"edge_{axis}_{first}")


def _pads(site: OperatorSite, data: Value) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Elements before and after each axis."""
    pads: NDArray[np.int64] = site.constant(1, "padding").astype(np.int64)
    if pads.shape != (len(data.type.shape), 2):
        site.invalid(f"padding has the shape {list(pads.shape)}, which does not suit the input {list(data.type.shape)}")
    if (pads < 0).any():
        site.invalid("its padding is negative")
    return tuple(map(int, pads[:, 0])), tuple(map(int, pads[:, 1]))
