# SPDX-License-Identifier: Apache-2.0
"""Finds the draft whose outputs are nearest to the float model's, by trying each means and keeping what helps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from stowage.ir.dtype import DType
from stowage.ir.graph import Graph
from stowage.ir.ops.movement import Concat, Constant
from stowage.quantise.calibration import Samples
from stowage.quantise.correct_bias import with_corrected_biases
from stowage.quantise.draft import Draft, ranges_by
from stowage.quantise.equalise import equalised, pairs
from stowage.quantise.observe import Observation, observe
from stowage.quantise.output_error import FloatOutputs
from stowage.quantise.round_weights import with_rounded_weights

Finish = Callable[[Graph], Graph]
"""Turns a graph with its quantisations written out into the one that is compiled."""


@dataclass(frozen=True, slots=True)
class Means:
    """What was done to lower the error: the way to choose ranges, and which of these helped."""

    ranges: str
    equalised: bool = False
    corrected: bool = False
    rounded: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A draft, what was seen of its float graph, how it was made and the relative error of its outputs."""

    draft: Draft
    seen: Mapping[str, Observation]
    means: Means
    error: float


@dataclass(frozen=True, slots=True)
class Search:
    """What all drafts have in common.

    Attributes:
        samples: to observe values on.
        expected: the float model's outputs for the samples that drafts are compared on.
        integers: the nodes that compute on integers, by their outputs.
        methods: ways to choose ranges.
        finish: turns a draft into what is compiled.
    """

    samples: Samples
    expected: FloatOutputs
    integers: frozenset[str]
    methods: tuple[str, ...]
    finish: Finish

    def uncorrected(self, graph: Graph) -> Found:
        """The best draft for a float graph, with the biases that it has."""
        found = self._best_ranges(graph, Means(""), self.methods)
        between = [
            pair for pair in pairs(graph, found.seen) if pair.first in self.integers and pair.second in self.integers
        ]
        if not between:
            return found
        means = replace(found.means, equalised=True)
        return _better(found, self._best_ranges(equalised(graph, between), means, (means.ranges,)))

    def corrected(self, found: Found) -> Found:
        """A draft with corrected biases or with weights rounded together, whichever helps more, if any does."""
        draft, means = found.draft, found.means
        graphs = {
            replace(means, corrected=True): with_corrected_biases(draft.graph, draft.integers, found.seen),
            replace(means, rounded=True): with_rounded_weights(draft.graph, draft.integers, self.samples),
        }
        for other, graph in graphs.items():
            found = _better(found, self.judged(replace(draft, graph=graph), found.seen, other))
        return found

    def judged(self, draft: Draft, seen: Mapping[str, Observation], means: Means) -> Found:
        """A draft with the error of its outputs."""
        return Found(draft, seen, means, self.expected.relative_error(self.finish(draft.written_out())))

    def _best_ranges(self, graph: Graph, means: Means, methods: tuple[str, ...]) -> Found:
        seen = observe(graph, self.samples, _looked_at(graph, self.integers))
        drafts = [(Draft(graph, self.integers, ranges_by(method, graph, seen)), method) for method in methods]
        found = [self.judged(draft, seen, replace(means, ranges=method)) for draft, method in drafts]
        return min(found, key=lambda each: each.error)


def _better(found: Found, other: Found) -> Found:
    return other if other.error < found.error else found


def _looked_at(graph: Graph, integers: frozenset[str]) -> set[str]:
    """The values that may be quantised if these nodes, or some of them, compute on integers."""
    names = {value.name for value in (*graph.inputs, *graph.outputs) if value.type.dtype is DType.F32}
    for node in graph.nodes:
        if node.output.name in integers or isinstance(node.op, Concat):
            names |= {value.name for value in (*node.inputs, node.output) if value.type.dtype is DType.F32}
    return names - {node.output.name for node in graph.nodes if isinstance(node.op, Constant)}
