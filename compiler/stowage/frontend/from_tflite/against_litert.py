# SPDX-License-Identifier: Apache-2.0
"""Test support: a model's graph, before and after all passes, computes LiteRT's integers, bit for bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from stowage.frontend.from_tflite.litert import run_litert
from stowage.frontend.from_tflite.model_making import Subgraph, model_bytes
from stowage.frontend.tflite_model import read_tflite
from stowage.ir.graph import Array
from stowage.ir.reference import run
from stowage.passes.graph_pass import run_passes
from stowage.passes.order import PASSES


def check(folder: Path, subgraph: Subgraph, inputs: list[Array]) -> None:
    """The graph computes what LiteRT does, as imported and as compiled."""
    data = model_bytes(subgraph)
    path = folder / "model.tflite"
    path.write_bytes(data)
    expected = run_litert(data, inputs)
    imported = read_tflite(path)
    for graph in (imported, run_passes(imported, PASSES)):
        values = run(graph, {value.name: array for value, array in zip(graph.inputs, inputs, strict=True)})
        for value, array in zip(graph.outputs, expected, strict=True):
            np.testing.assert_array_equal(values[value.name], array)
