# SPDX-License-Identifier: Apache-2.0
"""Quantisation in the build: a float graph becomes one whose layers compute on 8-bit integers.

What is decided here is written into the graph as Quantize and Dequantize, as if the model had come so: the passes that
follow make integer operators of it.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from stowage.errors import InvalidModel, StowageError
from stowage.ir.graph import Graph
from stowage.ir.legality.typing import values_of
from stowage.ir.verify import verify
from stowage.quantise.accuracy import Accuracy, accuracy
from stowage.quantise.calibration import read_samples
from stowage.quantise.integer_nodes import integer_nodes
from stowage.quantise.keep_float import with_worst_kept_float
from stowage.quantise.output_error import float_outputs
from stowage.quantise.ranges import RANGES
from stowage.quantise.request import BEST, Quantisation
from stowage.quantise.search import Finish, Means, Search
from stowage.quantise.sensitivity import Sensitivity, sensitivities
from stowage.quantise.work import integer_macs, total_macs

_MOST_MACS = 5 * 10**8
_FEWEST_SAMPLES, _MOST_SAMPLES = 4, 64


@dataclass(frozen=True, slots=True)
class Outcome:
    """What quantisation did, for the report.

    Attributes:
        means: how the error was lowered.
        error: relative error of the outputs, over `compared` samples of `samples`.
        kept_float: names of the nodes that stayed float for accuracy's sake or because the user asked.
        macs: multiplications of one run; `integer_macs` of them on 8-bit integers.
        layers: the sensitivity of each integer node, the worst first.
        accuracy: on labelled data, if there was any.
    """

    means: Means
    error: float
    samples: int
    compared: int
    kept_float: tuple[str, ...]
    macs: int
    integer_macs: int
    layers: tuple[Sensitivity, ...]
    accuracy: Accuracy | None


def quantise(graph: Graph, request: Quantisation, finish: Finish) -> tuple[Graph, Outcome]:
    """The graph with its quantisations written out, and how they were found.

    Args:
        graph: a float graph, simplified and with fused activations.
        request: what the user asks for.
        finish: the passes that follow, which make what is compiled, and is judged, of a graph.

    Raises:
        StowageError: the model is quantised already, a file does not suit it, a name is unknown, or accuracy is short.
    """
    _check_is_float(graph)
    _check_names(graph, request.keep_float)
    samples = read_samples(request.calibration, graph)
    expected = float_outputs(graph, samples.some(_compared(graph)))
    search = Search(samples, expected, integer_nodes(graph, request.keep_float), _methods(request), finish)
    uncorrected, kept = search.uncorrected(graph), request.keep_float
    if request.largest_error is not None:
        uncorrected, kept = with_worst_kept_float(search, uncorrected, kept, request.largest_error)
    found = search.corrected(uncorrected)
    result = found.draft.written_out(request.interface)
    verify(result, "quantise")
    final = finish(found.draft.written_out())
    measured = None if request.labelled is None else accuracy(graph, final, request.labelled)
    outcome = Outcome(
        means=found.means,
        error=found.error,
        samples=samples.count,
        compared=expected.samples.count,
        kept_float=kept,
        macs=total_macs(final),
        integer_macs=integer_macs(final),
        layers=sensitivities(uncorrected.draft, samples),
        accuracy=measured,
    )
    return result, outcome


def _check_is_float(graph: Graph) -> None:
    for value in values_of(graph):
        if value.type.quant is not None:
            reason = "the model is quantised already"
            remedy = "compile it as it is, or give the float model that it was made of"
            raise InvalidModel(where=value.name, reason=reason, remedy=remedy)


def _check_names(graph: Graph, names: tuple[str, ...]) -> None:
    integers = integer_nodes(graph, ())
    known = [node.name for node in graph.nodes if node.output.name in integers]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 3, 0.3) or known[:3]
            reason = f'"{name}" is to be kept float, but is no node that would become an integer one'
            remedy = f"name nodes as the quantisation report does, for instance {', '.join(near)}"
            raise StowageError(reason=reason, remedy=remedy)


def _compared(graph: Graph) -> int:
    """How many samples drafts are compared on: fewer of a large model."""
    return max(_FEWEST_SAMPLES, min(_MOST_SAMPLES, _MOST_MACS // max(1, total_macs(graph))))


def _methods(request: Quantisation) -> tuple[str, ...]:
    return tuple(RANGES) if request.ranges == BEST else (request.ranges,)
