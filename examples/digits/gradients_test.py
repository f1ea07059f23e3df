# SPDX-License-Identifier: Apache-2.0
"""The gradients against finite differences, in float64: training that went uphill would still converge to something."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pytest

from examples.digits import network
from examples.digits.layers import Array

Labels = npt.NDArray[np.uint8]

STEP = 1e-6


def _case() -> tuple[dict[str, Array], Array, Labels]:
    draw = np.random.Generator(np.random.PCG64(7))
    parameters: dict[str, Array] = {
        name: value.astype(np.float64) for name, value in network.initial_parameters(draw).items()
    }
    for name in parameters:
        if name.endswith("_bias"):
            parameters[name] = draw.uniform(-0.1, 0.1, parameters[name].shape)
    images: Array = draw.uniform(0, 1, (3, *network.IMAGE_SHAPE))
    return parameters, images, np.array([1, 0, 9], np.uint8)


def _loss_at(parameters: Mapping[str, Array], images: Array, labels: Labels) -> float:
    return network.loss(network.forward(parameters, images), labels)


@pytest.mark.parametrize("name", [f"{layer}_{kind}" for layer in network.WEIGHT_SHAPES for kind in ("weight", "bias")])
def test_gradient_is_the_slope_of_the_loss(name: str) -> None:
    parameters, images, labels = _case()
    found = network.gradients(parameters, network.forward(parameters, images), labels)[name]
    assert found.shape == parameters[name].shape
    draw = np.random.Generator(np.random.PCG64(8))
    for _ in range(10):
        at = tuple(int(draw.integers(size)) for size in found.shape)
        nudge = np.zeros_like(parameters[name])
        nudge[at] = STEP
        higher = _loss_at({**parameters, name: parameters[name] + nudge}, images, labels)
        lower = _loss_at({**parameters, name: parameters[name] - nudge}, images, labels)
        assert found[at] == pytest.approx((higher - lower) / (2 * STEP), rel=1e-4, abs=1e-8)
    assert np.abs(found).max() > 1e-4
