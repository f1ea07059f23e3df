# SPDX-License-Identifier: Apache-2.0
"""Operands that are known at build time: constants, and constants behind a Dequantize, later integer weights."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array, Node, Value
from stowage.ir.ops.elementwise import Dequantize
from stowage.ir.ops.movement import Reshape, Slice, Transpose
from stowage.ir.tensor_type import Quant
from stowage.passes.editor import GraphEditor

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Frozen:
    """A real-valued operand known at build time.

    Attributes:
        stored: the constant that holds it: reals, or integers with their quantisation.
        array: the elements of `stored`.
        dequantize: the node between, where integers are stored.
    """

    stored: Value
    array: Array
    dequantize: Node | None

    @property
    def reals(self) -> Reals:
        """The real numbers, in double precision."""
        return dequantised(self.array, self.stored.type.quant if self.dequantize else None)


def frozen(editor: GraphEditor, value: Value) -> Frozen | None:
    """How a value is known at build time, if it is."""
    maker = editor.maker(value)
    if maker is not None and isinstance(maker.op, Dequantize):
        array = editor.constant(maker.inputs[0])
        return None if array is None else Frozen(maker.inputs[0], array, maker)
    array = editor.constant(value)
    return None if array is None else Frozen(value, array, None)


def dequantised(array: Array, quant: Quant | None) -> Reals:
    """scale * (integer - zero point) in double precision; without a quantisation the numbers themselves."""
    wide: Reals = array.astype(np.float64)
    if quant is None:
        return wide
    scales: Reals = np.array(quant.scales)
    zero_points: Reals = np.array(quant.zero_points, np.float64)
    if quant.axis is not None:
        along = [-1 if axis == quant.axis else 1 for axis in range(array.ndim)]
        scales, zero_points = scales.reshape(along), zero_points.reshape(along)
    reals: Reals = (wide - zero_points) * scales
    return reals


def moved(editor: GraphEditor, known: Frozen, op: Transpose | Reshape | Slice, name: str) -> Value:
    """The operand with its elements moved, integers staying integers.

    Raises:
        ShapeError: the operator does not suit the operand, or splits its quantised axis.
    """
    (type_,) = op.result_types((known.stored.type,))
    if isinstance(op, Transpose):
        array = np.transpose(known.array, op.permutation)
    elif isinstance(op, Reshape):
        array = known.array.reshape(op.shape)
    else:
        array = known.array[
            np.ix_(*(b + s * np.arange(n) for b, n, s in zip(op.begins, op.shape, op.steps, strict=True)))
        ]
    return put_back(editor, known, array, type_.quant, name)


def put_back(editor: GraphEditor, known: Frozen, array: Array, quant: Quant | None, name: str) -> Value:
    """A constant like `known` with other elements, behind a Dequantize again if it was."""
    stored = editor.add_constant(name, array, quant)
    if known.dequantize is None:
        return stored
    return editor.add(known.dequantize.name, Dequantize(), (stored,), known.dequantize.output.name)


def with_gains(editor: GraphEditor, known: Frozen, gains: Reals, axis: int, name: str) -> Value | None:
    """The operand with each entry along `axis` multiplied by its gain.

    Integers stay integers, their scales take the gains; None where that cannot be exact (a negative or zero gain,
    another axis).
    """
    if known.dequantize is None:
        along = [-1 if k == axis else 1 for k in range(known.array.ndim)]
        scaled = (known.reals * gains.reshape(along)).astype(known.array.dtype)
        return put_back(editor, known, scaled, None, name)
    quant = known.stored.type.quant
    if quant is None or quant.axis not in (None, axis) or not np.all(gains > 0):
        return None
    scales = np.broadcast_to(np.array(quant.scales), gains.shape) * gains
    points = tuple(int(p) for p in np.broadcast_to(np.array(quant.zero_points), gains.shape))
    scaled_quant = replace(quant, scales=tuple(float(s) for s in scales), zero_points=points, axis=axis)
    return put_back(editor, known, known.array, scaled_quant, name)
