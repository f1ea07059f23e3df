# SPDX-License-Identifier: Apache-2.0
"""A model whose weights are brought ahead of its steps, with copies that are made at once, come late, or fail."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from stowage.codegen.c_compiler import compile_c
from stowage.codegen.files import c_files
from stowage.codegen.program import ArenaPointer, Program
from stowage.ir.graph import Array
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.target.find_board import find_board

ROOT = Path(__file__).absolute().parents[2]
DIGITS = ROOT / "examples" / "digits"
OK, DEVICE_ERROR = 0, 3
IMAGES: Array = np.load(DIGITS / "heldout_images_int8.npy")[:24]
EXPECTED: Array = np.load(DIGITS / "expected_int8.npy")[:24]
NO_CONTROLLER = {"stw_board.h": "#define STW_BOARD_DMA_CHANNELS 0\n"}
PORTS = {
    "at_once": {**NO_CONTROLLER, "memcpy.c": (ROOT / "hal/dma/memcpy.c").read_text()},
    "late": {"late.c": (ROOT / "hal/dma/late.c").read_text()},
    "failing": {"failing.c": (ROOT / "tests/transfers/failing.c").read_text()},
}


@dataclass(frozen=True)
class Image:
    """The model as a library, with its arena."""

    library: ctypes.CDLL
    program: Program
    arena: ctypes.Array[ctypes.c_uint8]

    def status(self, image: Array) -> int:
        entry = self.program.inputs[0]
        ctypes.memmove(ctypes.addressof(self.arena) + entry.offset_bytes, image.tobytes(), image.nbytes)
        status: int = self.library.digits_run(self.arena)
        return status

    def scores(self, image: Array) -> list[int]:
        assert self.status(image) == OK
        result = self.program.outputs[0]
        end = result.offset_bytes + result.value.type.size_bytes
        return list(map(int, np.array(self.arena[result.offset_bytes : end], dtype=np.uint8).view(np.int8)))

    def all_scores(self) -> list[list[int]]:
        return [self.scores(image) for image in IMAGES]


def compiled(prefetch: bool, ram_bytes: int | None = None) -> Compiled:
    target = find_board(str(ROOT / "tests/transfers/slow_weights.textproto"))
    request = ModelRequest(DIGITS / "digits_int8.onnx", "digits", prefetch=prefetch, ram_bytes=ram_bytes)
    return compile_model(request, target)


def built(program: Program, port: str, folder: Path) -> Image:
    folder.mkdir()
    options = ("-shared", "-fPIC", f"-I{ROOT}/hal/include", "-I.")
    library = ctypes.CDLL(str(compile_c(folder, {**c_files(program), **PORTS[port]}, *options)))
    memory = (ctypes.c_uint8 * (program.arena_bytes + 64))()
    shift = -ctypes.addressof(memory) % 64
    arena = (ctypes.c_uint8 * program.arena_bytes).from_buffer(memory, shift)
    return Image(library, program, arena)


@pytest.fixture(scope="module")
def program() -> Program:
    return compiled(prefetch=True).program


@pytest.fixture(scope="module")
def striped() -> Program:
    """Three of its stripes read what a copy has brought for the first one."""
    return compiled(prefetch=True, ram_bytes=700).program


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> list[list[int]]:
    plain = compiled(prefetch=False).program
    assert not plain.transfers
    scores = built(plain, "at_once", tmp_path_factory.mktemp("plain") / "c").all_scores()
    assert np.abs(np.array(scores) - EXPECTED.reshape(len(IMAGES), -1)).max() <= 1
    return scores


@pytest.mark.parametrize("port", PORTS)
def test_outputs_are_those_without(program: Program, right: list[list[int]], port: str, tmp_path: Path) -> None:
    assert len(program.transfers) >= 4
    assert built(program, port, tmp_path / "c").all_scores() == right


@pytest.mark.parametrize("port", PORTS)
def test_stripes_that_share_a_copy_read_it_each(
    striped: Program, right: list[list[int]], port: str, tmp_path: Path
) -> None:
    (transfer,) = striped.transfers
    reads = [each for call in striped.calls for each in call.pointers if isinstance(each, ArenaPointer)]
    assert sum(each.buffer == transfer.buffer for each in reads) == 4
    assert built(striped, port, tmp_path / "c").all_scores() == right


def test_late_copies_show_a_program_that_waits_too_late(
    program: Program, right: list[list[int]], tmp_path: Path
) -> None:
    """Each transfer in turn is waited for a step after it is read; copies that are made at once do not show it."""
    for number, transfer in enumerate(program.transfers):
        late = replace(transfer, wait=transfer.wait + 1)
        wrong = replace(program, transfers=(*program.transfers[:number], late, *program.transfers[number + 1 :]))
        assert built(wrong, "at_once", tmp_path / f"at_once{number}").all_scores() == right
        assert built(wrong, "late", tmp_path / f"late{number}").all_scores() != right


def test_a_failed_copy_ends_the_run_and_the_next_one_works(
    program: Program, right: list[list[int]], tmp_path: Path
) -> None:
    image = built(program, "failing", tmp_path / "c")
    in_flight = ctypes.c_int32.in_dll(image.library, "copies_in_flight")
    for number in range(len(program.transfers)):
        for failure in ((number, -1), (-1, number)):
            image.library.failing_begin(*failure)
            assert image.status(IMAGES[0]) == DEVICE_ERROR, failure
            assert in_flight.value == 0, "what else was in flight is waited for"
            image.library.failing_begin(-1, -1)
            assert image.scores(IMAGES[1]) == right[1]
    assert ctypes.c_int32.in_dll(image.library, "copies_started").value == len(program.transfers)
