# SPDX-License-Identifier: Apache-2.0
"""The placement of a table does not hang on the order of its rows, nor on what they are called.

The searches take equals in the order in which they are given, and one order may find in a moment what another does not
in millions of places. A model's steps give its buffers an order; rows of a table may come in any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from stowage.memory.planner import Placement, place
from stowage.memory.problem import Buffer, Problem


def place_in_any_order(
    problem: Problem, capacity_bytes: int | None, work_limit: int, watch: Callable[[int], None] = lambda tried: None
) -> Placement:
    """What `place` says of the buffers in the order of their lives and sizes; offsets are in the problem's order.

    Raises:
        InvalidPlan: given places contradict each other.
    """
    buffers = problem.buffers
    order = sorted(range(len(buffers)), key=lambda index: _key(buffers[index]))
    sorted_problem = replace(problem, buffers=tuple(buffers[index] for index in order))
    placement = place(sorted_problem, capacity_bytes, work_limit, watch)
    offsets = dict(zip(order, placement.offsets_bytes, strict=True))
    return replace(placement, offsets_bytes=tuple(offsets[index] for index in range(len(buffers))))


def _key(buffer: Buffer) -> tuple[int, int, int, int, int]:
    """All of a buffer but its name."""
    fixed = -1 if buffer.fixed_bytes is None else buffer.fixed_bytes
    return buffer.first, buffer.last, buffer.size_bytes, buffer.alignment_bytes, fixed
