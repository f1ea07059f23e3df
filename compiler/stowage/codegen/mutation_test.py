# SPDX-License-Identifier: Apache-2.0
"""Programs that the planner makes are sound and their schedule's; broken in more than a hundred ways they are refused.

What a planner gets wrong may turn out sound. That is judged by machines that know nothing of labels, lives or declared
distances but what kernels do with bytes: `byte_machine` runs the most hostile kernels, `dataflow_machine` tells whether
the answer is the same. What an assembler gets wrong is refused whatever comes of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from stowage.codegen.assemble import assemble
from stowage.codegen.byte_machine import Unsound, check
from stowage.codegen.call_mutations import call_mutants
from stowage.codegen.dataflow_machine import meaning
from stowage.codegen.faithful import check_faithful
from stowage.codegen.mutant import Mutant
from stowage.codegen.plan_mutations import plan_mutants
from stowage.codegen.pointer_mutations import pointer_mutants
from stowage.codegen.program import Program
from stowage.codegen.told_mutations import told_mutants
from stowage.codegen.transfer_mutations import transfer_mutants
from stowage.codegen.validate import validate
from stowage.errors import InvalidPlan
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import place
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.schedule.arbitrary_schedules import Limits, joined_schedules, prefetching_schedules, stateful_schedules
from stowage.schedule.schedule import Schedule
from stowage.target.board_reader import load_board
from stowage.target.target import target_of

ROOT = Path(__file__).parents[3]
EXAMPLES = ["digits/digits_int8", "digits/digits_qoperator", "stream/stream"]
LARGE_EXAMPLES = ["branches/branches_int8", "digits/digits_f32"]

Subject = tuple[Program, Schedule]


def planned(schedule: Schedule) -> Subject:
    problem = lives(schedule)
    placement = place(problem)
    places = zip(problem.buffers, placement.offsets_bytes, strict=True)
    placed = tuple(Placed(buffer, "ram", offset) for buffer, offset in places)
    plan = Plan(
        schedule,
        placed,
        placement.peak_bytes,
        VALUE_ALIGNMENT_BYTES,
        placement.bound_bytes,
        transfer_channels=most_in_flight(schedule),
    )
    return assemble(plan), schedule


def example(name: str) -> Subject:
    return compiled(ModelRequest(ROOT / "examples" / f"{name}.onnx"))


def fed_example() -> Subject:
    """A model whose input its caller feeds by rows."""
    return compiled(ModelRequest(ROOT / "examples/digits/digits_int8.onnx", ram_bytes=640, stream_input=True))


def compiled(request: ModelRequest) -> Subject:
    made = compile_model(request, target_of(load_board(ROOT / "boards" / "nrf52" / "board.textproto")))
    return made.program, made.schedule


def most_in_flight(schedule: Schedule) -> int:
    moments = range(1, len(schedule.steps) + 1)
    return max(sum(each.start <= moment <= each.moment for each in schedule.transfers) for moment in moments)


LIMITS = Limits(steps=5, elements=12)
STATEFUL, JOINED = stateful_schedules(LIMITS).map(planned), joined_schedules(LIMITS).map(planned)
PREFETCHING = prefetching_schedules(LIMITS).map(planned)
FEW = settings(deadline=None, max_examples=14, database=None, derandomize=True, suppress_health_check=list(HealthCheck))


def is_sound(program: Program) -> bool:
    try:
        check(program)
    except Unsound:
        return False
    return True


def is_valid(program: Program) -> bool:
    try:
        validate(program)
    except InvalidPlan:
        return False
    return True


def passes(program: Program, schedule: Schedule) -> bool:
    try:
        validate(program)
        check_faithful(program, schedule)
    except InvalidPlan:
        return False
    return True


def assemblers_mutants(program: Program) -> Iterator[Mutant]:
    """Those that differ from the program."""
    for mutants in (call_mutants, pointer_mutants, told_mutants, transfer_mutants):
        for mutant in mutants(program):
            if mutant.program != program or mutant.program.constants is not program.constants:
                yield mutant


def judged_plans(program: Program) -> Iterator[tuple[str, bool]]:
    """Each planner's mistake, and whether it is one; the validator has to say the same."""
    meant = meaning(program)
    for mutant in plan_mutants(program):
        sound = is_sound(mutant.program)
        assert is_valid(mutant.program) == sound, f"{mutant.kind}: {mutant.place}"
        assert not sound or meaning(mutant.program) == meant, f"{mutant.kind}: {mutant.place}"
        yield mutant.kind, sound


def refused(program: Program, schedule: Schedule) -> Iterator[str]:
    """The kind of each assembler's mistake; all are refused."""
    for mutant in assemblers_mutants(program):
        assert not passes(mutant.program, schedule), f"{mutant.kind}: {mutant.place}"
        yield mutant.kind


@settings(deadline=None, max_examples=200)
@given(STATEFUL | JOINED | PREFETCHING)
def test_what_is_planned_is_sound_and_accepted(subject: Subject) -> None:
    program, schedule = subject
    check(program)
    assert passes(program, schedule)


@pytest.mark.parametrize("name", EXAMPLES + LARGE_EXAMPLES)
def test_examples_are_sound_and_their_mutants_are_refused(name: str) -> None:
    program, schedule = example(name)
    check(program)
    assert passes(program, schedule)
    kinds = Counter(refused(program, schedule))
    assert kinds["a pointer 1 bytes lower"] >= 2 * len(program.calls)


def test_a_model_that_is_fed_rows_is_sound_and_its_mutants_are_refused() -> None:
    program, schedule = fed_example()
    assert program.fed is not None
    check(program)
    assert passes(program, schedule)
    kinds = Counter(refused(program, schedule))
    assert kinds["a pointer 1 bytes lower"] >= 2 * len(program.calls) - 2 * program.fed.value.type.shape[1]


@pytest.mark.parametrize("name", EXAMPLES)
def test_other_plans_of_examples_are_judged_rightly(name: str) -> None:
    verdicts = Counter(sound for _, sound in judged_plans(example(name)[0]))
    assert min(verdicts[True], verdicts[False]) >= 5


def test_other_plans_are_judged_rightly() -> None:
    broken: Counter[str] = Counter()
    sound: Counter[str] = Counter()

    def judge(subject: Subject) -> None:
        for kind, is_right in judged_plans(subject[0]):
            (sound if is_right else broken)[kind] += 1

    for subjects in (STATEFUL, JOINED, PREFETCHING):
        FEW(given(subjects)(judge))()
    assert len(broken) >= 30
    assert len(sound) >= 10


def test_more_than_a_hundred_kinds_of_mistakes_are_refused() -> None:
    kinds: Counter[str] = Counter()

    def judge(subject: Subject) -> None:
        kinds.update(refused(*subject))

    for subjects in (STATEFUL, JOINED, PREFETCHING):
        FEW(given(subjects)(judge))()
    assert len(kinds) >= 150
    assert sum(kind.startswith("transfers: ") for kind in kinds) >= 25
