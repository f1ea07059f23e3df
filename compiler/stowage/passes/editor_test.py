# SPDX-License-Identifier: Apache-2.0
"""Edits keep makers, users and names true, and drop what nothing needs."""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Graph
from stowage.ir.ops.elementwise import Add, Relu, Tanh
from stowage.ir.ops.movement import Reshape
from stowage.ir.verify import verify
from stowage.passes.editor import GraphEditor
from stowage.passes.trial_graph import TrialGraph, mnemonics


def _chain() -> Graph:
    """input -> relu -> tanh -> add(constant) -> result."""
    trial = TrialGraph()
    tanh = trial.add(Tanh(), trial.add(Relu(), trial.input(4)))
    return trial.graph(trial.add(Add(), tanh, trial.reals(4)))


def test_replacing_an_output_keeps_its_name() -> None:
    graph = _chain()
    editor = GraphEditor(graph)
    tanh = editor.node("tanh_out")
    assert tanh is not None
    editor.replace(graph.outputs[0], tanh.output)
    edited = editor.finish()
    verify(edited, "the test")
    assert edited.outputs == graph.outputs
    assert mnemonics(edited) == ["relu", "tanh"]
    assert not edited.constants


def test_inputs_constants_and_outputs_cannot_become_outputs() -> None:
    trial = TrialGraph()
    data = trial.input(4)
    relu = trial.add(Relu(), data)
    graph = trial.graph(relu, trial.add(Tanh(), relu))
    editor = GraphEditor(graph)
    constant = editor.add_constant("c", np.zeros(4, np.float32))
    first, second = graph.outputs
    assert not editor.can_replace(second, data)
    assert not editor.can_replace(second, constant)
    assert not editor.can_replace(second, first)


def test_a_sole_user_is_neither_one_of_two_nor_beside_an_output() -> None:
    trial = TrialGraph()
    data = trial.input(4)
    relu = trial.add(Relu(), data)
    tanh = trial.add(Tanh(), relu)
    graph = trial.graph(relu, trial.add(Add(), tanh, tanh), trial.add(Tanh(), data))
    editor = GraphEditor(graph)
    assert editor.sole_user(graph.outputs[0]) is None
    assert editor.sole_user(data) is None
    twice = editor.sole_user(tanh)
    assert twice is not None
    assert isinstance(twice.op, Add)


def test_a_freed_name_is_given_to_the_value_that_asked_for_it() -> None:
    graph = _chain()
    editor = GraphEditor(graph)
    add = editor.node(graph.outputs[0].name)
    assert add is not None
    constant = add.inputs[1]
    array = editor.constant(constant)
    assert array is not None
    stored = editor.add_constant(constant.name, 2 * array)
    assert stored.name != constant.name
    editor.replace(constant, stored)
    edited = editor.finish()
    assert constant.name in {value.name for node in edited.nodes for value in node.outputs}


def test_nodes_of_one_name_are_told_apart() -> None:
    graph = _chain()
    editor = GraphEditor(graph)
    relu = editor.node("relu_out")
    assert relu is not None
    copy = editor.add("tanh", Reshape((4,)), (relu.output,))
    tanh = editor.node("tanh_out")
    assert tanh is not None
    editor.put(type(tanh)(tanh.name, tanh.op, (copy,), tanh.outputs))
    verify(editor.finish(), "the test")


def test_order_stays_where_nothing_was_edited() -> None:
    graph = _chain()
    assert GraphEditor(graph).finish() == graph
