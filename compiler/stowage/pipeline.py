# SPDX-License-Identifier: Apache-2.0
"""The table of contents: a model goes through these stages, each of which makes a new kind of thing from the last.

frontend   model file           -> Graph
passes     Graph                -> Graph, verified after each
quantise   float Graph, samples -> Graph with quantisations, between the passes, if asked for
schedule   Graph, Target        -> Schedule
tiles      Graph, Schedule      -> Schedule in stripes, if it is to take less memory or does not fit the board
memory     Schedule, Target     -> Plan
transfers  Plan, Target         -> Plan with weights brought ahead of their steps, if asked for
codegen    Plan                 -> Program, proved sound, and to be the schedule's -> C sources
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from stowage.codegen.assemble import assemble
from stowage.codegen.faithful import check_faithful
from stowage.codegen.files import c_files
from stowage.codegen.program import Program
from stowage.codegen.spread_weights import spread_weights
from stowage.codegen.validate import validate
from stowage.errors import DoesNotFit, StowageError
from stowage.frontend.read_model import read_model
from stowage.ir.graph import Graph
from stowage.memory.plan import Plan
from stowage.memory.planning import lowest_plan, plan_memory
from stowage.memory.region_arenas import further_arenas_would_help, with_region_arenas
from stowage.memory.weights_fit import check_weights_fit
from stowage.memory.what_if import WhatIf
from stowage.model_request import ModelRequest, check_stream_input, refuse_arenas
from stowage.npu.partition import on_npu
from stowage.passes.graph_pass import Pass, run_passes
from stowage.passes.order import FLOAT_PASSES, INTEGER_PASSES, SPARING_PASSES
from stowage.quantise.quantise import Outcome, quantise
from stowage.schedule.order import in_best_order
from stowage.schedule.schedule import Schedule
from stowage.schedule.select import select
from stowage.schedule.states import keep_states
from stowage.target.board import Role
from stowage.target.target import Target, TargetRegion
from stowage.tiles.remedy import stripes_would_help
from stowage.tiles.streamed_input import with_streamed_input
from stowage.tiles.tiling import Tiling
from stowage.tiles.within_limit import Tiled, within_limit
from stowage.transfers.prefetch import with_prefetch

Level = Graph | Schedule | Plan | Program
Observer = Callable[[str, Level], None]
"""Called with each stage's name and what it made: progress, dumps and reports hang here."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """All that came of a model.

    Attributes:
        target: the board that it is for.
        plain: before the passes that take tensors out.
        graph: after all passes.
        as_given: the steps in the graph's own order, before a better one was looked for.
        ordered: the steps in their best order, before any that only moves bytes was done without.
        tiling: what of them was put into stripes; its nodes are counted in their order.
        striped: the steps after that.
        schedule: the steps as they run.
        plan: where everything lies.
        program: calls and data.
        sources: the generated C by file name.
        quantisation: how it was quantised, if it was.
        prefetch: whether weights were to be brought into the arena where that pays.
    """

    target: Target
    plain: Graph
    graph: Graph
    as_given: Schedule
    ordered: Schedule
    tiling: Tiling
    striped: Schedule
    schedule: Schedule
    plan: Plan
    program: Program
    sources: Mapping[str, str]
    quantisation: Outcome | None
    prefetch: bool = False


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A model before its memory is planned; `Compiled` says what the fields are."""

    target: Target
    plain: Graph
    graph: Graph
    as_given: Schedule
    ordered: Schedule
    tiling: Tiling
    striped: Schedule
    quantisation: Outcome | None


def compile_model(request: ModelRequest, target: Target, observe: Observer = lambda stage, level: None) -> Compiled:
    """Compiles a model file for a board as the compiler sees it, telling an observer of every stage.

    Raises:
        StowageError: the model or the board cannot be compiled; the message says why and what to do.
    """
    try:
        weight_regions = target.roles[Role.WEIGHTS][: 1 if request.prefetch else None]
        scheduled = schedule_model(request, target, observe, weight_regions)
        scheduled, memory_plan = _planned(scheduled, request, target, observe)
        if request.prefetch:
            memory_plan = with_prefetch(memory_plan, target, request.ram_bytes)
        observe("plan", memory_plan)
        program = assemble(memory_plan)
        validate(program)
        check_faithful(program, memory_plan.schedule)
        program = spread_weights(program, memory_plan.schedule, weight_regions)
        observe("program", program)
        return replace(compiled_as(scheduled, memory_plan, program), prefetch=request.prefetch)
    except StowageError as refusal:
        raise refusal.in_file(str(request.model)) from refusal


def _planned(scheduled: Scheduled, request: ModelRequest, target: Target, observe: Observer) -> tuple[Scheduled, Plan]:
    """A plan with one arena, in stripes where it has no room otherwise; or with further ones, if asked for."""
    if request.arenas:
        if request.prefetch:
            refuse_arenas(request, "a model that brings weights into its arena by DMA has only one")
        return scheduled, with_region_arenas(scheduled.striped, target, request.arenas)
    try:
        return scheduled, plan_memory(scheduled.striped, target, partial(_techniques, scheduled, request))
    except DoesNotFit as refusal:
        if not _may_run_in_stripes(scheduled, request):
            raise
        scheduled = _within_board(scheduled, target, refusal, observe)
        return scheduled, plan_memory(scheduled.striped, target)


