# SPDX-License-Identifier: Apache-2.0
"""Transposes around NCHW operators vanish, and no graph gets more of them than it had."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.graph import Graph, Value
from stowage.ir.ops.elementwise import Add, Dequantize, LeakyRelu, Mul, Relu, Tanh
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Concat, Pad, Reshape, Slice, Transpose
from stowage.ir.ops.reduction import ArgMax, BatchNormalization, ReduceMean, Softmax
from stowage.ir.ops.window import Conv2d, MaxPool2d
from stowage.passes.absorb_transposes import ABSORB_TRANSPOSES
from stowage.passes.align_ranks import ALIGN_RANKS
from stowage.passes.fold_constants import FOLD_CONSTANTS
from stowage.passes.layout import LAYOUT
from stowage.passes.prune import PRUNE
from stowage.passes.trial_graph import (
    TO_NCHW,
    TO_NHWC,
    TrialGraph,
    after,
    assert_same_numbers,
    count,
    mnemonics,
    transposed_bytes,
)

_ALL = (ALIGN_RANKS, FOLD_CONSTANTS, LAYOUT, FOLD_CONSTANTS, PRUNE, ABSORB_TRANSPOSES, PRUNE)


def _convolved(trial: TrialGraph, image: Value, outputs: int, kernel: int = 3) -> Value:
    """An NCHW convolution that keeps height and width, as the importer spells it."""
    pad = kernel // 2
    weights = trial.reals(outputs, kernel, kernel, image.type.shape[1])
    turned = trial.add(Transpose(TO_NHWC), image)
    return trial.add(Transpose(TO_NCHW), trial.add(Conv2d(pads=(pad, pad, pad, pad)), turned, weights))


def _laid_out(graph: Graph) -> Graph:
    later = after(graph, *_ALL)
    assert transposed_bytes(later) <= transposed_bytes(graph)
    assert_same_numbers(graph, later, tolerance=1e-5)
    return later


def test_a_residual_network_has_one_transpose_at_each_end() -> None:
    trial = TrialGraph()
    first = trial.add(Relu(), _convolved(trial, trial.input(1, 3, 6, 6), 8))
    second = trial.add(LeakyRelu(), _convolved(trial, first, 8))
    later = _laid_out(trial.graph(_convolved(trial, trial.add(Add(), first, second), 5)))
    expected = ["transpose", "conv2d", "relu", "conv2d", "leaky_relu", "add", "conv2d", "transpose"]
    assert mnemonics(later) == expected


def test_axes_of_operators_between_follow() -> None:
    trial = TrialGraph()
    first = _convolved(trial, trial.input(1, 1, 6, 5), 4)
    normal = trial.add(
        BatchNormalization(1),
        first,
        *(trial.constant(np.abs(trial.random.normal(size=4)).astype(np.float32)) for _ in range(4)),
    )
    padded = trial.add(Pad((0, 1, 2, 0), (0, 0, 1, 3), value=1.5), normal)
    sliced = trial.add(Slice((0, 1, 2, 6), (1, 3, 5, 3), (1, 1, 1, -2)), padded)
    joined = trial.add(Concat(1), sliced, trial.add(Softmax(1), sliced))
    gains = trial.add(Mul(), joined, trial.reals(6, 1, 1))
    mean = trial.add(ReduceMean((2,), keepdims=True), gains)
    later = _laid_out(trial.graph(_convolved(trial, mean, 1, 1)))
    assert "transpose" not in mnemonics(later)


def test_a_global_mean_forgets_the_layout() -> None:
    trial = TrialGraph()
    image = _convolved(trial, trial.input(1, 1, 6, 5), 4)
    later = _laid_out(
        trial.graph(trial.add(ReduceMean((2, 3), keepdims=False), image), trial.add(ArgMax(2, False), image))
    )
    assert count(later, "transpose") == 1
    later = _laid_out(trial.graph(trial.add(ReduceMean((2, 3), keepdims=False), image)))
    assert count(later, "transpose") == 0


def test_a_flattening_takes_the_transpose_into_the_weights() -> None:
    trial = TrialGraph()
    image = _convolved(trial, trial.input(2, 1, 4, 3), 5)
    flat = trial.add(Relu(), trial.add(Reshape((2, 60)), image))
    dense = [trial.add(FullyConnected(), flat, trial.reals(outputs, 60)) for outputs in (3, 4)]
    later = _laid_out(trial.graph(*dense))
    assert "transpose" not in mnemonics(later)


def test_quantised_weights_are_permuted_as_integers() -> None:
    trial = TrialGraph()
    image = _convolved(trial, trial.input(1, 1, 4, 3), 5)
    flat = trial.requantised(trial.add(Reshape((1, 60)), image), 0.05, 3)
    later = _laid_out(trial.graph(trial.add(FullyConnected(), flat, trial.weights(3, 60))))
    assert "transpose" not in mnemonics(later)
    assert sum(isinstance(node.op, Dequantize) for node in later.nodes) == 2


def test_a_flattening_that_something_else_reads_keeps_its_order() -> None:
    trial = TrialGraph()
    image = _convolved(trial, trial.input(1, 1, 4, 3), 5)
    flat = trial.add(Reshape((1, 60)), image)
    later = _laid_out(trial.graph(trial.add(FullyConnected(), flat, trial.reals(3, 60)), trial.add(Softmax(1), flat)))
    assert count(later, "transpose") == 1


def test_reshapes_of_one_dimensional_convolutions_are_passed() -> None:
    trial = TrialGraph()
    signal = trial.input(1, 4, 9)
    for _ in range(2):
        image = _convolved(trial, trial.add(Reshape((1, 4, 1, 9)), signal), 4, 1)
        signal = trial.add(Relu(), trial.add(Reshape((1, 4, 9)), image))
    later = _laid_out(trial.graph(signal))
    assert count(later, "transpose") == 2


def test_channel_shuffle_needs_one_transpose() -> None:
    trial = TrialGraph()
    image = _convolved(trial, trial.input(1, 1, 3, 4), 6)
    split = trial.add(Transpose((0, 2, 1, 3, 4)), trial.add(Reshape((1, 2, 3, 3, 4)), image))
    shuffled = _convolved(trial, trial.add(Reshape((1, 6, 3, 4)), split), 1, 1)
    later = _laid_out(trial.graph(shuffled))
    assert count(later, "transpose") == 1


def test_bytes_are_transposed_rather_than_floats() -> None:
    trial = TrialGraph()
    image = trial.requantised(trial.input(1, 3, 6, 6), 0.1, 0)
    graph = trial.graph(_convolved(trial, image, 1))
    later = _laid_out(graph)
    assert transposed_bytes(later) == 3 * 6 * 6


def test_outputs_that_are_transposes_of_inputs_stay() -> None:
    trial = TrialGraph()
    data = trial.input(2, 3, 4)
    turned = trial.add(Transpose((2, 0, 1)), data)
    back = trial.add(Transpose((1, 2, 0)), turned)
    later = _laid_out(trial.graph(turned, back, trial.add(Transpose((1, 2, 0)), turned)))
    assert count(later, "transpose") == 1


_PERMUTATIONS = st.permutations(range(4)).map(tuple)


@st.composite
def _graphs(draw: st.DrawFn) -> Graph:
    """Random graphs of rank 4 in which everything that layout knows meets Transposes."""
    trial = TrialGraph(draw(st.integers(0, 99)))
    values = [trial.input(*draw(st.permutations((1, 2, 3, 4)))) for _ in range(2)]
    for _ in range(draw(st.integers(3, 10))):
        value = values[draw(st.integers(0, len(values) - 1))]
        values.append(_grown(draw, trial, value, values))
    results = draw(st.lists(st.integers(2, len(values) - 1), min_size=1, max_size=3))
    return trial.graph(*(values[index] for index in [*results, len(values) - 1]))


def _grown(draw: st.DrawFn, trial: TrialGraph, value: Value, values: list[Value]) -> Value:
    shape = value.type.shape
    axis = draw(st.integers(0, 3))
    alike = [other for other in values if other.type.shape == shape]
    kind = draw(st.integers(0, 11))
    if kind == 0:
        return trial.add(Add(), value, draw(st.sampled_from(alike)))
    if kind == 1:
        return trial.add(Mul(), value, trial.reals(*(extent if k == axis else 1 for k, extent in enumerate(shape))))
    if kind == 2:
        return trial.add(Concat(axis), value, draw(st.sampled_from(alike)))
    if kind == 3:
        return trial.add(Pad(tuple(int(k == axis) for k in range(4)), (0, 0, 1, 0), value=0.5), value)
    if kind == 4:
        return trial.add(Softmax(axis), value)
    if kind == 5:
        mean = trial.add(ReduceMean((axis,), keepdims=False), value)
        return trial.add(Reshape((*mean.type.shape, 1)), mean)
    if kind == 6:
        return trial.add(Reshape((shape[0], shape[1] * shape[2], 1, shape[3])), value)
    if kind == 7:
        return trial.requantised(value, 0.1, 3)
    if kind == 8:
        return trial.add(MaxPool2d((1, 2), pads=(0, 0, 0, 1)), value)
    if kind == 9:
        return trial.add(Tanh(), value)
    return trial.add(Transpose(draw(_PERMUTATIONS)), value)


@settings(max_examples=150, deadline=None)
@given(_graphs())
def test_random_graphs_mean_the_same_and_move_no_more_bytes(graph: Graph) -> None:
    once = _laid_out(graph)
    assert transposed_bytes(after(once, *_ALL)) <= transposed_bytes(once)


def test_transposes_that_are_left_have_names_of_their_own() -> None:
    """A node may be called as a value is that a Transpose has to make."""
    trial = TrialGraph()
    image = trial.input(2, 3, 4)
    transposed, other = trial.add(Transpose((1, 0, 2)), image), trial.add(Tanh(), image, name="result_0")
    assert count(after(trial.graph(transposed, other), LAYOUT), "transpose") == 1
