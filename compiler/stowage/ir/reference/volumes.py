# SPDX-License-Identifier: Apache-2.0
"""Convolution over volumes of reals, summed tap by tap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stowage.ir.ops.volume import Conv3d
from stowage.ir.reference.operand import Reals


def conv3d(op: Conv3d, operands: Sequence[Reals]) -> Reals:
    """Input [N, D, H, W, I], weights [O, KD, KH, KW, I / groups], bias [O] (optional) -> [N, OD, OH, OW, O]."""
    data, weights = operands[:2]
    kernel, taken = weights.shape[1:4], weights.shape[4]
    axes = op.axes(kernel)
    padded = np.pad(data, [(0, 0), *((axis.before, axis.after) for axis in axes), (0, 0)])
    places = [axis.places(extent) for axis, extent in zip(axes, data.shape[1:4], strict=True)]
    grouped = weights.reshape(op.groups, -1, *kernel, taken)
    total: Any = np.zeros((data.shape[0], *places, weights.shape[0]))
    for tap in np.ndindex(*kernel):
        seen = tuple(
            slice(k * axis.dilation, k * axis.dilation + (count - 1) * axis.stride + 1, axis.stride)
            for k, axis, count in zip(tap, axes, places, strict=True)
        )
        under = padded[(slice(None), *seen)].reshape(*total.shape[:4], op.groups, taken)
        product = np.einsum("...gi,goi->...go", under, grouped[(slice(None), slice(None), *tap)])
        total += product.reshape(total.shape)
    return np.asarray(total + operands[2] if len(operands) > 2 else total)
