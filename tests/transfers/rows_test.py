# SPDX-License-Identifier: Apache-2.0
"""An image that lies in slow memory, brought by DMA in tiles while the model computes on the rows before."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowage.codegen.c_compiler import compile_c
from stowage.codegen.files import c_files
from stowage.codegen.program import Program
from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.target.find_board import find_board

ROOT = Path(__file__).absolute().parents[2]
DIGITS = ROOT / "examples" / "digits"
IMAGES: Array = np.load(DIGITS / "heldout_images_int8.npy")[:12]
EXPECTED: Array = np.load(DIGITS / "expected_int8.npy")[:12]
OK, INPUT_ERROR = 0, 4
NO_CONTROLLER = {"stw_board.h": "#define STW_BOARD_DMA_CHANNELS 0\n"}
PORTS = {"at_once": "hal/dma/memcpy.c", "late": "hal/dma/late.c", "failing": "tests/transfers/failing.c"}


@pytest.fixture(scope="module")
def program() -> Program:
    board = find_board(str(ROOT / "tests/transfers/slow_weights.textproto"))
    return compile_model(ModelRequest(DIGITS / "digits_int8.onnx", "digits", stream_input=True), board).program


@pytest.fixture(scope="module", params=PORTS)
def library(request: pytest.FixtureRequest, program: Program, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    sources = {name: (ROOT / name).read_text() for name in (PORTS[request.param], "tests/transfers/rows.c")}
    files = {**c_files(program), **NO_CONTROLLER, **{Path(name).name: text for name, text in sources.items()}}
    options = ("-shared", "-fPIC", f"-I{ROOT}/hal/include", "-I.")
    return ctypes.CDLL(str(compile_c(tmp_path_factory.mktemp("rows"), files, *options)))


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    counts=st.lists(st.integers(1, 9), min_size=1, max_size=8),
    unread=st.integers(0, 4),
    row_bytes=st.integers(1, 17),
    tile_rows=st.integers(1, 11),
)
def test_every_row_is_handed_on_once_in_order(
    library: ctypes.CDLL, counts: list[int], unread: int, row_bytes: int, tile_rows: int
) -> None:
    """Twice, on another image each time; the last rows may never be asked for."""
    height = sum(counts) + unread
    tiles = (ctypes.c_uint8 * (2 * tile_rows * row_bytes))()
    for run in range(2):
        content = bytes((index * 7 + index // 251 + 13 * run) % 256 for index in range(height * row_bytes))
        image = (ctypes.c_uint8 * len(content)).from_buffer_copy(content)
        library.rows_begin(image, row_bytes, height, tiles, tile_rows)
        first = 0
        for count in counts:
            out = (ctypes.c_uint8 * (count * row_bytes))()
            assert library.rows_read(first, count, out) == 0
            assert bytes(out) == content[first * row_bytes : (first + count) * row_bytes]
            first += count
        library.rows_finish()


def scores(library: ctypes.CDLL, program: Program, image: Array, tile_rows: int) -> list[int] | int:
    """What the model says, or the status of a run that failed."""
    memory = (ctypes.c_uint8 * (program.arena_bytes + 64))()
    arena = (ctypes.c_uint8 * program.arena_bytes).from_buffer(memory, -ctypes.addressof(memory) % 64)
    slow = (ctypes.c_uint8 * image.nbytes).from_buffer_copy(image.tobytes())
    tiles = (ctypes.c_uint8 * (2 * tile_rows * 8))()
    library.rows_begin(slow, 8, 8, tiles, tile_rows)
    status: int = library.rows_run(arena)
    if status != OK:
        return status
    result = program.outputs[0]
    end = result.offset_bytes + result.value.type.size_bytes
    return list(map(int, np.array(arena[result.offset_bytes : end], dtype=np.uint8).view(np.int8)))


@pytest.mark.parametrize("tile_rows", [1, 2, 3, 8, 11])
def test_a_model_says_of_such_an_image_what_it_says(library: ctypes.CDLL, program: Program, tile_rows: int) -> None:
    said = [scores(library, program, image, tile_rows) for image in IMAGES]
    assert np.abs(np.array(said) - EXPECTED.reshape(len(IMAGES), -1)).max() <= 1


def test_a_copy_that_fails_ends_the_run_and_the_next_one_works(program: Program, tmp_path: Path) -> None:
    files = {**c_files(program), **NO_CONTROLLER}
    files |= {name: (ROOT / "tests/transfers" / name).read_text() for name in ("failing.c", "rows.c")}
    options = ("-shared", "-fPIC", f"-I{ROOT}/hal/include", "-I.")
    library = ctypes.CDLL(str(compile_c(tmp_path, files, *options)))
    in_flight = ctypes.c_int32.in_dll(library, "copies_in_flight")
    right = scores(library, program, IMAGES[0], 2)
    for number in range(4):
        for failure in ((number, -1), (-1, number)):
            library.failing_begin(*failure)
            assert scores(library, program, IMAGES[1], 2) == INPUT_ERROR, failure
            assert in_flight.value == 0
            library.failing_begin(-1, -1)
            assert scores(library, program, IMAGES[0], 2) == right
