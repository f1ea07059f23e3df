# SPDX-License-Identifier: Apache-2.0
"""Graphs that need no passes, compiled for a board that exists in tests alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from stowage.codegen.assemble import assemble
from stowage.ir.graph import Graph
from stowage.memory.planning import plan_memory
from stowage.pipeline import Compiled
from stowage.schedule.order import in_best_order
from stowage.schedule.select import select
from stowage.schedule.states import keep_states
from stowage.target.board import Master, RegionKind, Role
from stowage.target.core import CORES
from stowage.target.target import Target, TargetRegion


def compiled_of(graph: Graph, states: Mapping[str, str] = MappingProxyType({})) -> Compiled:
    """A graph with everything but its C."""
    target = _target()
    selected = select(graph, frozenset())
    as_given, ordered = (keep_states(steps, states) for steps in (selected, in_best_order(selected)))
    plan = plan_memory(ordered, target)
    return Compiled(target, graph, graph, as_given, ordered, (), ordered, plan.schedule, plan, assemble(plan), {}, None)


def _target() -> Target:
    sram, flash = (
        TargetRegion(name, size, kind, 1, 1, 1, frozenset({Master.CPU}))
        for name, size, kind in (("sram", 4096, RegionKind.SRAM), ("flash", 65536, RegionKind.FLASH))
    )
    roles = MappingProxyType({Role.ARENA: (sram,), Role.WEIGHTS: (flash,)})
    return Target("any", "any/board.textproto", CORES["host"], frozenset(), roles)
