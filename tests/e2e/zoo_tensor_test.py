# SPDX-License-Identifier: Apache-2.0
"""Real models at every tensor, where the machine has them: STOWAGE_ZOO names their folder.

A model that has operators which Stowage doesn't support yet is passed over; one that compiles has to be right. Every
step counts: it makes a tensor of the model, or what goes into one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest

from stowage.errors import UnsupportedModel
from stowage.ir.graph import Array
from tests.e2e.step_difference import judged, step_differences

ZOO = Path(os.environ.get("STOWAGE_ZOO", "/nonexistent"))
MODELS = sorted(ZOO.glob("*/model*.onnx"))
VECTORS = 2


def _vectors(path: Path) -> list[Mapping[str, Array]]:
    names = [value.name for value in onnx.load(path, load_external_data=False).graph.input]
    arrays = [np.load(path.parent / f"input_{index}.npy") for index in range(len(names))]
    return [{name: array[vector] for name, array in zip(names, arrays, strict=True)} for vector in range(VECTORS)]


@pytest.mark.skipif(not MODELS, reason="STOWAGE_ZOO does not name a folder of models")
@pytest.mark.parametrize("path", MODELS or [Path()], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_step_is_as_near_as_promised(path: Path) -> None:
    try:
        differences = step_differences(path, _vectors(path))
    except UnsupportedModel as refusal:
        pytest.skip(str(refusal))
    compared = [each for each in differences if each.compared]
    assert [each for each in compared if each.largest > (1 if each.integer else 1e-5)] == []
    assert [each for each in differences if each not in judged(differences)] == []
