# SPDX-License-Identifier: Apache-2.0
"""16-bit floats: what moves them keeps them, what computes gets float32 and rounds once a result."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops import combination, elementwise, function, linear, movement, reduction, selection, truth, window
from stowage.ir.ops.op import Op
from stowage.passes.trial_graph import TrialGraph, after, assert_same_numbers, mnemonics, outputs_of
from stowage.passes.widen_halves import WIDEN_HALVES

MOVING: list[Op] = [
    movement.Transpose((1, 0, 2)),
    movement.Slice((0, 1, 0), (2, 2, 4), (1, 1, 1)),
    movement.Pad((0, 1, 0), (0, 0, 2)),
    movement.Pad((0, 1, 0), (0, 0, 2), "edge"),
    selection.Expand((5, 2, 3, 4)),
]
COMPUTING: list[Op] = [function.Exp(), elementwise.Relu(), reduction.ReduceSum((1,)), reduction.Softmax(2)]
OF_ANOTHER_TYPE: list[Op] = [truth.IsNan(), reduction.ArgMax(1), elementwise.Cast(DType.I32)]


@pytest.mark.parametrize("op", MOVING)
def test_elements_are_moved_as_they_are(op: Op) -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(op, trial.input(2, 3, 4, dtype=DType.F16)))
    assert after(graph, WIDEN_HALVES) == graph


@pytest.mark.parametrize("op", COMPUTING)
def test_results_are_rounded_once(op: Op) -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(op, trial.input(2, 3, 4, dtype=DType.F16)))
    widened = after(graph, WIDEN_HALVES)
    assert mnemonics(widened) == ["cast", op.mnemonic, "cast"]
    assert_same_numbers(graph, widened, tolerance=2.0**-10)


@pytest.mark.parametrize("op", OF_ANOTHER_TYPE)
def test_results_that_are_no_halves_are_not_rounded(op: Op) -> None:
    trial = TrialGraph()
    graph = trial.graph(trial.add(op, trial.input(2, 3, 4, dtype=DType.F16)))
    widened = after(graph, WIDEN_HALVES)
    assert mnemonics(widened) == ["cast", op.mnemonic]
    assert_same_numbers(graph, widened)


def test_each_operator_of_a_chain_rounds() -> None:
    trial = TrialGraph()
    third = trial.constant(np.array(1 / 3, np.float16))
    value = trial.input(7, dtype=DType.F16)
    graph = trial.graph(trial.add(elementwise.Add(), trial.add(elementwise.Mul(), value, third), third))
    widened = after(graph, WIDEN_HALVES)
    numbers = np.linspace(-300, 300, 7).astype(np.float16)
    expected = (numbers * np.float16(1 / 3)) + np.float16(1 / 3)
    np.testing.assert_array_equal(outputs_of(widened, {value.name: numbers})[0], expected)


def test_integers_become_halves_by_way_of_floats() -> None:
    trial = TrialGraph()
    value = trial.input(5, dtype=DType.I32)
    graph = trial.graph(trial.add(elementwise.Cast(DType.F16), value))
    widened = after(graph, WIDEN_HALVES)
    assert [node.op for node in widened.nodes] == [elementwise.Cast(DType.F32), elementwise.Cast(DType.F16)]
    numbers = np.array([-5, 2049, 2051, 70000, 65519], np.int32)
    with np.errstate(over="ignore"):
        expected = numbers.astype(np.float16)
    np.testing.assert_array_equal(outputs_of(widened, {value.name: numbers})[0], expected)


def test_a_selection_keeps_them_and_a_comparison_does_not() -> None:
    trial = TrialGraph()
    first, second = trial.input(3, dtype=DType.F16), trial.input(3, dtype=DType.F16)
    less = trial.add(combination.Less(), first, second)
    graph = trial.graph(trial.add(combination.Where(), less, first, second))
    assert sorted(mnemonics(after(graph, WIDEN_HALVES))) == ["cast", "cast", "less", "where"]


def test_weights_become_float32_constants() -> None:
    trial = TrialGraph()
    weights = trial.constant(trial.random.normal(size=(2, 3, 3, 4)).astype(np.float16))
    image = trial.input(1, 5, 5, 4, dtype=DType.F16)
    pooled = trial.add(window.MaxPool2d((2, 2)), trial.add(window.Conv2d(), image, weights))
    product = trial.add(linear.MatMul(), pooled, trial.constant(np.ones((2, 2), np.float16)))
    graph = trial.graph(product)
    widened = after(graph, WIDEN_HALVES)
    assert all(array.dtype == np.float32 for array in widened.constants.values())
    assert_same_numbers(graph, widened, tolerance=2.0**-9)
