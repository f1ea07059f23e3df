# SPDX-License-Identifier: Apache-2.0
"""A Transpose in front of a flattening and dense layers goes into their weights: a sum is the same in any order."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.passes.absorbed import absorbing_reshapes, turns_last_block_alone
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import frozen, moved
from stowage.passes.graph_pass import Pass
from stowage.passes.reshape_blocks import blocks_of


def _absorb_transposes(graph: Graph) -> Graph:
    flattenings = [graph.nodes[index].output.name for index in sorted(absorbing_reshapes(graph))]
    editor = GraphEditor(graph)
    for name in flattenings:
        _absorb(editor, name)
    return editor.finish()


def _absorb(editor: GraphEditor, name: str) -> None:
    reshape = editor.node(name)
    if reshape is None:
        return
    transpose = editor.maker(reshape.inputs[0])
    if transpose is None or not isinstance(transpose.op, Transpose):
        return
    lying, turn = transpose.inputs[0].type.shape, transpose.op.permutation
    if not turns_last_block_alone(reshape, lying, turn):
        return
    for dense in _dense_layers(editor, reshape.output):
        _permute_weights(editor, dense, reshape, transpose.op)
    editor.put(replace(reshape, inputs=transpose.inputs))


def _dense_layers(editor: GraphEditor, flat: Value) -> list[Node]:
    found: dict[str, Node] = {}
    pending = [flat]
    while pending:
        for user in editor.users(pending.pop()):
            if isinstance(user.op, FullyConnected):
                found[user.output.name] = user
            else:
                pending.append(user.output)
    return list(found.values())


def _permute_weights(editor: GraphEditor, dense: Node, reshape: Node, transpose: Transpose) -> None:
    """Gives the inputs of a dense layer the order that the flattening has without the Transpose before it."""
    last = blocks_of(reshape.inputs[0].type.shape, reshape.output.type.shape)[-1].before
    extents = [reshape.inputs[0].type.shape[axis] for axis in last]
    lying_axes = [transpose.permutation[axis] for axis in last]
    order = tuple(lying_axes.index(axis) + 1 for axis in sorted(lying_axes))
    weights = dense.inputs[1]
    outputs, inputs = weights.type.shape
    for op in (Reshape((outputs, *extents)), Transpose((0, *order)), Reshape((outputs, inputs))):
        known = frozen(editor, weights)
        assert known is not None
        weights = moved(editor, known, op, known.stored.name)
    editor.put(replace(dense, inputs=(dense.inputs[0], weights, *dense.inputs[2:])))


ABSORB_TRANSPOSES = Pass("absorb_transposes", _absorb_transposes)
