# SPDX-License-Identifier: Apache-2.0
"""What a test compares an import with: ONNX Runtime on the same model and the same data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from onnx import ModelProto

from stowage.frontend.from_onnx.model_making import saved
from stowage.frontend.onnx_model import read_onnx
from stowage.ir.graph import Array, Graph
from stowage.ir.reference import run
from stowage.ir.verify import verify

Arrays = dict[str, Array]


def runtime_outputs(model: ModelProto, inputs: Arrays) -> Arrays:
    """ONNX Runtime's outputs, every operator executed as it stands in the file."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs), strict=True))


def imported(model: ModelProto, folder: Path) -> Graph:
    """The graph, verified."""
    graph = read_onnx(saved(model, folder))
    verify(graph, "the importer")
    return graph


def random_inputs(graph: Graph, seed: int = 0) -> Arrays:
    """Normally distributed reals and uniformly distributed integers for the graph's inputs."""
    generator = np.random.default_rng(seed)
    return {value.name: _random(generator, value.type.shape, value.type.dtype.numpy) for value in graph.inputs}


def _random(generator: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[np.generic]) -> Array:
    if dtype.kind == "f":
        return generator.normal(size=shape).astype(dtype)
    limits = {"i1": (-128, 128), "u1": (0, 256), "b1": (0, 2)}.get(
        dtype.str[1:], (-1000 if dtype.kind == "i" else 0, 1000)
    )
    return generator.integers(*limits, size=shape).astype(dtype)


def check_import(model: ModelProto, folder: Path, seed: int = 0) -> Graph:
    """Imports the model and holds the graph's outputs against ONNX Runtime's.

    Names, shapes and types must be equal, reals within 1e-5, quantised integers within one step, other integers equal.
    """
    graph = imported(model, folder)
    inputs = random_inputs(graph, seed)
    expected, found = runtime_outputs(model, inputs), run(graph, inputs)
    assert [value.name for value in graph.outputs] == list(expected)
    for value in graph.outputs:
        assert found[value.name].shape == expected[value.name].shape
        assert found[value.name].dtype == expected[value.name].dtype
        if value.type.dtype.is_float:
            np.testing.assert_allclose(
                found[value.name].astype(np.float64), expected[value.name].astype(np.float64), rtol=1e-5, atol=1e-5
            )
        else:
            difference = np.abs(found[value.name].astype(np.int64) - expected[value.name].astype(np.int64))
            assert difference.max(initial=0) <= (value.type.quant is not None)
    return graph
