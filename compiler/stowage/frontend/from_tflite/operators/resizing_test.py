# SPDX-License-Identifier: Apache-2.0
"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR of every type, from any size to any, against LiteRT."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant
from stowage.ir.graph import Array

QUANTS: dict[str, Any] = {"int8": ((0.05,), (3,)), "int16": ((0.002,), (0,)), "float32": ((), ())}
OPTIONS = [{}, {"HalfPixelCenters": True}, {"AlignCorners": True}]


def elements(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    if dtype == "float32":
        return random.standard_normal(shape).astype(np.float32)
    limits = np.iinfo(dtype)
    return random.integers(limits.min, limits.max, shape, endpoint=True).astype(dtype)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dtype", QUANTS)
@pytest.mark.parametrize("way", ["Bilinear", "NearestNeighbor"])
def test_resizing(tmp_path: Path, way: str, dtype: str, options: dict[str, bool], seed: int) -> None:
    """Extents of one among them."""
    random = np.random.default_rng(seed)
    height, width, *size = (int(extent) for extent in random.integers(1, 14, 4))
    image, made = (2, height, width, 3), (2, *size, 3)
    tensors = [
        Tensor(image, dtype, None, *QUANTS[dtype]),
        constant(np.array(size, np.int32)),
        Tensor(made, dtype, None, *QUANTS[dtype]),
    ]
    code = {"Bilinear": "RESIZE_BILINEAR", "NearestNeighbor": "RESIZE_NEAREST_NEIGHBOR"}[way]
    operator = Operator(code, (0, 1), (2,), f"Resize{way}Options", options, version=3)
    relative = 1e-5 if dtype == "float32" else 0.0
    check(tmp_path, Subgraph(tensors, [operator], (0,), (2,)), [elements(random, image, dtype)], relative=relative)
