# SPDX-License-Identifier: Apache-2.0
"""A layer whose channels go different ways becomes a layer for each of them: its whole output is never stored.

Gated convolutions split their channels in halves. The products are the same, each in the layer that makes its channel.
Where the layer's input dies with it, it now lives until the last of the layers: that must not cost more than the slices
did, of which the first is made beside the whole output. Kernels with a window need scratch at that time as well.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from stowage.ir.graph import Node, Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Reshape, Slice
from stowage.ir.ops.window import Conv2d
from stowage.passes.editor import GraphEditor
from stowage.passes.graph_pass import Pass
from stowage.passes.narrowing import taken, taken_quant
from stowage.passes.rewrite import rewrite


def _split(editor: GraphEditor, node: Node) -> bool:
    if not _is_splittable(editor, node):
        return False
    slices = _slices(editor, node.output)
    if slices is None or len(slices) < 2 or not _is_worth_it(editor, node, slices):
        return False
    for each in slices:
        _make(editor, node, each)
    return True


def _is_splittable(editor: GraphEditor, node: Node) -> bool:
    layer = isinstance(node.op, FullyConnected) or (isinstance(node.op, Conv2d) and node.op.groups == 1)
    quant = node.outputs[0].type.quant
    weights = node.inputs[1:]
    known = all(editor.constant(value) is not None for value in weights)
    per_tensor = quant is None or quant.axis is None
    return layer and known and per_tensor and 1 <= len(weights) <= 2


def _slices(editor: GraphEditor, value: Value) -> list[Node] | None:
    """The slices of its channels that a value is used for, lowest first; None where it is used for more than that."""
    if editor.is_output(value):
        return None
    found: list[Node] = []
    for user in editor.users(value):
        inner = _slices_by(editor, user, value)
        if inner is None:
            return None
        found += inner
    found.sort(key=_begin)
    apart = all(_begin(a) + a.output.type.shape[-1] <= _begin(b) for a, b in pairwise(found))
    return found if apart else None


def _slices_by(editor: GraphEditor, user: Node, value: Value) -> list[Node] | None:
    if isinstance(user.op, Reshape) and user.op.shape and user.op.shape[-1] == value.type.shape[-1]:
        return _slices(editor, user.output)
    if isinstance(user.op, Slice) and user.op.shape[:-1] == value.type.shape[:-1] and set(user.op.steps) <= {1}:
        return [user]
    return None


def _begin(node: Node) -> int:
    assert isinstance(node.op, Slice)
    return node.op.begins[-1]


def _is_worth_it(editor: GraphEditor, node: Node, slices: list[Node]) -> bool:
    data, weights = node.inputs[:2]
    if _lives_on(editor, data):
        return True
    ends_bytes = slices[0].output.type.size_bytes + slices[-1].output.type.size_bytes
    return set(weights.type.shape[1:-1]) <= {1} and data.type.size_bytes <= ends_bytes


def _lives_on(editor: GraphEditor, value: Value) -> bool:
    """Whether others read the bytes of a value, maybe in another shape."""
    if len(editor.users(value)) > 1 or editor.is_output(value):
        return True
    maker = editor.maker(value)
    return maker is not None and isinstance(maker.op, Reshape) and _lives_on(editor, maker.inputs[0])


def _make(editor: GraphEditor, layer: Node, part: Node) -> None:
    """Puts a layer of some channels in the place of their slice."""
    count = part.output.type.shape[-1]
    indices = np.arange(_begin(part), _begin(part) + count)
    operands = [layer.inputs[0]]
    for value in layer.inputs[1:]:
        array = editor.constant(value)
        assert array is not None
        name = f"{value.name}.{part.name}"
        operands.append(editor.add_constant(name, taken(array, indices, 0), taken_quant(value.type.quant, indices, 0)))
    quant = part.output.type.quant
    made = editor.add(f"{layer.name}.{part.name}", layer.op, tuple(operands), quant=quant)
    editor.put(Node(part.name, Reshape(part.output.type.shape), (made,), part.outputs))


SPLIT_LAYERS = Pass("split_layers", lambda graph: rewrite(graph, _split))
