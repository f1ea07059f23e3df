# SPDX-License-Identifier: Apache-2.0
"""Hybrid layers, of real inputs and 8-bit weights, against LiteRT: a step of the quantised input is far more than the
tolerance. Their weights stay bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant
from stowage.ir.graph import Array

Shape = tuple[int, ...]
LAYERS: dict[str, tuple[Shape, Shape, int, Shape, str, int]] = {
    "FULLY_CONNECTED": ((3, 20), (6, 20), 0, (3, 6), "FullyConnectedOptions", 3),
    "CONV_2D": ((2, 5, 4, 3), (6, 3, 3, 3), 0, (2, 5, 4, 6), "Conv2DOptions", 5),
    "DEPTHWISE_CONV_2D": ((2, 5, 4, 3), (1, 3, 3, 6), 3, (2, 5, 4, 6), "DepthwiseConv2DOptions", 6),
}
"""Shapes of input and weights, the axis of output channels, shape of the result, options and version."""


@pytest.mark.parametrize("activation", [0, 1])
@pytest.mark.parametrize(
    ("code", "per_channel"),
    [(code, alone) for code in LAYERS for alone in (False, True) if alone or not code.startswith("DEPTHWISE")],
)
def test_layers(tmp_path: Path, code: str, per_channel: bool, activation: int) -> None:
    """LiteRT reads scales that are not there of a DEPTHWISE_CONV_2D with one for all channels."""
    random = np.random.default_rng(9)
    shape, weights, axis, result, kind, version = LAYERS[code]
    matrix: Array = random.integers(-127, 128, weights).astype(np.int8)
    scales = tuple(float(np.float32(each)) for each in random.uniform(0.005, 0.02, 6 if per_channel else 1))
    bias: Array = random.standard_normal(6).astype(np.float32)
    tensors = [Tensor(shape, "float32"), constant(matrix, scales, axis=axis if per_channel else 0), constant(bias)]
    options: dict[str, Any] = {"FusedActivationFunction": activation}
    if code != "FULLY_CONNECTED":
        options |= {"StrideH": 1, "StrideW": 1}
    if code == "DEPTHWISE_CONV_2D":
        options["DepthMultiplier"] = 2
    operator = Operator(code, (0, 1, 2), (3,), kind, options, version=version)
    model = Subgraph([*tensors, Tensor(result, "float32")], [operator], (0,), (3,))
    graph = check(tmp_path, model, [random.standard_normal(shape).astype(np.float32)], relative=1e-5)
    kept = {array.size: array.dtype for array in graph.constants.values()}
    assert kept[matrix.size] == np.int8
