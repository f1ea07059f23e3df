# SPDX-License-Identifier: Apache-2.0
"""Schedule to Schedule: the steps in the order that has the fewest bytes alive at its fullest moment."""

from __future__ import annotations

from dataclasses import replace

from stowage.schedule.order_problem import order_problem
from stowage.schedule.order_search import best_order
from stowage.schedule.schedule import Schedule, in_base_order


def in_best_order(schedule: Schedule) -> Schedule:
    """The same steps in the order of the lowest peak; where none is better than the order given, that one.

    The peak is of the sizes alone, with what steps save that write over their operands. The best order is found for any
    graph with few branches; where there are too many for the limit of work, a good one. `order_gap_bytes` says how far
    above the best one's its peak may be.
    """
    if _is_chain(schedule):
        return schedule
    best = best_order(order_problem(schedule))
    steps = tuple(schedule.steps[index] for index in best.order)
    return replace(
        schedule,
        steps=steps,
        views=in_base_order(schedule.views, schedule.inputs, steps),
        order_gap_bytes=best.peak_bytes - best.bound_bytes,
    )


def _is_chain(schedule: Schedule) -> bool:
    """Whether each step reads what the one before it made, so that there is but one order."""
    bases = {view.value.name: view.base.name for view in schedule.views}
    made: set[str] = set()
    for index, step in enumerate(schedule.steps):
        read = {bases.get(value.name, value.name) for value in step.node.inputs}
        if index and not made & read:
            return False
        made = {value.name for value in step.node.outputs}
    return True
