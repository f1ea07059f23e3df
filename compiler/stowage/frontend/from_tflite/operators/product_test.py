# SPDX-License-Identifier: Apache-2.0
"""BATCH_MATMUL of reals and of int8, transposed or not, with a constant operand or without, against LiteRT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph
from stowage.frontend.from_tflite.random_tensors import random_elements, random_tensor, tolerance


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("adjoint", [(False, False), (True, False), (False, True), (True, True)], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_products(tmp_path: Path, dtype: str, adjoint: tuple[bool, bool], known: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = ((2, 4, 3) if adjoint[0] else (2, 3, 4)), ((5, 4) if adjoint[1] else (4, 5))
    batches = 1 if seed % 2 else 2
    a, b = random_tensor(random, first, dtype), random_tensor(random, (batches, *second), dtype)
    arrays = [random_elements(random, each) for each in (a, b)]
    made = random_tensor(random, (2, 3, 5), dtype, 4.0)
    tensors = [a, replace(b, data=arrays[1]) if known else b, made]
    options: dict[str, Any] = {"AdjX": adjoint[0], "AdjY": adjoint[1]}
    operator = Operator("BATCH_MATMUL", (0, 1), (2,), "BatchMatMulOptions", options, version=2)
    given = 1 if known else 2
    subgraph = Subgraph(tensors, [operator], tuple(range(given)), (2,))
    check(tmp_path, subgraph, arrays[:given], relative=tolerance(dtype))
