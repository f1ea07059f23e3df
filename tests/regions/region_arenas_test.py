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
from stowage.errors import DoesNotFit, InvalidPlan, StowageError
from stowage.ir.graph import Array
from stowage.memory.text import parse_plan, print_plan
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.report.memory_report import memory_files
from stowage.schedule.text import arrays_of
from stowage.target.find_board import find_board

ROOT = Path(__file__).absolute().parents[2]
DIGITS = ROOT / "examples" / "digits"
OK, BAD_ARENA = 0, 1
PAINT = 0xA5
IMAGES: Array = np.load(DIGITS / "heldout_images_int8.npy")[:24]
EXPECTED: Array = np.load(DIGITS / "expected_int8.npy")[:24]


def compiled(board: str = "mps2_an505", **arenas: int) -> Compiled:
    target = find_board(str(ROOT / "boards" / board / "board.textproto"))
    return compile_model(ModelRequest(DIGITS / "digits_int8.onnx", "digits", arenas=arenas), target)


ONE, TWO = compiled(), compiled(fast=4096)


def test_the_arena_becomes_smaller_by_what_lies_in_fast_memory() -> None:
    further = TWO.plan.further
    assert further is not None and further.bound <= further.cost
    (fast,) = further.arenas
    assert 0 < fast.size_bytes <= 4096 and (fast.name, fast.region, fast.role) == ("fast", "isram", "arena_fast")
    assert TWO.plan.arena_bytes < ONE.plan.arena_bytes
    regions = {placed.region for placed in TWO.plan.placed}
    assert regions == {"isram", "ssram23"}


def test_what_the_caller_touches_lies_in_the_arena() -> None:
    ports = (*TWO.program.inputs, *TWO.program.outputs)
    assert all(port.offset_bytes + port.value.type.size_bytes <= TWO.plan.arena_bytes for port in ports)


def test_more_fast_memory_never_costs_more() -> None:
    costs = [plan.cost for size in (0, 256, 1024, 32768) if (plan := compiled(fast=size).plan.further)]
    assert len(costs) == 4 and costs == sorted(costs, reverse=True) and costs[-1] < costs[0]


def test_where_fast_memory_is_that_of_the_arena_nothing_lies_in_it() -> None:
    same = compiled("mps2_an386", fast=4096)
    assert [arena.size_bytes for arena in same.program.further_arenas] == [0]
    assert "#define DIGITS_ARENA_FAST_BYTES 1u" in same.sources["digits.h"]


def test_every_region_of_a_board_may_have_an_arena() -> None:
    """Four beside the main one, and what is touched most lies in the cheapest; no more regions, no more cost."""
    limits = {"sdram": 1 << 20, "sram_d2": 4096, "itcm": 256, "fast": 256}
    program = compiled("stm32h747", **limits).program
    assert program.further is not None
    assert [(each.name, each.region, each.role) for each in program.further.arenas] == [
        ("sdram", "sdram", "arena"),
        ("sram_d2", "sram_d2", "arena"),
        ("itcm", "itcm", "arena_fast"),
        ("fast", "dtcm", "arena_fast"),
    ]
    used = {each.name: each.size_bytes for each in program.further.arenas}
    assert 0 < used["itcm"] <= 256 and 0 < used["fast"] <= 256 and used["sram_d2"] == used["sdram"] == 0
    fewer = compiled("stm32h747", fast=256).plan.further
    assert fewer is not None and program.further.cost < fewer.cost
    header = c_files(program)["digits.h"]
    order = "void *arena, void *arena_sdram, void *arena_sram_d2, void *arena_itcm, void *arena_fast"
    assert f"enum stw_status digits_run({order});" in header


def test_on_the_host_nothing_lies_in_regions_of_a_board() -> None:
    program = compiled("host", dtcm=4096, sdram=4096).program
    assert [(arena.name, arena.size_bytes) for arena in program.further_arenas] == [("dtcm", 0), ("sdram", 0)]
    assert program.arena_bytes == ONE.program.arena_bytes


