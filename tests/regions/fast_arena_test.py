# SPDX-License-Identifier: Apache-2.0
"""A model whose busiest tensors lie in fast memory: what is planned, and what its C computes in a caller's arenas."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.codegen.c_compiler import compile_c
from stowage.codegen.files import c_files
from stowage.codegen.program import Program
from stowage.codegen.text import parse_program, print_program
from stowage.codegen.validate import validate
from stowage.errors import InvalidPlan, StowageError
from stowage.ir.graph import Array
from stowage.memory.text import parse_plan, print_plan
from stowage.pipeline import Compiled, ModelRequest, compile_model
from stowage.report.memory_report import memory_files
from stowage.schedule.text import arrays_of
from stowage.target.find_board import find_board

ROOT = Path(__file__).absolute().parents[2]
DIGITS = ROOT / "examples" / "digits"
OK, BAD_ARENA = 0, 1
PAINT = 0xA5
IMAGES: Array = np.load(DIGITS / "heldout_images_int8.npy")[:24]
EXPECTED: Array = np.load(DIGITS / "expected_int8.npy")[:24]


def compiled(fast_bytes: int | None, board: str = "mps2_an505") -> Compiled:
    target = find_board(str(ROOT / "boards" / board / "board.textproto"))
    return compile_model(ModelRequest(DIGITS / "digits_int8.onnx", "digits", fast_bytes=fast_bytes), target)


ONE, TWO = compiled(None), compiled(4096)


def test_the_arena_becomes_smaller_by_what_lies_in_fast_memory() -> None:
    fast = TWO.plan.fast
    assert fast is not None and 0 < fast.size_bytes <= 4096 and fast.region == "isram"
    assert TWO.plan.arena_bytes < ONE.plan.arena_bytes
    assert fast.bound <= fast.cost
    regions = {placed.region for placed in TWO.plan.placed}
    assert regions == {"isram", "ssram23"}


def test_what_the_caller_touches_lies_in_the_arena() -> None:
    ports = (*TWO.program.inputs, *TWO.program.outputs)
    assert all(port.offset_bytes + port.value.type.size_bytes <= TWO.plan.arena_bytes for port in ports)


def test_more_fast_memory_never_costs_more() -> None:
    costs = [plan.cost for size in (0, 256, 1024, 32768) if (plan := compiled(size).plan.fast)]
    assert len(costs) == 4 and costs == sorted(costs, reverse=True) and costs[-1] < costs[0]


def test_where_fast_memory_is_that_of_the_arena_nothing_lies_in_it() -> None:
    same = compiled(4096, "mps2_an500")
    assert same.plan.fast is not None and same.plan.fast.size_bytes == 0
    assert "#define DIGITS_ARENA_FAST_BYTES 1u" in same.sources["digits.h"]


def test_plan_and_program_read_back() -> None:
    assert parse_plan(print_plan(TWO.plan), arrays_of(TWO.plan.schedule)) == TWO.plan
    assert parse_program(print_program(TWO.program)) == TWO.program


def test_the_report_has_both_regions() -> None:
    text = memory_files(TWO)["digits_memory.txt"]
    assert "fast arena" in text and "arena_fast" in text and "isram" in text


def library(program: Program, folder: Path) -> ctypes.CDLL:
    folder.mkdir()
    return ctypes.CDLL(str(compile_c(folder, c_files(program), "-shared", "-fPIC")))


def painted(size_bytes: int) -> ctypes.Array[ctypes.c_uint8]:
    """Bytes from a multiple of 64 on, and 64 more, all of one paint."""
    memory = (ctypes.c_uint8 * (size_bytes + 128))(*[PAINT] * (size_bytes + 128))
    return (ctypes.c_uint8 * (size_bytes + 64)).from_buffer(memory, -ctypes.addressof(memory) % 64)


def test_a_run_computes_the_same_and_keeps_to_its_arenas(tmp_path: Path) -> None:
    program, fast = TWO.program, TWO.plan.fast
    assert fast is not None
    run = library(program, tmp_path / "two").digits_run
    arena, near = painted(program.arena_bytes), painted(fast.size_bytes)
    entry, result = program.inputs[0], program.outputs[0]
    for image, expected in zip(IMAGES, EXPECTED, strict=True):
        ctypes.memmove(ctypes.addressof(arena) + entry.offset_bytes, image.tobytes(), image.nbytes)
        assert run(arena, near) == OK
        scores = bytes(arena[result.offset_bytes : result.offset_bytes + result.value.type.size_bytes])
        assert scores == expected.tobytes()
    for memory, size_bytes in ((arena, program.arena_bytes), (near, fast.size_bytes)):
        assert set(memory[size_bytes:]) == {PAINT} and set(memory[:size_bytes]) != {PAINT}


def test_an_arena_that_is_missing_or_misaligned_is_refused(tmp_path: Path) -> None:
    fast = TWO.plan.fast
    assert fast is not None
    run = library(TWO.program, tmp_path / "two").digits_run
    arena, near = painted(TWO.program.arena_bytes), painted(fast.size_bytes)
    assert run(arena, None) == run(None, near) == BAD_ARENA
    assert run(arena, ctypes.byref(near, 1)) == BAD_ARENA


def broken() -> list[tuple[str, Program]]:
    program, fast = TWO.program, TWO.program.fast
    assert fast is not None
    port = replace(program.outputs[0], offset_bytes=fast.start_bytes)
    shifted = replace(fast, start_bytes=fast.start_bytes - 4, size_bytes=fast.size_bytes + 4)
    calls = (replace(program.calls[0], pointers=()), *program.calls[1:])
    return [
        ("it cannot start", replace(program, fast=shifted)),
        ("buffers end at byte", replace(program, fast=replace(fast, size_bytes=fast.size_bytes + 8))),
        ("takes bytes|buffers end at byte", replace(program, fast=replace(fast, size_bytes=fast.size_bytes - 8))),
        ("no longer holds|does not reach", replace(program, outputs=(port,))),
        ("no longer holds|not used|has no slot|nothing uses", replace(program, calls=calls)),
        ("takes bytes|reaches beyond|end at byte", replace(program, arena_bytes=program.arena_bytes - 8)),
        ("takes bytes", replace(program, fast=None)),
    ]


@pytest.mark.parametrize(("reason", "program"), broken())
def test_what_is_unsound_is_refused(reason: str, program: Program) -> None:
    validate(TWO.program)
    with pytest.raises(InvalidPlan, match=reason):
        validate(program)


def test_a_fast_arena_beside_copies_by_dma_is_refused() -> None:
    target = find_board(str(ROOT / "boards/mps2_an505/board.textproto"))
    request = ModelRequest(DIGITS / "digits_int8.onnx", "digits", fast_bytes=4096, prefetch=True)
    with pytest.raises(StowageError, match=r"--fast-arena: a model that brings weights .* leave it out \(fast_arena\)"):
        compile_model(request, target)
