# SPDX-License-Identifier: Apache-2.0
"""Functions of 8-bit numbers that TFLite tabulates, on every integer, and softmax with a beta, against LiteRT."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor
from stowage.frontend.from_tflite.random_tensors import random_elements, random_tensor, tolerance

EVERY = np.arange(-128, 128, dtype=np.int8).reshape(1, 256)
FUNCTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("ELU", "", {}),
    ("EXP", "", {}),
    ("LOG", "", {}),
    ("ABS", "", {}),
    ("GELU", "GeluOptions", {}),
    ("GELU", "GeluOptions", {"Approximate": True}),
]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("code", "kind", "options"), FUNCTIONS)
def test_functions(tmp_path: Path, code: str, kind: str, options: dict[str, Any], seed: int) -> None:
    random = np.random.default_rng(seed)
    source, made = (random_tensor(random, EVERY.shape, "int8") for _ in range(2))
    if seed == 0:
        made = source
    subgraph = Subgraph([source, made], [Operator(code, (0,), (1,), kind, options)], (0,), (1,))
    check(tmp_path, subgraph, [EVERY], reference=code != "ELU")


@pytest.mark.parametrize("code", ["ELU", "CEIL", "ROUND"])
def test_functions_of_reals_without_reference_kernels(tmp_path: Path, code: str) -> None:
    random = np.random.default_rng(2)
    array = np.concatenate([random.standard_normal(100) * 4, np.arange(-4, 4, 0.5)]).astype(np.float32)
    subgraph = Subgraph([Tensor(array.shape, "float32")] * 2, [Operator(code, (0,), (1,))], (0,), (1,))
    check(tmp_path, subgraph, [array], relative=1e-5, reference=False)


@pytest.mark.parametrize("beta", [0.3, 1.7])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dtype", ["float32", "int8", "int16"])
def test_softmax_with_a_beta(tmp_path: Path, dtype: str, seed: int, beta: float) -> None:
    random = np.random.default_rng(seed)
    source = random_tensor(random, (3, 20), dtype)
    quant: Any = {"int8": ((1 / 256,), (-128,)), "int16": ((2.0**-15,), (0,))}.get(dtype, ((), ()))
    operator = Operator("SOFTMAX", (0,), (1,), "SoftmaxOptions", {"Beta": beta}, version=3)
    subgraph = Subgraph([source, Tensor((3, 20), dtype, None, *quant)], [operator], (0,), (1,))
    check(tmp_path, subgraph, [random_elements(random, source)], relative=tolerance(dtype))