def test_what_the_main_region_does_not_hold_lies_in_a_slower_one(tmp_path: Path) -> None:
    text = (ROOT / "boards" / "mps2_an505" / "board.textproto").read_text()
    before, small = (
        "0x00400000  # 4 MiB\n  kind: SRAM\n  access: READ_WRITE",
        "4352\n  kind: SRAM\n  access: READ_WRITE",
    )
    assert before in text
    board = tmp_path / "board.textproto"
    board.write_text(text.replace(before, small))
    target, model = find_board(str(board)), DIGITS / "digits_int8.onnx"
    with pytest.raises(DoesNotFit):
        compile_model(ModelRequest(model, "digits"), target)
    program = compile_model(ModelRequest(model, "digits", arenas={"psram": 1 << 20}), target).program
    (psram,) = program.further_arenas
    assert program.arena_bytes <= 256 < psram.size_bytes


def test_plan_and_program_read_back() -> None:
    assert parse_plan(print_plan(TWO.plan), arrays_of(TWO.plan.schedule)) == TWO.plan
    assert parse_program(print_program(TWO.program)) == TWO.program


def test_the_report_has_both_regions() -> None:
    text = memory_files(TWO)["digits_memory.txt"]
    assert "in isram" in text and "arena_fast" in text and "reads and writes cost" in text


def library(program: Program, folder: Path) -> ctypes.CDLL:
    folder.mkdir()
    return ctypes.CDLL(str(compile_c(folder, c_files(program), "-shared", "-fPIC")))


def painted(size_bytes: int) -> ctypes.Array[ctypes.c_uint8]:
    """Bytes from a multiple of 64 on, and 64 more, all of one paint."""
    memory = (ctypes.c_uint8 * (size_bytes + 128))(*[PAINT] * (size_bytes + 128))
    return (ctypes.c_uint8 * (size_bytes + 64)).from_buffer(memory, -ctypes.addressof(memory) % 64)


def test_a_run_computes_the_same_and_keeps_to_its_arenas(tmp_path: Path) -> None:
    program, (fast,) = TWO.program, TWO.program.further_arenas
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
    (fast,) = TWO.program.further_arenas
    run = library(TWO.program, tmp_path / "two").digits_run
    arena, near = painted(TWO.program.arena_bytes), painted(fast.size_bytes)
    assert run(arena, None) == run(None, near) == BAD_ARENA
    assert run(arena, ctypes.byref(near, 1)) == BAD_ARENA


def with_arena(program: Program, size_bytes: int, later_bytes: int = 0) -> Program:
    """The program with its first further arena changed."""
    assert program.further is not None
    first, *rest = program.further.arenas
    return replace(
        program,
        further=replace(
            program.further,
            arenas=(replace(first, start_bytes=first.start_bytes + later_bytes, size_bytes=size_bytes), *rest),
        ),
    )


def broken() -> list[tuple[str, Program]]:
    program, (fast,) = TWO.program, TWO.program.further_arenas
    port = replace(program.outputs[0], offset_bytes=fast.start_bytes)
    calls = (replace(program.calls[0], pointers=()), *program.calls[1:])
    size = fast.size_bytes
    return [
        ("it cannot start", with_arena(program, size + 4, -4)),
        ("buffers end at byte", with_arena(program, size + 8)),
        ("takes bytes|buffers end at byte", with_arena(program, size - 8)),
        ("no longer holds|does not reach", replace(program, outputs=(port,))),
        ("no longer holds|not used|has no slot|nothing uses", replace(program, calls=calls)),
        ("takes bytes|reaches beyond|end at byte", replace(program, arena_bytes=program.arena_bytes - 8)),
        ("takes bytes", replace(program, further=None)),
    ]


@pytest.mark.parametrize(("reason", "program"), broken())
def test_what_is_unsound_is_refused(reason: str, program: Program) -> None:
    validate(TWO.program)
    with pytest.raises(InvalidPlan, match=reason):
        validate(program)


def test_further_arenas_beside_copies_by_dma_is_refused() -> None:
    target = find_board(str(ROOT / "boards/mps2_an505/board.textproto"))
    request = ModelRequest(DIGITS / "digits_int8.onnx", "digits", arenas={"fast": 4096}, prefetch=True)
    with pytest.raises(StowageError, match=r"--arena: a model that brings weights .* leave them out \(arenas\)"):
        compile_model(request, target)
