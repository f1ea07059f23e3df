# SPDX-License-Identifier: Apache-2.0
"""RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR of every type, from any size to any, against LiteRT."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.errors import UnsupportedModel
from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, constant, model_bytes
from stowage.frontend.from_tflite.random_tensors import random_elements, random_tensor, tolerance
from stowage.frontend.tflite_model import read_tflite

OPTIONS = [{}, {"HalfPixelCenters": True}, {"AlignCorners": True}]
CODES = {"Bilinear": "RESIZE_BILINEAR", "NearestNeighbor": "RESIZE_NEAREST_NEIGHBOR"}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dtype", ["int8", "int16", "float32"])
@pytest.mark.parametrize("way", CODES)
def test_resizing(tmp_path: Path, way: str, dtype: str, options: dict[str, bool], seed: int) -> None:
    """Extents of one among them."""
    random = np.random.default_rng(seed)
    height, width, *size = (int(extent) for extent in random.integers(1, 14, 4))
    image = random_tensor(random, (2, height, width, 3), dtype)
    tensors = [image, constant(np.array(size, np.int32)), replace(image, shape=(2, *size, 3))]
    operator = Operator(CODES[way], (0, 1), (2,), f"Resize{way}Options", options, version=3)
    model = Subgraph(tensors, [operator], (0,), (2,))
    check(tmp_path, model, [random_elements(random, image)], relative=tolerance(dtype))


def test_unsigned_integers_are_refused(tmp_path: Path) -> None:
    image = random_tensor(np.random.default_rng(1), (1, 4, 4, 3), "uint8")
    tensors = [image, constant(np.array([8, 8], np.int32)), replace(image, shape=(1, 8, 8, 3))]
    path = tmp_path / "model.tflite"
    operator = Operator("RESIZE_BILINEAR", (0, 1), (2,), "ResizeBilinearOptions")
    path.write_bytes(model_bytes(Subgraph(tensors, [operator], (0,), (2,))))
    with pytest.raises(UnsupportedModel, match="it interpolates uint8, which TFLite does in reals"):
        read_tflite(path)
