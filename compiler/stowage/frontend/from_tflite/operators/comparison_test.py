# SPDX-License-Identifier: Apache-2.0
"""Comparisons, extremes and selections of two tensors of every type, against LiteRT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor
from stowage.frontend.from_tflite.random_tensors import random_elements, random_tensor

SHAPE = (8, 40)
CODES = ["EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("dtype", ["float32", "int8", "int32"])
def test_comparisons(tmp_path: Path, dtype: str, code: str, seed: int) -> None:
    """8-bit tensors of different quantisations among them; equal numbers too."""
    random = np.random.default_rng(seed)
    first, second = random_tensor(random, SHAPE, dtype), random_tensor(random, SHAPE[1:], dtype)
    if seed == 0:
        second = replace(first, shape=second.shape)
    arrays = [random_elements(random, each) for each in (first, second)]
    arrays[0][0] = arrays[1]
    subgraph = Subgraph([first, second, Tensor(SHAPE, "bool")], [Operator(code, (0, 1), (2,), version=2)], (0, 1), (2,))
    check(tmp_path, subgraph, arrays)


@pytest.mark.parametrize("dtype", ["float32", "int8", "int16", "int32"])
@pytest.mark.parametrize(
    ("code", "condition"), [("SELECT_V2", (40,)), ("SELECT_V2", (8, 1)), ("SELECT", (8,)), ("SELECT", SHAPE)]
)
def test_selection(tmp_path: Path, code: str, condition: tuple[int, ...], dtype: str) -> None:
    random = np.random.default_rng(5)
    data = random_tensor(random, SHAPE, dtype)
    tensors = [Tensor(condition, "bool"), data, data, data]
    arrays = [random_elements(random, each) for each in tensors[:3]]
    check(tmp_path, Subgraph(tensors, [Operator(code, (0, 1, 2), (3,))], (0, 1, 2), (3,)), arrays)


@pytest.mark.parametrize("code", ["MAXIMUM", "MINIMUM"])
def test_extremes_of_words(tmp_path: Path, code: str) -> None:
    random = np.random.default_rng(6)
    data = random_tensor(random, SHAPE, "int16")
    operator = Operator(code, (0, 1), (2,), "MaximumMinimumOptions", version=4)
    check(tmp_path, Subgraph([data] * 3, [operator], (0, 1), (2,)), [random_elements(random, data) for _ in range(2)])
