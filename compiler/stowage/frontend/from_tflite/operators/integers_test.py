# SPDX-License-Identifier: Apache-2.0
"""Operators on 8-bit tensors: the graph's integers, before and after all passes, are LiteRT's, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant
from stowage.ir.graph import Array

ACTIVATIONS = range(4)
SEEDS = range(4)


def activation(shape: tuple[int, ...], scale: float, zero_point: int) -> Tensor:
    return Tensor(shape, "int8", None, (scale,), (zero_point,))


def integers(random: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return random.integers(-128, 128, shape).astype(np.int8)


def scale(random: np.random.Generator, centre: float = 0.05) -> float:
    return float(np.float32(centre * np.exp(random.uniform(-1.5, 1.5))))


def point(random: np.random.Generator) -> int:
    return int(random.integers(-128, 128))


def layer(
    random: np.random.Generator, data: Tensor, weights: tuple[int, ...], axis: int, result: tuple[int, ...]
) -> list[Tensor]:
    """Input, weights quantised along an axis (all alike for -1), bias and result of a layer."""
    channels = weights[axis] if axis >= 0 else weights[0]
    scales = tuple(scale(random, 0.01) for _ in range(channels if axis >= 0 else 1))
    array = np.asarray(random.integers(-127, 128, weights), np.int8)
    bias = np.asarray(random.integers(-5000, 5000, channels), np.int32)
    products = tuple(float(np.float32(data.scales[0]) * np.float32(each)) for each in scales)
    return [
        data,
        constant(array, scales, axis=max(axis, 0)),
        constant(bias, products),
        activation(result, scale(random, 0.3), point(random)),
    ]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("padding", "stride", "dilation"), [(0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 1, 2), (0, 1, 2)])
def test_convolution(tmp_path: Path, padding: int, stride: int, dilation: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    data = activation((1, 9, 8, 3), scale(random), point(random))
    height, width = (
        -(-extent // stride) if not padding else (extent - 2 * dilation - 1) // stride + 1 for extent in (9, 8)
    )
    tensors = layer(random, data, (5, 3, 3, 3), 0, (1, height, width, 5))
    options = {
        "Padding": padding,
        "StrideH": stride,
        "StrideW": stride,
        "DilationHFactor": dilation,
        "DilationWFactor": dilation,
        "FusedActivationFunction": seed,
    }
    operator = Operator("CONV_2D", (0, 1, 2), (3,), "Conv2DOptions", options, version=3)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (3,)), [integers(random, (1, 9, 8, 3))])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("multiplier", [1, 2])
def test_depthwise_convolution(tmp_path: Path, multiplier: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    data = activation((1, 7, 6, 4), scale(random), point(random))
    tensors = layer(random, data, (1, 3, 3, 4 * multiplier), 3, (1, 4, 3, 4 * multiplier))
    options = {"StrideH": 2, "StrideW": 2, "DepthMultiplier": multiplier, "FusedActivationFunction": seed}
    operator = Operator("DEPTHWISE_CONV_2D", (0, 1, 2), (3,), "DepthwiseConv2DOptions", options, version=3)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (3,)), [integers(random, (1, 7, 6, 4))])


def test_channels_with_negative_or_no_scale(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    data = activation((1, 4, 4, 2), 0.05, -3)
    tensors = layer(random, data, (4, 1, 1, 2), 0, (1, 4, 4, 4))
    tensors[1] = constant(np.asarray(tensors[1].data), (0.01, -0.02, 0.0, -0.001))
    tensors[2] = constant(np.asarray(tensors[2].data), (0.0005, -0.001, 0.0, -0.00005))
    operator = Operator("CONV_2D", (0, 1, 2), (3,), "Conv2DOptions", {"StrideH": 1, "StrideW": 1}, version=3)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (3,)), [integers(random, (1, 4, 4, 2))])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("axis", [-1, 0])
@pytest.mark.parametrize("keep", [False, True])
def test_dense_layer(tmp_path: Path, keep: bool, axis: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    data = activation((2, 3, 40), scale(random), point(random))
    tensors = layer(random, data, (9, 40), axis, (2, 3, 9) if keep else (6, 9))
    options = {"KeepNumDims": keep, "FusedActivationFunction": seed}
    operator = Operator("FULLY_CONNECTED", (0, 1, 2), (3,), "FullyConnectedOptions", options, version=5)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (3,)), [integers(random, (2, 3, 40))])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("code", ["ADD", "SUB", "MUL"])
@pytest.mark.parametrize("second", [(1, 5, 6, 3), (3,), (1, 5, 1, 1)])
def test_two_operands(tmp_path: Path, code: str, second: tuple[int, ...], seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = (1, 5, 6, 3)
    centre = 0.0025 if code == "MUL" else 0.1
    result = activation(shape, scale(random, centre) * 3, point(random))
    tensors = [activation(each, scale(random), point(random)) for each in (shape, second)]
    kind = {"ADD": "AddOptions", "SUB": "SubOptions", "MUL": "MulOptions"}[code]
    operator = Operator(code, (0, 1), (2,), kind, {"FusedActivationFunction": seed}, version=2)
    arrays = [integers(random, shape), integers(random, second)]
    check(tmp_path, Subgraph([*tensors, result], [operator], (0, 1), (2,)), arrays)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("code", ["AVERAGE_POOL_2D", "MAX_POOL_2D"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pooling(tmp_path: Path, code: str, size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    one, zero = scale(random), point(random)
    tensors = [activation((1, 7, 6, 5), one, zero), activation((1, 4, 3, 5), one, zero)]
    options = {"StrideH": 2, "StrideW": 2, "FilterHeight": size, "FilterWidth": 3, "FusedActivationFunction": seed}
    operator = Operator(code, (0,), (1,), "Pool2DOptions", options, version=2)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (1,)), [integers(random, (1, 7, 6, 5))])


EVERY = np.arange(-128, 128, dtype=np.int8).reshape(1, 256)
FUNCTIONS: list[tuple[str, str, dict[str, Any], tuple[float, int] | None]] = [
    ("LOGISTIC", "", {}, (1 / 256, -128)),
    ("TANH", "", {}, (1 / 128, 0)),
    ("RELU", "", {}, None),
    ("RELU6", "", {}, None),
    ("LEAKY_RELU", "LeakyReluOptions", {"Alpha": 0.17}, None),
    ("LEAKY_RELU", "LeakyReluOptions", {"Alpha": -0.6}, None),
    ("HARD_SWISH", "HardSwishOptions", {}, None),
    ("QUANTIZE", "QuantizeOptions", {}, None),
]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("code", "kind", "options", "result"), FUNCTIONS)
def test_functions_of_one_number(
    tmp_path: Path, code: str, kind: str, options: dict[str, Any], result: tuple[float, int] | None, seed: int
) -> None:
    random = np.random.default_rng(seed)
    source = activation((1, 256), scale(random), point(random))
    made = activation((1, 256), *(result or (scale(random), point(random))))
    operator = Operator(code, (0,), (1,), kind, options, version=1 if code in ("HARD_SWISH", "QUANTIZE") else 2)
    check(tmp_path, Subgraph([source, made], [operator], (0,), (1,)), [EVERY])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("row", [2, 10, 300])
def test_softmax(tmp_path: Path, row: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    tensors = [activation((3, row), scale(random, 0.1), point(random)), activation((3, row), 1 / 256, -128)]
    operator = Operator("SOFTMAX", (0,), (1,), "SoftmaxOptions", {"Beta": 1.0}, version=2)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (1,)), [integers(random, (3, row))])


@pytest.mark.parametrize("seed", range(3))
def test_quantize_from_reals(tmp_path: Path, seed: int) -> None:
    """Halves among them."""
    random = np.random.default_rng(seed)
    step = float(np.float32(2.0**-4)) if seed else scale(random)
    reals = np.concatenate([np.arange(-160, 160) * 0.5 * step, random.standard_normal(100) * 6]).astype(np.float32)
    tensors = [Tensor(reals.shape, "float32"), activation(reals.shape, step, point(random))]
    operator = Operator("QUANTIZE", (0,), (1,), "QuantizeOptions")
    check(tmp_path, Subgraph(tensors, [operator], (0,), (1,)), [reals])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("slopes", [(1, 1, 6), (4, 5, 6)])
def test_prelu(tmp_path: Path, slopes: tuple[int, ...], seed: int) -> None:
    random = np.random.default_rng(seed)
    data, made = (activation((1, 4, 5, 6), scale(random), point(random)) for _ in range(2))
    alpha = constant(integers(random, slopes), (scale(random, 0.01),), (point(random),))
    operator = Operator("PRELU", (0, 1), (2,))
    check(tmp_path, Subgraph([data, alpha, made], [operator], (0,), (2,)), [integers(random, (1, 4, 5, 6))])
