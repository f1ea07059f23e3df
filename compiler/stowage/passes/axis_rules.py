# SPDX-License-Identifier: Apache-2.0
"""Operators that can work on transposed operands: what their attributes, operands and results then are.

Such a node has a *working layout*: a permutation of its axes (those of its first operand, or of its result where
operands broadcast). Its operands are wanted in that layout and its result comes in it, but for a reduction that drops
axes and a Reshape that merges or splits them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from stowage.ir.graph import Node
from stowage.ir.ops import elementwise, movement, reduction
from stowage.ir.ops.bits import BitCast
from stowage.ir.ops.combination import Combination
from stowage.ir.ops.function import NumberFunction
from stowage.ir.ops.op import Op
from stowage.ir.ops.resample import Resample
from stowage.ir.ops.truth import TruthFunction
from stowage.passes.permutation import Permutation, identity, inverse, permuted
from stowage.passes.reshape_blocks import blocks_of, carried_over, turned_round

_EACH_ELEMENT = (
    NumberFunction,
    TruthFunction,
    elementwise.Cast,
    BitCast,
    elementwise.Dequantize,
    elementwise.Table,
)
BINARY = (elementwise.Add, elementwise.Sub, elementwise.Mul, elementwise.Div, Combination)


def follows_layout(node: Node) -> bool:
    """Whether the node can work in more than one layout."""
    if isinstance(node.op, BINARY):
        ranks = {len(value.type.shape) for value in (*node.inputs, *node.outputs)}
        return len(ranks) == 1
    if isinstance(node.op, movement.Reshape):
        return 0 not in node.op.shape
    return isinstance(node.op, _EACH_ELEMENT) or type(node.op) in _PERMUTED


def has_layout(node: Node, operand: int) -> bool:
    """Whether an operand of such a node is wanted in the working layout: tables and per-channel parameters are
    not."""
    return operand == 0 or not isinstance(node.op, elementwise.Table | reduction.BatchNormalization | Resample)


def result_layout(node: Node, layout: Permutation) -> Permutation | None:
    """The layout of the result; None where the node cannot work in `layout`."""
    if isinstance(node.op, movement.Reshape):
        before, after = node.inputs[0].type.shape, node.op.shape
        return carried_over(blocks_of(before, after), layout, before, after)
    dropped = _dropped_axes(node.op)
    kept = [axis for axis in layout if axis not in dropped]
    return tuple(sorted(kept).index(axis) for axis in kept)


def layout_for_result(node: Node, wanted: Permutation) -> Permutation | None:
    """The working layout whose result has the layout `wanted`; None where there is none, or more than one."""
    if isinstance(node.op, movement.Reshape):
        before, after = node.inputs[0].type.shape, node.op.shape
        return carried_over(turned_round(blocks_of(before, after)), wanted, after, before)
    return None if _dropped_axes(node.op) else wanted


def relaid(node: Node, layout: Permutation) -> Op:
    """The operator with its attributes permuted for a working layout that it can take."""
    if isinstance(node.op, movement.Reshape):
        after = result_layout(node, layout)
        assert after is not None
        return movement.Reshape(permuted(node.op.shape, after))
    change = _PERMUTED.get(type(node.op))
    return node.op if change is None or layout == identity(len(layout)) else change(node.op, layout)


def _dropped_axes(op: Op) -> tuple[int, ...]:
    if isinstance(op, reduction.ReduceMean | reduction.Reduction) and not op.keepdims:
        return op.axes
    if isinstance(op, reduction.ArgMax) and not op.keepdims:
        return (op.axis,)
    return ()


def _axis(op: Any, layout: Permutation) -> Op:
    moved: Op = replace(op, axis=layout.index(op.axis))
    return moved


def _axes(op: Any, layout: Permutation) -> Op:
    moved: Op = replace(op, axes=tuple(sorted(layout.index(axis) for axis in op.axes)))
    return moved


def _slice(op: Any, layout: Permutation) -> Op:
    return movement.Slice(permuted(op.begins, layout), permuted(op.shape, layout), permuted(op.steps, layout))


def _pad(op: Any, layout: Permutation) -> Op:
    moved: Op = replace(op, before=permuted(op.before, layout), after=permuted(op.after, layout))
    return moved


def _quantize(op: Any, layout: Permutation) -> Op:
    axis = None if op.quant.axis is None else inverse(layout)[op.quant.axis]
    moved: Op = replace(op, quant=replace(op.quant, axis=axis))
    return moved


_PERMUTED: dict[type[Op], Callable[[Any, Permutation], Op]] = {
    elementwise.Quantize: _quantize,
    movement.Concat: _axis,
    movement.Slice: _slice,
    movement.Pad: _pad,
    reduction.Softmax: _axis,
    reduction.ArgMax: _axis,
    reduction.ReduceMean: _axes,
    reduction.BatchNormalization: _axis,
    reduction.CumSum: _axis,
    reduction.CumProd: _axis,
    Resample: _axis,
    reduction.Normalize: _axes,
    **dict.fromkeys(reduction.Reduction.__subclasses__(), _axes),
}
