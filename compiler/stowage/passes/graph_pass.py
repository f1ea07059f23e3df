# SPDX-License-Identifier: Apache-2.0
"""What a pass is, and the driver that runs a list of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stowage.ir.graph import Graph
from stowage.ir.verify import verify


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewriting of the graph that keeps its meaning: every graph output has the same shape, type and numbers.

    Attributes:
        name: what dumps and messages call it.
        run: the rewriting; a pure function.
    """

    name: str
    run: Callable[[Graph], Graph]


Observer = Callable[[Pass, Graph], None]
"""Called after each pass with the verified graph that it left: to dump it, or to stop the run by raising."""


def run_passes(graph: Graph, passes: Iterable[Pass], after: Observer | None = None) -> Graph:
    """Runs `passes` in their order, verifying the graph after each.

    Raises:
        InvalidGraph: a pass broke a legality rule, which is a defect of that pass.
    """
    verified = None
    for step in passes:
        graph = step.run(graph)
        if graph is not verified:
            verify(graph, step.name, since=verified)
        verified = graph
        if after is not None:
            after(step, graph)
    return graph
