# SPDX-License-Identifier: Apache-2.0
"""Weights as 8-bit integers: symmetric, with one scale an output channel."""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.tensor_type import Quant

_LARGEST = 127
_CHANNELS = 0
"""The axis of a layer's weights that counts output channels."""


def integer_weights(weights: Array) -> tuple[Array, Quant]:
    """The integers and their quantisation for the weights of a layer, [O, ...].

    A channel of zeros alone gets the finest scale of the others: its bias is stored in such steps.
    """
    largest = np.abs(weights.astype(np.float64)).reshape(len(weights), -1).max(axis=1)
    finest = largest[largest > 0].min(initial=1.0)
    scales = (np.where(largest > 0, largest, finest) / _LARGEST).astype(np.float32).astype(np.float64)
    scales = np.maximum(scales, float(np.finfo(np.float32).tiny))
    steps = weights / scales.reshape(-1, *[1] * (weights.ndim - 1))
    integers = np.clip(np.rint(steps), -_LARGEST, _LARGEST).astype(np.int8)
    return integers, Quant(tuple(map(float, scales)), (0,) * len(scales), _CHANNELS)
