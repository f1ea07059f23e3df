# SPDX-License-Identifier: Apache-2.0
"""Transposed convolution over reals: every tap is added where it goes on a canvas, which is cut to the output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.reference.operand import Reals


def conv_transpose2d(op: ConvTranspose2d, operands: Sequence[Reals]) -> Reals:
    """Input [N, H, W, I], weights [O, KH, KW, I / groups] -> [N, *size, O]."""
    data, weights = operands[:2]
    batches, height, width, _ = data.shape
    outputs, rows, columns, taken = weights.shape
    top, left = op.pads[:2]
    canvas: Any = np.zeros((batches, *_canvas(op, (height, width), (rows, columns)), outputs))
    inputs = data.reshape(batches, height, width, op.groups, taken)
    grouped = weights.reshape(op.groups, outputs // op.groups, rows, columns, taken)
    for row in range(rows):
        for column in range(columns):
            product = np.einsum("nhwgi,goi->nhwgo", inputs, grouped[:, :, row, column]).reshape(*data.shape[:3], -1)
            vertical = slice(row * op.dilations[0], row * op.dilations[0] + (height - 1) * op.strides[0] + 1)
            horizontal = slice(column * op.dilations[1], column * op.dilations[1] + (width - 1) * op.strides[1] + 1)
            canvas[:, vertical, horizontal][:, :: op.strides[0], :: op.strides[1]] += product
    result = canvas[:, top : top + op.size[0], left : left + op.size[1]]
    return np.asarray(result + operands[2] if len(operands) > 2 else result)


def _canvas(op: ConvTranspose2d, image: tuple[int, int], kernel: tuple[int, int]) -> tuple[int, ...]:
    """Room for all taps, and for the output behind the pads."""
    return tuple(
        max((extent - 1) * op.strides[k] + (taps - 1) * op.dilations[k] + 1, op.pads[k] + op.size[k])
        for k, (extent, taps) in enumerate(zip(image, kernel, strict=True))
    )
