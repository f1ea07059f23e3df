# SPDX-License-Identifier: Apache-2.0
"""Constants fold, products become dense layers, Reshapes and means give way, and nothing idle or double is left."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Cast, Dequantize, Quantize, Relu, Table, Tanh
from stowage.ir.ops.linear import FullyConnected, Gemm, MatMul
from stowage.ir.ops.movement import Concat, Constant, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.ops.reduction import BatchNormalization, ReduceMean
from stowage.ir.ops.window import Conv2d, MaxPool2d
from stowage.ir.tensor_type import Quant
from stowage.passes.fold_constants import DEQUANTISE_CONSTANTS, FOLD_CONSTANTS
from stowage.passes.merge_means import MERGE_MEANS
from stowage.passes.prune import PRUNE
from stowage.passes.reshape_blocks import Block, blocks_of, carried_over
from stowage.passes.simplify_gemm import SIMPLIFY_GEMM
from stowage.passes.sink_reshapes import SINK_RESHAPES
from stowage.passes.trial_graph import TrialGraph, after, assert_same_numbers, mnemonics

_IN = Quant((0.05,), (-7,))


def test_constants_fold_and_weights_stay_integers() -> None:
    trial = TrialGraph()
    weights = trial.add(Transpose((1, 0)), trial.weights(4, 3))
    bias = trial.add(Tanh(), trial.add(Add(), trial.reals(4), trial.reals(1)))
    product = trial.add(MatMul(), trial.input(2, 3), weights)
    graph = trial.graph(trial.add(Add(), product, bias))
    later = after(graph, FOLD_CONSTANTS)
    assert mnemonics(later) == ["dequantize", "matmul", "add"]
    (stored,) = [node.inputs[0].type for node in later.nodes if isinstance(node.op, Dequantize)]
    assert stored.quant is not None
    assert (stored.shape, stored.quant.axis) == ((3, 4), 1)
    assert_same_numbers(graph, later)
    assert mnemonics(after(graph, DEQUANTISE_CONSTANTS)) == ["matmul", "add"]


def test_an_output_that_is_constant_is_a_copy_of_one() -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(Relu(), trial.input(2)), trial.add(Tanh(), trial.reals(3)))
    later = after(graph, FOLD_CONSTANTS)
    assert mnemonics(later) == ["relu", "reshape"]
    assert_same_numbers(graph, later)
    assert after(later, FOLD_CONSTANTS) == later


@pytest.mark.parametrize(("constant", "turned_a", "turned_b"), list(itertools.product((True, False), repeat=3)))
@pytest.mark.parametrize("alpha", [1.0, -0.5])
def test_gemm(constant: bool, turned_a: bool, turned_b: bool, alpha: float) -> None:
    trial = TrialGraph()
    shape = (4, 3) if turned_b else (3, 4)
    b = trial.reals(*shape) if constant else trial.input(*shape)
    a = trial.input(*((3, 2) if turned_a else (2, 3)))
    graph = trial.graph(trial.add(Gemm(alpha, 2.0, turned_a, turned_b), a, b, trial.reals(1, 4)))
    later = after(graph, SIMPLIFY_GEMM)
    assert ("fully_connected" in mnemonics(later)) == constant
    assert "gemm" not in mnemonics(later)
    assert_same_numbers(graph, later, tolerance=1e-5)


def test_a_product_of_integers_with_constant_weights_becomes_dense() -> None:
    trial = TrialGraph()
    data = trial.input(2, 2, 3, dtype=DType.I8, quant=_IN)
    weights = trial.constant(trial.random.integers(-127, 128, (3, 4)).astype(np.int8), Quant((0.02,), (0,)))
    graph = trial.graph(trial.add(MatMul(), data, weights, quant=Quant((0.1,), (4,))))
    later = after(graph, SIMPLIFY_GEMM)
    assert mnemonics(later) == ["fully_connected"]
    assert_same_numbers(graph, later)


def test_plain_integer_products_stay() -> None:
    trial = TrialGraph()
    graph = trial.graph(
        trial.add(MatMul(), trial.input(2, 3, dtype=DType.I32), trial.constant(np.ones((3, 4), np.int32)))
    )
    assert after(graph, SIMPLIFY_GEMM) == graph


@pytest.mark.parametrize(("first_keeps", "then_keeps"), list(itertools.product((True, False), repeat=2)))
def test_a_mean_of_means_is_one(first_keeps: bool, then_keeps: bool) -> None:
    trial = TrialGraph()
    first = trial.add(ReduceMean((1,), first_keeps), trial.input(2, 3, 4, 5))
    graph = trial.graph(trial.add(ReduceMean((1, 2), then_keeps), first))
    later = after(graph, MERGE_MEANS, PRUNE)
    assert mnemonics(later)[0] == "reduce_mean"
    assert mnemonics(later).count("reduce_mean") == 1
    assert_same_numbers(graph, later, tolerance=1e-6)


def test_means_that_round_in_between_stay_two() -> None:
    trial = TrialGraph()
    first = trial.add(ReduceMean((1,)), trial.input(2, 3, 4, dtype=DType.I8, quant=_IN), quant=_IN)
    graph = trial.graph(trial.add(ReduceMean((2,)), first, quant=_IN))
    assert after(graph, MERGE_MEANS) == graph


def test_a_reshape_sinks_below_what_treats_each_element() -> None:
    trial = TrialGraph()
    layer = trial.add(Conv2d(), trial.input(1, 1, 4, 3), trial.reals(5, 1, 1, 3))
    parameters = [trial.constant(trial.random.uniform(0.5, 2, 5).astype(np.float32)) for _ in range(4)]
    normal = trial.add(BatchNormalization(1), trial.add(Reshape((4, 5, 1, 1)), layer), *parameters)
    relu = trial.add(Relu(), normal)
    graph = trial.graph(trial.add(Quantize(DType.I8, _IN), relu))
    later = after(graph, SINK_RESHAPES)
    assert mnemonics(later) == ["conv2d", "batch_normalization", "relu", "quantize", "reshape"]
    assert_same_numbers(graph, later, steps=0)


def test_a_reshape_that_tears_the_channels_stays_above() -> None:
    trial = TrialGraph()
    layer = trial.add(Conv2d(), trial.input(1, 1, 4, 3), trial.reals(6, 1, 1, 3))
    parameters = [trial.constant(trial.random.uniform(0.5, 2, 3).astype(np.float32)) for _ in range(4)]
    graph = trial.graph(trial.add(BatchNormalization(2), trial.add(Reshape((4, 2, 3)), layer), *parameters))
    assert after(graph, SINK_RESHAPES) == graph


_IDLE: list[Op] = [
    Reshape((1, 4, 4, 2)),
    Transpose((0, 1, 2, 3)),
    Cast(DType.F32),
    Concat(2),
    Slice((0, 0, 0, 0), (1, 4, 4, 2), (1, 1, 1, 1)),
    Pad((0, 0, 0, 0), (0, 0, 0, 0)),
    Resize((4, 4), (1.0, 1.0)),
    MaxPool2d((1, 1)),
]


@pytest.mark.parametrize("op", _IDLE, ids=lambda op: op.mnemonic)
def test_nodes_that_change_nothing_go(op: Op) -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(op, trial.add(Tanh(), trial.input(1, 4, 4, 2))))
    assert mnemonics(after(graph, PRUNE)) == ["tanh"]


_BUSY: list[Op] = [
    Slice((0, 3, 0, 0), (1, 4, 4, 2), (1, -1, 1, 1)),
    Transpose((0, 2, 1, 3)),
    Pad((0, 1, 0, 0), (0, -1, 0, 0)),
    Resize((4, 4), (1.1, 1.1), mode="linear"),
    MaxPool2d((2, 2), pads=(1, 1, 0, 0)),
]


@pytest.mark.parametrize("op", _BUSY, ids=lambda op: op.mnemonic)
def test_nodes_that_keep_the_type_but_change_elements_stay(op: Op) -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(op, trial.input(1, 4, 4, 2)))
    assert after(graph, PRUNE) == graph


def test_copies_to_outputs_stay() -> None:
    trial = TrialGraph()
    data = trial.input(2, 3)
    relu = trial.add(Relu(), data)
    graph = trial.graph(data, trial.reals(2), relu, relu)
    later = after(graph, PRUNE)
    assert mnemonics(later).count("reshape") == 3
    assert_same_numbers(graph, later)


def test_reshapes_that_meet_become_one() -> None:
    trial = TrialGraph()
    tanh = trial.add(Tanh(), trial.input(2, 6))
    graph = trial.graph(
        trial.add(Reshape((12,)), trial.add(Reshape((3, 4)), tanh)),
        trial.add(Reshape((2, 6)), trial.add(Reshape((4, 3)), tanh)),
    )
    later = after(graph, PRUNE)
    assert mnemonics(later) == ["tanh", "reshape"]
    assert_same_numbers(graph, later)


def test_equal_nodes_and_constants_become_one() -> None:
    trial = TrialGraph()
    data = trial.input(2, 4)
    array = trial.random.normal(size=(3, 4)).astype(np.float32)
    layers = [trial.add(FullyConnected(), data, trial.constant(array)) for _ in range(2)]
    graph = trial.graph(trial.add(Add(), *layers), layers[0])
    later = after(graph, PRUNE)
    assert mnemonics(later) == ["fully_connected", "add"]
    assert sum(isinstance(node.op, Constant) for node in later.nodes) == 1
    assert_same_numbers(graph, later)


_EXTENTS = st.lists(st.sampled_from((1, 2, 3, 4)), min_size=1, max_size=4)


@given(_EXTENTS, st.data())
def test_a_permutation_carried_over_a_reshape_is_the_same_move(extents: list[int], data: st.DataObject) -> None:
    before = tuple(extents)
    array = np.arange(np.prod(before))
    after_shape = tuple(data.draw(st.permutations(data.draw(st.sampled_from(_factored(before))))))
    permutation = tuple(data.draw(st.permutations(range(len(before)))))
    moved = carried_over(blocks_of(before, after_shape), permutation, before, after_shape)
    if moved is not None:
        first = array.reshape(before).transpose(permutation).ravel()
        assert np.array_equal(first, array.reshape(after_shape).transpose(moved).ravel())


def _factored(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Shapes with as many elements, made by merging neighbours, splitting fours and adding ones."""
    split = tuple(part for extent in shape for part in ((2, 2) if extent == 4 else (extent,)))
    merged = (int(np.prod(shape[:2])), *shape[2:])
    return [shape, split, merged, (1, *shape), (*shape, 1)]


def test_blocks_are_smallest() -> None:
    assert blocks_of((2, 3, 4, 5), (6, 4, 1, 5)) == (Block((0, 1), (0,)), Block((2,), (1,)), Block((3,), (3,)))


def _lookup(trial: TrialGraph, data: Value) -> Value:
    return trial.add(Table(_IN), data, trial.constant(np.arange(-128, 128).astype(np.int8)), quant=_IN)


def test_a_table_survives_pruning_of_its_double() -> None:
    trial = TrialGraph()
    data = trial.input(4, dtype=DType.I8, quant=Quant((0.5,), (0,)))
    graph = trial.graph(_lookup(trial, data), trial.add(Reshape((2, 2)), _lookup(trial, data)))
    assert mnemonics(after(graph, PRUNE)) == ["table", "reshape"]
