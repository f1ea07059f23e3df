# SPDX-License-Identifier: Apache-2.0
"""What the outputs lose if one node alone computes on integers. Only what that changes is computed anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from stowage.ir.graph import Array, Graph, Node
from stowage.ir.ops.movement import Constant
from stowage.ir.reference import run
from stowage.quantise.draft import Draft
from stowage.quantise.output_error import relative_error


def lone_effect(draft: Draft, unit: tuple[Node, ...], floats: Sequence[Mapping[str, Array]]) -> float:
    """The relative error of the outputs.

    Args:
        draft: how the float graph is quantised.
        unit: the node, with others that cannot be quantised without it.
        floats: all values of the float graph, for some samples.
    """
    alone = replace(draft, integers=frozenset(node.output.name for node in unit)).written_out()
    changed = _changed(alone, draft.graph)
    found = [
        {**values, **run(changed, {value.name: values[value.name] for value in changed.inputs})} for values in floats
    ]
    outputs = [value.name for value in draft.graph.outputs]
    return relative_error(
        [np.array([values[name] for values in floats], np.float64) for name in outputs],
        [np.array([values[name] for values in found], np.float64) for name in outputs],
    )


def _changed(graph: Graph, original: Graph) -> Graph:
    """The part of a graph that the original does not have, and what depends on it; its inputs are the rest."""
    same = {node.output.name: node for node in original.nodes}
    constants = {name for name, node in same.items() if isinstance(node.op, Constant)}
    known = {value.name: value for value in original.inputs}
    nodes: list[Node] = []
    for node in graph.nodes:
        unchanged = all(value.name in known or value.name in constants for value in node.inputs)
        if unchanged and node == same.get(node.output.name) and node.output.name not in constants:
            known[node.output.name] = node.output
        else:
            nodes.append(node)
    read, made = {value.name for node in nodes for value in node.inputs}, {node.output.name for node in nodes}
    inputs = tuple(value for name, value in known.items() if name in read)
    outputs = tuple(value for value in graph.outputs if value.name in made)
    return replace(graph, inputs=inputs, nodes=tuple(nodes), outputs=outputs)
