# SPDX-License-Identifier: Apache-2.0
"""Tensors and operators with some of their channels taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops.movement import Reshape, Slice
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant, TensorType
from stowage.passes.channel_links import Flags, Indices


def taken(array: Array, indices: Indices, axis: int) -> Array:
    """The array with these entries of an axis alone."""
    return np.ascontiguousarray(np.take(array, indices, axis))


def taken_type(type_: TensorType, indices: Indices, axis: int) -> TensorType:
    """The type of such a tensor; a scalar stays what it is."""
    if not type_.shape:
        return type_
    shape = (*type_.shape[:axis], indices.size, *type_.shape[axis + 1 :])
    return replace(type_, shape=shape, quant=taken_quant(type_.quant, indices, axis))


def taken_quant(quant: Quant | None, indices: Indices, axis: int) -> Quant | None:
    """The quantisation of such a tensor."""
    if quant is None or quant.axis != axis:
        return quant
    scales, points = (tuple(each[k] for k in indices) for each in (quant.scales, quant.zero_points))
    return replace(quant, scales=scales, zero_points=points)


def narrowed_op(op: Op, operand: Flags, channels: int) -> Op:
    """An operator that keeps channels apart, for the channels that are left.

    Args:
        op: the operator.
        operand: of its first operand, whether each channel is left.
        channels: how many are left of its output.
    """
    if isinstance(op, Reshape):
        return Reshape((*op.shape[:-1], channels))
    if isinstance(op, Slice):
        first = int(np.count_nonzero(operand[: op.begins[-1]]))
        return Slice((*op.begins[:-1], first), (*op.shape[:-1], channels), op.steps)
    return op
