# SPDX-License-Identifier: Apache-2.0
"""Multiplications with an addition (MACs) that an operator does: the measure of its share of the work."""

from __future__ import annotations

import math

from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.beside import Beside
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.recurrent import Recurrent
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d

_MACS_OF_A_NODE = 50_000
"""What it costs to run a node that hardly computes."""


def macs(node: Node) -> int:
    """MACs of a product, convolution or recurrent layer; 0 for all others."""
    if isinstance(node.op, Beside):
        made = Value(node.output.name, node.op.made_type(tuple(value.type for value in node.inputs)))
        return macs(Node(node.name, node.op.op, node.inputs[:-1], (made,)))
    if isinstance(node.op, Conv2d | Conv2dAdd | FullyConnected):
        return node.output.type.elements * math.prod(node.inputs[1].type.shape[1:])
    if isinstance(node.op, DepthwiseConv2d):
        return node.output.type.elements * math.prod(node.inputs[1].type.shape[:2])
    if isinstance(node.op, MatMul):
        return node.output.type.elements * node.inputs[0].type.shape[-1]
    if isinstance(node.op, ConvTranspose2d):
        return node.inputs[0].type.elements * math.prod(node.inputs[1].type.shape) // node.inputs[1].type.shape[3]
    if isinstance(node.op, Recurrent):
        steps, batches, _ = node.inputs[0].type.shape
        return steps * batches * (node.inputs[1].type.elements + node.inputs[2].type.elements)
    return 0


def total_macs(graph: Graph) -> int:
    """MACs of one run of a graph."""
    return sum(macs(node) for node in graph.nodes)


def integer_macs(graph: Graph) -> int:
    """MACs of one run that are done on 8-bit integers."""
    return sum(macs(node) for node in graph.nodes if node.inputs and node.inputs[0].type.quant is not None)


def run_cost(graph: Graph) -> int:
    """What it costs the reference to run a graph once, in MACs."""
    return total_macs(graph) + _MACS_OF_A_NODE * len(graph.nodes)
