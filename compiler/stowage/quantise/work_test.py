# SPDX-License-Identifier: Apache-2.0
"""The work of a graph, counted by hand."""

from __future__ import annotations

from stowage.ir.ops.elementwise import Add
from stowage.ir.ops.window import Conv2d
from stowage.passes.fuse_addition import FUSE_ADDITION
from stowage.passes.random_layers import Layers
from stowage.passes.trial_graph import after, mnemonics
from stowage.quantise.work import total_macs


def test_a_sum_within_a_convolution_is_no_work_of_its_own() -> None:
    trial = Layers()
    image = trial.image(1, 4, 5, 2)
    made = trial.layer(Conv2d(pads=(1, 1, 1, 1)), image, trial.some(2, 3, 3, 2), [1, 2])
    graph = trial.graph(trial.made(Add(), image, made))
    fused = after(graph, FUSE_ADDITION)
    assert "conv2d_add" in mnemonics(fused)
    assert total_macs(fused) == total_macs(graph) == (4 * 5 * 2) * (3 * 3 * 2)
