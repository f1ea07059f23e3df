# SPDX-License-Identifier: Apache-2.0
"""Scales and zero points: from operands of quantised operators to the types of tensors.

ONNX keeps the quantisation at the operators, Stowage in the tensor's type. A tensor that is read as quantised may have
come from a graph input through operators that only move elements; `wanted_quantisations` follows these back, so that
inputs have their quantisation too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from onnx import NodeProto

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.opset import in_default_domain
from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.tensor_type import Quant

QUANTISED_TYPES = (DType.I8, DType.U8, DType.I16, DType.U16, DType.I32)


def quant_operands(
    site: NodeSite,
    scale: int,
    zero_point: int,
    dtype: DType,
    shape: tuple[int, ...],
    axis: int,
    *,
    may_be_negative: bool = False,
) -> Quant:
    """The quantisation that two constant operands describe.

    Args:
        site: the node.
        scale: index of the scale among the operands.
        zero_point: index of the zero point, which is optional.
        dtype: type of the integers.
        shape: shape of the quantised tensor.
        axis: the axis along which several scales lie.
        may_be_negative: whether scales below zero are let through, for `positive` to make good.
    """
    if dtype not in QUANTISED_TYPES:
        raise site.unsupported(f"integers of type {dtype.value} cannot be quantised", "quantise to int8")
    scales = _scales(site, scale, may_be_negative)
    zeros = np.zeros(scales.shape, dtype.numpy)
    if site.has(zero_point):
        zeros = _zero_points(site, zero_point, dtype, scales)
    if scales.size == 1:
        return Quant((float(scales.reshape(-1)[0]),), (int(zeros.reshape(-1)[0]),))
    if scales.ndim != 1:
        raise site.unsupported(f"scales of shape {list(scales.shape)} (blocks)", "quantise per tensor or per channel")
    axis = site.axis(axis, len(shape))
    if shape[axis] != scales.size:
        raise site.invalid(f"there are {scales.size} scales along axis {axis} of the shape {list(shape)}")
    return Quant(tuple(map(float, scales)), tuple(map(int, zeros)), axis)


def _scales(site: NodeSite, index: int, may_be_negative: bool) -> Array:
    scales = site.known(index, "the scale")
    if scales.dtype != np.float32:
        raise site.unsupported(f"scales have elements of type {scales.dtype}", "use float32")
    for scale in scales.reshape(-1).tolist():
        if not math.isfinite(scale) or scale == 0 or (scale < 0 and not may_be_negative):
            raise site.invalid(f"a scale is {scale:g}, but must be positive", "quantise the model again")
    return scales


def positive(site: NodeSite, integers: Array, quant: Quant) -> tuple[Array, Quant]:
    """A constant that stands for the same reals with positive scales: where one was negative, integers are mirrored.

    TensorFlow Lite files can have negative scales in weights (of a folded batch normalisation) and biases.
    """
    along = [1] * integers.ndim
    if quant.axis is not None:
        along[quant.axis] = -1
    negative = np.array([scale < 0 for scale in quant.scales]).reshape(along)
    wide = integers.astype(np.int64)
    mirrored = np.where(negative, 2 * np.array(quant.zero_points).reshape(along) - wide, wide)
    result = mirrored.astype(integers.dtype)
    if (result != mirrored).any():
        raise site.unsupported("a scale is negative, and its integers have no mirror image", "quantise symmetrically")
    return result, replace(quant, scales=tuple(abs(scale) for scale in quant.scales))


def _zero_points(site: NodeSite, index: int, dtype: DType, scales: Array) -> Array:
    zeros = site.known(index, "the zero point")
    if zeros.dtype != dtype.numpy:
        raise site.invalid(f"the zero point has elements of type {zeros.dtype}, but the tensor of {dtype.numpy}")
    if zeros.size != scales.size:
        raise site.invalid(f"there are {scales.size} scales, but {zeros.size} zero points")
    if dtype is DType.I32 and zeros.any():
        raise site.invalid("a 32-bit tensor has a zero point other than 0")
    return zeros


def wanted_quantisations(nodes: Sequence[NodeProto], known: Mapping[str, Array]) -> dict[str, Quant]:
    """How tensors are read as quantised (per tensor), directly or after being moved; the first reader decides.

    A wish, not a fact: the importers check every use.
    """
    wanted: dict[str, Quant] = {}
    for node in reversed(nodes):
        if not in_default_domain(node):
            continue
        if node.op_type in _MOVING:
            for name in node.input if node.op_type == "Concat" else node.input[:1]:
                for output in node.output:
                    if output in wanted:
                        wanted[name] = wanted[output]
        for tensor, scale, zero_point in _READERS.get(node.op_type, ()):
            quant = _per_tensor(node, scale, zero_point, known)
            if quant is not None:
                wanted[node.input[tensor]] = quant
    return wanted


def _per_tensor(node: NodeProto, scale: int, zero_point: int, known: Mapping[str, Array]) -> Quant | None:
    names = list(node.input) + [""] * 3
    scales, zeros = known.get(names[scale]), known.get(names[zero_point], np.zeros(1))
    if scales is None or scales.size != 1 or zeros.size != 1 or scales.dtype.kind != "f":
        return None
    return Quant((float(scales.item()),), (int(zeros.item()),))


_READERS = {
    "DequantizeLinear": ((0, 1, 2),),
    "QLinearConv": ((0, 1, 2),),
    "QLinearMatMul": ((0, 1, 2), (3, 4, 5)),
}
"""Operands (tensor, scale, zero point) that an operator reads as quantised."""

_MOVING = frozenset(
    (
        *("Concat", "Dropout", "Flatten", "Identity", "MaxPool", "Pad", "Reshape"),
        *("Resize", "Slice", "Split", "Squeeze", "Transpose", "Unsqueeze"),
    )
)
"""Operators whose results have the quantisation of their first operand, or of all."""
