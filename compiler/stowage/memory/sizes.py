# SPDX-License-Identifier: Apache-2.0
"""The plan of one size of a model of several: that of the model alone, but for its states, which have one place."""

from __future__ import annotations

from dataclasses import replace

from stowage.memory.fit import check_fit
from stowage.memory.plan import Plan
from stowage.memory.planning import lowest_plan
from stowage.memory.pool import Pool, plan_pool
from stowage.schedule.schedule import Schedule
from stowage.target.board import Role
from stowage.target.target import Target


def plan_size(schedule: Schedule, target: Target) -> Plan:
    """A plan whose states lie at the start of the arena in their order, as a pool of this model alone has them.

    So each size leaves them where every other finds them, in an arena that is no larger for it.

    Raises:
        DoesNotFit: the arena is larger than the board's preferred region for arenas.
    """
    region = target.preferred(Role.ARENA)
    plan = lowest_plan(schedule, region.name)
    if plan.schedule.states:
        (alone,) = plan_pool(Pool(schedule.name, (plan.schedule,)), region.name).plans
        plan = replace(alone, share=None)
    check_fit(plan, region, target)
    return plan
