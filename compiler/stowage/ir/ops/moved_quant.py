# SPDX-License-Identifier: Apache-2.0
"""Where the quantised axis goes when elements are moved; a per-tensor quantisation just stays."""

from __future__ import annotations

import math
from dataclasses import replace

from stowage.ir.ops.op import ShapeError
from stowage.ir.tensor_type import Quant, TensorType

Shape = tuple[int, ...]


def reshaped(operand: TensorType, shape: Shape) -> Quant | None:
    """The quantisation under another shape: the axis with as many elements before it and the same extent.

    Raises:
        ShapeError: the quantised axis is split or merged.
    """
    quant = operand.quant
    if quant is None or quant.axis is None:
        return quant
    before, extent = math.prod(operand.shape[: quant.axis]), operand.shape[quant.axis]
    for axis, other in enumerate(shape):
        if other == extent and math.prod(shape[:axis]) == before:
            return replace(quant, axis=axis)
    raise ShapeError(f"the reshape to {list(shape)} splits or merges the quantised axis {quant.axis} of the input")


def permuted(quant: Quant | None, permutation: tuple[int, ...]) -> Quant | None:
    """The quantisation after a transposition."""
    if quant is None or quant.axis is None:
        return quant
    return replace(quant, axis=permutation.index(quant.axis))


def sliced(quant: Quant | None, begins: Shape, shape: Shape, steps: Shape) -> Quant | None:
    """The quantisation of a slice: along the quantised axis the scales are sliced too."""
    if quant is None or quant.axis is None:
        return quant
    taken = [begins[quant.axis] + k * steps[quant.axis] for k in range(shape[quant.axis])]
    scales, zero_points = tuple(quant.scales[k] for k in taken), tuple(quant.zero_points[k] for k in taken)
    return replace(quant, scales=scales, zero_points=zero_points)


def check_axes_kept(quant: Quant | None, changed: tuple[int, ...], action: str) -> None:
    """Refuses an operator that changes the extent of the quantised axis, since added elements have no scale."""
    if quant is not None and quant.axis in changed:
        raise ShapeError(f"{action} along axis {quant.axis}, along which the input is quantised")
