# SPDX-License-Identifier: Apache-2.0
"""Batches that a file leaves open: what is computed for a given one, shapes that the model works out, refusals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.errors import InvalidModel
from stowage.frontend.from_tflite.against_litert import check
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant, model_bytes
from stowage.frontend.read_model import read_model


def numbers(*values: int) -> Tensor:
    return constant(np.array(values, np.int32))


def flattening(batch: int) -> Subgraph:
    """As converters flatten images: to the batch, read from the input's shape, and what is left."""
    image = Tensor((batch, 4, 5, 3), "int8", None, (0.05,), (3,), signature=(-1, 4, 5, 3))
    tensors = [
        image, Tensor((4,), "int32"), numbers(0), numbers(1), numbers(1), Tensor((), "int32"), numbers(60),
        replace(numbers(60), shape=()), Tensor((2,), "int32"),
        Tensor((batch, 60), "int8", None, (0.05,), (3,), signature=(-1, 60)),
        Tensor((batch, 60), "int8", None, (0.1,), (0,), signature=(-1, 60)),
    ]  # fmt: skip
    strided = {"ShrinkAxisMask": 1}
    operators = [
        Operator("SHAPE", (0,), (1,), "ShapeOptions", {"OutType": 2}),
        Operator("STRIDED_SLICE", (1, 2, 3, 4), (5,), "StridedSliceOptions", strided),
        Operator("PACK", (5, 7), (8,), "PackOptions", {"ValuesCount": 2}),
        Operator("RESHAPE", (0, 8), (9,)),
        Operator("RELU", (9,), (10,), version=2),
    ]
    return Subgraph(tensors, operators, (0,), (10,))


@pytest.mark.parametrize("batch", [1, 3])
def test_a_batch(tmp_path: Path, batch: int) -> None:
    array = np.random.default_rng(batch).integers(-128, 128, (batch, 4, 5, 3)).astype(np.int8)
    graph = check(tmp_path, flattening(1), [array], dimensions={"t0.0": batch} if batch > 1 else {})
    assert graph.outputs[0].type.shape == (batch, 60)
    assert {node.op.mnemonic for node in graph.nodes} <= {"constant", "reshape", "table"}


@pytest.mark.parametrize(
    ("dimensions", "reason"),
    [
        ({"t0.0": 0}, "dimension 't0.0': its value is 0"),
        ({"t0.1": 2}, "dimension 't0.1': the model has no such dimension, its dynamic dimensions are t0.0"),
        ({"batch": 2}, "dimension 'batch': the model has no such dimension"),
    ],
)
def test_refusals(tmp_path: Path, dimensions: dict[str, int], reason: str) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(flattening(1)))
    with pytest.raises(InvalidModel, match=reason):
        read_model(path, "", dimensions)
