# SPDX-License-Identifier: Apache-2.0
"""Where quantisations go in small graphs, and what the passes make of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Value
from stowage.ir.ops.elementwise import Add, Div, HardSwish, Mul, Sigmoid, Tanh
from stowage.ir.ops.function import Sqrt
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.movement import Concat, Reshape, Slice, Transpose
from stowage.ir.ops.reduction import ReduceMean, Softmax
from stowage.ir.ops.window import Conv2d, MaxPool2d
from stowage.ir.verify import verify
from stowage.passes.graph_pass import run_passes
from stowage.passes.order import FLOAT_PASSES, INTEGER_PASSES
from stowage.passes.trial_graph import TrialGraph
from stowage.quantise.calibration import Samples, samples_for
from stowage.quantise.integer_nodes import integer_nodes
from stowage.quantise.output_error import float_outputs
from stowage.quantise.search import Found, Search

Maker = Callable[[TrialGraph, Value], Value]


def finish(graph: Graph) -> Graph:
    """The passes that follow."""
    return run_passes(graph, INTEGER_PASSES)


def samples_of(graph: Graph, count: int = 8) -> Samples:
    """Normally distributed inputs."""
    random = np.random.default_rng(5)
    arrays = {v.name: random.standard_normal((count, *v.type.shape)).astype(np.float32) for v in graph.inputs}
    return samples_for(graph, arrays)


def found(graph: Graph, keep_float: Collection[str] = (), method: str = "min-max") -> Found:
    """The draft with one way to choose ranges."""
    samples = samples_of(graph)
    search = Search(samples, float_outputs(graph, samples), integer_nodes(graph, keep_float), (method,), finish)
    return search.uncorrected(graph)


def graph_of(make: Maker, shape: tuple[int, ...] = (1, 6, 6, 4)) -> Graph:
    """A graph of one input, as the float passes leave it."""
    trial = TrialGraph()
    return run_passes(trial.graph(make(trial, trial.input(*shape))), FLOAT_PASSES)


def kernels(graph: Graph) -> list[str]:
    """What runs, sorted; operators on floats have a star."""
    steps = [node for node in graph.nodes if node.inputs and not isinstance(node.op, Reshape)]
    return sorted(f"{node.op.mnemonic}{'' if node.inputs[0].type.quant else '*'}" for node in steps)


def _conv(trial: TrialGraph, data: Value, outputs: int = 4, clamp: tuple[float, float] | None = None) -> Value:
    weights = trial.reals(outputs, 3, 3, data.type.shape[3])
    return trial.add(Conv2d(pads=(1, 1, 1, 1), clamp=clamp), data, weights, trial.reals(outputs), name="conv")


def _gate(trial: TrialGraph, x: Value) -> Value:
    data = _conv(trial, x)
    return trial.add(Mul(), data, trial.add(Sigmoid(), data))


def _chain(trial: TrialGraph, x: Value) -> Value:
    half = trial.constant(np.array(0.5, np.float32))
    return trial.add(Tanh(), trial.add(Mul(), trial.add(HardSwish(), _conv(trial, x)), half))


def _normalised(trial: TrialGraph, x: Value) -> Value:
    data = _conv(trial, x)
    variance = trial.add(ReduceMean((1, 2, 3)), trial.add(Mul(), data, data))
    return _conv(trial, trial.add(Div(), data, trial.add(Sqrt(), variance)))


def _joined(trial: TrialGraph, x: Value) -> Value:
    first = _conv(trial, x)
    return trial.add(Concat(3), first, trial.add(MaxPool2d((3, 3), pads=(1, 1, 1, 1)), first))


def _attention(trial: TrialGraph, x: Value) -> Value:
    rows = trial.add(Reshape((36, 4)), x)
    query, key = (trial.add(FullyConnected(), rows, trial.reals(4, 4)) for _ in range(2))
    scores = trial.add(MatMul(), query, trial.add(Transpose((1, 0)), key))
    return trial.add(MatMul(), trial.add(Softmax(1), scores), rows)


_GRAPHS: dict[str, tuple[Maker, list[str]]] = {
    "layer": (_conv, ["conv2d", "dequantize", "quantize*"]),
    "clamp": (lambda t, x: _conv(t, x, clamp=(0.0, math.inf)), ["conv2d", "dequantize", "quantize*"]),
    "gate": (_gate, ["conv2d", "dequantize", "mul", "quantize*", "table"]),
    "chain": (_chain, ["conv2d", "dequantize", "quantize*", "table"]),
    "known addend": (
        lambda t, x: t.add(Add(), _conv(t, x), t.reals(1, 6, 6, 4)),
        ["add", "conv2d", "dequantize", "quantize*"],
    ),
    "concatenation": (_joined, ["concat", "conv2d", "dequantize", "max_pool2d", "quantize*"]),
    "part of an input": (
        lambda t, x: _conv(t, t.add(Slice((0, 1, 1, 0), (1, 4, 4, 4), (1, 1, 1, 1)), x)),
        ["conv2d", "dequantize", "quantize*", "slice"],
    ),
    "attention": (
        _attention,
        ["dequantize", "fully_connected", "fully_connected", "matmul", "matmul", "quantize*", "softmax", "transpose"],
    ),
    "normalisation": (
        _normalised,
        [
            *("conv2d", "conv2d", "dequantize", "dequantize", "div*", "mul*"),
            *("quantize*",) * 2,
            "reduce_mean*",
            "sqrt*",
        ],
    ),
}


@pytest.mark.parametrize("name", sorted(_GRAPHS))
def test_integers_are_where_they_pay(name: str) -> None:
    make, expected = _GRAPHS[name]
    graph = graph_of(make)
    result = found(graph)
    assert kernels(finish(result.draft.written_out())) == sorted(expected)
    assert result.error < 0.06


@pytest.mark.parametrize("name", sorted(_GRAPHS))
def test_integer_interface(name: str) -> None:
    graph = graph_of(_GRAPHS[name][0])
    written = found(graph).draft.written_out(DType.I8)
    verify(written, "the test")
    assert written.inputs[0].type.dtype is DType.I8
    assert written.outputs[0].type.dtype is DType.I8
    assert not {"quantize*", "dequantize"} & set(kernels(finish(written))) or name in ("normalisation",)


def test_floats_read_an_input_as_it_came() -> None:
    def make(trial: TrialGraph, x: Value) -> Value:
        return trial.add(Div(), _conv(trial, x), trial.add(Slice((0, 0, 0, 0), (1, 1, 1, 4), (1, 1, 1, 1)), x))

    written = found(graph_of(make)).draft.written_out(DType.I8)
    assert written.inputs[0].type.dtype is DType.F32
    division = next(node for node in written.nodes if isinstance(node.op, Div))
    makers = {node.output.name: node for node in written.nodes}
    assert makers[division.inputs[1].name].inputs == written.inputs


def test_a_layer_that_is_kept_float_and_what_hangs_on_it() -> None:
    result = found(graph_of(_gate), keep_float=("conv",))
    assert result.draft.integers == frozenset()
    assert result.error == 0.0
