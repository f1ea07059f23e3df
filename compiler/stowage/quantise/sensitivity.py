# SPDX-License-Identifier: Apache-2.0
"""How much each integer node takes from the accuracy of the outputs: a table, the worst first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stowage.ir.graph import Array, Node
from stowage.ir.reference import run
from stowage.passes.editor import GraphEditor
from stowage.quantise.calibration import Samples
from stowage.quantise.draft import Draft
from stowage.quantise.integer_nodes import LAYERS
from stowage.quantise.lone_effect import lone_effect
from stowage.quantise.work import macs, run_cost

_MOST_SAMPLES = 8
_MOST_COST = 2 * 10**9

Values = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """One integer node, with the functions of one number that are folded into it.

    Attributes:
        name: the node.
        operator: its mnemonic.
        macs: its multiplications.
        weight_bytes: bytes of its weights and bias as integers.
        float_weight_bytes: as floats.
        sqnr_db: signal to quantisation noise of its result in the quantised model, in decibels; None without noise.
        cosine: between its result in the quantised model and in the float one.
        effect: relative error of the outputs if it alone computes on integers; None where others have more noise and
            to measure them all would take too long.
    """

    name: str
    operator: str
    macs: int
    weight_bytes: int
    float_weight_bytes: int
    sqnr_db: float | None
    cosine: float
    effect: float | None


def sensitivities(draft: Draft, samples: Samples) -> tuple[Sensitivity, ...]:
    """A row for every integer node of a draft: the largest effect first, then by noise those whose effect is unknown.

    Args:
        draft: how a float graph is quantised; its biases are not corrected.
        samples: what to measure on; some are taken.
    """
    some, written_out = samples.some(_MOST_SAMPLES), draft.written_out()
    floats = [run(draft.graph, inputs) for inputs in some]
    integers = [run(written_out, inputs) for inputs in some]
    rows = [(unit, _row(unit[-1], floats, integers)) for unit in _units(draft)]
    rows.sort(key=lambda row: math.inf if row[1].sqnr_db is None else row[1].sqnr_db)
    affordable = max(1, _MOST_COST // run_cost(draft.graph))
    seen = floats[: max(1, affordable // max(1, len(rows)))]
    measured = [replace(row, effect=lone_effect(draft, unit, seen)) for unit, row in rows[:affordable]]
    return (*sorted(measured, key=lambda row: -(row.effect or 0.0)), *(row for _, row in rows[affordable:]))


def _units(draft: Draft) -> Iterator[tuple[Node, ...]]:
    """The integer nodes, each preceded by the functions of one number whose results are not stored."""
    editor, inside = GraphEditor(draft.graph), draft.integers - draft.placement.values.made
    for node in draft.graph.nodes:
        if node.output.name in draft.integers - inside:
            yield tuple(reversed(list(_folded_into(editor, node, inside))))


def _folded_into(editor: GraphEditor, node: Node, inside: frozenset[str]) -> Iterator[Node]:
    """The node, and the chain before it."""
    yield node
    for value in node.inputs:
        maker = editor.maker(value)
        if maker is not None and value.name in inside:
            yield from _folded_into(editor, maker, inside)


def _row(node: Node, floats: Sequence[Values], integers: Sequence[Values]) -> Sensitivity:
    expected, found = (np.array([v[node.output.name] for v in runs], np.float64).ravel() for runs in (floats, integers))
    constants = [value.type for value in node.inputs[1:] if isinstance(node.op, LAYERS)]
    float_bytes = sum(type_.size_bytes for type_ in constants)
    saved = 3 * constants[0].elements if constants else 0
    signal, noise = float(expected @ expected), float(np.sum((found - expected) ** 2))
    sizes = math.sqrt(signal * float(found @ found))
    return Sensitivity(
        name=node.name,
        operator=node.op.mnemonic,
        macs=macs(node),
        weight_bytes=float_bytes - saved,
        float_weight_bytes=float_bytes,
        sqnr_db=10 * math.log10(signal / noise) if signal and noise else None,
        cosine=float(expected @ found) / sizes if sizes else 1.0,
        effect=None,
    )
