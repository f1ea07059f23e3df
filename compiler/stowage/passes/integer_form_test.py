# SPDX-License-Identifier: Apache-2.0
"""Unsigned tensors become signed, weights lose zero points, functions become tables: the integers stay the same."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph
from stowage.ir.ops.elementwise import (
    Add,
    Cast,
    Clip,
    Dequantize,
    HardSwish,
    LeakyRelu,
    Quantize,
    Relu,
    Sigmoid,
    Table,
    Tanh,
)
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Concat, Constant, Reshape
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import Conv2d, MaxPool2d
from stowage.ir.tensor_type import Quant
from stowage.passes.fit_accumulators import FIT_ACCUMULATORS
from stowage.passes.signed_quantisation import SIGNED_QUANTISATION
from stowage.passes.symmetric_weights import SYMMETRIC_WEIGHTS
from stowage.passes.tables import TABLES
from stowage.passes.trial_graph import TrialGraph, after, assert_same_numbers, mnemonics
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import NoKernel, Site

_IN, _OUT = Quant((0.05,), (120,)), Quant((0.07,), (200,))


def _unsigned_network() -> Graph:
    trial = TrialGraph()
    image = trial.input(1, 4, 4, 3, dtype=DType.U8, quant=_IN)
    weights = trial.constant(trial.random.integers(0, 256, (2, 2, 2, 3)).astype(np.uint8), Quant((0.01,), (128,)))
    layer = trial.add(Conv2d(), image, weights, quant=_OUT)
    pooled = trial.add(MaxPool2d((2, 2)), layer)
    return trial.graph(trial.add(Reshape((8,)), pooled), layer)


def test_unsigned_tensors_are_shifted_where_they_enter_and_leave() -> None:
    graph = _unsigned_network()
    later = after(graph, SIGNED_QUANTISATION)
    inside = [value for node in later.nodes if node.op.mnemonic in ("conv2d", "max_pool2d") for value in node.outputs]
    assert [value.type.dtype for value in inside] == [DType.I8] * 2
    assert mnemonics(later).count("table") == 3
    assert_same_numbers(graph, later)
    assert after(later, SIGNED_QUANTISATION, SIGNED_QUANTISATION) == after(later, SIGNED_QUANTISATION)


def test_quantize_table_and_constants_become_signed() -> None:
    trial = TrialGraph()
    first = trial.add(Quantize(DType.U8, _IN), trial.input(4))
    table = trial.constant(trial.random.integers(0, 256, 256).astype(np.uint8))
    looked = trial.add(Table(_IN), first, table)
    joined = trial.add(Concat(0), looked, trial.constant(np.arange(3, dtype=np.uint8), _IN))
    graph = trial.graph(trial.add(Dequantize(), joined))
    later = after(graph, SIGNED_QUANTISATION)
    assert mnemonics(later) == ["quantize", "table", "concat", "dequantize"]
    assert all(value.type.dtype is not DType.U8 for node in later.nodes for value in node.outputs)
    assert_same_numbers(graph, later)


def test_a_cast_sees_the_bare_integers() -> None:
    trial = TrialGraph()
    image = trial.add(Quantize(DType.U8, _IN), trial.input(4))
    graph = trial.graph(trial.add(Cast(DType.I32), image))
    later = after(graph, SIGNED_QUANTISATION)
    assert mnemonics(later) == ["quantize", "table", "cast"]
    assert_same_numbers(graph, later)


def test_plain_bytes_are_left_alone() -> None:
    trial = TrialGraph()
    image = trial.input(4, dtype=DType.U8)
    graph = trial.graph(trial.add(Add(), image, image))
    assert after(graph, SIGNED_QUANTISATION) is graph


def _dense(low: int, high: int, zero_points: tuple[int, ...]) -> Graph:
    trial = TrialGraph()
    data = trial.input(2, 5, dtype=DType.I8, quant=Quant((0.05,), (3,)))
    scales = (0.01,) * len(zero_points)
    quant = Quant(scales, zero_points, 0 if len(zero_points) > 1 else None)
    weights = trial.constant(trial.random.integers(low, high, (3, 5)).astype(np.int8), quant)
    bias = trial.constant(trial.random.integers(-999, 999, 3).astype(np.int32))
    return trial.graph(trial.add(FullyConnected((0.0, 4.0)), data, weights, bias, quant=Quant((0.03,), (-100,))))


@pytest.mark.parametrize("zero_points", [(5,), (5, 0, -9)])
def test_zero_points_are_taken_off_weights(zero_points: tuple[int, ...]) -> None:
    graph = _dense(-100, 100, zero_points)
    later = after(graph, SYMMETRIC_WEIGHTS)
    assert mnemonics(later) == ["fully_connected"]
    (layer,) = [node for node in later.nodes if isinstance(node.op, FullyConnected)]
    quant = layer.inputs[1].type.quant
    assert quant is not None
    assert not any(quant.zero_points)
    assert_same_numbers(graph, later)


def test_weights_of_nine_bits_compute_in_float() -> None:
    graph = _dense(-128, 128, (100,))
    later = after(graph, SYMMETRIC_WEIGHTS)
    assert "quantize" in mnemonics(later)
    assert_same_numbers(graph, later, steps=1)


def test_a_bias_beyond_the_accumulator_makes_its_channel_coarser() -> None:
    trial = TrialGraph()
    data = trial.input(2, 5, dtype=DType.I8, quant=Quant((0.05,), (3,)))
    weights = trial.constant(
        trial.random.integers(-3, 4, (3, 5)).astype(np.int8), Quant((1e-9, 0.01, 0.02), (0,) * 3, 0)
    )
    bias = trial.constant(np.array([2**31 - 9999, -500, 2**20], np.int32))
    graph = trial.graph(trial.add(FullyConnected(), data, weights, bias, quant=Quant((0.03,), (-100,))))
    later = after(graph, FIT_ACCUMULATORS)
    (layer,) = [node for node in later.nodes if isinstance(node.op, FullyConnected)]
    arrays = _arrays(later)
    fitted, first = arrays[layer.inputs[2].name], layer.inputs[1].type.quant
    assert first is not None
    assert np.abs(fitted).max() <= 2**29
    assert list(fitted[1:]) == [-500, 2**20]
    assert first.scales[1:] == (0.01, 0.02)
    lower(layer, Site(arrays, later.arithmetic))
    with pytest.raises(NoKernel):
        lower(
            next(node for node in graph.nodes if isinstance(node.op, FullyConnected)),
            Site(_arrays(graph), graph.arithmetic),
        )
    assert_same_numbers(graph, later, steps=1)
    assert after(later, FIT_ACCUMULATORS) == later


def _arrays(graph: Graph) -> dict[str, Array]:
    return {node.output.name: graph.constants[node.op.digest] for node in graph.nodes if isinstance(node.op, Constant)}


_UNARY: list[Op] = [Relu(), Clip(-1.0, 2.0), LeakyRelu(0.1), HardSwish(), Sigmoid(), Tanh()]


@pytest.mark.parametrize("op", _UNARY, ids=lambda op: op.mnemonic)
def test_functions_become_tables(op: Op) -> None:
    trial = TrialGraph()
    data = trial.input(1024, dtype=DType.I8, quant=Quant((0.05,), (3,)))
    graph = trial.graph(trial.add(op, data, quant=Quant((0.02,), (-30,))))
    later = after(graph, TABLES)
    assert mnemonics(later) == ["table"]
    assert_same_numbers(graph, later)


def test_tables_of_tables_become_one_and_idle_ones_go() -> None:
    trial = TrialGraph()
    quant = Quant((0.05,), (3,))
    data = trial.add(MaxPool2d((1, 2)), trial.input(1, 8, 9, 1, dtype=DType.I8, quant=quant))
    first = trial.add(Sigmoid(), data, quant=Quant((1 / 256,), (-128,)))
    second = trial.add(Tanh(), first, quant=quant)
    idle = trial.add(Clip(-99.0, 99.0), second, quant=quant)
    graph = trial.graph(idle)
    later = after(graph, TABLES)
    assert mnemonics(later) == ["max_pool2d", "table"]
    assert_same_numbers(graph, later)
    graph = trial.graph(idle, first)
    assert mnemonics(after(graph, TABLES)).count("table") == 2
