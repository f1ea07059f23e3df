# SPDX-License-Identifier: Apache-2.0
"""Normalisations, biases and gains end in weights and bias, and mean the same there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Dequantize, Div, Mul, Relu, Sub
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import BatchNormalization
from stowage.ir.ops.window import Conv2d
from stowage.ir.tensor_type import Quant
from stowage.passes.fold_affine import FOLD_AFFINE
from stowage.passes.trial_graph import TrialGraph, after, assert_same_numbers, mnemonics


def _normalised(trial: TrialGraph, data: Value, axis: int) -> Value:
    channels = data.type.shape[axis]
    scale, bias, mean = (trial.reals(channels) for _ in range(3))
    variance = trial.constant(trial.random.uniform(0.5, 2, channels).astype(np.float32))
    return trial.add(BatchNormalization(axis, 1e-3), data, scale, bias, mean, variance)


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("groups", [1, 2])
def test_normalisation_after_a_convolution(biased: bool, groups: int) -> None:
    trial = TrialGraph()
    bias = (trial.reals(6),) if biased else ()
    weights = trial.reals(6, 3, 3, 4 // groups)
    layer = trial.add(Conv2d(pads=(1, 1, 1, 1), groups=groups), trial.input(1, 5, 5, 4), weights, *bias)
    graph = trial.graph(_normalised(trial, layer, 3))
    later = after(graph, FOLD_AFFINE)
    assert mnemonics(later) == ["conv2d"]
    assert next(node.name for node in later.nodes if node.op.mnemonic == "conv2d") == "conv2d"
    assert_same_numbers(graph, later, tolerance=1e-5)


@pytest.mark.parametrize("groups", [1, 2])
def test_normalisation_before_a_convolution_without_padding(groups: int) -> None:
    trial = TrialGraph()
    data = _normalised(trial, trial.add(Relu(), trial.input(1, 5, 5, 4)), 3)
    graph = trial.graph(trial.add(Conv2d(groups=groups), data, trial.reals(6, 3, 3, 4 // groups), trial.reals(6)))
    later = after(graph, FOLD_AFFINE)
    assert mnemonics(later) == ["relu", "conv2d"]
    assert_same_numbers(graph, later, tolerance=1e-5)


def test_padding_holds_no_shift() -> None:
    trial = TrialGraph()
    data = _normalised(trial, trial.input(1, 5, 5, 4), 3)
    graph = trial.graph(trial.add(Conv2d(pads=(1, 0, 0, 0)), data, trial.reals(6, 3, 3, 4)))
    later = after(graph, FOLD_AFFINE)
    assert mnemonics(later) == ["mul", "add", "conv2d"]
    assert_same_numbers(graph, later, tolerance=1e-5)
    gains = trial.add(Mul(), trial.input(1, 5, 5, 4), trial.reals(4))
    graph = trial.graph(trial.add(Conv2d(pads=(1, 0, 0, 0)), gains, trial.reals(6, 3, 3, 4)))
    assert mnemonics(after(graph, FOLD_AFFINE)) == ["conv2d"]


_ARITHMETIC: dict[str, Callable[[TrialGraph, Value], tuple[Op, tuple[Value, ...]]]] = {
    "bias": lambda t, x: (Add(), (t.reals(3), x)),
    "less": lambda t, x: (Sub(), (x, t.reals(1, 3))),
    "from": lambda t, x: (Sub(), (t.reals(3), x)),
    "gains": lambda t, x: (Mul(), (x, t.reals())),
    "quotient": lambda t, x: (Div(), (x, t.reals(3))),
}


@pytest.mark.parametrize("name", sorted(_ARITHMETIC))
def test_arithmetic_with_constants_after_a_dense_layer(name: str) -> None:
    trial = TrialGraph()
    op, operands = _ARITHMETIC[name](trial, trial.add(FullyConnected(), trial.input(2, 4), trial.reals(3, 4)))
    graph = trial.graph(trial.add(op, *operands))
    later = after(graph, FOLD_AFFINE)
    assert mnemonics(later) == ["fully_connected"]
    assert_same_numbers(graph, later, tolerance=1e-5)


def test_what_is_not_channel_wise_stays() -> None:
    trial = TrialGraph()
    layer = trial.add(FullyConnected(), trial.input(2, 4), trial.reals(3, 4))
    graph = trial.graph(trial.add(Add(), layer, trial.reals(2, 1)))
    assert mnemonics(after(graph, FOLD_AFFINE)) == ["fully_connected", "add"]
    layer = trial.add(FullyConnected(), trial.input(2, 4), trial.reals(1, 4))
    graph = trial.graph(trial.add(Add(), layer, trial.reals(3)))
    assert mnemonics(after(graph, FOLD_AFFINE)) == ["fully_connected", "add"]
    layer = trial.add(FullyConnected(), trial.input(2, 4), trial.reals(3, 4))
    graph = trial.graph(layer, trial.add(Add(), layer, trial.reals(3)))
    assert mnemonics(after(graph, FOLD_AFFINE)) == ["fully_connected", "add"]
    layer = trial.add(FullyConnected(), trial.input(2, 4), trial.reals(3, 4))
    graph = trial.graph(
        trial.add(Div(), trial.reals(3), layer), trial.add(Div(), layer, trial.constant(np.zeros(3, np.float32)))
    )
    assert mnemonics(after(graph, FOLD_AFFINE)).count("div") == 2


def test_integer_weights_stay_integers_and_their_scales_take_the_gains() -> None:
    trial = TrialGraph()
    layer = trial.add(FullyConnected(), trial.input(2, 4), trial.weights(3, 4))
    gains = trial.constant(np.array([0.5, 2.0, 3.0], np.float32))
    graph = trial.graph(trial.add(Add(), trial.add(Mul(), layer, gains), trial.reals(3)))
    later = after(graph, FOLD_AFFINE)
    assert mnemonics(later) == ["dequantize", "fully_connected"]
    (stored,) = [node.inputs[0].type for node in later.nodes if isinstance(node.op, Dequantize)]
    assert stored.dtype is DType.I8
    assert_same_numbers(graph, later, tolerance=1e-5)
    negative = trial.add(
        Mul(),
        trial.add(FullyConnected(), trial.input(2, 4), trial.weights(3, 4)),
        trial.constant(-np.ones(3, np.float32)),
    )
    assert "mul" in mnemonics(after(trial.graph(negative), FOLD_AFFINE))


def test_integers_are_left_alone() -> None:
    trial = TrialGraph()
    quant = Quant((0.1,), (0,))
    data = trial.input(2, 3, dtype=DType.I8, quant=quant)
    graph = trial.graph(trial.add(Add(), data, trial.constant(np.ones(3, np.int8), quant), quant=quant))
    assert after(graph, FOLD_AFFINE) == graph
