# SPDX-License-Identifier: Apache-2.0
"""Rules of constants: their bytes are in the table and are what their nodes say."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.ir.graph import Graph, digest_of
from stowage.ir.legality.fault import Fault
from stowage.ir.ops.elementwise import Dequantize, Table
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Constant

_MUST_BE_CONSTANT = {Table: "table", FullyConnected: "weights"}


def constants_are_in_the_table(graph: Graph) -> Iterator[Fault]:
    """A constant's array is there, with the shape and element type of the node."""
    for node in graph.nodes:
        if not isinstance(node.op, Constant):
            continue
        array, declared = graph.constants.get(node.op.digest), node.op.type
        if array is None:
            yield Fault(f"node {node.name}", f"the constant table has no {node.op.digest}")
        elif array.shape != declared.shape or array.dtype != declared.dtype.numpy:
            yield Fault(
                f"node {node.name}", f"the table has {array.dtype} {list(array.shape)} for a constant of {declared}"
            )


def digests_are_true(graph: Graph) -> Iterator[Fault]:
    """The table's keys are the content hashes of its arrays."""
    for digest, array in graph.constants.items():
        if digest_of(array) != digest:
            yield Fault(f"constant {digest}", f"its content hash is {digest_of(array)}")


def weights_and_tables_are_constant(graph: Graph) -> Iterator[Fault]:
    """Operands that an operator documents as constant are made by Constant nodes, or by a Dequantize of one.

    The latter stands between import and quantise folding alone, which takes the integers.
    """
    constant: set[str] = set()
    for node in graph.nodes:
        stored = isinstance(node.op, Dequantize) and node.inputs[0].name in constant
        if isinstance(node.op, Constant) or stored:
            constant.update(value.name for value in node.outputs)
    for node in graph.nodes:
        role = _MUST_BE_CONSTANT.get(type(node.op))
        if role is not None and not {value.name for value in node.inputs[1:2]} <= constant:
            yield Fault(f"node {node.name}", f"its {role} is not constant")
