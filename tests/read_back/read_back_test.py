# SPDX-License-Identifier: Apache-2.0
"""Generated C says what the program says that was proved sound; where it says anything else, that is seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from stowage.codegen.assemble import assemble
from stowage.codegen.files import c_files
from stowage.codegen.golden_model import delay_graph, golden_pool, golden_program, golden_sizes, program_of
from stowage.codegen.program import Program
from stowage.memory.lives import VALUE_ALIGNMENT_BYTES, lives
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import place
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.schedule.arbitrary_schedules import Limits, joined_schedules, prefetching_schedules
from stowage.schedule.schedule import Schedule
from stowage.target.board_reader import load_board
from stowage.target.target import target_of
from tests.read_back.c_mutations import mutants
from tests.read_back.c_reader import read_model
from tests.read_back.c_tokens import Unreadable, tokens
from tests.read_back.expected import written_of
from tests.read_back.written import Written

ROOT = Path(__file__).parents[2]
LIMITS = Limits(steps=5, elements=12)
GOLDENS: dict[str, Callable[[], Program]] = {
    "tiny": golden_program,
    "delay": lambda: program_of(delay_graph(), {"before:0": "now:0"}),
    "a size": lambda: golden_sizes().programs[0],
    "in a pool": lambda: assemble(golden_pool().plans[1]),
}
EXAMPLES = ["digits/digits_int8", "digits/digits_f32", "branches/branches_int8", "stream/stream"]


def example(name: str) -> Program:
    board = load_board(ROOT / "boards" / "nrf52" / "board.textproto")
    return compile_model(ModelRequest(ROOT / "examples" / f"{name}.onnx"), target_of(board)).program


def in_regions() -> Program:
    """Of two arenas beside the main one, the first has buffers."""
    board = load_board(ROOT / "boards" / "mps2_an505" / "board.textproto")
    request = ModelRequest(ROOT / "examples/digits/digits_int8.onnx", "digits", arenas={"fast": 2048, "psram": 4096})
    return compile_model(request, target_of(board)).program


def planned(schedule: Schedule) -> Program:
    problem = lives(schedule)
    placement = place(problem)
    places = zip(problem.buffers, placement.offsets_bytes, strict=True)
    placed = tuple(Placed(buffer, "ram", offset) for buffer, offset in places)
    channels = len(schedule.transfers)
    peak, bound = placement.peak_bytes, placement.bound_bytes
    return assemble(Plan(schedule, placed, peak, VALUE_ALIGNMENT_BYTES, bound, transfer_channels=channels))


def fed_example() -> Program:
    board = load_board(ROOT / "boards" / "nrf52" / "board.textproto")
    request = ModelRequest(ROOT / "examples" / "digits" / "digits_int8.onnx", ram_bytes=700, stream_input=True)
    return compile_model(request, target_of(board)).program


def test_a_model_that_is_fed_rows_says_what_its_program_says() -> None:
    program = fed_example()
    assert program.fed is not None
    assert read_model(c_files(program), program.name) == written_of(program)


def test_whatever_is_done_to_a_model_that_is_fed_rows_is_seen() -> None:
    assert list(unseen(fed_example(), 41)) == []


@pytest.mark.parametrize("name", GOLDENS)
def test_goldens_say_what_their_programs_say(name: str) -> None:
    program = GOLDENS[name]()
    assert read_model(c_files(program), program.name) == written_of(program)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_say_what_their_programs_say(name: str) -> None:
    program = example(name)
    assert read_model(c_files(program), program.name) == written_of(program)


def test_several_arenas_say_what_their_program_says() -> None:
    program = in_regions()
    assert [bool(arena.size_bytes) for arena in program.further_arenas] == [True, False]
    assert read_model(c_files(program), program.name) == written_of(program)


@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
@given(joined_schedules(LIMITS))
def test_any_model_says_what_its_program_says(schedule: Schedule) -> None:
    program = planned(schedule)
    assert read_model(c_files(program), program.name) == written_of(program)


@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
@given(prefetching_schedules(LIMITS))
def test_any_model_with_transfers_says_what_its_program_says(schedule: Schedule) -> None:
    program = planned(schedule)
    assert read_model(c_files(program), program.name) == written_of(program)


def unseen(program: Program, stride: int) -> Iterator[str]:
    """What was done to the C of a program without being seen, though there are other tokens now."""
    expected, sources = written_of(program), c_files(program)
    spelled = {name: list(tokens(text)) for name, text in sources.items() if name.endswith(".c")}
    for what, files in mutants(sources, program.name, stride):
        if is_read_as(files, program.name, expected):
            changed = (name for name in sources if files[name] != sources[name])
            if any(name not in spelled or list(tokens(files[name])) != spelled[name] for name in changed):
                yield what


def is_read_as(files: dict[str, str], name: str, expected: Written) -> bool:
    try:
        return read_model(files, name) == expected
    except Unreadable:
        return False


@pytest.mark.parametrize(("name", "stride"), [("tiny", 7), ("delay", 7), ("a size", 11), ("in a pool", 11)])
def test_whatever_is_done_to_a_golden_is_seen(name: str, stride: int) -> None:
    assert list(unseen(GOLDENS[name](), stride)) == []


def test_whatever_is_done_to_several_arenas_is_seen() -> None:
    """But for the constants, of which the C of examples has thousands."""
    program = in_regions()
    expected, sources = written_of(program), c_files(program)
    short = {name: text for name, text in sources.items() if name != "digits_weights.c"}
    changed = mutants({**short, "digits_weights.c": ";"}, "digits", 37)
    unread = {what for what, files in changed if not is_seen(files, sources, expected)}
    assert unread == set()


def is_seen(files: dict[str, str], sources: Mapping[str, str], expected: Written) -> bool:
    """Whether C that is changed, with the constants as they are, is read otherwise, if it has other tokens at all."""
    files = {**files, "digits_weights.c": sources["digits_weights.c"]}
    alike = all(list(tokens(files[name])) == list(tokens(text)) for name, text in sources.items() if name[-2:] == ".c")
    return (alike and files["digits_arena.h"] == sources["digits_arena.h"]) or not is_read_as(files, "digits", expected)


@settings(deadline=None, max_examples=4, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(prefetching_schedules(LIMITS))
def test_whatever_is_done_to_a_model_with_transfers_is_seen(schedule: Schedule) -> None:
    assert list(unseen(planned(schedule), 17)) == []
