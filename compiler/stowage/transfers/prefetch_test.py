# SPDX-License-Identifier: Apache-2.0
"""Which weights are brought, from when on: on a board whose weights lie in slow memory, and on boards like it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stowage.codegen.assemble import assemble
from stowage.codegen.faithful import check_faithful
from stowage.codegen.validate import validate
from stowage.errors import InvalidBoard, InvalidPlan
from stowage.memory.plan import Plan
from stowage.memory.problem import Buffer
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.target.board import Master, Role
from stowage.target.core import CORES
from stowage.target.find_board import find_board
from stowage.target.target import Target, TargetRegion
from stowage.transfers.choice import Choice
from stowage.transfers.cost_model import candidates
from stowage.transfers.prefetch import regions_of, with_prefetch
from stowage.transfers.sharing import sharing
from stowage.transfers.timeline import Timeline, costed

ROOT = Path(__file__).parents[3]
TARGET = find_board(str(ROOT / "tests" / "transfers" / "slow_weights.textproto"))
EXAMPLES = ROOT / "examples"
DIGITS = EXAMPLES / "digits" / "digits_int8.onnx"


@pytest.fixture(scope="module")
def plain() -> Plan:
    return compile_model(ModelRequest(DIGITS), TARGET).plan


@pytest.fixture(scope="module")
def striped() -> Plan:
    """Its first two layers run in two stripes each; a weight of the first is read at moments 1, 2, 4 and 5."""
    return compile_model(ModelRequest(DIGITS, ram_bytes=700), TARGET).plan


def changed(role: Role, **fields: object) -> Target:
    """The board with another region for a role."""
    region: TargetRegion = replace(TARGET.preferred(role), **fields)  # type: ignore[arg-type]
    return replace(TARGET, roles={**TARGET.roles, role: (region,)})


def proved(plan: Plan) -> Plan:
    program = assemble(plan)
    validate(program)
    check_faithful(program, plan.schedule)
    return plan


def run_of(plan: Plan, target: Target) -> Timeline:
    return costed(plan.schedule, regions_of(target)).run(plan.schedule.transfers)


def test_most_of_the_copying_is_hidden(plain: Plan) -> None:
    plan = proved(with_prefetch(plain, TARGET))
    run = run_of(plan, TARGET)
    assert len(plan.schedule.transfers) == 5, "every layer with weights"
    assert sum(each.hidden for each in run.flights) >= 0.9 * sum(each.cost for each in run.flights)
    assert run.end < run_of(plain, TARGET).end / 2
    assert plan.schedule.steps == plain.schedule.steps


@pytest.mark.parametrize("model", ["branches/branches_int8", "digits/digits_f32", "stream/stream"])
def test_models_of_other_forms_are_brought_soundly(model: str) -> None:
    """`compile_model` proves them; floats, branches and states among them."""
    compiled = compile_model(ModelRequest(EXAMPLES / f"{model}.onnx", prefetch=True), TARGET)
    assert compiled.schedule.transfers
    assert compiled.sources[f"{compiled.program.name}.c"].count("stw_hal_dma_start") == len(compiled.schedule.transfers)


@pytest.mark.parametrize("more_bytes", [0, 100, 500, 1000, 2000, 4000])
def test_the_arena_stays_within_its_region(plain: Plan, more_bytes: int) -> None:
    target = changed(Role.ARENA, capacity_bytes=plain.arena_bytes + more_bytes)
    plan = proved(with_prefetch(plain, target))
    assert plan.arena_bytes <= plain.arena_bytes + more_bytes
    assert run_of(plan, target).end <= run_of(plain, target).end
    assert len(plan.schedule.transfers) >= (1 if more_bytes >= 500 else 0)


def test_the_arena_stays_within_a_limit(plain: Plan) -> None:
    limit_bytes = plain.arena_bytes + 1000
    plan = proved(with_prefetch(plain, TARGET, limit_bytes))
    assert plain.arena_bytes < plan.arena_bytes <= limit_bytes
    assert with_prefetch(plain, TARGET, plain.arena_bytes).arena_bytes <= plain.arena_bytes


def readers(plan: Plan) -> list[tuple[int, ...]]:
    return [each.readers for each in plan.schedule.transfers]


def test_stripes_of_a_layer_share_one_copy(striped: Plan) -> None:
    """It takes no byte more than the stripes do, and each byte is copied once."""
    plan = proved(with_prefetch(striped, TARGET, striped.arena_bytes))
    assert readers(plan) == [(1, 2, 4, 5)]
    assert plan.arena_bytes == striped.arena_bytes
    roomy = proved(with_prefetch(striped, TARGET))
    assert readers(roomy)[0] == (1, 2, 4, 5)
    assert len(readers(roomy)) == 5, "and every other layer with weights"


@pytest.mark.parametrize(("full", "apart"), [(3, [(1, 2), (4, 5)]), (2, [(1,), (4, 5)]), (4, [(1, 2), (5,)])])
def test_weights_that_cannot_stay_are_copied_again(striped: Plan, full: int, apart: list[tuple[int, ...]]) -> None:
    """At one moment something else takes all the room; if a reader runs then, it reads where they lie."""
    placed = striped.placed[0]
    fat = replace(placed, buffer=Buffer("fat", 700, 8, full, full))
    crowded = replace(striped, placed=(*striped.placed, fat))
    steps = costed(striped.schedule, regions_of(TARGET))
    weights = sharing(striped.schedule, [each for each in candidates(striped.schedule) if each.moment <= 5])
    for way in (Choice.staying, Choice.joining):
        assert sorted(each.readers for each in way(Choice(crowded, TARGET, steps, 700), weights)) == apart


@pytest.mark.parametrize("channels", [1, 2])
def test_no_more_copies_are_in_flight_than_there_are_channels(plain: Plan, channels: int) -> None:
    plan = proved(with_prefetch(plain, replace(TARGET, dma_channels=channels)))
    for moment in range(1, len(plan.schedule.steps) + 1):
        assert sum(each.start <= moment <= each.moment for each in plan.schedule.transfers) <= channels
    assert plan.schedule.transfers


def test_before_a_cache_whole_lines_are_brought(plain: Plan) -> None:
    plan = proved(with_prefetch(plain, replace(TARGET, core=CORES["cortex_m7"])))
    buffers = {placed.buffer.name: placed for placed in plan.placed}
    staged = [buffers[each.buffer] for each in plan.schedule.transfers]
    assert staged
    assert plan.alignment_bytes % 32 == 0
    assert all(each.offset_bytes % 32 == 0 == each.buffer.size_bytes % 32 for each in staged)


def test_a_line_of_a_cache_that_is_shared_is_found_out(plain: Plan) -> None:
    """Plans for a core without a cache, given to one that has it; and one whose arena starts within a line."""
    shares = "shares a line of the data cache, 32 bytes, with something else"
    with pytest.raises(InvalidPlan, match=shares):
        validate(assemble(replace(with_prefetch(plain, TARGET), cache_line_bytes=32)))
    cached = with_prefetch(plain, replace(TARGET, core=CORES["cortex_m7"]))
    program = assemble(cached)
    validate(program)
    first = program.transfers[0]
    shifted = replace(program, transfers=(replace(first, offset_bytes=first.offset_bytes + 8), *program.transfers[1:]))
    for wrong in (replace(program, alignment_bytes=16), shifted):
        with pytest.raises(InvalidPlan, match=shares):
            validate(wrong)


@pytest.mark.parametrize(
    "target",
    [
        replace(TARGET, dma_channels=0),
        changed(Role.WEIGHTS, read_cost=1),
        changed(Role.ARENA, read_cost=4),
        changed(Role.ARENA, write_cost=100_000),
    ],
    ids=["no controller", "weights in fast memory", "the arena in slow memory", "copies too dear"],
)
def test_where_nothing_is_won_nothing_changes(plain: Plan, target: Target) -> None:
    assert with_prefetch(plain, target) is plain


@pytest.mark.parametrize(
    ("role", "name", "what"),
    [(Role.WEIGHTS, "psram", "the weights lie"), (Role.ARENA, "isram", "they would be brought")],
)
def test_a_region_that_no_controller_reaches_is_refused(plain: Plan, role: Role, name: str, what: str) -> None:
    target = changed(role, reached_by=frozenset({Master.CPU}))
    with pytest.raises(InvalidBoard) as refusal:
        with_prefetch(plain, target)
    assert str(refusal.value) == (
        f"{TARGET.file}: regions[{name}].reached_by: the DMA controllers do not reach it, and it is where {what}; "
        "add DMA if they do, or leave out --prefetch (prefetch)."
    )
