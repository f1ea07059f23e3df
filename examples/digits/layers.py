# SPDX-License-Identifier: Apache-2.0
"""The layers of the digit network in NumPy, each as a forward function and its gradient.

Shapes: `n` images, `c` input channels, `o` output channels, `h` x `w` pixels, `k` x `k` taps. Convolutions have stride
1 and keep the image's size. The functions work in the precision that they are given, so that a test can check the
gradients in float64.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.floating[Any]]
Mask = npt.NDArray[np.bool_]


def _windows(x: Array, k: int) -> Array:
    """Every `k` x `k` neighbourhood of the zero-padded image, as a view: `[n, c, h, w, k, k]`."""
    margin = k // 2
    padded = np.pad(x, ((0, 0), (0, 0), (margin, margin), (margin, margin)))
    return np.lib.stride_tricks.sliding_window_view(padded, (k, k), axis=(2, 3))


def _mirrored(weight: Array) -> Array:
    """The kernel turned by half a turn: with it, a convolution is its own transpose."""
    return weight[..., ::-1, ::-1]


def convolve(x: Array, weight: Array) -> Array:
    """Cross-correlation of `x[n, c, h, w]` with `weight[o, c, k, k]`."""
    y: Array = np.tensordot(_windows(x, weight.shape[2]), weight, axes=((1, 4, 5), (1, 2, 3)))
    return np.ascontiguousarray(y.transpose(0, 3, 1, 2))


def convolve_gradient(dy: Array, x: Array, weight: Array) -> tuple[Array, Array]:
    """Gradients of the loss by `x` and by `weight`, from the gradient `dy[n, o, h, w]` by the output."""
    dx = convolve(dy, _mirrored(weight).transpose(1, 0, 2, 3))
    dweight: Array = np.tensordot(dy, _windows(x, weight.shape[2]), axes=((0, 2, 3), (0, 2, 3)))
    return dx, dweight


def convolve_depthwise(x: Array, weight: Array) -> Array:
    """Cross-correlation of each channel of `x[n, c, h, w]` with its own kernel of `weight[c, 1, k, k]`."""
    y: Array = np.einsum("nchwij,cij->nchw", _windows(x, weight.shape[2]), weight[:, 0])
    return y


def convolve_depthwise_gradient(dy: Array, x: Array, weight: Array) -> tuple[Array, Array]:
    """Gradients by `x` and by `weight` of `convolve_depthwise`."""
    dx = convolve_depthwise(dy, _mirrored(weight))
    dweight: Array = np.einsum("nchw,nchwij->cij", dy, _windows(x, weight.shape[2]))
    return dx, dweight[:, np.newaxis]


def add_bias(x: Array, bias: Array) -> Array:
    """One bias a channel: `x[n, c, h, w] + bias[c]`."""
    return x + bias[:, np.newaxis, np.newaxis]


def bias_gradient(dy: Array) -> Array:
    """Gradient by the bias of `add_bias`."""
    total: Array = dy.sum(axis=(0, 2, 3))
    return total


def relu(x: Array) -> Array:
    """The larger of `x` and 0."""
    return np.maximum(x, x.dtype.type(0))


def halve(x: Array) -> tuple[Array, Mask]:
    """Maximum of each 2 x 2 square, and which pixels of `x` held it (one a square: the first)."""
    n, c, h, w = x.shape
    squares = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
    first = np.arange(4) == squares.argmax(axis=-1)[..., np.newaxis]
    winners = first.reshape(n, c, h // 2, w // 2, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(x.shape)
    return squares.max(axis=-1), winners


def halve_gradient(dy: Array, winners: Mask) -> Array:
    """Gradient by the input of `halve`: each square's goes to its winner."""
    spread: Array = np.repeat(np.repeat(dy, 2, axis=2), 2, axis=3)
    return spread * winners


def softmax(logits: Array) -> Array:
    """Probabilities of the classes, `[n, classes]`."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Array = powers / powers.sum(axis=1, keepdims=True)
    return probabilities
