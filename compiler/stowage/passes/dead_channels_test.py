# SPDX-License-Identifier: Apache-2.0
"""Dead channels: what goes, what stays, and that no output changes by a bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.graph import Arithmetic, Array, Graph
from stowage.ir.ops.elementwise import Add, Mul, Relu
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Concat, Constant, Pad, Reshape, Slice
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import Softmax
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.tensor_type import Quant
from stowage.passes.dead_channels import DROP_DEAD_CHANNELS
from stowage.passes.random_layers import GROWTHS, RELU, Grow, Layers, random_network
from stowage.passes.trial_graph import after, outputs_of, random_inputs


def without(weights: Array, *filters: int) -> Array:
    """The weights with zeros for these filters."""
    weights = weights.copy()
    weights[list(filters)] = 0
    return weights


def checked(graph: Graph) -> Graph:
    """The graph without its dead channels, which answers as it did, to the bit."""
    later = after(graph, DROP_DEAD_CHANNELS)
    for seed in range(3):
        inputs = {name: np.rint(array).astype(array.dtype) for name, array in random_inputs(graph, seed).items()}
        for first, second in zip(outputs_of(graph, inputs), outputs_of(later, inputs), strict=True):
            np.testing.assert_array_equal(first, second)
    return later


def channels(graph: Graph, kind: type[Op] = Conv2d) -> list[int]:
    """Output channels of the nodes of a kind."""
    return [node.output.type.shape[-1] for node in graph.nodes if isinstance(node.op, kind)]


def bias_of(graph: Graph, index: int, kind: type[Op] = Conv2d) -> list[int]:
    """The bias of the layer of that number."""
    layer = [node for node in graph.nodes if isinstance(node.op, kind)][index]
    (digest,) = [n.op.digest for n in graph.nodes if isinstance(n.op, Constant) and n.output == layer.inputs[2]]
    return [int(each) for each in graph.constants[digest]]


def test_a_dead_filter_goes_and_its_constant_goes_into_the_next_bias() -> None:
    trial = Layers()
    first = trial.layer(Conv2d(), trial.image(1, 4, 4, 2), without(trial.some(3, 1, 1, 2), 1), [1, 7, 3])
    weights = np.array([[1, 2, 1], [1, -1, 2]]).reshape(2, 1, 1, 3)
    later = checked(trial.graph(trial.layer(Conv2d(), first, weights, [10, 20])))
    assert channels(later) == [2, 2]
    assert bias_of(later, 0) == [1, 3]
    assert bias_of(later, 1) == [10 + 2 * 7, 20 - 7]


def test_zero_points_count() -> None:
    trial = Layers()
    shifted = Quant((1.0,), (-3,))
    dead = without(trial.some(2, 1, 1, 2), 0)
    first = trial.layer(Conv2d(clamp=RELU), trial.image(1, 4, 4, 2), dead, [-9, 5], quant=shifted)
    later = checked(trial.graph(trial.layer(Conv2d(), first, trial.some(2, 3, 3, 2), [1, 2])))
    assert bias_of(later, 1) == [1, 2], "what a negative bias leaves after a rectifier is the real zero"
    assert channels(later) == [1, 2]


def padded_layers(bias: int, pads: tuple[int, int, int, int]) -> Graph:
    trial = Layers()
    dead = without(trial.some(2, 1, 1, 2), 1)
    first = trial.layer(Conv2d(clamp=RELU), trial.image(1, 5, 5, 2), dead, [3, bias])
    return trial.graph(trial.layer(Conv2d(pads=pads), first, trial.some(2, 3, 3, 2), [1, 2]))


def test_a_constant_that_differs_from_padding_stays_where_windows_see_padding() -> None:
    assert channels(checked(padded_layers(7, (1, 1, 1, 1)))) == [2, 2]
    assert channels(checked(padded_layers(-7, (1, 1, 1, 1)))) == [1, 2]
    assert channels(checked(padded_layers(7, (0, 0, 0, 0)))) == [1, 2]


def depthwise_layers(bias: int, clamp: tuple[float, float] | None, multiplier: int = 1) -> Graph:
    trial = Layers()
    dead = without(trial.some(3, 1, 1, 2), 2)
    first = trial.layer(Conv2d(clamp=RELU), trial.image(1, 5, 5, 2), dead, [3, 2, bias])
    weights = np.abs(trial.some(3, 3, 3 * multiplier))
    op = DepthwiseConv2d(pads=(1, 1, 1, 1), clamp=clamp)
    second = trial.layer(op, first, weights, [-120] * weights.shape[-1])
    return trial.graph(trial.layer(Conv2d(), second, trial.some(2, 1, 1, weights.shape[-1]), [1, 2]))


@pytest.mark.parametrize("multiplier", [1, 2])
def test_a_dead_channel_goes_through_a_depthwise_convolution(multiplier: int) -> None:
    later = checked(depthwise_layers(-1, None, multiplier))
    assert channels(later) == [2, 2]
    assert channels(later, DepthwiseConv2d) == [2 * multiplier]


def test_a_border_that_makes_another_number_keeps_the_channel_unless_a_rectifier_hides_it() -> None:
    assert channels(checked(depthwise_layers(5, None)), DepthwiseConv2d) == [3]
    assert channels(checked(depthwise_layers(5, RELU)), DepthwiseConv2d) == [2]


def test_dead_depthwise_filters_take_their_inputs_along() -> None:
    trial = Layers()
    first = trial.layer(Conv2d(), trial.image(1, 4, 4, 2), trial.some(3, 1, 1, 2), [3, 2, 1])
    weights = trial.some(3, 3, 3)
    weights[:, :, 0] = 0
    second = trial.layer(DepthwiseConv2d(), first, weights, [5, 6, 7])
    last = trial.layer(Conv2d(), second, np.array([[3, 1, 1]]).reshape(1, 1, 1, 3), [2])
    later = checked(trial.graph(last))
    assert (channels(later), channels(later, DepthwiseConv2d)) == ([2, 1], [2])
    assert bias_of(later, 1) == [2 + 3 * 5]


def test_what_nobody_reads_goes_as_far_back_as_nothing_else_reads_it() -> None:
    trial = Layers()
    first = trial.layer(Conv2d(), trial.image(1, 4, 4, 2), trial.some(4, 1, 1, 2), [1, 2, 3, 4])
    second = trial.layer(Conv2d(), first, trial.some(3, 1, 1, 4), [1, 2, 3])
    weights = trial.some(2, 1, 1, 3)
    weights[..., 1] = 0
    later = checked(trial.graph(trial.layer(Conv2d(), trial.made(Relu(), second), weights, [1, 2])))
    assert channels(later) == [4, 2, 2]


def test_outputs_inputs_and_sums_with_living_channels_stay_whole() -> None:
    trial = Layers()
    image = trial.image(1, 4, 4, 2)
    dead = trial.layer(Conv2d(), image, without(trial.some(3, 1, 1, 2), 0), [1, 2, 3])
    living = trial.layer(Conv2d(), image, trial.some(3, 1, 1, 2), [1, 2, 3])
    last = trial.layer(Conv2d(), trial.made(Add(), dead, living), trial.some(2, 1, 1, 3), [1, 2])
    leaves = trial.layer(Conv2d(), image, without(trial.some(3, 1, 1, 2), 0, 1), [1, 2, 3])
    assert channels(checked(trial.graph(last, leaves))) == [3, 3, 2, 3]


def test_sums_of_dead_channels_go_at_once() -> None:
    trial = Layers()
    image = trial.image(1, 4, 4, 2)
    one, two = (trial.layer(Conv2d(), image, without(trial.some(3, 1, 1, 2), 0), [5, 2, 3]) for _ in range(2))
    later = checked(trial.graph(trial.layer(Conv2d(), trial.made(Add(), one, two), np.ones((1, 1, 1, 3)), [1])))
    assert channels(later) == [2, 2, 1]
    assert bias_of(later, 2) == [1 + 10]


def test_a_product_with_a_dead_channel_of_zeros_is_dead() -> None:
    trial = Layers()
    image = trial.image(1, 4, 4, 2)
    dead = trial.layer(Conv2d(), image, without(trial.some(3, 1, 1, 2), 0), [0, 2, 3])
    living = trial.layer(Conv2d(), image, trial.some(3, 1, 1, 2), [1, 2, 3])
    later = checked(trial.graph(trial.layer(Conv2d(), trial.made(Mul(), dead, living), trial.some(2, 1, 1, 3), [1, 2])))
    assert channels(later) == [2, 2, 2]


def test_a_flattened_image_loses_its_dead_channels() -> None:
    trial = Layers()
    dead = without(trial.some(3, 1, 1, 2), 1)
    image = trial.layer(Conv2d(), trial.image(1, 4, 4, 2), dead, [1, 4, 3])
    pooled = trial.made(MaxPool2d((2, 2), (2, 2)), image)
    flat = trial.made(Reshape((1, 12)), pooled)
    later = checked(trial.graph(trial.layer(FullyConnected(), flat, np.ones((2, 12)), [1, 2])))
    assert channels(later) == [2]
    assert [node.op.shape for node in later.nodes if isinstance(node.op, Reshape)] == [(1, 8)]
    assert bias_of(later, 0, FullyConnected) == [1 + 4 * 4, 2 + 4 * 4]


def test_joined_and_parted_channels() -> None:
    trial = Layers()
    image = trial.image(1, 4, 4, 2)
    parts = [trial.layer(Conv2d(), image, without(trial.some(3, 1, 1, 2), dead), [1, 2, 3]) for dead in (0, 2)]
    joined = trial.made(Concat(3), *parts)
    part = trial.made(Slice((0, 0, 0, 2), (1, 4, 4, 3), (1, 1, 1, 1)), joined)
    last = trial.layer(Conv2d(), part, trial.some(1, 1, 1, 3), [1])
    other = trial.layer(Conv2d(), trial.made(Pad((0, 1, 1, 0), (0, 0, 0, 0)), joined), trial.some(1, 1, 1, 6), [1])
    assert channels(checked(trial.graph(last))) == [1, 2, 1]
    assert channels(checked(trial.graph(last, other))) == [3, 3, 1, 1], "a pad of zeros is another number than they"


def test_operators_that_are_no_matter_of_channels_keep_them() -> None:
    trial = Layers()
    first = trial.layer(Conv2d(), trial.image(1, 4, 4, 2), without(trial.some(3, 1, 1, 2), 1), [1, 4, 3])
    last = trial.layer(Conv2d(), trial.made(Softmax(3), first), trial.some(2, 1, 1, 3), [1, 2])
    assert channels(checked(trial.graph(last))) == [3, 2]


def test_a_layer_of_dead_filters_alone_keeps_one() -> None:
    trial = Layers()
    first = trial.layer(Conv2d(), trial.image(1, 4, 4, 2), np.zeros((3, 1, 1, 2)), [1, 4, 3])
    later = checked(trial.graph(trial.layer(Conv2d(), first, np.ones((2, 1, 1, 3)), [1, 2])))
    assert channels(later) == [1, 2]
    assert bias_of(later, 1) == [1 + 4 + 3, 2 + 4 + 3]


def test_a_bias_that_would_overflow_keeps_the_channel() -> None:
    trial = Layers()
    first = trial.layer(Conv2d(), trial.image(1, 4, 4, 2), without(trial.some(2, 1, 1, 2), 1), [1, 100])
    graph = trial.graph(trial.layer(Conv2d(), first, np.ones((1, 1, 1, 2)), [2**31 - 50]))
    assert channels(after(graph, DROP_DEAD_CHANNELS)) == [2, 1]


def test_a_tensor_without_elements_has_no_channel_to_keep() -> None:
    trial = Layers(quantised=False)
    data = trial.made(Relu(), trial.image(2, 0))
    graph = trial.graph(trial.made(Concat(1), trial.made(Relu(), data), trial.image(2, 3)))
    assert after(graph, DROP_DEAD_CHANNELS) == graph


@pytest.mark.parametrize(("bias", "left"), [(0, 2), (-1, 2), (5, 3)])
def test_in_floats_only_zeros_go(bias: int, left: int) -> None:
    trial = Layers(quantised=False)
    dead = without(trial.some(3, 1, 1, 2), 1)
    first = trial.layer(Conv2d(clamp=RELU), trial.image(1, 4, 4, 2), dead, [1, bias, 3])
    later = checked(trial.graph(trial.layer(Conv2d(pads=(1, 1, 1, 1)), first, trial.some(2, 3, 3, 3), [1, 2])))
    assert channels(later) == [left, 2]


@given(
    seed=st.integers(0, 2**32 - 1),
    growths=st.lists(st.sampled_from(GROWTHS), max_size=7),
    arithmetic=st.sampled_from(Arithmetic),
)
@settings(max_examples=150, deadline=None)
def test_integer_networks_answer_to_the_bit(seed: int, growths: list[Grow], arithmetic: Arithmetic) -> None:
    checked(replace(random_network(seed, growths, quantised=True), arithmetic=arithmetic))


@given(seed=st.integers(0, 2**32 - 1), growths=st.lists(st.sampled_from(GROWTHS), max_size=7))
@settings(max_examples=80, deadline=None)
def test_float_networks_answer_the_same_number(seed: int, growths: list[Grow]) -> None:
    graph = random_network(seed, growths, quantised=False)
    later = after(graph, DROP_DEAD_CHANNELS)
    inputs = {name: np.rint(array) for name, array in random_inputs(graph).items()}
    for first, second in zip(outputs_of(graph, inputs), outputs_of(later, inputs), strict=True):
        np.testing.assert_allclose(first.astype(np.float64), second.astype(np.float64), rtol=1e-6)


def test_random_networks_do_have_dead_channels() -> None:
    def elements(graph: Graph) -> int:
        return sum(array.size for array in graph.constants.values())

    smaller = 0
    for seed in range(20):
        graph = random_network(seed, GROWTHS[1:4], quantised=True)
        later = after(graph, DROP_DEAD_CHANNELS)
        assert elements(later) <= elements(graph)
        smaller += elements(later) < 0.8 * elements(graph)
    assert smaller >= 10


def test_a_second_time_there_is_nothing_to_do() -> None:
    for seed in range(10):
        once = after(random_network(seed, GROWTHS, quantised=True), DROP_DEAD_CHANNELS)
        assert after(once, DROP_DEAD_CHANNELS) == once
