# SPDX-License-Identifier: Apache-2.0
"""The watch of a poison build sees every arena: what a step writes past its buffers there, and how far each is used."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from stowage.codegen.c_compiler import compile_c
from stowage.codegen.files import c_files
from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.target.find_board import find_board

ROOT = Path(__file__).absolute().parents[2]
DIGITS = ROOT / "examples" / "digits"
IMAGE: Array = np.load(DIGITS / "heldout_images_int8.npy")[0]
BOARD = find_board(str(ROOT / "boards" / "mps2_an505" / "board.textproto"))
PROGRAM = compile_model(
    ModelRequest(DIGITS / "digits_int8.onnx", "digits", arenas={"psram": 1024, "fast": 2048}), BOARD
).program
FAST = 1
"""The number of the arena with buffers among the further ones."""


class Report(ctypes.Structure):
    """`struct stw_poison_report`."""

    _fields_ = (
        ("stray_writes", ctypes.c_uint32),
        ("clobbered_slots", ctypes.c_uint32),
        ("first_step", ctypes.c_uint32),
        ("first_offset", ctypes.c_uint32),
        ("first_arena", ctypes.c_uint32),
        ("high_water_bytes", ctypes.c_uint32),
        ("further_high_water_bytes", ctypes.c_uint32 * 7),
    )


def watched_run(folder: Path, files: Mapping[str, str]) -> Report:
    """What the watch finds in one run in the arenas that come with the model."""
    watch = (ROOT / "runtime" / "core" / "poison.c").read_text()
    library = ctypes.CDLL(str(compile_c(folder, {**files, "poison.c": watch}, "-shared", "-fPIC", "-DSTW_POISON")))
    names = ("digits_arena", *(f"digits_arena_{each.name}" for each in PROGRAM.further_arenas))
    arena, *further = (ctypes.addressof(ctypes.c_uint8.in_dll(library, name)) for name in names)
    model = ctypes.addressof(ctypes.c_uint8.in_dll(library, "digits_model"))
    ctypes.memmove(arena + PROGRAM.inputs[0].offset_bytes, IMAGE.tobytes(), IMAGE.nbytes)
    library.stw_poison_prepare(ctypes.c_void_p(model), ctypes.c_void_p(arena))
    for number, start in enumerate(further):
        library.stw_poison_watch(ctypes.c_void_p(model), number, ctypes.c_void_p(start))
    assert library.digits_run(*map(ctypes.c_void_p, (arena, *further))) == 0
    library.stw_poison_report.restype = ctypes.POINTER(Report)
    report: Report = library.stw_poison_report().contents
    return report


def test_a_sound_run_leaves_nothing_to_find_and_uses_every_arena(tmp_path: Path) -> None:
    report = watched_run(tmp_path, c_files(PROGRAM))
    assert (report.stray_writes, report.clobbered_slots) == (0, 0)
    assert report.high_water_bytes == PROGRAM.arena_bytes
    planned = [arena.size_bytes for arena in PROGRAM.further_arenas]
    assert planned[0] == 0 < planned[FAST]
    assert list(report.further_high_water_bytes[:2]) == planned


@pytest.mark.parametrize(
    ("size", "last", "field"), [("1", None, "stray_writes"), (None, "99", "clobbered_slots")], ids=["stray", "clobber"]
)
def test_what_is_told_wrongly_of_a_further_arena_is_found_there(
    tmp_path: Path, size: str | None, last: str | None, field: str
) -> None:
    """The first buffer there is told to be one byte long, or to live for ever."""
    sources = c_files(PROGRAM)
    before, table, after = sources["digits.c"].partition("digits_slots_fast[] = {\n")
    row, rest = after.split("\n", 1)
    cells = row.strip(" {},").split(", ")
    cells[1], cells[3] = (f"{size}u" if size else cells[1]), (f"{last}u" if last else cells[3])
    changed = f"{before}{table}    {{{', '.join(cells)}}},\n{rest}"
    report = watched_run(tmp_path, {**sources, "digits.c": changed})
    assert getattr(report, field) > 0
    assert report.first_arena == 1 + FAST
