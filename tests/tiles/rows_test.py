# SPDX-License-Identifier: Apache-2.0
"""A model whose input is fed by rows, as C: it gives what it gives with the input whole, and runs after a failure."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from stowage.codegen.c_compiler import compile_c
from stowage.codegen.program import Program
from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.report.memory_report import memory_files
from stowage.target.find_board import find_board

ROOT = Path(__file__).absolute().parents[2]
DIGITS = ROOT / "examples" / "digits"
OK, INPUT_ERROR = 0, 4
PAINT = 0xA5
BYTES: Array = np.load(DIGITS / "heldout_images_int8.npy")[:24]
RAM_BYTES = 640
"""Below what the model takes with its input whole: 786 bytes as it is."""

Read = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)


class Source(ctypes.Structure):
    """struct stw_row_source."""

    _fields_ = [("read", Read), ("context", ctypes.c_void_p)]


@dataclass(frozen=True)
class Camera:
    """Delivers an image, and remembers what it was asked for; at one row it fails."""

    image: Array
    failing_row: int
    asked: list[tuple[int, int]]

    def read(self, context: int, first: int, rows: int, destination: int) -> int:
        assert context == 77
        self.asked.append((first, rows))
        if first <= self.failing_row < first + rows:
            return -5
        piece = np.ascontiguousarray(self.image[first : first + rows])
        ctypes.memmove(destination, piece.tobytes(), piece.nbytes)
        return 0


@dataclass(frozen=True)
class Image:
    """The model as a library, with its arena and what lies behind that."""

    library: ctypes.CDLL
    program: Program
    arena: ctypes.Array[ctypes.c_uint8]

    def fed(self, camera: Camera) -> int:
        read = Read(camera.read)
        status: int = self.library.digits_run(self.arena, ctypes.byref(Source(read, 77)))
        return status

    def whole(self, image: Array) -> bytes:
        entry = self.program.inputs[0]
        ctypes.memmove(ctypes.addressof(self.arena) + entry.offset_bytes, image.tobytes(), image.nbytes)
        assert self.library.digits_run(self.arena) == OK
        return self.scores()

    def scores(self) -> bytes:
        result = self.program.outputs[0]
        return bytes(self.arena[result.offset_bytes : result.offset_bytes + result.value.type.size_bytes])


def compiled(model: str, ram_bytes: int | None, stream_input: bool) -> Compiled:
    target = find_board(str(ROOT / "boards/host/board.textproto"))
    request = ModelRequest(DIGITS / model, "digits", ram_bytes=ram_bytes, stream_input=stream_input)
    return compile_model(request, target)


def built(model: Compiled, folder: Path, *options: str) -> Image:
    folder.mkdir()
    library = ctypes.CDLL(str(compile_c(folder, model.sources, "-shared", "-fPIC", *options)))
    size_bytes = model.program.arena_bytes
    memory = (ctypes.c_uint8 * (size_bytes + 128))(*[PAINT] * (size_bytes + 128))
    arena = (ctypes.c_uint8 * (size_bytes + 64)).from_buffer(memory, -ctypes.addressof(memory) % 64)
    return Image(library, model.program, arena)


def rows_of(image: Array, model: Compiled) -> Array:
    assert model.program.fed is not None
    return image.reshape(model.program.fed.value.type.shape[1:])


@pytest.fixture(scope="module")
def fed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Compiled, Image]:
    model = compiled("digits_int8.onnx", RAM_BYTES, stream_input=True)
    return model, built(model, tmp_path_factory.mktemp("fed") / "c")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return built(compiled("digits_int8.onnx", None, stream_input=False), tmp_path_factory.mktemp("whole") / "c")


def test_outputs_are_the_same_to_the_bit_in_less_memory(fed: tuple[Compiled, Image], whole: Image) -> None:
    model, image = fed
    assert model.program.arena_bytes <= RAM_BYTES < whole.program.arena_bytes
    for data in BYTES:
        camera = Camera(rows_of(data, model), -1, [])
        assert image.fed(camera) == OK
        assert image.scores() == whole.whole(data)
        assert [row for first, rows in camera.asked for row in range(first, first + rows)] == [*range(8)]
    assert set(image.arena[model.program.arena_bytes :]) == {PAINT}


def test_a_missing_row_ends_the_run_and_the_next_one_works(fed: tuple[Compiled, Image], whole: Image) -> None:
    model, image = fed
    for row in range(8):
        camera = Camera(rows_of(BYTES[0], model), row, [])
        assert image.fed(camera) == INPUT_ERROR
        assert sum(camera.asked[-1]) > row, "nothing is asked for after the failure"
        assert image.fed(Camera(rows_of(BYTES[1], model), -1, [])) == OK
        assert image.scores() == whole.whole(BYTES[1])


def test_a_poison_build_finds_nothing_amiss(fed: tuple[Compiled, Image], whole: Image, tmp_path: Path) -> None:
    model, _ = fed
    watch = {"poison.c": (ROOT / "runtime/core/poison.c").read_text()}
    image = built(replace(model, sources={**model.sources, **watch}), tmp_path / "c", "-DSTW_POISON")
    descriptor = ctypes.c_char.in_dll(image.library, "digits_model")
    image.library.stw_poison_report.restype = ctypes.POINTER(ctypes.c_uint32 * 2)
    for number, (stops_at, status) in enumerate([(-1, OK), (4, INPUT_ERROR), (-1, OK)]):
        image.library.stw_poison_prepare(ctypes.byref(descriptor), image.arena)
        assert image.fed(Camera(rows_of(BYTES[number], model), stops_at, [])) == status
        assert status != OK or image.scores() == whole.whole(BYTES[number])
        strays_and_clobbered = list(image.library.stw_poison_report().contents)
        assert strays_and_clobbered == [0, 0]


def test_a_run_without_a_source_is_refused(fed: tuple[Compiled, Image]) -> None:
    _, image = fed
    assert image.library.digits_run(image.arena, None) == INPUT_ERROR
    assert image.library.digits_run(image.arena, ctypes.byref(Source(Read(), 77))) == INPUT_ERROR


def test_without_a_limit_it_takes_no_more_than_as_it_is(tmp_path: Path, whole: Image) -> None:
    model = compiled("digits_int8.onnx", None, stream_input=True)
    assert model.program.arena_bytes <= whole.program.arena_bytes
    image = built(model, tmp_path / "c")
    assert image.fed(Camera(rows_of(BYTES[2], model), -1, [])) == OK
    assert image.scores() == whole.whole(BYTES[2])


def test_rows_of_floats(tmp_path: Path) -> None:
    model, plain = (compiled("digits_f32.onnx", None, stream_input=each) for each in (True, False))
    data: Array = np.load(DIGITS / "heldout_images.npy")[0]
    image, other = built(model, tmp_path / "fed"), built(plain, tmp_path / "whole")
    assert image.fed(Camera(rows_of(data, model), -1, [])) == OK
    assert image.scores() == other.whole(data)


def test_header_and_report_say_how_rows_come(fed: tuple[Compiled, Image]) -> None:
    model, _ = fed
    header = model.sources["digits.h"]
    sizes = [line.split()[1:] for line in header.splitlines() if "_ROW" in line and line.startswith("#define")]
    assert ["DIGITS_INPUT_IMAGE_ROWS", "8u"] in sizes and ["DIGITS_INPUT_IMAGE_ROW_BYTES", "8u"] in sizes
    assert "enum stw_status digits_run(void *arena, const struct stw_row_source *rows);" in header
    assert "by rows" in memory_files(model)["digits_memory.txt"]
