# SPDX-License-Identifier: Apache-2.0
"""Sums that go into a convolution, and those that stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.graph import Arithmetic, Graph, Value
from stowage.ir.ops.elementwise import Add
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import Conv2d
from stowage.ir.tensor_type import Quant
from stowage.passes.fuse_addition import FUSE_ADDITION
from stowage.passes.random_layers import RELU, Layers
from stowage.passes.trial_graph import after, assert_same_numbers, mnemonics

PADDED = Conv2d(pads=(1, 1, 1, 1), clamp=RELU)


class Blocks(Layers):
    """Grows residual blocks of three channels."""

    def conv(self, data: Value, op: Op = PADDED, size: int = 3) -> Value:
        """A convolution that keeps the shape."""
        return self.layer(op, data, self.some(3, size, size, 3), [4, -2, 7], Quant((8.0,), (5,)))

    def sum(self, a: Value, b: Value) -> Value:
        """A sum with a rectifier."""
        return self.made(Add(RELU), a, b, quant=Quant((16.0,), (-3,)))


def fused(graph: Graph) -> list[str]:
    """The operators after the pass, with which the graph answers as without, to the bit."""
    later = after(graph, FUSE_ADDITION)
    assert_same_numbers(graph, later)
    return mnemonics(later)


def block(trial: Blocks, swapped: bool = False) -> Graph:
    data = trial.conv(trial.image(1, 4, 4, 3))
    branch = trial.conv(trial.conv(data))
    return trial.graph(trial.sum(data, branch) if swapped else trial.sum(branch, data))


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("arithmetic", Arithmetic)
def test_the_sum_of_a_block_goes_into_its_last_convolution(swapped: bool, arithmetic: Arithmetic) -> None:
    graph = replace(block(Blocks(), swapped), arithmetic=arithmetic)
    assert fused(graph) == ["conv2d", "conv2d", "conv2d_add"]


def test_in_floats_too() -> None:
    assert fused(block(Blocks(quantised=False))) == ["conv2d", "conv2d", "conv2d_add"]


def test_an_addend_that_the_caller_gives_is_there_from_the_begin() -> None:
    trial = Blocks()
    image, other = trial.image(1, 4, 4, 3), trial.image(1, 4, 4, 3)
    assert fused(trial.graph(trial.sum(other, trial.conv(image)))) == ["conv2d_add"]


def test_a_tensor_and_its_own_convolution() -> None:
    trial = Blocks()
    data = trial.conv(trial.image(1, 4, 4, 3))
    assert fused(trial.graph(trial.sum(data, trial.conv(data)))) == ["conv2d", "conv2d_add"]


def test_branches_of_which_neither_is_made_of_the_other_stay() -> None:
    trial = Blocks()
    image = trial.image(1, 4, 4, 3)
    assert fused(trial.graph(trial.sum(trial.conv(image), trial.conv(image)))) == ["conv2d", "conv2d", "add"]


def test_a_convolution_that_others_read_stays() -> None:
    trial = Blocks()
    data = trial.conv(trial.image(1, 4, 4, 3))
    branch = trial.conv(data)
    assert fused(trial.graph(trial.sum(branch, data), trial.conv(branch)))[:3] == ["conv2d", "conv2d", "add"]
    assert fused(trial.graph(trial.sum(branch, data), branch)) == ["conv2d", "conv2d", "add"]


def test_layers_of_single_pixels_and_sums_that_broadcast_stay() -> None:
    trial = Blocks()
    data = trial.conv(trial.image(1, 4, 4, 3))
    dense = trial.sum(trial.conv(data, Conv2d(), size=1), data)
    assert fused(trial.graph(dense)) == ["conv2d", "conv2d", "add"]
    wide = trial.sum(trial.conv(data), trial.image(1, 1, 1, 3))
    assert fused(trial.graph(wide)) == ["conv2d", "conv2d", "add"]
    fixed = trial.constant(trial.some(1, 4, 4, 3).astype(np.int8), Quant((1.0,), (0,)))
    assert fused(trial.graph(trial.sum(trial.conv(data), fixed))) == ["conv2d", "conv2d", "add"]


def test_the_fused_step_has_the_convolutions_name() -> None:
    trial = Blocks()
    data = trial.conv(trial.image(1, 4, 4, 3))
    later = after(trial.graph(trial.sum(trial.conv(data), data)), FUSE_ADDITION)
    assert [node.name for node in later.nodes if node.inputs] == ["conv2d", "conv2d.1"]
