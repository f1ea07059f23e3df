# SPDX-License-Identifier: Apache-2.0
"""Rules of names and of data flow: SSA form in topological order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from stowage.ir.graph import Graph, Value
from stowage.ir.legality.fault import Fault

_C_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def graph_name_is_a_c_identifier(graph: Graph) -> Iterator[Fault]:
    """All that is generated has the graph's name as its prefix."""
    if not _C_IDENTIFIER.fullmatch(graph.name):
        yield Fault("graph", f"the name {graph.name!r} is no C identifier")


def nodes_have_names_of_their_own(graph: Graph) -> Iterator[Fault]:
    """Node names are neither empty nor shared."""
    for name, count in Counter(node.name for node in graph.nodes).items():
        if not name:
            yield Fault("graph", f"{count} nodes have no name")
        elif count > 1:
            yield Fault(f"node {name}", f"{count} nodes have this name")


def values_are_made_once(graph: Graph) -> Iterator[Fault]:
    """Every value has a name and one origin: a graph input or one node's output."""
    made = [value.name for value in graph.inputs] + [value.name for node in graph.nodes for value in node.outputs]
    for name, count in Counter(made).items():
        if not name:
            yield Fault("graph", f"{count} values have no name")
        elif count > 1:
            yield Fault(f"value {name}", f"it is made {count} times")


def operands_are_made_before_use(graph: Graph) -> Iterator[Fault]:
    """A node's operands are graph inputs or outputs of earlier nodes, with the type that they were made with."""
    made = {value.name: value for value in graph.inputs}
    for node in graph.nodes:
        for operand in node.inputs:
            yield from _use(f"node {node.name}", operand, made)
        made.update((value.name, value) for value in node.outputs)


def graph_outputs_are_made(graph: Graph) -> Iterator[Fault]:
    """There is an output, and each is made in the graph with the type that it is returned with."""
    made = {value.name: value for value in graph.inputs}
    made.update((value.name, value) for node in graph.nodes for value in node.outputs)
    if not graph.outputs:
        yield Fault("graph", "it has no outputs")
    for output in graph.outputs:
        yield from _use("graph outputs", output, made)


def _use(where: str, value: Value, made: dict[str, Value]) -> Iterator[Fault]:
    origin = made.get(value.name)
    if origin is None:
        yield Fault(where, f"value {value.name} is used before it is made")
    elif origin != value:
        yield Fault(where, f"value {value.name} is used as {value.type}, but made as {origin.type}")
