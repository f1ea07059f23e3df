# SPDX-License-Identifier: Apache-2.0
"""The cheapest schedule of a graph whose plan stays within a limit of bytes: as it is if it does, else in stripes.

Estimates say which tilings are worth a plan; the planner says which of these fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from stowage.errors import DoesNotFit
from stowage.ir.graph import Graph
from stowage.ir.ops.movement import Constant
from stowage.memory.peak import moments_of
from stowage.memory.plan import Plan
from stowage.memory.planning import lowest_plan
from stowage.passes.node_order import ordered
from stowage.schedule.schedule import Schedule
from stowage.schedule.states import keep_states
from stowage.tiles.schedule_stripes import schedule_stripes
from stowage.tiles.search import TilingSearch
from stowage.tiles.stripes import striped_graph, worked
from stowage.tiles.tiling import Tiling, told

_SHARES = (1.0, 0.97, 0.94, 0.91, 0.87, 0.82, 0.76, 0.7)
"""Of the limit, what estimates may reach: plans take more or less than these."""


@dataclass(frozen=True, slots=True)
class Tiled:
    """A schedule within a limit.

    Attributes:
        schedule: its steps.
        tiling: what of it is in stripes.
        arena_bytes: what its plan takes.
    """

    schedule: Schedule
    tiling: Tiling
    arena_bytes: int


def within_limit(
    graph: Graph,
    schedule: Schedule,
    features: frozenset[str],
    limit_bytes: int,
    watch: Callable[[Schedule], None] = lambda tried: None,
    beyond: Sequence[Tiled] = (),
) -> Tiled:
    """The cheapest way to stay within a limit.

    Args:
        graph: what is computed.
        schedule: its steps as they are, in their best order.
        features: those of the core that kernels look at.
        limit_bytes: the most that the arena may take.
        watch: told of every schedule that is tried.
        beyond: other schedules, which are known to take more.

    Raises:
        DoesNotFit: no way was found; says how low one was, and which.
    """
    plain = lowest_plan(schedule, "arena")
    untiled = Tiled(schedule, (), plain.arena_bytes)
    if plain.arena_bytes <= limit_bytes:
        return untiled
    return first_that_fits(*searched(graph, schedule, plain), features, limit_bytes, watch, [*beyond, untiled])


def first_that_fits(
    graph: Graph,
    search: TilingSearch,
    features: frozenset[str],
    limit_bytes: int,
    watch: Callable[[Schedule], None],
    tried: list[Tiled],
) -> Tiled:
    """The first of the search's answers whose plan stays within a limit; `tried` are those that are known not to.

    Raises:
        DoesNotFit: none does.
    """
    for tiling in _candidates(search, limit_bytes):
        if tiling not in [each.tiling for each in tried]:
            tried.append(tiled(graph, tiling, features))
            watch(tried[-1].schedule)
            if tried[-1].arena_bytes <= limit_bytes:
                return tried[-1]
    raise _does_not_fit(min(tried, key=lambda each: each.arena_bytes), limit_bytes)


def searched(graph: Graph, schedule: Schedule, plain: Plan) -> tuple[Graph, TilingSearch]:
    """The graph in the order of its steps, and the search for its tilings; `plain` is the plan of the steps."""
    graph = in_order_of(graph, schedule)
    return graph, TilingSearch(graph, needs_bytes(graph, plain))


def tiled(graph: Graph, tiling: Tiling, features: frozenset[str]) -> Tiled:
    """A graph, in the order in which it runs, with some of it in stripes."""
    result, stripes = striped_graph(graph, tiling)
    schedule = keep_states(schedule_stripes(result, stripes, features), dict(graph.states))
    return Tiled(schedule, tiling, lowest_plan(schedule, "arena").arena_bytes)


def in_order_of(graph: Graph, schedule: Schedule) -> Graph:
    """The graph with its nodes in the order of a schedule's steps."""
    made = {node.outputs[0].name for node in graph.nodes}
    steps = [step.node for step in schedule.steps if step.node.outputs[0].name in made]
    constants = [node for node in graph.nodes if isinstance(node.op, Constant)]
    views = [node for node in worked(graph) if node not in steps]
    return replace(graph, nodes=(*constants, *ordered([*steps, *views], graph.outputs)))


def _candidates(search: TilingSearch, limit_bytes: int) -> Iterator[Tiling]:
    for share in _SHARES:
        found = search.cheapest(int(share * limit_bytes))
        if found is not None:
            yield found.tiling
    yield search.lowest().tiling


def needs_bytes(graph: Graph, plan: Plan) -> dict[int, int]:
    """By a node's index what the plan uses while it runs; 0 for one that is no step."""
    used = {moment.step: moment.used_bytes for moment in moments_of(plan)}
    return {index: used.get(node.name, 0) for index, node in enumerate(worked(graph))}


def _does_not_fit(least: Tiled, limit_bytes: int) -> DoesNotFit:
    how = f"with {told(least.tiling)} in stripes" if least.tiling else "with nothing in stripes"
    return DoesNotFit(
        where="the limit of RAM",
        reason=f"no plan within {limit_bytes:,} B was found; the least is {least.arena_bytes:,} B, {how}",
        remedy=f"allow it {least.arena_bytes:,} B, or make the model smaller",
    )
