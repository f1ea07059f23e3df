# SPDX-License-Identifier: Apache-2.0
"""SVDF of reals, run after run, against LiteRT."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stowage.errors import UnsupportedModel
from stowage.frontend.from_tflite.litert import run_litert_steps
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant, model_bytes
from stowage.frontend.tflite_model import read_tflite
from stowage.ir.reference import run
from stowage.passes.graph_pass import run_passes
from stowage.passes.order import PASSES

BATCH, INPUTS, UNITS = 2, 5, 3


def model(random: np.random.Generator, rank: int, steps: int, biased: bool, activation: int) -> Subgraph:
    filters = UNITS * rank
    knowns = [
        constant(random.standard_normal(shape).astype(np.float32))
        for shape in ((filters, INPUTS), (filters, steps), (UNITS,))
    ]
    state = Tensor((BATCH, filters * steps), "float32", is_variable=True)
    tensors = [Tensor((BATCH, INPUTS), "float32"), *knowns, state, Tensor((BATCH, UNITS), "float32")]
    options: dict[str, Any] = {"Rank": rank, "FusedActivationFunction": activation}
    operands = (0, 1, 2, 3 if biased else -1, 4)
    return Subgraph(tensors, [Operator("SVDF", operands, (5,), "SVDFOptions", options)], (0,), (5,))


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(("rank", "steps", "activation"), [(1, 4, 0), (2, 3, 1), (1, 1, 0)])
def test_every_run_goes_on(tmp_path: Path, rank: int, steps: int, activation: int, biased: bool) -> None:
    random = np.random.default_rng(rank + steps)
    data = model_bytes(model(random, rank, steps, biased, activation))
    path = tmp_path / "model.tflite"
    path.write_bytes(data)
    arrays = [random.standard_normal((BATCH, INPUTS)).astype(np.float32) for _ in range(steps + 2)]
    expected = run_litert_steps(data, arrays)
    graph = run_passes(read_tflite(path), PASSES)
    pairs = dict(graph.states)
    held = {value.name: np.zeros(value.type.shape, np.float32) for value in graph.inputs if value.name in pairs}
    assert len(held) == 1
    for array, wanted in zip(arrays, expected, strict=True):
        values = run(graph, {graph.inputs[0].name: array, **held})
        output = values[graph.outputs[0].name].astype(np.float64)
        np.testing.assert_allclose(output, wanted.astype(np.float64), rtol=1e-5, atol=1e-5)
        held = {name: np.asarray(values[kept], np.float32) for name, kept in pairs.items()}


def test_integers_are_refused(tmp_path: Path) -> None:
    base = model(np.random.default_rng(1), 1, 4, True, 0)
    tensors = [*base.tensors]
    tensors[1] = constant(np.ones((UNITS, INPUTS), np.int8), (0.1,))
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(Subgraph(tensors, base.operators, (0,), (5,))))
    with pytest.raises(UnsupportedModel, match="SVDF 't5': it computes with quantised integers"):
        read_tflite(path)
