# SPDX-License-Identifier: Apache-2.0
"""The Adam optimiser (Kingma and Ba, arXiv:1412.6980) with decoupled weight decay (arXiv:1711.05101)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from examples.digits.layers import Array

MEAN_DECAY = 0.9
SQUARE_DECAY = 0.999
EPSILON = 1e-8
WEIGHT_DECAY = 0.05


@dataclass(frozen=True, slots=True)
class Moments:
    """Running means of each parameter's gradient and of its square, after `steps` steps."""

    steps: int
    means: Mapping[str, Array]
    squares: Mapping[str, Array]


def at_rest(parameters: Mapping[str, Array]) -> Moments:
    """The moments before the first step: all zero."""
    zeros = {name: np.zeros_like(value) for name, value in parameters.items()}
    return Moments(0, zeros, zeros)


def _stepped(parameter: Array, mean: Array, square: Array, steps: int, rate: float) -> Array:
    direction = (mean / (1 - MEAN_DECAY**steps)) / (np.sqrt(square / (1 - SQUARE_DECAY**steps)) + EPSILON)
    decay = WEIGHT_DECAY if parameter.ndim > 1 else 0.0
    moved: Array = parameter - rate * (direction + decay * parameter)
    return moved


def step(
    parameters: Mapping[str, Array], gradients: Mapping[str, Array], moments: Moments, rate: float
) -> tuple[dict[str, Array], Moments]:
    """The parameters and moments one step of learning rate `rate` further; biases do not decay."""
    steps = moments.steps + 1
    means = {n: MEAN_DECAY * moments.means[n] + (1 - MEAN_DECAY) * g for n, g in gradients.items()}
    squares = {n: SQUARE_DECAY * moments.squares[n] + (1 - SQUARE_DECAY) * g * g for n, g in gradients.items()}
    moved = {n: _stepped(p, means[n], squares[n], steps, rate) for n, p in parameters.items()}
    return moved, Moments(steps, means, squares)
