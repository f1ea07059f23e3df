# SPDX-License-Identifier: Apache-2.0
"""Any level as text in MLIR's generic operation syntax, and its size in a few words."""

from __future__ import annotations

from stowage.codegen.program import Program
from stowage.codegen.text import print_program
from stowage.ir.graph import Graph
from stowage.ir.text.printer import print_graph
from stowage.memory.plan import Plan
from stowage.memory.text import print_plan
from stowage.pipeline import Level
from stowage.schedule.schedule import Schedule
from stowage.schedule.text import print_schedule


def dump(level: Level) -> str:
    """The text of a level, which its parser reads back."""
    match level:
        case Graph():
            return print_graph(level)
        case Schedule():
            return print_schedule(level)
        case Plan():
            return print_plan(level)
        case Program():
            return print_program(level)


def name_of(level: Level) -> str:
    """The C identifier of the model."""
    return level.schedule.name if isinstance(level, Plan) else level.name


def size_of(level: Level) -> str:
    """For instance "24 nodes" or "arena 1,024 B"."""
    match level:
        case Graph():
            return f"{len(level.nodes)} nodes"
        case Schedule():
            return f"{len(level.steps)} steps"
        case Plan():
            return f"arena {level.arena_bytes:,} B, bound {level.bound_bytes:,} B"
        case Program():
            return f"{len(level.calls)} calls, {len(level.data)} constants"
