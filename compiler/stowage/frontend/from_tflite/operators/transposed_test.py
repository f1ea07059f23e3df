# SPDX-License-Identifier: Apache-2.0
"""TRANSPOSE_CONV of int8 and float32, with and without a bias, against LiteRT."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant
from stowage.ir.graph import Array

INPUT = (2, 5, 6, 3)
WINDOWS = [(0, 2, (10, 12), 3), (1, 2, (11, 13), 3), (1, 1, (7, 8), 3), (0, 3, (15, 18), 2), (0, 1, (5, 6), 4)]
"""Padding (1 is VALID), stride, height and width of the result, extent of the kernel."""


def operator(window: tuple[int, int, tuple[int, int], int], biased: bool, activation: int) -> Operator:
    padding, stride, _, _ = window
    options = {"Padding": padding, "StrideH": stride, "StrideW": stride, "FusedActivationFunction": activation}
    operands = (0, 1, 2, 3) if biased else (0, 1, 2)
    return Operator("TRANSPOSE_CONV", operands, (4,), "TransposeConvOptions", options, version=4 if biased else 3)


def scales(random: np.random.Generator, centre: float, count: int) -> tuple[float, ...]:
    return tuple(float(np.float32(centre * np.exp(random.uniform(-1.5, 1.5)))) for _ in range(count))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_integers(tmp_path: Path, window: tuple[int, int, tuple[int, int], int], biased: bool, seed: int) -> None:
    """Weights have one scale, or one an output channel."""
    random = np.random.default_rng(seed)
    _, _, size, extent = window
    data = Tensor(INPUT, "int8", None, scales(random, 0.05, 1), (int(random.integers(-128, 128)),))
    weight_scales = scales(random, 0.01, 4 if seed % 2 else 1)
    weights = random.integers(-127, 128, (4, extent, extent, 3)).astype(np.int8)
    products = tuple(data.scales[0] * each for each in weight_scales)
    bias = random.integers(-5000, 5000, 4).astype(np.int32)
    made = Tensor((2, *size, 4), "int8", None, scales(random, 0.2, 1), (int(random.integers(-128, 128)),))
    shape = constant(np.array(made.shape, np.int32))
    tensors = [shape, constant(weights, weight_scales), data, constant(bias, products), made]
    array: Array = random.integers(-128, 128, INPUT).astype(np.int8)
    check(tmp_path, Subgraph(tensors, [operator(window, biased, seed if biased else 0)], (2,), (4,)), [array])


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_reals(tmp_path: Path, window: tuple[int, int, tuple[int, int], int], biased: bool) -> None:
    random = np.random.default_rng(7)
    _, _, size, extent = window
    weights, bias, array = (
        random.standard_normal(shape).astype(np.float32) for shape in ((4, extent, extent, 3), (4,), INPUT)
    )
    made = Tensor((2, *size, 4), "float32")
    tensors = [constant(np.array(made.shape, np.int32)), constant(weights), Tensor(INPUT, "float32")]
    model = Subgraph([*tensors, constant(bias), made], [operator(window, biased, int(biased))], (2,), (4,))
    check(tmp_path, model, [array], relative=1e-5)
