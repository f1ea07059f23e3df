# SPDX-License-Identifier: Apache-2.0
"""Equalisation keeps the function; corrected biases and weights rounded together bring outputs nearer."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.graph import Graph, Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.window import Conv2d, MaxPool2d
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import dequantised
from stowage.passes.trial_graph import TrialGraph
from stowage.quantise.correct_bias import with_corrected_biases
from stowage.quantise.equalise import equalised, pairs
from stowage.quantise.observe import observe
from stowage.quantise.output_error import float_outputs, outputs_of
from stowage.quantise.placement_test import finish, found, graph_of, samples_of
from stowage.quantise.round_weights import with_rounded_weights
from stowage.quantise.sensitivity import sensitivities
from stowage.quantise.weights import integer_weights

RELU = (0.0, math.inf)


def _unequal(trial: TrialGraph, x: Value, groups: int, clamp: tuple[float, float] = RELU) -> Value:
    """Two layers with channels of very different sizes between them."""
    sizes = np.array([1, 100, 0.01, 10], np.float32)
    weights = trial.random.normal(size=(4, 1, 1, 4)).astype(np.float32) * sizes[:, None, None, None]
    first = trial.add(Conv2d(clamp=clamp), x, trial.constant(weights), trial.constant(0.1 * sizes), name="first")
    pooled = trial.add(MaxPool2d((2, 2), (2, 2)), first)
    undone = trial.random.normal(size=(4, 3, 3, 4 // groups)).astype(np.float32)
    undone /= sizes[:, None, None, None] if groups == 4 else sizes
    return trial.add(Conv2d(groups=groups), pooled, trial.constant(undone), name="second")


@pytest.mark.parametrize("groups", [1, 4])
def test_equalisation_keeps_the_function_and_lowers_the_error(groups: int) -> None:
    graph = graph_of(lambda trial, x: _unequal(trial, x, groups))
    samples = samples_of(graph)
    seen = observe(graph, samples, [node.output.name for node in graph.nodes])
    (pair,) = pairs(graph, seen)
    assert (pair.first, pair.second) == ("first_out", graph.outputs[0].name)
    other = equalised(graph, [pair])
    expected = outputs_of(graph, samples)[0]
    assert np.abs(outputs_of(other, samples)[0] - expected).max() <= 1e-5 * np.abs(expected).max()
    reach = observe(other, samples, ["first_out"])["first_out"].largest
    assert reach.max() / reach.min() < 0.02 * seen["first_out"].largest.max() / seen["first_out"].largest.min()
    result = found(graph)
    assert result.means.equalised
    assert result.error < 0.05


def test_a_clamp_at_six_is_in_the_way() -> None:
    graph = graph_of(lambda trial, x: _unequal(trial, x, 1, (0.0, 6.0)))
    assert pairs(graph, observe(graph, samples_of(graph), ["first_out"])) == []


def _skewed(trial: TrialGraph, x: Value) -> Value:
    """A dense layer whose inputs go together and are far from zero."""
    mixed = trial.add(FullyConnected(clamp=RELU), x, trial.reals(40, 8), trial.constant(np.full(40, 3, np.float32)))
    return trial.add(FullyConnected(), mixed, trial.reals(6, 40), name="dense")


def _weight_errors(graph: Graph, other: Graph) -> tuple[float, float]:
    """The mean, and the root mean square, by which rounding the last layer's weights moves outputs of `other`."""
    samples = samples_of(graph, 50)
    editor = GraphEditor(other)
    layer = editor.maker(other.outputs[0])
    assert layer is not None
    weights = editor.constant(layer.inputs[1])
    assert weights is not None
    stored = editor.add_constant("rounded", dequantised(*integer_weights(weights)).astype(np.float32))
    editor.put(replace(layer, inputs=(layer.inputs[0], stored, *layer.inputs[2:])))
    moved = outputs_of(editor.finish(), samples)[0] - outputs_of(graph, samples)[0]
    return float(np.abs(moved.mean(axis=(0, 1))).max()), float(np.sqrt(np.mean(moved**2)))


def test_corrected_biases_take_the_mean_error() -> None:
    graph = graph_of(_skewed, (5, 8))
    layer = graph.outputs[0].name
    seen = observe(graph, samples_of(graph, 50), [value.name for node in graph.nodes for value in node.inputs])
    before, _ = _weight_errors(graph, graph)
    after, _ = _weight_errors(graph, with_corrected_biases(graph, frozenset([layer]), seen))
    assert after < 1e-3 * before


def test_weights_rounded_together_err_less_than_each_by_itself() -> None:
    graph = graph_of(_skewed, (5, 8))
    integers = frozenset([graph.outputs[0].name])
    _, alone = _weight_errors(graph, graph)
    _, together = _weight_errors(graph, with_rounded_weights(graph, integers, samples_of(graph, 50)))
    assert together < 0.4 * alone


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_rounded_weights_lie_on_the_grid_of_the_nearest_ones(groups: int) -> None:
    graph = graph_of(lambda t, x: t.add(Conv2d(groups=groups, pads=(1, 0, 0, 1)), x, t.reals(8, 3, 3, 4 // groups)))
    rounded = with_rounded_weights(graph, frozenset(node.output.name for node in graph.nodes), samples_of(graph))
    before, after = (next(iter(each.constants.values())) for each in (graph, rounded))
    scales = np.array(integer_weights(before)[1].scales).reshape(-1, 1, 1, 1)
    steps = after / scales
    assert np.abs(steps - np.rint(steps)).max() < 1e-4
    assert np.abs(steps - before / scales).max() < 40 and np.any(after != before)
    np.testing.assert_allclose(integer_weights(after)[1].scales, scales.ravel(), rtol=1e-6)


def test_the_effect_of_a_node_is_the_error_with_all_others_float() -> None:
    graph = graph_of(_skewed, (5, 8))
    result = found(graph)
    rows = {row.name: row for row in sensitivities(result.draft, samples_of(graph))}
    assert set(rows) == {"fully_connected", "dense"}
    for node in graph.nodes:
        if node.name in rows:
            alone = replace(result.draft, integers=frozenset([node.output.name])).written_out()
            error = float_outputs(graph, samples_of(graph)).relative_error(alone)
            assert rows[node.name].effect == pytest.approx(error, rel=1e-6)
    lone = finish(result.draft.written_out())
    assert float_outputs(graph, samples_of(graph)).relative_error(lone) == pytest.approx(result.error)
