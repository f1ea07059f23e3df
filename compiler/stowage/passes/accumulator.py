# SPDX-License-Identifier: Apache-2.0
"""Keeps accumulators within what kernels can hold.

A channel whose weights are next to nothing has a scale next to nothing, and so a bias of many accumulator steps: too
many for the kernels. Its weights are stored in coarser steps then. What that rounds off is far below a step of the
output, or of a channel whose bias saturates the output anyway: half a step for each weight, beside a bias of 2^29
steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.tensor_type import Quant
from stowage.passes.frozen import Reals
from stowage.target.kernels.requantisation import ACCUMULATOR_LIMIT

_COARSE_BIAS = 2**29
_WIDEST_INPUT = 256
"""Largest magnitude of an 8-bit input and its zero point together."""


@dataclass(frozen=True, slots=True)
class Channels:
    """Weights as integers with their quantisation, and a bias in steps of the accumulator: input scale * weight scale.

    Attributes:
        weights: 8-bit integers.
        quant: of the weights; along `axis`, or one scale for all.
        axis: the axis of the weights that counts output channels.
        bias: one number for each output channel.
    """

    weights: Array
    quant: Quant
    axis: int
    bias: Reals


def fitted(channels: Channels) -> Channels:
    """The same channels, those with too large a bias in coarser steps."""
    count = channels.bias.size
    along = [-1 if axis == channels.axis else 1 for axis in range(channels.weights.ndim)]
    points = np.broadcast_to(np.array(channels.quant.zero_points, np.float64), (count,)).reshape(along)
    centred = channels.weights.astype(np.float64) - points
    others = tuple(axis for axis in range(centred.ndim) if axis != channels.axis)
    room = ACCUMULATOR_LIMIT - 1 - _WIDEST_INPUT * np.abs(centred).sum(axis=others)
    sizes = np.abs(channels.bias)
    coarseness = np.where(sizes > room, np.maximum(sizes / _COARSE_BIAS, 1.0), 1.0)
    if np.all(coarseness == 1):
        return channels
    weights = np.rint(centred / coarseness.reshape(along)) + points
    scales = np.broadcast_to(np.array(channels.quant.scales), (count,)) * coarseness
    quant = Quant(tuple(map(float, scales)), tuple(map(int, points.ravel())), channels.axis)
    return replace(
        channels, weights=weights.astype(channels.weights.dtype), quant=quant, bias=channels.bias / coarseness
    )


def bias_quant(input_scale: float, weights: Quant, channels: int) -> Quant:
    """How the bias of a layer on integers is quantised."""
    scales = np.broadcast_to(input_scale * np.array(weights.scales), (channels,))
    return Quant(tuple(map(float, scales)), (0,) * channels, 0)
