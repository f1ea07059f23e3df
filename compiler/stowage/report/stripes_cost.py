# SPDX-License-Identifier: Apache-2.0
"""What a model in stripes saves and costs, against the same steps layer by layer."""

from __future__ import annotations

from collections.abc import Mapping

from stowage.ir.ops.movement import Slice
from stowage.memory.planning import lowest_plan
from stowage.pipeline import Compiled
from stowage.schedule.schedule import Schedule
from stowage.target.board import Role
from stowage.tiles.cost import copy_instructions, plain_instructions


def without_stripes(compiled: Compiled) -> Mapping[str, int] | None:
    """The arena layer by layer, and the estimated instructions of both ways; None for a model without stripes."""
    if not compiled.tiling:
        return None
    region = compiled.target.preferred(Role.ARENA).name
    return {
        "arena_bytes": lowest_plan(compiled.ordered, region).arena_bytes,
        "estimated_instructions": _instructions(compiled.ordered),
        "estimated_instructions_in_stripes": _instructions(compiled.striped),
    }


def _instructions(schedule: Schedule) -> int:
    nodes = [step.node for step in schedule.steps]
    copied = sum(node.output.type.size_bytes for node in nodes if isinstance(node.op, Slice))
    return plain_instructions(nodes) + copy_instructions(copied)
