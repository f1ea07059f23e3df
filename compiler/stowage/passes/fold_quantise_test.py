# SPDX-License-Identifier: Apache-2.0
"""Operators between Dequantize and Quantize become integer ones, within one step of what they were."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Value
from stowage.ir.ops import elementwise
from stowage.ir.ops.elementwise import Add, Clip, Dequantize, Div, Mul, Quantize, Relu, Sub, Table
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.movement import Concat, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.reduction import ArgMax, ReduceMean, Softmax
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import AveragePool2d, Conv2d, MaxPool2d
from stowage.ir.tensor_type import Quant
from stowage.passes.fold_constants import FOLD_CONSTANTS
from stowage.passes.fold_quantise import FOLD_QUANTISE
from stowage.passes.fuse_activation import FUSE_ACTIVATION
from stowage.passes.tables import TABLES
from stowage.passes.trial_graph import TrialGraph, after, assert_same_numbers, count, mnemonics

Maker = Callable[[TrialGraph, Value], Value]
IN, OUT = Quant((0.05,), (3,)), Quant((0.07,), (-9,))


def _between(make: Maker, inside: Quant = IN, outside: Quant = OUT, shape: tuple[int, ...] = (1, 6, 6, 4)) -> Graph:
    """input i8 -> Dequantize -> the operators under test -> Quantize -> output i8."""
    trial = TrialGraph()
    real = trial.add(Dequantize(), trial.input(*shape, dtype=DType.I8, quant=inside))
    return trial.graph(trial.add(Quantize(DType.I8, outside), make(trial, real)))


def _biased(trial: TrialGraph, channels: int) -> Value:
    return trial.constant(trial.random.normal(size=channels).astype(np.float32))


_FOLDED: dict[str, tuple[Maker, list[str]]] = {
    "convolution": (lambda t, x: t.add(Conv2d(pads=(1, 1, 1, 1)), x, t.weights(5, 3, 3, 4)), ["conv2d"]),
    "bias": (lambda t, x: t.add(Conv2d(), x, t.weights(5, 1, 1, 4), _biased(t, 5)), ["conv2d"]),
    "groups": (lambda t, x: t.add(Conv2d(groups=2), x, t.weights(6, 3, 3, 2), _biased(t, 6)), ["conv2d"]),
    "transposed": (
        lambda t, x: t.add(
            ConvTranspose2d((12, 12), (2, 2), clamp=(0.0, 6.0)), x, t.weights(5, 2, 2, 4), _biased(t, 5)
        ),
        ["conv_transpose2d"],
    ),
    "clamp": (lambda t, x: t.add(Conv2d(clamp=(0.0, 6.0)), x, t.weights(5, 1, 1, 4)), ["conv2d"]),
    "dense": (lambda t, x: t.add(FullyConnected(), x, t.weights(3, 4, axis=None), _biased(t, 3)), ["fully_connected"]),
    "product": (lambda t, x: t.add(MatMul(), x, t.add(Transpose((0, 1, 3, 2)), x)), ["transpose", "matmul"]),
    "sum": (lambda t, x: t.add(Add(), x, x), ["add"]),
    "difference": (lambda t, x: t.add(Sub(clamp=(-1.0, 1.0)), x, t.requantised(x, 0.1, 0)), ["table", "sub"]),
    "gate": (lambda t, x: t.add(Mul(), x, t.weights(1, 1, 1, 4, axis=None)), ["mul"]),
    "mean": (lambda t, x: t.add(ReduceMean((1, 2)), x), ["reduce_mean"]),
    "pool": (lambda t, x: t.add(AveragePool2d((2, 3), (2, 1)), x), ["average_pool2d"]),
    "softmax": (lambda t, x: t.add(Softmax(3), x), ["softmax"]),
    "sigmoid": (lambda t, x: t.add(elementwise.Sigmoid(), x), ["table"]),
    "chain": (lambda t, x: t.add(elementwise.Tanh(), t.add(elementwise.LeakyRelu(), x)), ["table"]),
    "number": (
        lambda t, x: t.add(Div(), t.constant(np.array([3.0], np.float32)), t.add(Add(), x, t.reals())),
        ["table"],
    ),
    "maximum": (lambda t, x: t.add(MaxPool2d((2, 2), pads=(0, 0, 1, 1)), x), ["max_pool2d", "table"]),
    "nearest": (lambda t, x: t.add(Resize((12, 12), (2.0, 2.0)), x), ["resize", "table"]),
    "moves": (
        lambda t, x: t.add(Reshape((4, 36)), t.add(Transpose((0, 3, 1, 2)), x)),
        ["transpose", "reshape", "table"],
    ),
    "part": (lambda t, x: t.add(Slice((0, 1, 5, 0), (1, 4, 3, 4), (1, 1, -2, 1)), x), ["slice", "table"]),
    "pad": (lambda t, x: t.add(Pad((0, 1, 1, 0), (0, 1, 1, 0), value=0.0), x), ["pad", "table"]),
    "joined": (lambda t, x: t.add(Concat(3), x, t.requantised(x, 0.2, 1)), ["table", "table", "concat"]),
}


@pytest.mark.parametrize("name", sorted(_FOLDED))
def test_one_operator(name: str) -> None:
    make, expected = _FOLDED[name]
    graph = _between(make)
    later = after(graph, FOLD_CONSTANTS, FOLD_QUANTISE, FUSE_ACTIVATION, TABLES)
    assert sorted(mnemonics(later)) == sorted(expected)
    assert_same_numbers(graph, later, steps=1)


def test_linear_interpolation_keeps_its_quantisation_or_stays_real() -> None:
    op = Resize((9, 11), (1.5, 11 / 6), mode="linear")
    graph = _between(lambda trial, x: trial.add(op, x), IN, IN)
    later = after(graph, FOLD_QUANTISE)
    assert mnemonics(later) == ["resize"]
    assert_same_numbers(graph, later, steps=1)
    graph = _between(lambda trial, x: trial.add(op, x))
    assert mnemonics(after(graph, FOLD_QUANTISE)) == ["dequantize", "resize", "quantize"]


def test_equal_parameters_vanish() -> None:
    graph = _between(lambda trial, x: trial.add(Reshape((144,)), x), IN, IN)
    assert mnemonics(after(graph, FOLD_QUANTISE)) == ["reshape"]


def test_a_pad_that_no_integer_stands_for_stays_real_unless_quantised_at_once() -> None:
    padded = Pad((0, 1, 0, 0), (0, 0, 0, 0), value=0.026)
    trial = TrialGraph()
    real = trial.add(Dequantize(), trial.input(1, 2, 2, 1, dtype=DType.I8, quant=IN))
    graph = trial.graph(trial.add(padded, real))
    assert mnemonics(after(graph, FOLD_QUANTISE)) == ["dequantize", "pad"]
    graph = _between(lambda trial, x: trial.add(padded, x))
    later = after(graph, FOLD_QUANTISE)
    assert mnemonics(later) == ["table", "pad"]
    assert_same_numbers(graph, later)


def test_the_largest_element_is_found_among_integers() -> None:
    trial = TrialGraph()
    real = trial.add(Dequantize(), trial.input(3, 5, dtype=DType.I8, quant=IN))
    graph = trial.graph(trial.add(ArgMax(1), real))
    later = after(graph, FOLD_QUANTISE)
    assert mnemonics(later) == ["arg_max"]
    assert_same_numbers(graph, later)


def test_what_has_no_integer_kernel_stays_real() -> None:
    graph = _between(lambda trial, x: trial.add(Div(), x, trial.requantised(x, 0.5, 100)))
    assert count(after(graph, FOLD_QUANTISE), "div") == 1
    graph = _between(lambda trial, x: trial.add(Add(), x, trial.reals(6, 6, 4)))
    assert mnemonics(after(graph, FOLD_QUANTISE)) == ["dequantize", "add", "quantize"]


def test_a_real_reader_keeps_the_operator_real() -> None:
    trial = TrialGraph()
    real = trial.add(Dequantize(), trial.input(1, 4, dtype=DType.I8, quant=IN))
    dense = trial.add(FullyConnected(), real, trial.weights(3, 4))
    graph = trial.graph(dense, trial.add(Quantize(DType.I8, OUT), dense), trial.add(Relu(), real))
    later = after(graph, FOLD_QUANTISE)
    assert sorted(mnemonics(later)) == sorted(mnemonics(graph))


def test_every_reader_of_a_dequantize_is_folded() -> None:
    trial = TrialGraph()
    real = trial.add(Dequantize(), trial.input(1, 4, dtype=DType.I8, quant=IN))
    layers = [trial.add(FullyConnected(), real, trial.weights(3, 4)) for _ in range(2)]
    graph = trial.graph(*(trial.add(Quantize(DType.I8, OUT), layer) for layer in layers), trial.add(Relu(), real))
    later = after(graph, FOLD_QUANTISE)
    assert mnemonics(later).count("fully_connected") == 2
    assert mnemonics(later).count("dequantize") == 1
    assert_same_numbers(graph, later, steps=1)


def test_slices_of_one_tensor_share_one_quantize() -> None:
    trial = TrialGraph()
    layer = trial.add(FullyConnected(), trial.requantised(trial.input(1, 4), 0.05, 0), trial.weights(6, 4))
    halves = [trial.add(Slice((0, begin), (1, 3), (1, 1)), layer) for begin in (0, 3)]
    graph = trial.graph(*(trial.add(Quantize(DType.I8, OUT), half) for half in halves))
    later = after(graph, FOLD_QUANTISE)
    assert mnemonics(later) == ["quantize", "fully_connected", "slice", "slice"]
    assert_same_numbers(graph, later, steps=1)


def test_a_stored_bias_is_kept_integer_for_integer() -> None:
    stored = np.array([7, -2147, 3], np.int32)
    weights = Quant((0.01, 0.02, 0.03), (0, 0, 0), 0)
    products = Quant(tuple(float(np.float32(0.05 * s)) for s in weights.scales), (0, 0, 0), 0)

    def make(trial: TrialGraph, x: Value) -> Value:
        w = trial.add(Dequantize(), trial.constant(np.ones((3, 4), np.int8), weights))
        return trial.add(FullyConnected(), x, w, trial.add(Dequantize(), trial.constant(stored, products)))

    later = after(_between(make), FOLD_QUANTISE)
    (layer,) = [node for node in later.nodes if isinstance(node.op, FullyConnected)]
    (bias,) = [node for node in later.nodes if node.output == layer.inputs[2]]
    assert np.array_equal(later.constants[bias.op.digest], stored)  # type: ignore[attr-defined]


def test_a_bias_too_large_for_its_scale_makes_the_weights_coarser() -> None:
    tiny = Quant((1e-12, 0.01), (0, 0), 0)

    def make(trial: TrialGraph, x: Value) -> Value:
        w = trial.add(Dequantize(), trial.constant(trial.random.integers(-127, 128, (2, 4)).astype(np.int8), tiny))
        return trial.add(FullyConnected(), x, w, trial.constant(np.array([5.0, -2.0], np.float32)))

    graph = _between(make)
    later = after(graph, FOLD_QUANTISE)
    assert mnemonics(later) == ["fully_connected"]
    assert_same_numbers(graph, later, steps=1)


def test_the_activation_behind_a_quantize_becomes_a_clamp_or_nothing() -> None:
    def make(trial: TrialGraph, x: Value) -> Value:
        layer = trial.add(Conv2d(), x, trial.weights(5, 1, 1, 4))
        return trial.add(Clip(0.0, 2.0), trial.requantised(layer, 0.02, -128))

    graph = _between(make, IN, Quant((0.02,), (-128,)))
    later = after(graph, FOLD_QUANTISE, FUSE_ACTIVATION, TABLES)
    assert mnemonics(later) == ["conv2d"]
    assert [node.op.clamp for node in later.nodes if isinstance(node.op, Conv2d)] == [(0.0, 2.0)]
    assert_same_numbers(graph, later, steps=1)
    graph = _between(lambda t, x: t.add(Relu(), t.add(Conv2d(), x, t.weights(5, 1, 1, 4))), IN, Quant((0.02,), (-128,)))
    later = after(graph, FOLD_QUANTISE, FUSE_ACTIVATION, TABLES)
    assert [node.op for node in later.nodes if isinstance(node.op, Conv2d)] == [Conv2d()]


def test_an_activation_that_changes_the_quantisation_becomes_a_table() -> None:
    graph = _between(lambda t, x: t.add(Relu(), t.requantised(t.add(Add(), x, x), 0.1, 0)))
    later = after(graph, FOLD_QUANTISE, FUSE_ACTIVATION, TABLES)
    assert mnemonics(later) == ["add", "table"]
    assert_same_numbers(graph, later, steps=1)


_QUANT = st.builds(
    lambda exponent, point: Quant((float(np.float32(math.ldexp(1.37, exponent))),), (point,)),
    st.integers(-9, -1),
    st.integers(-128, 127),
)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(sorted(_FOLDED)), _QUANT, _QUANT)
def test_any_quantisation_is_kept_within_one_step(name: str, inside: Quant, outside: Quant) -> None:
    graph = _between(_FOLDED[name][0], inside, outside)
    later = after(graph, FOLD_CONSTANTS, FOLD_QUANTISE, FUSE_ACTIVATION, TABLES)
    assert not any(isinstance(node.op, Dequantize | Quantize) for node in later.nodes)
    assert_same_numbers(graph, later, steps=1)


def test_idempotent() -> None:
    for make, _ in _FOLDED.values():
        once = after(_between(make), FOLD_CONSTANTS, FOLD_QUANTISE, TABLES)
        assert after(once, FOLD_CONSTANTS, FOLD_QUANTISE, TABLES) == once
        assert all(node.op.quant is not None for node in once.nodes if isinstance(node.op, Table))
