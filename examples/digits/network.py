# SPDX-License-Identifier: Apache-2.0
"""The digit network: what it is made of, what it answers, and how its loss changes with every weight.

    image 1x8x8 → conv 3x3 → relu → max-pool → 12x4x4 → conv 3x3 → relu → 24x4x4
                → depthwise 3x3 → relu → pointwise 1x1 → relu → max-pool → 24x2x2 → dense → 10 classes

The first pooling comes early because the largest pair of neighbouring tensors sets the arena: 12x8x8 and 12x4x4 floats
are 3.75 KiB, so even the float32 model leaves most of a 16 KiB chip to its owner.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from examples.digits import layers
from examples.digits.layers import Array, Mask

Parameters = Mapping[str, Array]

IMAGE_SHAPE = (1, 8, 8)
CLASSES = 10
STEM_CHANNELS = 12
BODY_CHANNELS = 24
POOLED_FEATURES = BODY_CHANNELS * 2 * 2

WEIGHT_SHAPES: Mapping[str, tuple[int, ...]] = {
    "stem": (STEM_CHANNELS, 1, 3, 3),
    "body": (BODY_CHANNELS, STEM_CHANNELS, 3, 3),
    "depthwise": (BODY_CHANNELS, 1, 3, 3),
    "pointwise": (BODY_CHANNELS, BODY_CHANNELS, 1, 1),
    "head": (CLASSES, POOLED_FEATURES),
}


@dataclass(frozen=True, slots=True)
class Trace:
    """What the backward pass needs of the forward pass: each layer's input, and the winners of both poolings."""

    images: Array
    stem: Array
    stem_winners: Mask
    stem_pooled: Array
    body: Array
    depthwise: Array
    pointwise: Array
    pointwise_winners: Mask
    features: Array
    logits: Array


def initial_parameters(draw: np.random.Generator) -> dict[str, Array]:
    """Normal weights with variance 2 / fan-in, zero biases (He et al., 2015, arXiv:1502.01852)."""
    parameters: dict[str, Array] = {}
    for name, shape in WEIGHT_SHAPES.items():
        deviation = np.sqrt(2.0 / np.prod(shape[1:]))
        parameters[f"{name}_weight"] = (deviation * draw.standard_normal(shape)).astype(np.float32)
        parameters[f"{name}_bias"] = np.zeros(shape[0], np.float32)
    return parameters


def _block(p: Parameters, name: str, x: Array) -> Array:
    """Convolution, bias and relu of the layer of that name."""
    convolve = layers.convolve_depthwise if name == "depthwise" else layers.convolve
    return layers.relu(layers.add_bias(convolve(x, p[f"{name}_weight"]), p[f"{name}_bias"]))


def _block_gradient(p: Parameters, name: str, x: Array, y: Array, dy: Array) -> tuple[Array, dict[str, Array]]:
    """Gradients of `_block` by its input and by its parameters, from its input, its output and the gradient by that."""
    gradient = layers.convolve_depthwise_gradient if name == "depthwise" else layers.convolve_gradient
    dsum = dy * (y > 0)
    dx, dweight = gradient(dsum, x, p[f"{name}_weight"])
    return dx, {f"{name}_weight": dweight, f"{name}_bias": layers.bias_gradient(dsum)}


def forward(p: Parameters, images: Array) -> Trace:
    """Runs `images[n, 1, 8, 8]` through the network; the answer is `Trace.logits[n, 10]`."""
    stem = _block(p, "stem", images)
    stem_pooled, stem_winners = layers.halve(stem)
    body = _block(p, "body", stem_pooled)
    depthwise = _block(p, "depthwise", body)
    pointwise = _block(p, "pointwise", depthwise)
    pooled, pointwise_winners = layers.halve(pointwise)
    features = pooled.reshape(len(images), POOLED_FEATURES)
    logits = features @ p["head_weight"].T + p["head_bias"]
    return Trace(
        images, stem, stem_winners, stem_pooled, body, depthwise, pointwise, pointwise_winners, features, logits
    )


def loss(trace: Trace, labels: npt.NDArray[np.uint8]) -> float:
    """Mean cross-entropy in nats of the answers against `labels[n]`."""
    probabilities = layers.softmax(trace.logits)
    return float(-np.log(probabilities[np.arange(len(labels)), labels]).mean())


def gradients(p: Parameters, trace: Trace, labels: npt.NDArray[np.uint8]) -> dict[str, Array]:
    """How `loss` changes with each parameter: one array a parameter, of its shape."""
    dlogits = (layers.softmax(trace.logits) - np.eye(CLASSES, dtype=trace.logits.dtype)[labels]) / len(labels)
    head = {"head_weight": dlogits.T @ trace.features, "head_bias": dlogits.sum(axis=0)}
    dpooled = (dlogits @ p["head_weight"]).reshape(len(labels), BODY_CHANNELS, 2, 2)
    dpointwise = layers.halve_gradient(dpooled, trace.pointwise_winners)
    ddepthwise, pointwise = _block_gradient(p, "pointwise", trace.depthwise, trace.pointwise, dpointwise)
    dbody, depthwise = _block_gradient(p, "depthwise", trace.body, trace.depthwise, ddepthwise)
    dstem_pooled, body = _block_gradient(p, "body", trace.stem_pooled, trace.body, dbody)
    dstem = layers.halve_gradient(dstem_pooled, trace.stem_winners)
    _, stem = _block_gradient(p, "stem", trace.images, trace.stem, dstem)
    return {**stem, **body, **depthwise, **pointwise, **head}
