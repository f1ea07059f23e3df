# SPDX-License-Identifier: Apache-2.0
"""Pools are sound in whatever order their models run: on the machine of bytes, and as the validator sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.codegen.assemble import assemble
from stowage.codegen.byte_machine import Token, reset, run
from stowage.codegen.golden_model import golden_pool
from stowage.codegen.program import Program
from stowage.codegen.validate import validate
from stowage.codegen.validate_pool import validate_pool
from stowage.errors import InvalidPlan
from stowage.memory.caller_buffer import CallerBuffer
from stowage.memory.pool import PlacedCallerBuffer, Pool, PoolPlan, plan_pool
from stowage.memory.share import Foreign, Share
from stowage.schedule.arbitrary_schedules import Limits, stateful_schedules
from stowage.schedule.schedule import Schedule

LIMITS = Limits(steps=4, elements=10)
SCHEDULES = st.lists(stateful_schedules(LIMITS), min_size=1, max_size=3)
BUFFERS = st.lists(
    st.tuples(st.sampled_from(["int8_t", "int16_t", "double"]), st.integers(1, 9), st.booleans()), max_size=3
)


def pool_of(schedules: Sequence[Schedule], buffers: Sequence[tuple[str, int, bool]]) -> Pool:
    named = tuple(replace(schedule, name=f"m{number}") for number, schedule in enumerate(schedules))
    return Pool("pool", named, tuple(CallerBuffer(f"b{number}", *each) for number, each in enumerate(buffers)))


def write(arena: dict[int, Token], buffers: Sequence[PlacedCallerBuffer], label: str) -> None:
    for placed in buffers:
        for address in range(placed.offset_bytes, placed.offset_bytes + placed.buffer.size_bytes):
            arena[address] = (label, placed.buffer.name, address)


def holds(arena: dict[int, Token], placed: PlacedCallerBuffer, label: str) -> bool:
    span = range(placed.offset_bytes, placed.offset_bytes + placed.buffer.size_bytes)
    return all(arena[address] == (label, placed.buffer.name, address) for address in span)


@settings(deadline=None, max_examples=60)
@given(SCHEDULES, BUFFERS, st.lists(st.integers(0, 2), min_size=2, max_size=6))
def test_models_run_in_any_order(
    schedules: list[Schedule], buffers: list[tuple[str, int, bool]], order: list[int]
) -> None:
    plan = plan_pool(pool_of(schedules, buffers), "ram")
    programs = [assemble(each) for each in plan.plans]
    validate_pool(programs, plan.buffers)
    arena: dict[int, Token] = {}
    kept = [reset(program, arena) for program in programs]
    write(arena, plan.buffers, "at first")
    for number, index in enumerate(each % len(programs) for each in order):
        kept[index] = run(programs[index], arena, kept[index], f"run {number}")
        assert all(holds(arena, each, "at first") for each in plan.buffers if each.buffer.is_kept)
    assert max(arena) < plan.arena_bytes


def programs_of(plan: PoolPlan) -> list[Program]:
    return [assemble(each) for each in plan.plans]


def test_two_filters_and_two_buffers() -> None:
    plan = golden_pool()
    assert (plan.kept_bytes, plan.arena_bytes, plan.bound_bytes) == (32, 32 + 8 + 16, 32 + 8 + 16)
    validate_pool(programs_of(plan), plan.buffers)


def without_foreign(program: Program) -> Program:
    return replace(program, share=Share("pool", ()))


@pytest.mark.parametrize("change", [without_foreign, lambda program: replace(program, share=None)])
def test_a_program_that_does_not_know_of_the_others(change: Callable[[Program], Program]) -> None:
    plan = golden_pool()
    first, second = programs_of(plan)
    with pytest.raises(InvalidPlan, match='model "right": it does not know what else is in the arena'):
        validate_pool([first, change(second)], plan.buffers)


def test_arenas_of_two_sizes() -> None:
    plan = golden_pool()
    first, second = programs_of(plan)
    with pytest.raises(InvalidPlan, match="its arena is another than that of the other models"):
        validate_pool([first, replace(second, arena_bytes=second.arena_bytes + 8)], plan.buffers)


def test_an_arena_that_is_larger_than_what_lies_in_it() -> None:
    plan = golden_pool()
    larger = [replace(program, arena_bytes=program.arena_bytes + 8) for program in programs_of(plan)]
    with pytest.raises(InvalidPlan, match='model "left": the arena has 64 bytes, but all ends at byte 56'):
        validate_pool(larger, plan.buffers)


def shared(*foreign: Foreign) -> Program:
    """The first filter, with bytes of the arena given to others."""
    first, _ = programs_of(golden_pool())
    return replace(first, share=Share("pool", foreign))


STATE, INPUT, OUTPUT, FREE = 0, 32, 32, 40
"""Where the first filter's buffers are, and a byte that it does not use."""


def test_where_the_filter_s_buffers_are() -> None:
    program = shared()
    assert program.states[0].held.offset_bytes == STATE
    assert (program.inputs[0].offset_bytes, program.outputs[0].offset_bytes) == (INPUT, OUTPUT)
    assert max(slot.offset_bytes + slot.size_bytes for slot in program.slots) == FREE


@pytest.mark.parametrize(
    ("foreign", "message"),
    [
        ([Foreign("one", STATE + 7, 4, True)], "one: what the caller writes spoils its byte 7 of the arena"),
        ([Foreign("one", INPUT - 1, 2, True)], "one: what the caller writes spoils its byte 32 of the arena"),
        ([Foreign("one", INPUT, 1, False)], "one: what the caller writes spoils its byte 32 of the arena"),
        ([Foreign("one", 12, 4, True), Foreign("two", 14, 4, True)], "one: .* its byte 14 of the arena"),
        ([Foreign("one", 55, 2, True)], "one: it lies outside of an arena of 56 bytes"),
        ([Foreign("one", -1, 2, True)], "one: it lies outside of an arena of 56 bytes"),
    ],
)
def test_bytes_that_are_not_only_another_s(foreign: list[Foreign], message: str) -> None:
    validate(shared(Foreign("beside", FREE, 16, True)))
    with pytest.raises(InvalidPlan, match=message):
        validate(shared(*foreign))
