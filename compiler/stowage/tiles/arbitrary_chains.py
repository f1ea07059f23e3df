# SPDX-License-Identifier: Apache-2.0
"""Random int8 chains of layers on images, some with a branch around them, for the tests of tilings."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Value
from stowage.ir.ops.elementwise import Add, Relu
from stowage.ir.ops.movement import Pad
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.tensor_type import Quant
from stowage.passes.graph_pass import run_passes
from stowage.passes.tables import TABLES
from stowage.passes.trial_graph import TrialGraph
from stowage.tiles.stripes import worked
from stowage.tiles.tiling import Segment, Tiling

_WIDTH, _CHANNELS = 4, 3


class Chain:
    """Grows an int8 graph layer by layer."""

    def __init__(self, height: int) -> None:
        self._trial = TrialGraph()
        self.value = self._trial.input(1, height, _WIDTH, _CHANNELS, dtype=DType.I8, quant=Quant((0.1,), (3,)))

    @property
    def height(self) -> int:
        """Rows of what was made last."""
        return self.value.type.shape[1]

    def window(self, op: Conv2d | DepthwiseConv2d, kernel: int) -> None:
        """A convolution with a kernel of so many rows, and 3 columns."""
        shape = (_CHANNELS, kernel, 3, _CHANNELS) if isinstance(op, Conv2d) else (kernel, 3, _CHANNELS)
        integers = self._trial.random.integers(-100, 100, shape).astype(np.int8)
        bias = self._trial.random.integers(-900, 900, _CHANNELS).astype(np.int32)
        weights = self._trial.constant(integers, Quant((0.01,), (0,)))
        scale = 0.01 * self._quant().scale
        self._add(op, weights, self._trial.constant(bias, Quant((scale,), (0,))), scale=0.15)

    def plain(self, op: Op) -> None:
        """An operator without weights."""
        self._add(op, scale=self._quant().scale, zero_point=self._quant().zero_point)

    def sum_with(self, other: Value) -> None:
        """The sum of what was made last and an earlier value of its shape."""
        self._add(Add(), other, scale=0.2)

    def graph(self) -> Graph:
        """What has been grown, as kernels can compute it."""
        return run_passes(self._trial.graph(self.value), (TABLES,))

    def _quant(self) -> Quant:
        assert self.value.type.quant is not None
        return self.value.type.quant

    def _add(self, op: Op, *operands: Value, scale: float, zero_point: int = -2) -> None:
        self.value = self._trial.add(op, self.value, *operands, quant=Quant((scale,), (zero_point,)))


def residual_network() -> Graph:
    """Two blocks that add what went into them, then a layer that halves the height."""
    chain = Chain(48)
    for _ in range(2):
        before = chain.value
        chain.window(Conv2d(pads=(1, 1, 1, 1)), 3)
        chain.window(DepthwiseConv2d(pads=(1, 1, 1, 1)), 3)
        chain.sum_with(before)
    chain.window(Conv2d(strides=(2, 1), pads=(1, 1, 1, 1)), 3)
    return chain.graph()


def bulging_network() -> Graph:
    """An image of 90 rows that grows to 150 rows, and shrinks to 75: less than its ends together."""
    chain = Chain(90)
    chain.plain(Pad((0, 30, 0, 0), (0, 30, 0, 0), "constant", 0.3))
    chain.window(Conv2d(pads=(1, 1, 1, 1)), 3)
    chain.window(Conv2d(strides=(2, 1), pads=(1, 1, 1, 1)), 3)
    return chain.graph()


@st.composite
def chains(draw: st.DrawFn) -> Graph:
    """A graph of two to five layers; a few end in a sum with the value before them."""
    chain = Chain(draw(st.integers(6, 14)))
    for _ in range(draw(st.integers(2, 4))):
        if draw(st.booleans()):
            _add_residual(chain, draw)
        else:
            _add_layer(chain, draw)
    return chain.graph()


@st.composite
def tilings(draw: st.DrawFn, graph: Graph) -> Tiling:
    """All of a graph as one segment."""
    return (Segment(0, len(worked(graph)), draw(st.integers(1, 5)), draw(st.integers(1, 5))),)


def _add_layer(chain: Chain, draw: st.DrawFn) -> None:
    kind = draw(st.sampled_from([Conv2d, DepthwiseConv2d, MaxPool2d, AveragePool2d, Pad, Relu]))
    if kind is Relu:
        chain.plain(Relu())
        return
    if kind is Pad:
        chain.plain(Pad((0, draw(st.integers(0, 3)), 1, 0), (0, draw(st.integers(0, 3)), 0, 0), "constant", 0.3))
        return
    kernel = draw(st.integers(1, 4))
    dilation = draw(st.integers(1, 2)) if kind in (Conv2d, DepthwiseConv2d, MaxPool2d) else 1
    span = dilation * (kernel - 1) + 1
    if span > chain.height:
        return
    most = max(0, kernel - 1) if dilation == 1 else 0
    strides = (draw(st.integers(1, 3)), 1)
    pads = (draw(st.integers(0, most)), 1, draw(st.integers(0, most)), 1)
    if kind in (Conv2d, DepthwiseConv2d):
        chain.window(kind(strides=strides, pads=pads, dilations=(dilation, 1)), kernel)
    elif kind is MaxPool2d:
        chain.plain(MaxPool2d((kernel, 3), strides, pads, (dilation, 1)))
    else:
        chain.plain(AveragePool2d((kernel, 3), strides, pads, count_include_pad=draw(st.integers(0, 1)) == 1))


def _add_residual(chain: Chain, draw: st.DrawFn) -> None:
    before = chain.value
    for _ in range(draw(st.integers(1, 2))):
        reach = draw(st.integers(0, 2))
        chain.window(Conv2d(pads=(reach, 1, reach, 1)), 2 * reach + 1)
    chain.sum_with(before)
