# SPDX-License-Identifier: Apache-2.0
"""Programs that the planner makes are sound, and broken in a hundred ways they are refused.

What "broken" means is judged by `byte_machine`, which knows nothing of labels, lives or declared distances but what
kernels do with bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.codegen.assemble import assemble
from stowage.codegen.byte_machine import Unsound, check
from stowage.codegen.program import Access, ArenaPointer, Call, Pointer, Port, Program, Slot, StatePort
from stowage.codegen.validate import validate
from stowage.errors import InvalidPlan
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import place
from stowage.schedule.arbitrary_schedules import Limits, joined_schedules, stateful_schedules
from stowage.schedule.schedule import Schedule

Sited = TypeVar("Sited", ArenaPointer, Port, Slot)

LIMITS = Limits(steps=5, elements=12)


def planned(schedule: Schedule) -> Program:
    problem = lives(schedule)
    placement = place(problem)
    places = zip(problem.buffers, placement.offsets_bytes, strict=True)
    placed = tuple(Placed(buffer, "ram", offset) for buffer, offset in places)
    return assemble(Plan(schedule, placed, placement.peak_bytes, VALUE_ALIGNMENT_BYTES, placement.bound_bytes))


PROGRAMS = st.one_of(stateful_schedules(LIMITS), joined_schedules(LIMITS)).map(planned)


def is_sound(program: Program) -> bool:
    try:
        check(program)
    except Unsound:
        return False
    return True


def is_accepted(program: Program) -> bool:
    try:
        validate(program)
    except InvalidPlan:
        return False
    return True


def with_call(program: Program, index: int, call: Call) -> Program:
    return replace(program, calls=(*program.calls[:index], call, *program.calls[index + 1 :]))


def with_pointer(program: Program, random: Random, change: Callable[[ArenaPointer], Pointer]) -> Program:
    """A program in which one pointer of one call is another."""
    index = random.randrange(len(program.calls))
    call = program.calls[index]
    numbers = [number for number, pointer in enumerate(call.pointers) if isinstance(pointer, ArenaPointer)]
    chosen = random.choice(numbers)
    pointers = tuple(
        change(pointer) if number == chosen and isinstance(pointer, ArenaPointer) else pointer
        for number, pointer in enumerate(call.pointers)
    )
    return with_call(program, index, replace(call, pointers=pointers))


def move_buffers(program: Program, by_bytes: dict[str, int]) -> Program:
    """A program whose planner put some buffers elsewhere: all that refers to them moves with them."""

    def moved(each: Sited) -> Sited:
        return replace(each, offset_bytes=each.offset_bytes + by_bytes.get(each.buffer, 0))

    def pointer(each: Pointer) -> Pointer:
        return moved(each) if isinstance(each, ArenaPointer) else each

    return replace(
        program,
        calls=tuple(replace(call, pointers=tuple(map(pointer, call.pointers))) for call in program.calls),
        slots=tuple(map(moved, program.slots)),
        inputs=tuple(map(moved, program.inputs)),
        outputs=tuple(map(moved, program.outputs)),
        states=tuple(replace(state, held=moved(state.held), kept=moved(state.kept)) for state in program.states),
    )


def shift_buffer(program: Program, random: Random) -> Program:
    slot = random.choice(program.slots)
    return move_buffers(program, {slot.buffer: random.choice([-16, -8, -4, -1, 1, 4, 8, 16])})


def move_buffer_anywhere(program: Program, random: Random) -> Program:
    slot = random.choice(program.slots)
    target = random.randrange(0, program.arena_bytes, 4)
    return move_buffers(program, {slot.buffer: target - slot.offset_bytes})


def lay_buffer_on_another(program: Program, random: Random) -> Program:
    one, other = random.choice(program.slots), random.choice(program.slots)
    return move_buffers(program, {one.buffer: other.offset_bytes - one.offset_bytes})


def exchange_buffers(program: Program, random: Random) -> Program:
    one, other = random.choice(program.slots), random.choice(program.slots)
    distance = other.offset_bytes - one.offset_bytes
    return move_buffers(program, {one.buffer: distance, other.buffer: -distance})


def shrink_arena(program: Program, random: Random) -> Program:
    return replace(program, arena_bytes=max(0, program.arena_bytes - random.randint(1, 8)))


def align_arena_less(program: Program, random: Random) -> Program:
    return replace(program, alignment_bytes=random.choice([1, 2]))


def swap_calls(program: Program, random: Random) -> Program:
    calls = list(program.calls)
    one, other = random.randrange(len(calls)), random.randrange(len(calls))
    calls[one], calls[other] = calls[other], calls[one]
    return replace(program, calls=tuple(calls))


def drop_call(program: Program, random: Random) -> Program:
    index = random.randrange(len(program.calls))
    return replace(program, calls=program.calls[:index] + program.calls[index + 1 :])


def repeat_call(program: Program, random: Random) -> Program:
    return replace(program, calls=(*program.calls, random.choice(program.calls)))


def shift_pointer(program: Program, random: Random) -> Program:
    by_bytes = random.choice([-8, -4, -1, 1, 4, 8])
    return with_pointer(program, random, lambda each: replace(each, offset_bytes=each.offset_bytes + by_bytes))


def extend_pointer(program: Program, random: Random) -> Program:
    more = random.choice([1, 4, 16])
    return with_pointer(program, random, lambda each: replace(each, size_bytes=each.size_bytes + more))


def take_another_buffers_name(program: Program, random: Random) -> Program:
    buffer = random.choice(program.slots).buffer
    return with_pointer(program, random, lambda each: replace(each, buffer=buffer))


def point_at_another_buffer(program: Program, random: Random) -> Program:
    slot = random.choice(program.slots)
    return with_pointer(program, random, lambda each: replace(each, buffer=slot.buffer, offset_bytes=slot.offset_bytes))


def add_scratch(program: Program, random: Random) -> Program:
    index = random.randrange(len(program.calls))
    slot = random.choice(program.slots)
    scratch = ArenaPointer(slot.buffer, slot.offset_bytes, slot.size_bytes, Access.SCRATCH, 9, "int8_t")
    call = program.calls[index]
    return with_call(program, index, replace(call, pointers=(*call.pointers, scratch)))


def shift_port(program: Program, random: Random) -> Program:
    by_bytes = random.choice([-4, -1, 1, 4])
    if random.random() < 0.5:
        return replace(program, inputs=with_one_shifted(program.inputs, by_bytes, random))
    return replace(program, outputs=with_one_shifted(program.outputs, by_bytes, random))


def shift_state(program: Program, random: Random) -> Program:
    """What is kept lies elsewhere than what is held, or both do."""
    by_bytes = random.choice([-8, -4, -1, 1, 4, 8])
    ends = random.choice([("held",), ("kept",), ("held", "kept")])

    def moved(state: StatePort) -> StatePort:
        ports = {end: getattr(state, end) for end in ends}
        shifted = {end: replace(port, offset_bytes=port.offset_bytes + by_bytes) for end, port in ports.items()}
        return replace(state, **shifted)

    return replace(program, states=tuple(map(moved, program.states)))


def keep_another_buffer(program: Program, random: Random) -> Program:
    slot = random.choice(program.slots)
    states = tuple(
        replace(state, kept=replace(state.kept, buffer=slot.buffer, offset_bytes=slot.offset_bytes))
        for state in program.states
    )
    return replace(program, states=states)


def join_otherwise(program: Program, random: Random) -> Program:
    """Parts come in another order, too early, or are forgotten."""
    if not program.joints:
        return program
    (joint,) = program.joints
    parts = list(joint.parts)
    random.shuffle(parts)
    changed = random.choice(
        [
            replace(joint, parts=tuple(parts)),
            replace(joint, parts=joint.parts[1:]),
            replace(joint, parts=(*joint.parts, joint.parts[0])),
            replace(joint, moment=joint.moment - 1),
            replace(joint, whole=random.choice(program.slots).buffer),
        ]
    )
    return replace(program, joints=random.choice([(changed,), ()]))


def with_one_shifted(ports: tuple[Port, ...], by_bytes: int, random: Random) -> tuple[Port, ...]:
    if not ports:
        return ports
    chosen = random.choice(ports)
    return tuple(replace(port, offset_bytes=port.offset_bytes + by_bytes) if port is chosen else port for port in ports)


def deny_overlap(program: Program, random: Random) -> Program:
    """The kernel turns out to allow less than the planner counted on."""
    index = random.randrange(len(program.calls))
    call = program.calls[index]
    overlaps = tuple(
        replace(each, distance_bytes=each.distance_bytes + random.choice([1, 8, 64])) for each in call.overlaps
    )
    return with_call(program, index, replace(call, overlaps=random.choice([(), overlaps])))


Mutation = Callable[[Program, Random], Program]
PLANNERS_MISTAKES: list[Mutation] = [
    shift_buffer,
    move_buffer_anywhere,
    lay_buffer_on_another,
    exchange_buffers,
    shrink_arena,
    align_arena_less,
    deny_overlap,
]
ASSEMBLERS_MISTAKES: list[Mutation] = [
    swap_calls,
    drop_call,
    repeat_call,
    shift_pointer,
    extend_pointer,
    take_another_buffers_name,
    point_at_another_buffer,
    add_scratch,
    shift_port,
    shift_state,
    keep_another_buffer,
    join_otherwise,
]


@settings(deadline=None, max_examples=200)
@given(PROGRAMS)
def test_what_is_planned_is_sound_and_accepted(program: Program) -> None:
    check(program)
    validate(program)


@pytest.mark.parametrize("mutation", PLANNERS_MISTAKES + ASSEMBLERS_MISTAKES)
def test_what_is_unsound_is_refused(mutation: Mutation) -> None:
    verdicts: Counter[bool] = Counter()

    @settings(deadline=None, max_examples=100, database=None, derandomize=True)
    @given(PROGRAMS, st.randoms(use_true_random=False))
    def each(program: Program, random: Random) -> None:
        mutant = mutation(program, random)
        sound = is_sound(mutant)
        assert sound or not is_accepted(mutant)
        verdicts[sound] += 1

    each()
    assert verdicts[False] >= 5, "this way of breaking programs breaks too few of them to show anything"


@pytest.mark.parametrize("mutation", PLANNERS_MISTAKES)
def test_what_a_planner_may_do_otherwise_is_accepted(mutation: Mutation) -> None:
    @settings(deadline=None, max_examples=100)
    @given(PROGRAMS, st.randoms(use_true_random=False))
    def each(program: Program, random: Random) -> None:
        mutant = mutation(program, random)
        assert is_accepted(mutant) == is_sound(mutant)

    each()
