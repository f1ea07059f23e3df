# SPDX-License-Identifier: Apache-2.0
"""Clamps and pads go into the operator beside them where that is exact, and nowhere else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Value
from stowage.ir.ops.elementwise import Add, Clip, Div, Mul, Relu, Sub
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Pad, Reshape
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.tensor_type import Quant
from stowage.passes.depthwise import DEPTHWISE
from stowage.passes.fold_pad import FOLD_PAD
from stowage.passes.fuse_activation import FUSE_ACTIVATION
from stowage.passes.trial_graph import TrialGraph, after, assert_same_numbers, mnemonics

_AROUND = Pad((0, 1, 0, 0), (0, 2, 1, 0))
_IN = Quant((0.05,), (-7,))


def _clamped(trial: TrialGraph, op: Op) -> Value:
    image = trial.input(1, 4, 4, 6)
    if isinstance(op, Conv2d):
        return trial.add(op, image, trial.reals(6, 1, 1, 6))
    if isinstance(op, DepthwiseConv2d):
        return trial.add(op, image, trial.reals(2, 2, 6))
    if isinstance(op, FullyConnected):
        return trial.add(op, image, trial.reals(3, 6))
    return trial.add(op, image) if isinstance(op, AveragePool2d) else trial.add(op, image, trial.input(1, 4, 4, 6))


@pytest.mark.parametrize(
    "op", [Conv2d(), DepthwiseConv2d(), FullyConnected(), Add(), Sub(), Mul(), Div(), AveragePool2d((2, 2))]
)
def test_activations_become_one_clamp(op: Op) -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(Clip(-1.0, 0.5), trial.add(Relu(), _clamped(trial, op))))
    later = after(graph, FUSE_ACTIVATION)
    assert mnemonics(later) == [op.mnemonic]
    assert [node.op.clamp for node in later.nodes if node.op.mnemonic == op.mnemonic] == [(0.0, 0.5)]  # type: ignore[attr-defined]
    assert_same_numbers(graph, later)


def test_an_activation_passes_a_pooling_and_a_reshape() -> None:
    trial = TrialGraph()
    pooled = trial.add(MaxPool2d((2, 2), pads=(1, 1, 0, 0)), _clamped(trial, Conv2d()))
    graph = trial.graph(trial.add(Relu(), trial.add(Reshape((4, 24)), pooled)))
    later = after(graph, FUSE_ACTIVATION)
    assert mnemonics(later) == ["conv2d", "max_pool2d", "reshape"]
    assert_same_numbers(graph, later)


def test_an_activation_stays_where_the_bare_result_is_read_too() -> None:
    trial = TrialGraph()
    layer = _clamped(trial, Conv2d())
    graph = trial.graph(layer, trial.add(Relu(), layer))
    assert mnemonics(after(graph, FUSE_ACTIVATION)) == ["conv2d", "relu"]


@pytest.mark.parametrize(("zero_point", "expected"), [(-128, None), (0, (0.0, math.inf))])
def test_saturation_makes_a_clamp_idle(zero_point: int, expected: tuple[float, float] | None) -> None:
    trial = TrialGraph()
    quant = Quant((0.05,), (zero_point,))
    data = trial.input(1, 4, dtype=DType.I8, quant=_IN)
    graph = trial.graph(trial.add(Relu(), trial.add(Add(), data, data, quant=quant), quant=quant))
    later = after(graph, FUSE_ACTIVATION)
    assert [node.op for node in later.nodes] == [Add(expected)]
    assert_same_numbers(graph, later)


def test_plain_integers_are_not_clamped_as_reals() -> None:
    trial = TrialGraph()
    data = trial.input(1, 4, dtype=DType.I32)
    graph = trial.graph(trial.add(Relu(), trial.add(Add(), data, data)))
    assert after(graph, FUSE_ACTIVATION) == graph


def _padded(op: Op, pad: Pad, quant: Quant | None = None, lowest: float | None = None) -> tuple[Graph, Graph]:
    """The graph before and after, of an image padded and then read by the operator."""
    trial = TrialGraph()
    dtype = DType.F32 if quant is None else DType.I8
    image = trial.input(1, 5, 5, 2, dtype=dtype, quant=quant)
    if lowest is not None:
        image = trial.add(Add((lowest, math.inf)), image, image)
    weights: tuple[Value, ...] = ()
    if isinstance(op, Conv2d):
        integers = trial.random.integers(-127, 128, (3, 2, 2, 2)).astype(np.int8)
        weights = (trial.reals(3, 2, 2, 2) if quant is None else trial.constant(integers, Quant((0.01,), (0,))),)
    result = trial.add(op, trial.add(pad, image), *weights, quant=quant)
    graph = trial.graph(result)
    return graph, after(graph, FOLD_PAD)


@pytest.mark.parametrize("quant", [None, _IN])
@pytest.mark.parametrize(
    "op",
    [
        Conv2d(pads=(0, 1, 0, 1)),
        AveragePool2d((2, 2)),
        AveragePool2d((2, 2), pads=(1, 0, 0, 0), count_include_pad=True),
    ],
)
def test_zeros_around_go_into_convolution_and_mean(op: Op, quant: Quant | None) -> None:
    graph, later = _padded(op, _AROUND, quant)
    assert mnemonics(later) == [op.mnemonic]
    assert_same_numbers(graph, later, tolerance=1e-6)


@pytest.mark.parametrize(
    ("op", "pad"),
    [
        (Conv2d(), Pad((0, 1, 0, 0), (0, 2, 1, 0), value=1.0)),
        (Conv2d(), Pad((0, 1, 0, 0), (0, 2, 1, 0), mode="edge")),
        (Conv2d(), Pad((0, -1, 0, 0), (0, 0, 0, 0))),
        (Conv2d(), Pad((1, 0, 0, 0), (0, 0, 0, 0))),
        (AveragePool2d((2, 2), pads=(1, 0, 0, 0)), _AROUND),
        (MaxPool2d((2, 2)), _AROUND),
        (MaxPool2d((2, 2)), Pad((0, 2, 0, 0), (0, 0, 0, 0), value=-math.inf)),
    ],
)
def test_other_padding_stays(op: Op, pad: Pad) -> None:
    assert mnemonics(_padded(op, pad)[1]) == ["pad", op.mnemonic]


def test_padding_that_never_wins_goes_into_the_maximum() -> None:
    op, once = MaxPool2d((2, 2)), Pad((0, 1, 0, 0), (0, 0, 1, 0))
    graph, later = _padded(op, Pad(once.before, once.after, value=-math.inf))
    assert mnemonics(later) == ["max_pool2d"]
    assert_same_numbers(graph, later)
    graph, later = _padded(op, once, lowest=0.0)
    assert mnemonics(later) == ["add", "max_pool2d"]
    assert_same_numbers(graph, later)
    graph, later = _padded(op, once, Quant((0.05,), (-128,)))
    assert mnemonics(later) == ["max_pool2d"]
    assert_same_numbers(graph, later)


@pytest.mark.parametrize(
    ("shape", "pad", "padded", "pads"),
    [
        ((1, 1, 5, 6), Pad((0, 0, 1, 0), (0, 0, 2, 1)), (1, 8, 7, 1), (1, 0, 2, 1)),
        ((1, 5, 3), Pad((0, 2, 0), (0, 1, 0)), (1, 1, 8, 3), (0, 2, 0, 1)),
        ((2, 6, 15), Pad((0, 1, 0), (0, 1, 0)), (2, 8, 3, 5), (1, 0, 1, 0)),
    ],
    ids=["channel first", "signal", "columns apart"],
)
def test_padding_before_a_reshape_goes_into_the_convolution(
    shape: tuple[int, ...], pad: Pad, padded: tuple[int, ...], pads: tuple[int, int, int, int]
) -> None:
    trial = TrialGraph()
    image = trial.add(Reshape(padded), trial.add(pad, trial.input(*shape)))
    graph = trial.graph(trial.add(Conv2d(), image, trial.reals(3, 1, 2, padded[3])))
    later = after(graph, FOLD_PAD)
    assert mnemonics(later) == ["reshape", "conv2d"]
    assert [node.op.pads for node in later.nodes if isinstance(node.op, Conv2d)] == [pads]
    assert_same_numbers(graph, later, tolerance=1e-6)


@pytest.mark.parametrize(
    ("shape", "pad", "padded"),
    [
        ((1, 1, 4, 6), Pad((0, 0, 0, 1), (0, 0, 0, 1)), (1, 2, 16, 1)),
        ((1, 6, 2, 1), Pad((0, 1, 0, 0), (0, 1, 0, 0)), (1, 4, 4, 1)),
        ((1, 5, 3), Pad((0, 0, 1), (0, 0, 0)), (1, 1, 5, 4)),
    ],
    ids=["other rows", "rows cut", "channels"],
)
def test_padding_that_is_elsewhere_after_a_reshape_stays(
    shape: tuple[int, ...], pad: Pad, padded: tuple[int, ...]
) -> None:
    trial = TrialGraph()
    image = trial.add(Reshape(padded), trial.add(pad, trial.input(*shape)))
    graph = trial.graph(trial.add(Conv2d(), image, trial.reals(3, 1, 2, padded[3])))
    assert mnemonics(after(graph, FOLD_PAD)) == ["pad", "reshape", "conv2d"]


@pytest.mark.parametrize(("outputs", "channels", "groups"), [(3, 3, 3), (6, 3, 3), (4, 4, 2), (2, 1, 1)])
def test_a_convolution_of_single_channels_becomes_depthwise(outputs: int, channels: int, groups: int) -> None:
    trial = TrialGraph()
    weights = trial.reals(outputs, 2, 3, channels // groups)
    op = Conv2d((2, 1), (1, 0, 0, 1), (1, 2), groups, (-1.0, 1.0))
    graph = trial.graph(trial.add(op, trial.input(1, 6, 7, channels), weights, trial.reals(outputs)))
    later = after(graph, DEPTHWISE)
    assert mnemonics(later) == ["depthwise_conv2d" if groups == channels > 1 else "conv2d"]
    assert_same_numbers(graph, later, tolerance=1e-6)


def test_a_bias_of_run_time_keeps_the_convolution() -> None:
    trial = TrialGraph()
    image, bias = trial.input(1, 6, 7, 3), trial.input(3)
    graph = trial.graph(trial.add(Conv2d(groups=3), image, trial.reals(3, 2, 3, 1), bias))
    assert mnemonics(after(graph, DEPTHWISE)) == ["conv2d"]
