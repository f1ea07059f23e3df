# SPDX-License-Identifier: Apache-2.0
"""DFT and STFT. All lengths are known, so a transform is a product with a constant matrix of cosines and sines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stowage.frontend.from_onnx.declared_types import check_size
from stowage.frontend.from_onnx.fourier_matrix import Reals, complex_matrix, real_matrix
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.graph import Array, Value
from stowage.ir.ops.elementwise import Mul
from stowage.ir.ops.linear import MatMul
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.selection import Gather
from stowage.ir.tensor_type import TensorType


def _dft(site: NodeSite) -> Results:
    """The axis goes beside that of real and imaginary parts, both become one row, and the row is multiplied."""
    shape = site.type(0).shape
    axis = _axis(site, len(shape))
    order = (*(k for k in range(len(shape) - 1) if k != axis), axis, len(shape) - 1)
    matrix = _matrix(site, shape[axis], shape[-1])
    moved = site.add(Transpose(order), site.real(0), role="axis_last")
    outer = moved.type.shape[:-2]
    product = _transformed(site, moved, outer, matrix)
    return (site.add(Transpose(tuple(np.argsort(order).tolist())), product),)


def _axis(site: NodeSite, rank: int) -> int:
    """An attribute before operator set 20, an operand since."""
    operand = _number(site, 2, "the axis") if site.has(2) else -2
    axis = site.axis(site.integer("axis", 1) if site.opset < 20 else operand, rank)
    if axis == rank - 1:
        raise site.invalid("the axis is the last one, which holds real and imaginary parts")
    return axis


def _matrix(site: NodeSite, extent: int, parts: int) -> Reals:
    """Extents: input places, input parts, output places, output parts."""
    if parts not in (1, 2):
        raise site.invalid(f"the last axis has extent {parts}, but must have 1 (real) or 2 (complex)")
    inverse, onesided = site.flag("inverse"), site.flag("onesided")
    to_real = inverse and onesided
    length = _number(site, 1, "the length") if site.has(1) else 2 * (extent - 1) if to_real else extent
    if length < 1:
        raise site.invalid(f"a transform has length {length}")
    bins = length // 2 + 1 if onesided and not inverse else length
    check_size(TensorType((extent, parts, bins, 2), site.type(0).dtype), site.where)
    if to_real:
        return real_matrix(extent, parts, length)
    return complex_matrix(extent, parts, length, bins, inverse=inverse)


def _transformed(site: NodeSite, value: Value, outer: tuple[int, ...], matrix: Reals) -> Value:
    """Rows of [..., place, part] times the matrix."""
    places, parts, bins, results = matrix.shape
    columns = matrix.reshape(places * parts, bins * results).astype(value.type.dtype.numpy)
    rows = site.add(Reshape((*outer, places * parts)), value, role="rows")
    weights = site.builder.constant(f"{site.output_name}.fourier", columns)
    product = site.add(MatMul(), rows, weights, role="product")
    return site.add(Reshape((*outer, bins, results)), product, role="parts")


@dataclass(frozen=True, slots=True)
class _Frames:
    """How a signal is cut: frames of `length` places, one every `step`, `count` in all."""

    length: int
    step: int
    count: int

    @property
    def places(self) -> Array:
        """Which place of the signal is where: [frame, place]."""
        starts = self.step * np.arange(self.count, dtype=np.int32)
        return starts[:, None] + np.arange(self.length, dtype=np.int32)


def _stft(site: NodeSite) -> Results:
    """Frames are gathered, weighted and transformed; a constant window is in the matrix."""
    batch, extent, parts = _signal_shape(site)
    frames = _frames(site, extent)
    bins = frames.length // 2 + 1 if site.flag("onesided", True) else frames.length
    matrix = complex_matrix(frames.length, parts, frames.length, bins, inverse=False)
    places = site.builder.constant(f"{site.output_name}.places", frames.places)
    value = site.add(Gather(1), site.real(0), places, role="frames")
    window = site.tensors.known(site.proto.input[2]) if site.has(2) else None
    if window is not None:
        matrix = matrix * window.astype(np.float64).reshape(-1, 1, 1, 1)
    elif site.has(2):
        column = site.add(Reshape((frames.length, 1)), site.real(2), role="window")
        value = site.add(Mul(), value, column, role="weighted")
    return (_transformed(site, value, (batch, frames.count), matrix),)


def _signal_shape(site: NodeSite) -> tuple[int, int, int]:
    shape = site.type(0).shape
    if len(shape) == 2:
        shape = (*shape, 1)
    if len(shape) != 3 or shape[2] not in (1, 2):
        raise site.invalid(f"the signal has shape {list(shape)}, but must have [batch, length, 1 or 2]")
    return shape[0], shape[1], shape[2]


def _frames(site: NodeSite, extent: int) -> _Frames:
    step = _number(site, 1, "the step between frames")
    window = site.type(2).elements if site.has(2) else extent
    length = _number(site, 3, "the length of a frame") if site.has(3) else window
    if step < 1 or not 1 <= length <= extent or (site.has(2) and window != length):
        raise site.invalid(
            f"frames of {length} every {step} places, with a window of {window}, do not go with a signal of {extent}"
        )
    return _Frames(length, step, 1 + (extent - length) // step)


def _number(site: NodeSite, index: int, what: str) -> int:
    given = site.known(index, what)
    if given.size != 1:
        raise site.invalid(f"{what} must be one number, but is {given.tolist()}")
    return int(given.item())


IMPORTERS: Importers = {"DFT": _dft, "STFT": _stft}
