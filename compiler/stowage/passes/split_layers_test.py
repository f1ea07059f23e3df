# SPDX-License-Identifier: Apache-2.0
"""Layers whose channels go different ways: which are split, and that no output changes by a bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from stowage.ir.graph import Graph, Value
from stowage.ir.ops.elementwise import Add, Mul, Relu
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Reshape, Slice
from stowage.ir.ops.window import Conv2d
from stowage.passes.random_layers import RELU, Layers
from stowage.passes.split_layers import SPLIT_LAYERS
from stowage.passes.trial_graph import after, outputs_of, random_inputs


def cut(trial: Layers, value: Value, begin: int, count: int, axis: int = -1) -> Value:
    shape, begins = list(value.type.shape), [0] * len(value.type.shape)
    shape[axis], begins[axis] = count, begin
    return trial.made(Slice(tuple(begins), tuple(shape), (1,) * len(shape)), value)


def layers(graph: Graph) -> list[int]:
    """Output channels of all layers."""
    kinds = (Conv2d, FullyConnected)
    return [node.output.type.shape[-1] for node in graph.nodes if isinstance(node.op, kinds)]


def check(graph: Graph, expected: Sequence[int]) -> None:
    later = after(graph, SPLIT_LAYERS)
    assert sorted(layers(later)) == sorted(expected)
    for seed in range(3):
        inputs = {name: np.rint(array).astype(array.dtype) for name, array in random_inputs(graph, seed).items()}
        for first, second in zip(outputs_of(graph, inputs), outputs_of(later, inputs), strict=True):
            np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("quantised", [True, False])
def test_a_gated_convolution_is_two(quantised: bool) -> None:
    trial = Layers(1, quantised)
    data = trial.image(1, 4, 4, 3)
    whole = trial.layer(Conv2d(pads=(1, 1, 1, 1), clamp=RELU), data, trial.some(6, 3, 3, 3), [1, 2, 3, 4, 5, 6])
    flat = trial.add(Reshape((1, 16, 6)), whole)
    gated = trial.made(Mul(), cut(trial, flat, 0, 3), cut(trial, flat, 3, 3))
    check(trial.graph(gated, trial.made(Relu(), data)), [3, 3])
    check(trial.graph(gated), [6])


@pytest.mark.parametrize("quantised", [True, False])
def test_a_dense_layer_is_three_and_what_nobody_takes_is_not_made(quantised: bool) -> None:
    trial = Layers(2, quantised)
    whole = trial.layer(FullyConnected(), trial.image(2, 3), trial.some(8, 3), [1, 2, 3, 4, 5, 6, 7, 8])
    check(trial.graph(*(cut(trial, whole, begin, 2) for begin in (6, 0, 3))), [2, 2, 2])


def image_layer(trial: Layers, data: Value | None = None) -> Value:
    data = data or trial.image(1, 2, 2, 2)
    return trial.layer(Conv2d(), data, trial.some(4, 1, 1, 2), [1, 2, 3, 4])


def test_what_is_used_as_a_whole_stays() -> None:
    trial = Layers(3)
    whole = image_layer(trial)
    check(trial.graph(cut(trial, whole, 0, 2), cut(trial, whole, 2, 2), trial.made(Relu(), whole)), [4])
    trial = Layers(3)
    whole = image_layer(trial)
    check(trial.graph(cut(trial, whole, 0, 2), cut(trial, whole, 2, 2), whole), [4])


def test_channels_are_not_made_twice() -> None:
    trial = Layers(4)
    whole = image_layer(trial)
    check(trial.graph(cut(trial, whole, 0, 3), cut(trial, whole, 2, 2)), [4])


def test_slices_of_other_axes_stay() -> None:
    trial = Layers(5)
    whole = image_layer(trial)
    check(trial.graph(cut(trial, whole, 0, 1, 1), cut(trial, whole, 1, 1, 1)), [4])


def test_an_input_that_would_outlive_the_layer_is_no_larger_than_the_output() -> None:
    for channels, expected in ((4, [2, 2]), (5, [4])):
        trial = Layers(6)
        data = trial.image(1, 2, 2, channels)
        whole = trial.layer(Conv2d(), data, trial.some(4, 1, 1, channels), [1, 2, 3, 4])
        check(trial.graph(cut(trial, whole, 0, 2), cut(trial, whole, 2, 2)), expected)


def test_an_input_that_lives_on_anyway_may_be_larger() -> None:
    trial = Layers(7)
    data = trial.image(1, 2, 2, 9)
    whole = trial.layer(Conv2d(), data, trial.some(4, 1, 1, 9), [1, 2, 3, 4])
    check(trial.graph(cut(trial, whole, 0, 2), cut(trial, whole, 2, 2), trial.made(Add(), data, data)), [2, 2])
