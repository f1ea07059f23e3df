# SPDX-License-Identifier: Apache-2.0
"""Nodes that multiply each channel by a constant and add another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub
from stowage.ir.ops.reduction import BatchNormalization
from stowage.passes.editor import GraphEditor
from stowage.passes.frozen import Reals, frozen


@dataclass(frozen=True, slots=True)
class Affine:
    """gains * data + shifts, in double precision, one entry a channel along `axis` of the data."""

    data: Value
    gains: Reals
    shifts: Reals
    axis: int


def affine_of(editor: GraphEditor, node: Node) -> Affine | None:
    """The channel-wise affine function that a float node computes, if it does.

    A batch normalisation is one along its axis; a sum, difference, product or quotient with a constant is one along
    the last axis if the constant varies along no other and no activation is fused into it.
    """
    if not node.outputs[0].type.dtype.is_float:
        return None
    if isinstance(node.op, BatchNormalization):
        return _normalisation(editor, node, node.op)
    if isinstance(node.op, Add | Sub | Mul | Div) and node.op.clamp is None:
        return _arithmetic(editor, node)
    return None


def _normalisation(editor: GraphEditor, node: Node, op: BatchNormalization) -> Affine | None:
    known = [frozen(editor, value) for value in node.inputs[1:]]
    parameters = [each.reals for each in known if each is not None]
    if len(parameters) < 4:
        return None
    scale, bias, mean, variance = parameters
    gains = scale / np.sqrt(variance + op.epsilon)
    return Affine(node.inputs[0], gains, bias - mean * gains, op.axis)


def _arithmetic(editor: GraphEditor, node: Node) -> Affine | None:
    first, second = node.inputs
    if node.output.type.shape == first.type.shape:
        entries = _per_channel(editor, second, node.output)
        if entries is not None:
            return _with_right(node, first, entries)
    if node.output.type.shape == second.type.shape and not isinstance(node.op, Div):
        entries = _per_channel(editor, first, node.output)
        if entries is not None:
            return _with_left(node, second, entries)
    return None


def _with_right(node: Node, data: Value, entries: Reals) -> Affine | None:
    axis, ones = len(data.type.shape) - 1, np.ones_like(entries)
    if isinstance(node.op, Add | Sub):
        return Affine(data, ones, entries if isinstance(node.op, Add) else -entries, axis)
    if isinstance(node.op, Div) and not np.all(entries):
        return None
    return Affine(data, entries if isinstance(node.op, Mul) else 1 / entries, np.zeros_like(entries), axis)


def _with_left(node: Node, data: Value, entries: Reals) -> Affine:
    axis, ones = len(data.type.shape) - 1, np.ones_like(entries)
    if isinstance(node.op, Mul):
        return Affine(data, entries, np.zeros_like(entries), axis)
    return Affine(data, ones if isinstance(node.op, Add) else -ones, entries, axis)


def _per_channel(editor: GraphEditor, operand: Value, result: Value) -> Reals | None:
    """The entries of a constant along the last axis of the result, if it varies along no other."""
    known = frozen(editor, operand)
    if known is None or not result.type.shape or operand.type.elements not in (1, result.type.shape[-1]):
        return None
    if operand.type.elements > 1 and operand.type.shape[-1] != result.type.shape[-1]:
        return None
    return np.broadcast_to(known.reals.reshape(-1), result.type.shape[-1:])
