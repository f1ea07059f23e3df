# SPDX-License-Identifier: Apache-2.0
"""Model files become C with one arena, and equal constants stored once.

Each goes its own way up to its schedule; then all are planned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stowage.codegen.assemble import assemble
from stowage.codegen.c_pool import pool_files
from stowage.codegen.faithful import check_faithful
from stowage.codegen.shared_data import SharedData, check_shared_data, share_data
from stowage.codegen.validate_pool import validate_pool
from stowage.errors import StowageError
from stowage.memory.caller_buffer import CallerBuffer
from stowage.memory.planning import lowest_plan
from stowage.memory.pool import Pool, PoolPlan, plan_pool
from stowage.memory.pool_fit import check_pool_fit
from stowage.model_request import ModelRequest, refuse_arenas, refuse_stream_input
from stowage.pipeline import Compiled, Observer, compiled_as, schedule_model
from stowage.pool_names import check_pool_names
from stowage.target.board import Role
from stowage.target.target import Target


@dataclass(frozen=True, slots=True)
class CompiledPool:
    """All that came of a pool.

    Attributes:
        plan: where everything lies.
        models: what came of each model.
        shared: the constants that two models or more read.
        sources: the generated C of the pool and its models by file name.
    """

    plan: PoolPlan
    models: tuple[Compiled, ...]
    shared: SharedData
    sources: Mapping[str, str]


def compile_pool(
    name: str,
    requests: Sequence[ModelRequest],
    buffers: tuple[CallerBuffer, ...],
    target: Target,
    observe: Observer = lambda stage, level: None,
) -> CompiledPool:
    """Compiles model files for a board into one arena.

    Args:
        name: C identifier of the pool.
        requests: the models.
        buffers: what the caller keeps in the arena.
        target: the board as the compiler sees it.
        observe: told of every stage of every model.

    Raises:
        StowageError: a name, a model or the board is refused; the message says why and what to do.
    """
    for each in requests:
        _check_request(each)
    scheduled = [schedule_model(each, target, observe) for each in requests]
    check_pool_names(name, [each.graph.name for each in scheduled])
    region = target.preferred(Role.ARENA)
    schedules = tuple(lowest_plan(each.striped, region.name).schedule for each in scheduled)
    plan = plan_pool(Pool(name, schedules, buffers), region.name)
    check_pool_fit(plan, region, target)
    programs, shared = share_data([assemble(each) for each in plan.plans], owner=name)
    validate_pool(programs, plan.buffers)
    check_shared_data(programs, shared)
    for model_plan, program in zip(plan.plans, programs, strict=True):
        check_faithful(program, model_plan.schedule)
        observe("plan", model_plan)
        observe("program", program)
    models = tuple(compiled_as(*each) for each in zip(scheduled, plan.plans, programs, strict=True))
    return CompiledPool(plan, models, shared, pool_files(plan, programs, shared))


def _check_request(request: ModelRequest) -> None:
    """Refuses what no pool does."""
    refuse_arenas(request, "the models of a pool share one arena")
    refuse_stream_input(request, "a model of a pool has its input whole")
    if request.prefetch:
        raise StowageError(
            file=str(request.model),
            where="--prefetch",
            reason="a model in a pool does not bring weights into the arena",
            remedy="leave it out (prefetch), or compile the model by itself",
        )
