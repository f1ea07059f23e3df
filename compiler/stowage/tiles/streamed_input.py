# SPDX-License-Identifier: Apache-2.0
"""The cheapest schedule of a model whose input is fed by rows: in stripes as far as that, and the limit, take it."""

from __future__ import annotations

import sys
from collections.abc import Callable

from stowage.errors import DoesNotFit
from stowage.ir.graph import Graph
from stowage.memory.planning import lowest_plan
from stowage.schedule.schedule import Schedule
from stowage.tiles.cuts import spans
from stowage.tiles.fed_input import refused, with_fed_input
from stowage.tiles.search import TilingSearch
from stowage.tiles.within_limit import Tiled, first_that_fits, in_order_of, needs_bytes, tiled


def with_streamed_input(
    graph: Graph,
    schedule: Schedule,
    features: frozenset[str],
    limit_bytes: int | None,
    watch: Callable[[Schedule], None] = lambda tried: None,
) -> Tiled:
    """The cheapest way to stay within a limit with the input fed by rows.

    Args:
        graph: what is computed.
        schedule: its steps as they are, with the input whole, in their best order.
        features: those of the core that kernels look at.
        limit_bytes: the most that the arena may take; None for no more than the steps take as they are, if that can be.
        watch: told of every schedule that is tried.

    Raises:
        UnsupportedModel: the input cannot be fed by rows.
        DoesNotFit: no way was found; says how low one was, and which.
    """
    fed = with_fed_input(in_order_of(graph, schedule))
    if not any(begin.is_fed for begin, _ in spans(fed)):
        (image,) = graph.inputs
        reason = "the first layers, up to a tensor that is whole, do not run in stripes of rows"
        raise refused(f'input "{image.name}"', reason)
    plain = lowest_plan(schedule, "arena")
    search = TilingSearch(fed, {**needs_bytes(fed, plain), 0: sys.maxsize})  # the feed by itself would hold all rows
    if limit_bytes is not None:
        return first_that_fits(fed, search, features, limit_bytes, watch, [])
    try:
        return first_that_fits(fed, search, features, plain.arena_bytes, watch, [])
    except DoesNotFit:
        return tiled(fed, search.lowest().tiling, features)
