# SPDX-License-Identifier: Apache-2.0
"""LSTMs against LiteRT: integers bit for bit, reals closely, from the first step on and from a state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stowage.errors import UnsupportedModel
from stowage.frontend.from_tflite.litert import run_litert
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant, model_bytes
from stowage.frontend.tflite_model import read_tflite
from stowage.ir.graph import Array, Graph
from stowage.ir.reference import run
from stowage.passes.graph_pass import run_passes
from stowage.passes.order import PASSES

STEPS, BATCHES, INPUTS, HIDDEN = 5, 2, 6, 7


def scale(random: np.random.Generator, centre: float) -> float:
    return float(np.float32(centre * np.exp(random.uniform(-0.7, 0.7))))


def gates(random: np.random.Generator, columns: int, quantised: bool) -> list[Tensor]:
    """Four matrices [H, columns], in integers with a scale each."""
    if not quantised:
        return [constant(random.standard_normal((HIDDEN, columns)).astype(np.float32)) for _ in range(4)]
    return [
        constant(random.integers(-127, 128, (HIDDEN, columns)).astype(np.int8), (scale(random, 0.01),))
        for _ in range(4)
    ]


def lstm(random: np.random.Generator, quantised: bool, time_major: bool, clip: float) -> Subgraph:
    shape = (STEPS, BATCHES, INPUTS) if time_major else (BATCHES, STEPS, INPUTS)
    biases: list[Array] = [random.integers(-3000, 3000, HIDDEN).astype(np.int32) for _ in range(4)]
    if not quantised:
        biases = [random.standard_normal(HIDDEN).astype(np.float32) for _ in range(4)]
    kind, cell_kind = ("int8", "int16") if quantised else ("float32", "float32")
    points = [(int(random.integers(-60, 60)),) if quantised else () for _ in range(2)]
    scales = [(scale(random, centre),) if quantised else () for centre in (0.05, 0.008)]
    held = scales[1], points[1]
    tensors = [
        Tensor(shape, kind, None, scales[0], points[0]),
        *gates(random, INPUTS, quantised),
        *gates(random, HIDDEN, quantised),
        *(constant(bias, (1e-4,) if quantised else ()) for bias in biases),
        Tensor((BATCHES, HIDDEN), kind, None, scales[1], points[1], is_variable=True),
        Tensor((BATCHES, HIDDEN), cell_kind, None, (2.0**-11,) * quantised, (0,) * quantised, is_variable=True),
        Tensor((*shape[:2], HIDDEN), kind, None, *held),
        *(Tensor((), "int16", None, (2.0**-12,), (0,)) for _ in range(4)),
        Tensor((), "int8", None, *held),
    ]
    inputs = (*range(9), -1, -1, -1, 9, 10, 11, 12, -1, -1, 13, 14, -1, -1, -1, -1)
    options = {"FusedActivationFunction": 4, "CellClip": clip, "TimeMajor": time_major}
    name, options_kind = "UNIDIRECTIONAL_SEQUENCE_LSTM", "UnidirectionalSequenceLSTMOptions"
    intermediates = tuple(range(16, 21)) if quantised else ()
    operator = Operator(name, inputs, (15,), options_kind, options, intermediates)
    return Subgraph(tensors if quantised else tensors[:16], [operator], (0,), (15,))


def from_zero(graph: Graph, data: Array) -> Array:
    """The graph's output where its states hold the real number 0."""
    states = {value.name: value.type for value in graph.inputs if value.name in dict(graph.states)}
    zeros = {
        name: np.full(type_.shape, 0 if type_.quant is None else type_.quant.zero_point, type_.dtype.numpy)
        for name, type_ in states.items()
    }
    return run(graph, {graph.inputs[0].name: data, **zeros})[graph.outputs[0].name]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("time_major", [False, True])
@pytest.mark.parametrize("clip", [0.0, 0.5])
@pytest.mark.parametrize("quantised", [True, False])
def test_as_litert(tmp_path: Path, quantised: bool, clip: float, time_major: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    subgraph = lstm(random, quantised, time_major, clip)
    data = model_bytes(subgraph)
    path = tmp_path / "model.tflite"
    path.write_bytes(data)
    shape = subgraph.tensors[0].shape
    array: Array = random.integers(-128, 128, shape).astype(np.int8)
    if not quantised:
        array = random.standard_normal(shape).astype(np.float32)
    (expected,) = run_litert(data, [array])
    imported = read_tflite(path)
    for graph in (imported, run_passes(imported, PASSES)):
        output = from_zero(graph, array)
        if quantised:
            np.testing.assert_array_equal(output, expected)
        else:
            reals = output.astype(np.float64), expected.astype(np.float64)
            np.testing.assert_allclose(*reals, rtol=1e-5, atol=1e-6)


def test_states_carry_on(tmp_path: Path) -> None:
    """The states that leave are the last hidden and cell state, and a second run begins with them."""
    subgraph = lstm(np.random.default_rng(1), True, True, 0.0)
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(subgraph))
    graph = read_tflite(path)
    array = np.random.default_rng(2).integers(-128, 128, (STEPS, BATCHES, INPUTS)).astype(np.int8)
    pairs = dict(graph.states)
    assert len(pairs) == 2
    held = {value.name: np.zeros(value.type.shape, value.type.dtype.numpy) for value in graph.inputs[1:]}
    first = run(graph, {graph.inputs[0].name: array, **held})
    second = run(graph, {graph.inputs[0].name: array, **{name: first[kept] for name, kept in pairs.items()}})
    kept = {value.name: value for value in graph.outputs[1:]}
    assert {name: value.type for name, value in kept.items()} == {
        pairs[value.name]: value.type for value in graph.inputs[1:]
    }
    np.testing.assert_array_equal(first[graph.outputs[0].name][-1], first[graph.states[0][1]])
    assert not np.array_equal(first[graph.outputs[0].name], second[graph.outputs[0].name])


def test_peepholes_are_refused(tmp_path: Path) -> None:
    subgraph = lstm(np.random.default_rng(1), False, True, 0.0)
    operator = subgraph.operators[0]
    inputs = (*operator.inputs[:9], 10, 10, 10, *operator.inputs[12:])
    other = Operator(operator.code, inputs, operator.outputs, operator.kind, operator.options)
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(Subgraph(subgraph.tensors, [other], (0,), (15,))))
    with pytest.raises(UnsupportedModel, match="peepholes"):
        read_tflite(path)
