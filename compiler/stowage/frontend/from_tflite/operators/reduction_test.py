# SPDX-License-Identifier: Apache-2.0
"""Reductions of reals and of quantised integers, against LiteRT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant
from stowage.frontend.from_tflite.random_tensors import random_elements, random_tensor, tolerance

SHAPE = (2, 5, 6, 3)
AXES = [(1, 2), (-1,), (0, 1, 2, 3)]


def model(code: str, axes: tuple[int, ...], keep: bool, data: Tensor, made: Tensor) -> Subgraph:
    """`made` gets the shape that is left."""
    gone = [axis % len(SHAPE) for axis in axes]
    left = [1 if axis in gone else extent for axis, extent in enumerate(SHAPE) if keep or axis not in gone]
    tensors = [data, constant(np.array(axes, np.int32)), replace(made, shape=tuple(left))]
    return Subgraph(
        tensors, [Operator(code, (0, 1), (2,), "ReducerOptions", {"KeepDims": keep}, version=2)], (0,), (2,)
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "int8", "int16"])
@pytest.mark.parametrize("code", ["MEAN", "SUM"])
def test_sums(tmp_path: Path, code: str, dtype: str, axes: tuple[int, ...], keep: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    data, made = (random_tensor(random, SHAPE, dtype, centre) for centre in (1.0, 1.0 if code == "MEAN" else 5.0))
    subgraph = model(code, axes, keep, data, made)
    arrays = [random_elements(random, data)]
    check(tmp_path, subgraph, arrays, relative=tolerance(dtype), reference=code == "MEAN")


@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_a_sum_with_the_quantisation_of_its_input(tmp_path: Path, dtype: str) -> None:
    random = np.random.default_rng(9)
    data = random_tensor(random, SHAPE, dtype)
    check(tmp_path, model("SUM", (1,), False, data, data), [random_elements(random, data) // 8], reference=False)


@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("dtype", ["int8", "int16"])
@pytest.mark.parametrize("code", ["REDUCE_MAX", "REDUCE_MIN"])
def test_extremes(tmp_path: Path, code: str, dtype: str, axes: tuple[int, ...]) -> None:
    random = np.random.default_rng(3)
    data = random_tensor(random, SHAPE, dtype)
    check(tmp_path, model(code, axes, False, data, data), [random_elements(random, data)])
