# SPDX-License-Identifier: Apache-2.0
"""Test support: layers whose weights, biases and quantisations are given, and random networks of them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph, Value
from stowage.ir.ops.elementwise import Add, Mul, Relu, Table
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Concat, Reshape, Slice
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import ReduceMean
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.tensor_type import Quant
from stowage.passes.trial_graph import TrialGraph

UNIT = Quant((1.0,), (0,))
RELU = (0.0, math.inf)


class Layers(TrialGraph):
    """Grows a graph of int8 layers, or of floats that are small integers, which no order of adding rounds."""

    def __init__(self, seed: int = 0, quantised: bool = True) -> None:
        super().__init__(seed)
        self.quantised = quantised

    def image(self, *shape: int) -> Value:
        """A graph input."""
        return self.input(*shape, dtype=DType.I8, quant=UNIT) if self.quantised else self.input(*shape)

    def layer(self, op: Op, data: Value, weights: Array, bias: list[int] | Array, quant: Quant = UNIT) -> Value:
        """A convolution or a dense layer."""
        types = (np.int8, np.int32) if self.quantised else (np.float32, np.float32)
        stored = self.constant(np.asarray(weights).astype(types[0]), UNIT if self.quantised else None)
        addend = self.constant(np.asarray(bias).astype(types[1]))
        return self.made(op, data, stored, addend, quant=quant)

    def made(self, op: Op, *operands: Value, quant: Quant = UNIT) -> Value:
        """Any other operator."""
        return self.add(op, *operands, quant=quant if self.quantised else None)

    def some(self, *shape: int) -> Array:
        """Weights none of which is zero."""
        weights: Array = self.random.choice([-2, -1, 1, 2], shape).astype(np.int8)
        return weights


Grow = Callable[["RandomLayers", Value], Value]


class RandomLayers(Layers):
    """Random networks, some of whose filters and of whose readers' weights are zero."""

    def weights(self, *shape: int, axis: int | None = 0) -> Array:  # type: ignore[override]
        """Weights with zeros for some entries of the first and the last axis."""
        weights = self.some(*shape)
        for side in (0, len(shape) - 1):
            if self.random.random() < 0.7:
                np.moveaxis(weights, side, 0)[self.random.random(shape[side]) < 0.4] = 0
        return weights

    def quant(self) -> Quant:
        """An output's quantisation."""
        return Quant((float(2.0 ** self.random.integers(0, 6)),), (int(self.random.integers(-9, 10)),))

    def clamp(self) -> tuple[float, float] | None:
        """A rectifier, or nothing."""
        return RELU if self.random.random() < 0.6 else None

    def conv(self, data: Value) -> Value:
        """A convolution."""
        size, outputs = int(self.random.choice([1, 3])), int(self.random.integers(1, 6))
        pads = (size // 2,) * 4 if self.random.random() < 0.8 or min(data.type.shape[1:3]) < 3 else (0,) * 4
        op = Conv2d(strides=(int(self.random.integers(1, 3)), 1), pads=pads, clamp=self.clamp())
        weights = self.weights(outputs, size, size, data.type.shape[3])
        return self.layer(op, data, weights, self.random.integers(-40, 40, outputs), self.quant())

    def depthwise(self, data: Value) -> Value:
        """A depthwise convolution."""
        outputs = data.type.shape[3] * int(self.random.integers(1, 3))
        op = DepthwiseConv2d(pads=(1, 1, 1, 1), clamp=self.clamp())
        bias = self.random.integers(-40, 40, outputs)
        return self.layer(op, data, self.weights(3, 3, outputs), bias, self.quant())

    def residual(self, data: Value) -> Value:
        """A sum of a tensor and a convolution of it."""
        outputs = data.type.shape[3]
        branch = self.layer(Conv2d(), data, self.weights(outputs, 1, 1, outputs), [3] * outputs, self.quant())
        return self.made(Add(self.clamp()), *self.random.permutation(np.array([data, branch])), quant=self.quant())

    def gate(self, data: Value) -> Value:
        """A product with a constant."""
        factors = self.random.integers(0, 3, data.type.shape[3])
        stored = self.constant(
            factors.astype(np.int8 if self.quantised else np.float32), UNIT if self.quantised else None
        )
        return self.made(Mul(), data, stored, quant=self.quant())

    def table(self, data: Value) -> Value:
        """Any function of integers; of floats a rectifier."""
        if not self.quantised:
            return self.add(Relu(), data)
        entries = self.constant(self.random.integers(-128, 128, 256).astype(np.int8))
        return self.add(Table(self.quant()), data, entries)

    def join(self, data: Value) -> Value:
        """A tensor beside a part of itself."""
        taken = int(self.random.integers(1, data.type.shape[3] + 1))
        first = int(self.random.integers(0, data.type.shape[3] - taken + 1))
        quant = data.type.quant or UNIT
        part = self.made(Slice((0, 0, 0, first), (*data.type.shape[:3], taken), (1,) * 4), data, quant=quant)
        return self.made(Concat(3), data, part, quant=quant)

    def pool(self, data: Value) -> Value:
        """A maximum or a mean."""
        quant = data.type.quant or UNIT
        if self.random.random() < 0.5:
            return self.made(MaxPool2d((3, 3), pads=(1, 1, 1, 1)), data, quant=quant)
        counted = bool(self.random.random() < 0.5)
        return self.made(AveragePool2d((3, 3), pads=(1, 1, 1, 1), count_include_pad=counted), data, quant=quant)

    def dense(self, data: Value) -> Value:
        """The end: pixels laid side by side, or their mean, and a dense layer."""
        quant = data.type.quant or UNIT
        if self.random.random() < 0.5:
            flat = self.made(Reshape((1, data.type.elements)), data, quant=quant)
        else:
            flat = self.made(ReduceMean((1, 2), keepdims=False), data, quant=self.quant())
        bias = self.random.integers(-40, 40, 3)
        return self.layer(FullyConnected(), flat, self.weights(3, flat.type.shape[1]), bias, self.quant())


GROWTHS: list[Grow] = [
    RandomLayers.conv,
    RandomLayers.conv,
    RandomLayers.depthwise,
    RandomLayers.residual,
    RandomLayers.gate,
    RandomLayers.table,
    RandomLayers.join,
    RandomLayers.pool,
]
"""Ways in which a random network goes on from a tensor."""


def random_network(seed: int, growths: list[Grow], quantised: bool) -> Graph:
    """A convolution, these growths one after the other, and a dense layer."""
    trial = RandomLayers(seed, quantised)
    data = trial.conv(trial.image(1, 4, 5, 3))
    for grow in growths:
        data = grow(trial, data)
    return trial.graph(trial.dense(data))
