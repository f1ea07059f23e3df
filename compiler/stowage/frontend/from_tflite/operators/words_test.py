# SPDX-License-Identifier: Apache-2.0
"""Layers, arithmetic, pooling and movement of 16-bit tensors against LiteRT; what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.errors import InvalidModel, StowageError, UnsupportedModel
from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant, model_bytes
from stowage.frontend.from_tflite.word_tensors import integers, scale, words
from stowage.frontend.tflite_model import read_tflite
from stowage.ir.graph import Array

SEEDS = range(4)


def layer(
    random: np.random.Generator, data: Tensor, weights: tuple[int, ...], axis: int, result: tuple[int, ...]
) -> list[Tensor]:
    """Input, weights quantised along an axis (all alike for -1), bias and result of a layer."""
    channels = weights[axis] if axis >= 0 else weights[0]
    scales = tuple(scale(random, 0.01) for _ in range(channels if axis >= 0 else 1))
    array = np.asarray(random.integers(-127, 128, weights), np.int8)
    bias = np.asarray(random.integers(-(2**34), 2**34, channels) >> random.integers(0, 30), np.int64)
    products = tuple(float(np.float32(data.scales[0]) * np.float32(each)) for each in scales)
    return [
        data,
        constant(array, scales, axis=max(axis, 0)),
        constant(bias, products),
        words(result, scale(random, 1e-3)),
    ]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("padding", "stride", "dilation"), [(0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 1, 2), (0, 1, 2)])
def test_convolution(tmp_path: Path, padding: int, stride: int, dilation: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    data = words((1, 9, 8, 3), scale(random))
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
    operator = Operator("CONV_2D", (0, 1, 2), (3,), "Conv2DOptions", options, version=4)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (3,)), [integers(random, (1, 9, 8, 3))])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("multiplier", [1, 2])
def test_depthwise_convolution(tmp_path: Path, multiplier: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    data = words((1, 7, 6, 4), scale(random))
    tensors = layer(random, data, (1, 3, 3, 4 * multiplier), 3, (1, 4, 3, 4 * multiplier))
    options = {"StrideH": 2, "StrideW": 2, "DepthMultiplier": multiplier, "FusedActivationFunction": seed}
    operator = Operator("DEPTHWISE_CONV_2D", (0, 1, 2), (3,), "DepthwiseConv2DOptions", options, version=5)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (3,)), [integers(random, (1, 7, 6, 4))])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("axis", [-1, 0])
@pytest.mark.parametrize("biased", [False, True])
def test_dense_layer(tmp_path: Path, biased: bool, axis: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    data = words((2, 3, 600), scale(random))
    tensors = layer(random, data, (9, 600), axis, (6, 9))
    options = {"FusedActivationFunction": seed}
    operator = Operator(
        "FULLY_CONNECTED", (0, 1, 2 if biased else -1), (3,), "FullyConnectedOptions", options, version=7
    )
    check(tmp_path, Subgraph(tensors, [operator], (0,), (3,)), [integers(random, (2, 3, 600))])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("code", ["ADD", "SUB", "MUL"])
@pytest.mark.parametrize("second", [(1, 5, 6, 3), (3,), (1, 5, 1, 1)])
def test_two_operands(tmp_path: Path, code: str, second: tuple[int, ...], seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = (1, 5, 6, 3)
    result = words(shape, scale(random, 3e-4) * (0.005 if code == "MUL" else 3))
    tensors = [words(each, scale(random)) for each in (shape, second)]
    kind = {"ADD": "AddOptions", "SUB": "SubOptions", "MUL": "MulOptions"}[code]
    options: dict[str, int] = {"FusedActivationFunction": seed % 4}
    if code != "MUL":
        options["PotScaleInt16"] = seed < 4
    operator = Operator(code, (0, 1), (2,), kind, options, version=2 if code == "MUL" else 4)
    arrays = [integers(random, shape), integers(random, second)]
    check(tmp_path, Subgraph([*tensors, result], [operator], (0, 1), (2,)), arrays)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("code", ["AVERAGE_POOL_2D", "MAX_POOL_2D"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_pooling(tmp_path: Path, code: str, size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    one = scale(random)
    tensors = [words((1, 7, 6, 5), one), words((1, 4, 3, 5), one)]
    options = {"StrideH": 2, "StrideW": 2, "FilterHeight": size, "FilterWidth": 3, "FusedActivationFunction": seed}
    operator = Operator(code, (0,), (1,), "Pool2DOptions", options, version=3)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (1,)), [integers(random, (1, 7, 6, 5))])


MOVED: list[tuple[str, str, dict[str, Any], list[Array], tuple[int, ...]]] = [
    ("RESHAPE", "ReshapeOptions", {}, [np.array([4, 15], np.int32)], (4, 15)),
    ("TRANSPOSE", "TransposeOptions", {}, [np.array([0, 3, 1, 2], np.int32)], (1, 5, 3, 4)),
    ("PAD", "PadOptions", {}, [np.array([[0, 0], [1, 0], [2, 1], [0, 1]], np.int32)], (1, 4, 7, 6)),
    ("MIRROR_PAD", "MirrorPadOptions", {}, [np.array([[0, 0], [1, 0], [2, 1], [0, 1]], np.int32)], (1, 4, 7, 6)),
    ("SLICE", "SliceOptions", {}, [np.array([0, 1, 0, 2], np.int32), np.array([1, 2, 4, 2], np.int32)], (1, 2, 4, 2)),
    (
        "STRIDED_SLICE",
        "StridedSliceOptions",
        {},
        [np.array(each, np.int32) for each in ([0, 0, 1, 0], [1, 3, 4, 5], [1, 2, 1, 2])],
        (1, 2, 3, 3),
    ),
    ("GATHER", "GatherOptions", {"Axis": 3}, [np.array([4, 0, 4], np.int32)], (1, 3, 4, 3)),
    ("SQUEEZE", "SqueezeOptions", {}, [], (3, 4, 5)),
    ("EXPAND_DIMS", "ExpandDimsOptions", {}, [np.array([0], np.int32)], (1, 1, 3, 4, 5)),
]


@pytest.mark.parametrize(("code", "kind", "options", "constants", "shape"), MOVED, ids=[each[0] for each in MOVED])
def test_movement(
    tmp_path: Path, code: str, kind: str, options: dict[str, Any], constants: list[Array], shape: tuple[int, ...]
) -> None:
    random = np.random.default_rng(1)
    one = scale(random)
    tensors = [words((1, 3, 4, 5), one), *(constant(each) for each in constants), words(shape, one)]
    inputs = tuple(range(1 + len(constants)))
    version = {"TRANSPOSE": 4, "GATHER": 4, "RESHAPE": 1, "SQUEEZE": 1, "EXPAND_DIMS": 1}.get(code, 2)
    operator = Operator(code, inputs, (len(inputs),), kind, options, version=version)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (len(inputs),)), [integers(random, (1, 3, 4, 5))])


@pytest.mark.parametrize("code", ["CONCATENATION", "PACK"])
def test_joining(tmp_path: Path, code: str) -> None:
    random = np.random.default_rng(2)
    one = scale(random)
    shapes = [(2, 3), (2, 3)] if code == "PACK" else [(2, 3), (2, 5)]
    result = (2, 2, 3) if code == "PACK" else (2, 8)
    tensors = [*(words(shape, one) for shape in shapes), words(result, one)]
    options = {"Axis": 1} | ({"ValuesCount": 2} if code == "PACK" else {})
    kind = {"PACK": "PackOptions", "CONCATENATION": "ConcatenationOptions"}[code]
    operator = Operator(code, (0, 1), (2,), kind, options, version=3)
    check(tmp_path, Subgraph(tensors, [operator], (0, 1), (2,)), [integers(random, shape) for shape in shapes])


@pytest.mark.parametrize("code", ["SPLIT", "UNPACK"])
def test_parting(tmp_path: Path, code: str) -> None:
    random = np.random.default_rng(3)
    one = scale(random)
    parts = [words((2, 3) if code == "SPLIT" else (6,), one) for _ in range(2)]
    if code == "SPLIT":
        tensors = [words((2, 6), one), constant(np.array([1], np.int32)), *parts]
        operator = Operator(code, (1, 0), (2, 3), "SplitOptions", {"NumSplits": 2}, version=4)
    else:
        tensors = [words((2, 6), one), *parts]
        operator = Operator(code, (0,), (1, 2), "UnpackOptions", {"Num": 2, "Axis": 0}, version=4)
    check(tmp_path, Subgraph(tensors, [operator], (0,), operator.outputs), [integers(random, (2, 6))])


SOURCE = words((2, 6), 2.0**-9)
WEIGHTS = constant(np.ones((3, 6), np.int8), (0.5,))
RESULT = words((2, 3), 2.0**-7)
DENSE = Operator("FULLY_CONNECTED", (0, 1, 2), (3,), "FullyConnectedOptions", version=7)
SUM = Operator("ADD", (0, 1), (2,), "AddOptions", {"PotScaleInt16": True}, version=4)
BIAS = constant(np.ones(3, np.int64))
REFUSED: list[tuple[list[Tensor], Operator, type[StowageError], str]] = [
    ([SOURCE, WEIGHTS, constant(np.ones(3, np.int32)), RESULT], DENSE, UnsupportedModel, "its bias is i32"),
    ([replace(SOURCE, zero_points=(1,)), WEIGHTS, BIAS, RESULT], DENSE, InvalidModel, "has a zero point"),
    ([SOURCE, WEIGHTS, BIAS, replace(RESULT, zero_points=(-3,))], DENSE, InvalidModel, "has a zero point"),
    ([SOURCE, SOURCE, SOURCE], SUM, UnsupportedModel, "pot_scale_int16"),
]


@pytest.mark.parametrize(("tensors", "operator", "kind", "reason"), REFUSED)
def test_what_is_refused(
    tmp_path: Path, tensors: list[Tensor], operator: Operator, kind: type[StowageError], reason: str
) -> None:
    inputs = (0, 1) if operator is SUM else (0,)
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(Subgraph(tensors, [operator], inputs, operator.outputs)))
    with pytest.raises(kind, match=reason):
        read_tflite(path)
