# SPDX-License-Identifier: Apache-2.0
"""What a pool's arena would be if the model that makes it as large as it is were another, or a buffer were not in it.

What a smaller model would do is an estimate, as it is of one model alone; its states are taken to stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stowage.memory.lives import lives
from stowage.memory.plan import Plan
from stowage.memory.planner import place
from stowage.memory.pool import Pool, PoolPlan, plan_pool
from stowage.memory.what_if import WhatIf, what_would_help


def hungriest(pool: PoolPlan) -> Plan:
    """The plan of the model that reaches highest, the first of equals: without it the arena might be smaller."""
    return max(pool.plans, key=_top_bytes)


def what_would_help_pool(pool: PoolPlan) -> tuple[WhatIf, ...]:
    """The changes that would make the arena smaller, the one that helps most first."""
    helpful = (each for each in _changes(pool) if each.arena_bytes < pool.arena_bytes)
    return tuple(sorted(helpful, key=lambda each: each.arena_bytes))


def _changes(pool: PoolPlan) -> Iterator[WhatIf]:
    plan = hungriest(pool)
    name, states_bytes = plan.schedule.name, _states_bytes(plan)
    alone = replace(plan, arena_bytes=place(lives(plan.schedule)).peak_bytes, share=None)
    rest_bytes = _without(pool, plan)
    for each in what_would_help(alone):
        arena_bytes = max(pool.kept_bytes - states_bytes + each.arena_bytes, rest_bytes + states_bytes)
        yield replace(each, change=f'{each.change} in model "{name}"', arena_bytes=arena_bytes)
    if len(pool.plans) > 1:
        yield WhatIf(f'leaving out model "{name}"', rest_bytes, "")
    for placed in (each for each in pool.buffers if each.buffer.is_kept):
        yield WhatIf(f'leaving out buffer "{placed.buffer.name}"', pool.arena_bytes - placed.buffer.size_bytes, "")


def _without(pool: PoolPlan, plan: Plan) -> int:
    """The arena of the pool without one of its models, in bytes: smaller ones of that leave at least as much."""
    buffers = tuple(placed.buffer for placed in pool.buffers)
    schedules = tuple(other.schedule for other in pool.plans if other is not plan)
    if not schedules:
        return sum(buffer.size_bytes for buffer in buffers)
    return plan_pool(Pool(pool.name, schedules, buffers), "").arena_bytes


def _top_bytes(plan: Plan) -> int:
    return max((placed.end_bytes for placed in plan.placed), default=0)


def _states_bytes(plan: Plan) -> int:
    held = {state.held.name for state in plan.schedule.states}
    return sum(placed.buffer.size_bytes for placed in plan.placed if placed.buffer.name in held)
