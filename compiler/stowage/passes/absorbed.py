# SPDX-License-Identifier: Apache-2.0
"""Flattenings whose elements may come in any order, since only dense layers with constant weights read them."""

from __future__ import annotations

from stowage.ir.graph import Graph, Node
from stowage.ir.ops import elementwise
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Constant, Reshape
from stowage.ir.ops.truth import TruthFunction
from stowage.passes.permutation import Permutation
from stowage.passes.reshape_blocks import blocks_of

Shape = tuple[int, ...]

EACH_ELEMENT = (
    NumberFunction,
    TruthFunction,
    elementwise.Quantize,
    elementwise.Dequantize,
    elementwise.Table,
)
"""Operators that may stand between the flattening and the dense layer: they treat each element alike."""


def absorbing_reshapes(graph: Graph) -> frozenset[int]:
    """Indices of the Reshapes whose users all are dense layers that can have their weights permuted instead."""
    known = _known_at_build_time(graph)
    kept = {value.name for value in graph.outputs}
    absorbing: dict[str, bool] = {}
    users: dict[str, list[Node]] = {}
    result: set[int] = set()
    for index in reversed(range(len(graph.nodes))):
        node = graph.nodes[index]
        readers = [user for value in node.outputs for user in users.get(value.name, ())]
        loose = bool(readers) and all(_takes_any_order(user, node, known, absorbing) for user in readers)
        absorbing[node.outputs[0].name] = loose and not kept & {value.name for value in node.outputs}
        if absorbing[node.outputs[0].name] and isinstance(node.op, Reshape) and merges_last(node):
            result.add(index)
        for value in node.inputs:
            users.setdefault(value.name, []).append(node)
    return frozenset(result)


def merges_last(reshape: Node) -> bool:
    """Whether the last axis of the result is all of one block, and every axis before is carried over as it is."""
    before, after = reshape.inputs[0].type.shape, reshape.output.type.shape
    if 0 in after or not after:
        return False
    blocks = blocks_of(before, after)
    others = blocks[:-1]
    return bool(blocks) and blocks[-1].after == (len(after) - 1,) and all(len(block.before) == 1 for block in others)


def turns_last_block_alone(reshape: Node, lying: Shape, turn: Permutation) -> bool:
    """Whether a Transpose `turn` of a tensor of shape `lying` moves axes of the Reshape's last block alone."""
    last = blocks_of(reshape.inputs[0].type.shape, reshape.output.type.shape)[-1].before
    moved = [axis for axis in turn if lying[axis] != 1]
    others = moved[: len(moved) - len(last)]
    return others == sorted(others) and (not others or others[-1] < min(moved[len(others) :]))


def _takes_any_order(user: Node, maker: Node, known: frozenset[str], absorbing: dict[str, bool]) -> bool:
    if isinstance(user.op, FullyConnected):
        data, weights = user.inputs[:2]
        return data.name == maker.outputs[0].name and weights.name in known
    per_tensor = all(
        value.type.quant is None or value.type.quant.axis is None for value in (*user.inputs, *user.outputs)
    )
    return isinstance(user.op, EACH_ELEMENT) and per_tensor and absorbing[user.outputs[0].name]


def _known_at_build_time(graph: Graph) -> frozenset[str]:
    known: set[str] = set()
    for node in graph.nodes:
        stored = isinstance(node.op, elementwise.Dequantize) and node.inputs[0].name in known
        if isinstance(node.op, Constant) or stored:
            known.add(node.outputs[0].name)
    return frozenset(known)
