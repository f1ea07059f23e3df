# SPDX-License-Identifier: Apache-2.0
"""Where the largest elements of a pool were, and what puts numbers back there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.ops.unpooling import MaxPoolIndices, Unpool
from stowage.ir.reference.operand import Operand, Reals
from stowage.ir.tensor_type import TensorType


def max_pool_indices(op: MaxPoolIndices, operands: Sequence[Operand], result: TensorType) -> Array:
    """Input [N, D, H, W, C] -> i64 [N, OD, OH, OW, C]."""
    data = operands[0].array.astype(np.float64)
    batches, *extents, channels = data.shape
    steps = op.steps(tuple(extents))
    most: Any = np.full(result.shape, -np.inf)
    index = np.zeros(result.shape, np.int64)
    for tap in np.ndindex(*op.kernel):
        places, inside = [], np.ones((1, 1, 1), np.bool_)
        for k, axis in enumerate(op.axes):
            along = np.arange(result.shape[1 + k]) * axis.stride - axis.before + tap[k] * axis.dilation
            places.append(along.reshape([-1 if each == k else 1 for each in range(3)]))
            inside = inside & (places[k] >= 0) & (places[k] < extents[k])
        clipped = tuple(np.clip(place, 0, extent - 1) for place, extent in zip(places, extents, strict=True))
        element = data[(slice(None), *clipped)]
        wins = inside[None, ..., None] & (element > most)
        at: Any = sum(place * step for place, step in zip(clipped, steps, strict=True))
        most, index = np.where(wins, element, most), np.where(wins, at[None, ..., None], index)
    planes = np.arange(batches)[:, None] * channels + np.arange(channels)
    return np.asarray(index + planes[:, None, None, None, :] * int(np.prod(extents)))


def unpool(op: Unpool, operands: Sequence[Reals]) -> Reals:
    """Input and indices of one shape -> `op.shape`."""
    result = np.zeros(int(np.prod(op.shape)))
    places = operands[1].astype(np.int64).ravel()
    places = np.clip(np.where(places < 0, places + result.size, places), 0, result.size - 1)
    result[places] = operands[0].ravel()
    return result.reshape(op.shape)
