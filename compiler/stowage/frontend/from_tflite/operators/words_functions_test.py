# SPDX-License-Identifier: Apache-2.0
"""Functions of 16-bit tensors, and their ways from and to reals and bytes, on every integer, against LiteRT."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor
from stowage.frontend.from_tflite.word_tensors import integers, scale, words

EVERY = np.arange(-(2**15), 2**15).astype(np.int16).reshape(1, -1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("code", ["RELU", "RELU6", "QUANTIZE"])
@pytest.mark.parametrize("kept", [False, True])
def test_functions_of_one_number(tmp_path: Path, code: str, kept: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    source = words(EVERY.shape, scale(random))
    made = words(EVERY.shape, source.scales[0] if kept else scale(random))
    operator = Operator(code, (0,), (1,), "", {}, version=2)
    check(tmp_path, Subgraph([source, made], [operator], (0,), (1,)), [EVERY])


@pytest.mark.parametrize("seed", range(6))
def test_quantize_to_bytes(tmp_path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    source = words(EVERY.shape, scale(random))
    made = Tensor(EVERY.shape, "int8", None, (scale(random, 0.05),), (int(random.integers(-128, 128)),))
    operator = Operator("QUANTIZE", (0,), (1,), "QuantizeOptions", version=2)
    check(tmp_path, Subgraph([source, made], [operator], (0,), (1,)), [EVERY])


@pytest.mark.parametrize("seed", range(3))
def test_from_reals_and_back(tmp_path: Path, seed: int) -> None:
    """Halves among them."""
    random = np.random.default_rng(seed)
    step = float(np.float32(2.0**-12)) if seed else scale(random)
    reals = np.concatenate([np.arange(-400, 400) * 0.5 * step, random.standard_normal(100) * 9]).astype(np.float32)
    real = Tensor(reals.shape, "float32")
    operators = [Operator("QUANTIZE", (0,), (1,), "QuantizeOptions"), Operator("DEQUANTIZE", (1,), (2,), version=3)]
    check(tmp_path, Subgraph([real, words(reals.shape, step), real], operators, (0,), (1, 2)), [reals])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("alpha", [0.2, -0.6, 1.7, 0.0])
def test_leaky_relu(tmp_path: Path, alpha: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    tensors = [words(EVERY.shape, scale(random)) for _ in range(2)]
    operator = Operator("LEAKY_RELU", (0,), (1,), "LeakyReluOptions", {"Alpha": alpha}, version=2)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (1,)), [EVERY])


SCALES = [2.0**-13, 2.0**-12, 2.0**-11, 2.0**-12 * 1.0004, 1e-6, 1e-4, 3e-4, 1e-3, 0.01, 2.5]


@pytest.mark.parametrize("one", SCALES)
@pytest.mark.parametrize("code", ["LOGISTIC", "TANH"])
def test_functions_by_table(tmp_path: Path, code: str, one: float) -> None:
    tensors = [words(EVERY.shape, float(np.float32(one))), words(EVERY.shape, 2.0**-15)]
    operator = Operator(code, (0,), (1,), version=3)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (1,)), [EVERY])


@pytest.mark.parametrize("one", [1e-5, 1e-4, 3e-4, 1e-3, 0.01, 0.9])
@pytest.mark.parametrize("row", [1, 2, 10, 300])
def test_softmax(tmp_path: Path, row: int, one: float) -> None:
    """Rows of everything, and of numbers near each other."""
    random = np.random.default_rng(row)
    array = integers(random, (40, row))
    array[20:] = array[20:] // 64
    tensors = [words(array.shape, float(np.float32(one))), words(array.shape, 2.0**-15)]
    operator = Operator("SOFTMAX", (0,), (1,), "SoftmaxOptions", {"Beta": 1.0}, version=3)
    check(tmp_path, Subgraph(tensors, [operator], (0,), (1,)), [array])
