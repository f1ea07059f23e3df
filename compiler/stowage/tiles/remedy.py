# SPDX-License-Identifier: Apache-2.0
"""What stripes would do for a model whose arena does not fit."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.ir.graph import Graph
from stowage.memory.plan import Plan
from stowage.memory.what_if import WhatIf
from stowage.schedule.schedule import Schedule
from stowage.tiles.search import TilingSearch
from stowage.tiles.tiling import Tiling
from stowage.tiles.within_limit import Tiled, searched, tiled


def stripes_would_help(
    graph: Graph, schedule: Schedule, plan: Plan, features: frozenset[str], capacity_bytes: int
) -> Iterator[WhatIf]:
    """What the arena would be in stripes of rows, if they make it smaller.

    Two tilings are planned at most, the cheapest that should fit and the lowest, so that a little less may be found
    where stripes are asked for.

    Args:
        graph: what is computed.
        schedule: its steps, in their best order.
        plan: of these steps.
        features: those of the core that kernels look at.
        capacity_bytes: what the arena may take.
    """
    graph, search = searched(graph, schedule, plan)
    best: Tiled | None = None
    for tiling in _tilings(search, capacity_bytes):
        found = tiled(graph, tiling, features)
        best = found if best is None or found.arena_bytes < best.arena_bytes else best
        if best.arena_bytes <= capacity_bytes:
            break
    if best is not None and best.arena_bytes < plan.arena_bytes:
        limit_bytes = max(best.arena_bytes, capacity_bytes)
        yield WhatIf(f'wide layers in stripes of rows (ram = "{limit_bytes}")', best.arena_bytes, "")


def _tilings(search: TilingSearch, capacity_bytes: int) -> Iterator[Tiling]:
    cheapest = search.cheapest(capacity_bytes)
    if cheapest is not None and cheapest.tiling:
        yield cheapest.tiling
    lowest = search.lowest().tiling
    if lowest:
        yield lowest