def _may_run_in_stripes(scheduled: Scheduled, request: ModelRequest) -> bool:
    """Whether nothing was said of its memory, and no step is an NPU's."""
    return request.ram_bytes is None and not request.stream_input and scheduled.target.npu is None


def _within_board(scheduled: Scheduled, target: Target, refusal: DoesNotFit, observe: Observer) -> Scheduled:
    """The model in stripes that fit the board's region for arenas.

    Raises:
        DoesNotFit: none were found; the refusal of what it is without, which says what stripes reach.
    """
    limit_bytes = target.preferred(Role.ARENA).capacity_bytes
    try:
        tiled = within_limit(
            scheduled.graph, scheduled.ordered, target.features, limit_bytes, lambda each: observe("stripes", each)
        )
    except DoesNotFit:
        raise refusal from None
    observe("schedule", tiled.schedule)
    return replace(scheduled, tiling=tiled.tiling, striped=tiled.schedule)


def _techniques(scheduled: Scheduled, request: ModelRequest, plan: Plan, capacity_bytes: int) -> Iterator[WhatIf]:
    """What those that a plan was made without would make of its arena."""
    target = scheduled.target
    if _may_run_in_stripes(scheduled, request):
        yield from stripes_would_help(scheduled.graph, scheduled.ordered, plan, target.features, capacity_bytes)
    if not request.prefetch and not request.stream_input:
        yield from further_arenas_would_help(scheduled.striped, target)


def schedule_model(
    request: ModelRequest, target: Target, observe: Observer, weight_regions: Sequence[TargetRegion] = ()
) -> Scheduled:
    """What `compile_model` does before it plans memory, of which a pool plans that of several models at once.

    Args:
        request: the model.
        target: the board as the compiler sees it.
        observe: told of every stage.
        weight_regions: where its constants may lie, if not in the preferred region for weights alone. What is copied
            by DMA lies in that.

    Raises:
        StowageError: as `compile_model`.
    """
    try:
        target = target if request.npu and not request.stream_input else replace(target, npu=None)
        graph = read_model(request.model, request.name, request.dimensions, request.fixed)
        graph = replace(graph, states=tuple({**dict(graph.states), **request.states}.items()))
        observe("import", graph)
        graph = _passed(graph, FLOAT_PASSES, observe)
        outcome = None
        if request.quantisation is not None:
            graph, outcome = quantise(graph, request.quantisation, lambda draft: run_passes(draft, INTEGER_PASSES))
            observe("quantise", graph)
        plain = _passed(graph, INTEGER_PASSES[: -len(SPARING_PASSES)], observe)
        graph = _passed(plain, SPARING_PASSES, observe)
        selected = selected_steps(graph, target)
        check_weights_fit(selected, weight_regions or (target.preferred(Role.WEIGHTS),), target.board)
        as_given, schedule = (keep_states(each, dict(graph.states)) for each in (selected, in_best_order(selected)))
        tiling, striped = _tiled(graph, schedule, request, target, observe)
        observe("schedule", striped)
        return Scheduled(target, plain, graph, as_given, schedule, tiling, striped, outcome)
    except StowageError as refusal:
        raise refusal.in_file(str(request.model)) from refusal


def _tiled(
    graph: Graph, schedule: Schedule, request: ModelRequest, target: Target, observe: Observer
) -> tuple[Tiling, Schedule]:
    """The steps as they are, or in stripes where they would take more than they may; all run on the CPU then."""
    if request.stream_input:
        check_stream_input(request)
        streamed = with_streamed_input(
            graph, schedule, target.features, request.ram_bytes, lambda each: observe("stripes", each)
        )
        return streamed.tiling, streamed.schedule
    if request.ram_bytes is None:
        return (), schedule
    beyond: list[Tiled] = []
    if target.npu is not None:
        beyond.append(Tiled(schedule, (), _needed_bytes(schedule, target)))
        if beyond[0].arena_bytes <= request.ram_bytes:
            return (), schedule
        schedule = keep_states(in_best_order(select(graph, target.features)), dict(graph.states))
    tiled = within_limit(
        graph, schedule, target.features, request.ram_bytes, lambda each: observe("stripes", each), beyond
    )
    return tiled.tiling, tiled.schedule


def _needed_bytes(schedule: Schedule, target: Target) -> int:
    return lowest_plan(schedule, target.preferred(Role.ARENA).name).arena_bytes


def compiled_as(scheduled: Scheduled, memory_plan: Plan, program: Program) -> Compiled:
    """A model with the plan and the program that were made of it."""
    return Compiled(
        scheduled.target,
        scheduled.plain,
        scheduled.graph,
        scheduled.as_given,
        scheduled.ordered,
        scheduled.tiling,
        scheduled.striped,
        memory_plan.schedule,
        memory_plan,
        program,
        c_files(program),
        scheduled.quantisation,
    )


def selected_steps(graph: Graph, target: Target) -> Schedule:
    """A kernel for every node, and the NPU's part of them as its command streams where the board has one."""
    schedule = select(graph, target.features)
    return schedule if target.npu is None else on_npu(schedule, graph.arithmetic, target.npu)


def _passed(graph: Graph, passes: tuple[Pass, ...], observe: Observer) -> Graph:
    return run_passes(graph, passes, after=lambda done, result: observe(done.name, result))
