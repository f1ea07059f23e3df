# SPDX-License-Identifier: Apache-2.0
"""Transposed convolution over reals: every tap is added where it goes on a canvas, which is cut to the output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stowage.ir.ops.transposed import ConvTranspose
from stowage.ir.reference.operand import Reals


def conv_transpose(op: ConvTranspose, operands: Sequence[Reals]) -> Reals:
    """Input [N, …, I], weights [O, …, I / groups] -> [N, *size, O], for as many axes as `size` has."""
    data, weights = operands[:2]
    kernel, taken = weights.shape[1:-1], weights.shape[-1]
    canvas: Any = np.zeros((data.shape[0], *_canvas(op, data.shape[1:-1], kernel), weights.shape[0]))
    inputs = data.reshape(*data.shape[:-1], op.groups, taken)
    grouped = weights.reshape(op.groups, -1, *kernel, taken)
    for tap in np.ndindex(*kernel):
        product = np.einsum("...gi,goi->...go", inputs, grouped[(slice(None), slice(None), *tap)])
        places = tuple(
            slice(k * dilation, k * dilation + (extent - 1) * stride + 1, stride)
            for k, dilation, extent, stride in zip(tap, op.dilations, data.shape[1:-1], op.strides, strict=True)
        )
        canvas[(slice(None), *places)] += product.reshape(*data.shape[:-1], -1)
    cut = tuple(slice(pad, pad + extent) for pad, extent in zip(op.pads, op.size, strict=True))
    result = canvas[(slice(None), *cut)]
    return np.asarray(result + operands[2] if len(operands) > 2 else result)


def _canvas(op: ConvTranspose, image: tuple[int, ...], kernel: tuple[int, ...]) -> tuple[int, ...]:
    """Room for all taps, and for the output behind the pads."""
    return tuple(
        max((extent - 1) * op.strides[k] + (taps - 1) * op.dilations[k] + 1, op.pads[k] + op.size[k])
        for k, (extent, taps) in enumerate(zip(image, kernel, strict=True))
    )
