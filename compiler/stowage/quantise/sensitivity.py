# SPDX-License-Identifier: Apache-2.0
"""How much each integer node takes from the outputs' accuracy: a table, the worst first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stowage.ir.graph import Array, Graph, Node, Value
from stowage.ir.ops.movement import Concat, Constant
from stowage.ir.reference import run
from stowage.passes.editor import GraphEditor
from stowage.quantise.calibration import Samples
from stowage.quantise.draft import Draft
from stowage.quantise.integer_nodes import LAYERS
from stowage.quantise.work import macs, total_macs

_MOST_MACS = 2 * 10**9
_MOST_SAMPLES = 8


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """One integer node, with the functions of one number that are folded into it.

    Attributes:
        name: the node.
        operator: its mnemonic.
        macs: its multiplications.
        weight_bytes: bytes of its weights and bias as integers.
        float_weight_bytes: as floats.
        sqnr_db: signal to quantisation noise of its result in the quantised model, in decibels.
        cosine: between its result in the quantised model and in the float one.
        effect: relative error of the outputs if it alone computes on integers.
    """

    name: str
    operator: str
    macs: int
    weight_bytes: int
    float_weight_bytes: int
    sqnr_db: float
    cosine: float
    effect: float


def sensitivities(original: Graph, draft: Draft, samples: Samples) -> tuple[Sensitivity, ...]:
    """A row for every integer node of a draft, the largest effect first.

    Args:
        original: the float graph.
        draft: how it is quantised.
        samples: what to measure on; as few are taken as keep the work within bounds.
    """
    units = list(_units(draft))
    work = max(1, len(units) * total_macs(original) // 2)
    some = samples.some(max(1, min(_MOST_SAMPLES, _MOST_MACS // work)))
    floats = [run(original, inputs) for inputs in some]
    integers = [run(draft.written_out(), inputs) for inputs in some]
    rows = [_row(unit, draft, floats, integers, _effect(original, draft, unit, floats)) for unit in units]
    return tuple(sorted(rows, key=lambda row: -row.effect))


def _units(draft: Draft) -> Iterator[tuple[Node, ...]]:
    """The integer nodes, each preceded by the functions of one number whose results are not stored."""
    editor, made = GraphEditor(draft.graph), draft.placement.values.made
    for node in draft.graph.nodes:
        if node.output.name in made and not isinstance(node.op, Concat):
            yield tuple(reversed(list(_folded_into(editor, node, draft.integers - made))))


def _folded_into(editor: GraphEditor, node: Node, inside: frozenset[str]) -> Iterator[Node]:
    yield node
    for value in node.inputs:
        maker = editor.maker(value)
        if maker is not None and value.name in inside:
            yield from _folded_into(editor, maker, inside)


def _row(
    unit: tuple[Node, ...],
    draft: Draft,
    floats: Sequence[Mapping[str, Array]],
    integers: Sequence[Mapping[str, Array]],
    effect: float,
) -> Sensitivity:
    node = unit[-1]
    expected, found = (np.array([v[node.output.name] for v in runs], np.float64).ravel() for runs in (floats, integers))
    constants = [value.type for value in node.inputs[1:] if isinstance(node.op, LAYERS)]
    weights = constants[0].elements if constants else 0
    floats_bytes = sum(type_.size_bytes for type_ in constants)
    signal, noise = float(np.sum(expected**2)), float(np.sum((found - expected) ** 2))
    sizes = math.sqrt(signal * float(np.sum(found**2)))
    return Sensitivity(
        name=node.name,
        operator=node.op.mnemonic,
        macs=macs(node),
        weight_bytes=floats_bytes - 3 * weights,
        float_weight_bytes=floats_bytes,
        sqnr_db=10 * math.log10(signal / noise) if signal and noise else math.inf,
        cosine=float(expected @ found) / sizes if sizes else 1.0,
        effect=effect,
    )


def _effect(original: Graph, draft: Draft, unit: tuple[Node, ...], floats: Sequence[Mapping[str, Array]]) -> float:
    """The relative error of the outputs if one unit alone is quantised: what it changes is computed, no more."""
    alone = replace(draft, graph=original, integers=frozenset(node.output.name for node in unit)).written_out()
    changed = _changed(alone, original)
    errors = []
    for values in floats:
        found = run(changed, {value.name: values[value.name] for value in changed.inputs})
        errors.append([_relative(values[v.name], found.get(v.name, values[v.name])) for v in original.outputs])
    return math.sqrt(float(np.mean(np.square(errors))))


def _changed(graph: Graph, original: Graph) -> Graph:
    """The part of a graph that the original does not have, and what depends on it; its inputs are the rest."""
    same = {node.output.name: node for node in original.nodes}
    known = {value.name: value for value in original.inputs}
    nodes: list[Node] = []
    for node in graph.nodes:
        unchanged = same.get(node.output.name) == node and all(
            v.name in known or _is_constant(v, same) for v in node.inputs
        )
        if unchanged and not isinstance(node.op, Constant):
            known[node.output.name] = node.output
        else:
            nodes.append(node)
    read = {value.name for node in nodes for value in node.inputs}
    inputs = tuple(value for name, value in known.items() if name in read)
    made = {node.output.name for node in nodes}
    outputs = tuple(value for value in graph.outputs if value.name in made)
    return replace(graph, inputs=inputs, nodes=tuple(nodes), outputs=outputs)


def _is_constant(value: Value, nodes: Mapping[str, Node]) -> bool:
    return value.name in nodes and isinstance(nodes[value.name].op, Constant)


def _relative(expected: Array, found: Array) -> float:
    reals = expected.astype(np.float64)
    error = found.astype(np.float64) - reals
    size = math.sqrt(float(np.mean(reals**2)))
    return math.sqrt(float(np.mean(error**2))) / (size or 1.0)
