# SPDX-License-Identifier: Apache-2.0
"""Small TFLite models in order, for the fuzzer to break: an image network of int8, one of floats, movement."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant, model_bytes


def tflite_seeds() -> list[tuple[str, bytes]]:
    """Each model's name and its file's content."""
    return [
        ("image", model_bytes(_image_network())),
        ("dense", model_bytes(_dense_network())),
        ("movement", model_bytes(_movement())),
    ]


def _activation(*shape: int) -> Tensor:
    return Tensor(shape, "int8", None, (0.05,), (-3,))


def _weights(*shape: int) -> Tensor:
    numbers = np.arange(np.prod(shape)).reshape(shape) % 200 - 100
    return constant(numbers.astype(np.int8), (0.01,))


def _bias(channels: int) -> Tensor:
    return constant(np.arange(channels, dtype=np.int32), (0.0005,))


def _image_network() -> Subgraph:
    window = {"StrideH": 1, "StrideW": 1, "FusedActivationFunction": 1}
    pool = {"StrideH": 2, "StrideW": 2, "FilterHeight": 2, "FilterWidth": 2}
    operators = [
        Operator("CONV_2D", (0, 1, 2), (3,), "Conv2DOptions", window, version=3),
        Operator("DEPTHWISE_CONV_2D", (3, 4, 5), (6,), "DepthwiseConv2DOptions", window | {"DepthMultiplier": 1}),
        Operator("ADD", (3, 6), (7,), "AddOptions"),
        Operator("AVERAGE_POOL_2D", (7,), (8,), "Pool2DOptions", pool),
        Operator("RESHAPE", (8, 9), (10,), "ReshapeOptions"),
        Operator("FULLY_CONNECTED", (10, 11, 12), (13,), "FullyConnectedOptions", {}, version=5),
        Operator("SOFTMAX", (13,), (14,), "SoftmaxOptions", {"Beta": 1.0}),
    ]
    tensors = [
        _activation(1, 6, 6, 3),
        *(_weights(4, 3, 3, 3), _bias(4), _activation(1, 6, 6, 4)),
        *(_weights(1, 3, 3, 4), _bias(4), _activation(1, 6, 6, 4)),
        _activation(1, 6, 6, 4),
        _activation(1, 3, 3, 4),
        *(constant(np.array([1, 36], np.int32)), _activation(1, 36)),
        *(_weights(5, 36), _bias(5), _activation(1, 5)),
        Tensor((1, 5), "int8", None, (1 / 256,), (-128,)),
    ]
    return Subgraph(tensors, operators, (0,), (14,))


def _dense_network() -> Subgraph:
    numbers = np.linspace(-1, 1, 48, dtype=np.float32)
    tensors = [
        Tensor((1, 8), "float32"),
        *(constant(numbers.reshape(6, 8)), constant(numbers[:6]), Tensor((1, 6), "float32")),
        Tensor((1, 6), "float32"),
        *(constant(numbers[6:12].reshape(1, 6)), Tensor((1, 6), "float32")),
    ]
    operators = [
        Operator("FULLY_CONNECTED", (0, 1, 2), (3,), "FullyConnectedOptions", {"FusedActivationFunction": 3}),
        Operator("TANH", (3,), (4,)),
        Operator("MUL", (4, 5), (6,), "MulOptions"),
    ]
    return Subgraph(tensors, operators, (0,), (6,))


def _movement() -> Subgraph:
    tensors = [
        _activation(1, 2, 3, 4),
        *(constant(np.array([[0, 0], [1, 1], [0, 2], [0, 0]], np.int32)), _activation(1, 4, 5, 4)),
        *(constant(np.array([0, 2, 1, 3], np.int32)), _activation(1, 5, 4, 4)),
        _activation(1, 5, 4, 8),
    ]
    operators = [
        Operator("PAD", (0, 1), (2,), "PadOptions"),
        Operator("TRANSPOSE", (2, 3), (4,), "TransposeOptions"),
        Operator("CONCATENATION", (4, 4), (5,), "ConcatenationOptions", {"Axis": 3}),
    ]
    return Subgraph(tensors, operators, (0,), (5,))
