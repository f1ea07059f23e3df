# SPDX-License-Identifier: Apache-2.0
"""Models of uint8 throughout, as they were quantised before int8: weights have one scale and a zero point."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.errors import UnsupportedModel
from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, constant, model_bytes
from stowage.frontend.from_tflite.random_tensors import random_elements, random_tensor
from stowage.frontend.tflite_model import read_tflite
from stowage.ir.ops.elementwise import Dequantize

Shape = tuple[int, ...]
IMAGE = (1, 7, 6, 3)
STEPS = {"StrideH": 1, "StrideW": 1}
LAYERS: dict[str, tuple[Shape, Shape, Shape, str, dict[str, Any]]] = {
    "FULLY_CONNECTED": ((2, 40), (9, 40), (2, 9), "FullyConnectedOptions", {}),
    "CONV_2D": (IMAGE, (5, 3, 3, 3), (1, 7, 6, 5), "Conv2DOptions", STEPS),
    "DEPTHWISE_CONV_2D": (IMAGE, (1, 3, 3, 6), (1, 7, 6, 6), "DepthwiseConv2DOptions", STEPS | {"DepthMultiplier": 2}),
}


def layer(random: np.random.Generator, code: str, point: int, lowest: int, activation: int) -> Subgraph:
    """With weights from `lowest` on, whose zero point is `point`."""
    shape, weights, result, kind, options = LAYERS[code]
    data, made = random_tensor(random, shape, "uint8"), random_tensor(random, result, "uint8", 5.0)
    scale = float(np.float32(0.01 * np.exp(random.uniform(-1.5, 1.5))))
    array = random.integers(lowest, 256, weights).astype(np.uint8)
    array.flat[0], array.flat[1] = lowest, 255
    product = float(np.float32(data.scales[0]) * np.float32(scale))
    bias = random.integers(-5000, 5000, result[-1]).astype(np.int32)
    tensors = [data, constant(array, (scale,), (point,)), constant(bias, (product,)), made]
    options = options | {"FusedActivationFunction": activation}
    return Subgraph(tensors, [Operator(code, (0, 1, 2), (3,), kind, options)], (0,), (3,))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("point", "lowest"), [(128, 1), (128, 0), (151, 0), (97, 0), (1, 0)])
@pytest.mark.parametrize("code", LAYERS)
def test_layers(tmp_path: Path, code: str, point: int, lowest: int, seed: int) -> None:
    """Weights of eight bits without their zero point, and of nine; none is computed in reals."""
    random = np.random.default_rng(seed)
    model = layer(random, code, point, lowest, seed)
    graph = check(tmp_path, model, [random_elements(random, model.tensors[0])])
    assert not any(isinstance(node.op, Dequantize) for node in graph.nodes)


OPERATORS: list[tuple[str, int, Shape, str, dict[str, Any], tuple[float, int] | None]] = [
    ("ADD", 2, IMAGE, "AddOptions", {}, None),
    ("SUB", 2, IMAGE, "SubOptions", {}, None),
    ("MUL", 2, IMAGE, "MulOptions", {"FusedActivationFunction": 1}, None),
    ("RELU", 1, IMAGE, "", {}, None),
    ("RELU6", 1, IMAGE, "", {}, None),
    ("HARD_SWISH", 1, IMAGE, "", {}, None),
    ("LEAKY_RELU", 1, IMAGE, "LeakyReluOptions", {"Alpha": 0.2}, None),
    ("SOFTMAX", 1, IMAGE, "SoftmaxOptions", {"Beta": 1.0}, (1 / 256, 0)),
    ("LOGISTIC", 1, IMAGE, "", {}, (1 / 256, 0)),
    ("TANH", 1, IMAGE, "", {}, (1 / 128, 128)),
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("case", OPERATORS, ids=lambda case: str(case[0]))
def test_operators(tmp_path: Path, case: Any, seed: int) -> None:
    code, count, shape, kind, options, quant = case
    random = np.random.default_rng(seed)
    operands = [random_tensor(random, shape, "uint8") for _ in range(count)]
    made = random_tensor(random, shape, "uint8", 2.0)
    if quant is not None:
        made = replace(made, scales=quant[:1], zero_points=quant[1:])
    operator = Operator(code, tuple(range(count)), (count,), kind, options)
    model = Subgraph([*operands, made], [operator], tuple(range(count)), (count,))
    check(tmp_path, model, [random_elements(random, each) for each in operands])


KEPT: list[tuple[str, int, Shape, str, dict[str, Any]]] = [
    ("AVERAGE_POOL_2D", 1, (1, 4, 3, 3), "Pool2DOptions", {"FilterHeight": 2, "FilterWidth": 3}),
    ("MAX_POOL_2D", 1, (1, 4, 3, 3), "Pool2DOptions", {"FilterHeight": 2, "FilterWidth": 3}),
    ("CONCATENATION", 2, (1, 7, 6, 6), "ConcatenationOptions", {"Axis": 3}),
    ("RESHAPE", 1, (3, 42), "ReshapeOptions", {"NewShape": (3, 42)}),
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("case", KEPT, ids=lambda case: str(case[0]))
def test_operators_that_keep_the_quantisation(tmp_path: Path, case: Any, seed: int) -> None:
    code, count, shape, kind, options = case
    random = np.random.default_rng(seed)
    data = random_tensor(random, IMAGE, "uint8")
    if kind == "Pool2DOptions":
        options = options | {"StrideH": 2, "StrideW": 2, "FusedActivationFunction": seed}
    operator = Operator(code, tuple(range(count)), (count,), kind, options)
    model = Subgraph([*[data] * count, replace(data, shape=shape)], [operator], tuple(range(count)), (count,))
    check(tmp_path, model, [random_elements(random, data) for _ in range(count)])


def test_weights_of_more_than_two_integers_of_eight_bits(tmp_path: Path) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(layer(np.random.default_rng(1), "CONV_2D", 0, 0, 0)))
    with pytest.raises(UnsupportedModel, match="uint8 weights are more than 254 from their zero point"):
        read_tflite(path)
