# SPDX-License-Identifier: Apache-2.0
"""Tests of the NPU's model and driver by themselves: what is refused and why, and that the next stream runs.

Streams are written here by hand, word by word, against README.md.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from stowage.codegen.c_compiler import compile_c
from stowage.npu.decode import BadStream, decoded
from stowage.npu.npu_trial import NPU_C, ROOT, SMALL
from stowage.target.board_header import npu_lines

BAD_HEADER, BAD_MACHINE, BAD_COMMAND, BAD_FIELD, BAD_BANK, BAD_WINDOW, BANK_CONFLICT, TWO_ENGINES = range(1, 9)
STEP, END = [0x00010002], [0x00010001]
BANK = 1 << 24

# Reads streams from standard input, runs each with windows on arrays whose neighbours are guarded by the sanitizer.
_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stowage/npu.h"
int main(void)
{
    uint32_t words;

    while (fread(&words, 4, 1, stdin) == 1) {
        uint32_t *stream = malloc(words * 4u);
        unsigned char *in = malloc(64), *out = malloc(64);
        int32_t error;

        if (fread(stream, 4, words, stdin) != words) {
            return 3;
        }
        for (unsigned i = 0; i < 64; i++) {
            in[i] = (unsigned char)(i * 7u);
        }
        memset(out, 0, 64);
        const struct stw_hal_npu_job job = {stream, words, 2u, {{in, 64u, 0u}, {out, 64u, 1u}}};
        error = stw_hal_npu_run(&job);
        printf("%d %llu", (int)error, (unsigned long long)stw_hal_npu_cycles());
        for (unsigned i = 0; i < 64; i++) {
            printf(" %d", (signed char)out[i]);
        }
        printf("\\n");
        free(stream), free(in), free(out);
    }
    return 0;
}
"""


@pytest.fixture(scope="module", name="program")
def _program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("npu")
    files = {"main.c": _MAIN, "stw_board.h": "\n".join(npu_lines(SMALL)) + "\n"}
    options = [f"-I{ROOT}", f"-I{folder}", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    return compile_c(folder, files, *options, *map(str, NPU_C))


def _run(program: Path, *streams: Sequence[int]) -> list[list[int]]:
    """Error, cycles and output of each stream."""
    given = b"".join(b"".join(word.to_bytes(4, "little") for word in (len(s), *s)) for s in streams)
    done = subprocess.run([program], input=given, capture_output=True, check=True)
    return [[int(number) for number in line.split()] for line in done.stdout.decode().splitlines()]


def _stream(*commands: Sequence[int], banks: int = 4, bank_bytes: int = 512) -> list[int]:
    body = [word for line in commands for word in line]
    return [0x4D525453, 1, 6 + len(body), banks, bank_bytes, 2, *body]


def _copy_in(at: int, size: int, where: int, window: int = 0) -> list[int]:
    return [0x00080010, window, at, where, size, 1, 0, 0]


def _copy_out(at: int, size: int, where: int, window: int = 1) -> list[int]:
    return [0x00080011, window, at, where, size, 1, 0, 0]


def _pool(source: int, made: int, *, kernel: int = 2) -> list[int]:
    """The largest of each 2 x 2 of an image [4, 4, 2]."""
    window = kernel | kernel << 8 | 2 << 16 | 2 << 24
    return [0x000D0023, source, 0, made, 4 | 4 << 16, 2 | 2 << 16, 2 | 2 << 16, window, 0x01010000, 2, 2, 0x7F800000, 0]


def _good() -> list[int]:
    return _stream(_copy_in(0, 32, 0), STEP, _pool(0, BANK), STEP, _copy_out(0, 8, BANK), STEP, END)


def _pooled() -> list[int]:
    image = [(index * 7 + 128) % 256 - 128 for index in range(32)]
    return [
        max(image[(2 * y + i) * 8 + (2 * x + j) * 2 + c] for i in (0, 1) for j in (0, 1))
        for y in (0, 1)
        for x in (0, 1)
        for c in (0, 1)
    ]


def test_a_stream_runs_and_takes_the_cycles_that_are_documented(program: Path) -> None:
    ((error, cycles, *output),) = _run(program, _good())
    assert error == 0
    assert output[:8] == _pooled()
    # Copies of 32 and 8 bytes by 2 a cycle; one block of channels, two of pixels, four taps.
    assert cycles == (8 + 16 + 4) + (16 + 1 * 2 * 4 + 4) + (8 + 4 + 4)
    assert cycles == sum(step.cycles for step in decoded(_good(), SMALL))


def _changed(place: int, word: int) -> list[int]:
    stream = _good()
    stream[place] = word
    return stream


_COPY, _POOL, _OUT = 6, 15, 29

REFUSED = {
    "no magic": (_changed(0, 0), BAD_HEADER),
    "another version": (_changed(1, 2), BAD_HEADER),
    "another length": (_changed(2, 9), BAD_HEADER),
    "no words": ([], BAD_HEADER),
    "too many banks": (_changed(3, 5), BAD_MACHINE),
    "larger banks": (_changed(4, 1024), BAD_MACHINE),
    "too many windows": (_changed(5, 9), BAD_MACHINE),
    "an unknown command": (_changed(_POOL, 0x000D0030), BAD_COMMAND),
    "a command of another length": (_changed(_COPY, 0x00070010), BAD_COMMAND),
    "a command without words": (_changed(_COPY, 0x00000010), BAD_COMMAND),
    "a command beyond the end": (_changed(_COPY, 0xFFFF0010), BAD_COMMAND),
    "no end": (_stream(_copy_in(0, 32, 0), STEP), BAD_COMMAND),
    "words behind the end": (_stream(END, END), BAD_COMMAND),
    "a step that does not end": (_stream(_copy_in(0, 32, 0), END), BAD_COMMAND),
    "a window that there is not": (_changed(_COPY + 1, 8), BAD_FIELD),
    "no lines": (_changed(_COPY + 5, 0), BAD_FIELD),
    "no rows": (_changed(_POOL + 4, 4 << 16), BAD_FIELD),
    "no kernel": (_changed(_POOL + 7, 0x02020200), BAD_FIELD),
    "pixels that overlap": (_changed(_POOL + 9, 1), BAD_FIELD),
    "a negative stride": (_changed(_POOL + 10, 0xFFFFFFFF), BAD_FIELD),
    "bounds the wrong way round": (_changed(_POOL + 11, 0x807F0000), BAD_FIELD),
    "an unknown rounding": (_changed(_POOL + 12, 3), BAD_FIELD),
    "channels that differ": (_changed(_POOL + 5, 2 | 1 << 16), BAD_FIELD),
    "a bank that there is not": (_changed(_COPY + 3, 4 * BANK), BAD_BANK),
    "a copy beyond its bank": (_changed(_COPY + 3, 500), BAD_BANK),
    "an input beyond its bank": (_changed(_POOL + 1, 481), BAD_BANK),
    "an output in no bank": (_changed(_POOL + 3, 99 * BANK), BAD_BANK),
    "a copy beyond its window": (_changed(_COPY + 2, 33), BAD_WINDOW),
    "lines beyond the window": (
        _stream([0x00080010, 0, 0, 0, 1, 0xFFFF, 0xFFFFFFFF, 0], STEP, END),
        BAD_WINDOW,
    ),
    "a window that is written, read": (_changed(_COPY + 1, 1), BAD_WINDOW),
    "a window that is read, written": (_changed(_OUT + 1, 0), BAD_WINDOW),
    "a window that is shut": (_changed(_COPY + 1, 5), BAD_WINDOW),
    "input and output on one port": (_changed(_POOL + 3, 64), BANK_CONFLICT),
    "a copy behind the engine's back": (_stream(_pool(0, BANK), _copy_in(0, 1, 0), STEP, END), BANK_CONFLICT),
    "the engine behind a copy's back": (_stream(_copy_in(0, 1, BANK), _pool(0, BANK), STEP, END), BANK_CONFLICT),
    "two commands at once": (_stream(_pool(0, BANK), _pool(2 * BANK, 3 * BANK), STEP, END), TWO_ENGINES),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_refused_and_the_next_stream_runs(case: str, program: Path) -> None:
    stream, error = REFUSED[case]
    refused, after = _run(program, stream, _good())
    assert refused[0] == error
    assert after[0] == 0
    assert after[2:10] == _pooled()


def test_a_shift_that_can_not_be_is_refused(program: Path) -> None:
    """A dense layer of one weight whose record is what the banks hold: window bytes 0, 7, 14, …"""
    dense = [0x00090022, 0, BANK, 2 * BANK, 1 | 1 << 16, 1, 1, 0x7F800000, 0]
    ((error, *_),) = _run(program, _stream(_copy_in(0, 1, 0), _copy_in(0, 13, BANK), STEP, dense, STEP, END))
    assert error == BAD_FIELD


def test_no_stream_whatever_touches_what_is_not_its_own(program: Path) -> None:
    """Thousands of streams with words at random: sanitizers watch the model, and every one of them ends."""
    source = random.Random(1)
    streams = []
    for _ in range(4000):
        stream = _good()
        for _ in range(source.randrange(1, 4)):
            place = source.randrange(6, len(stream))
            near = stream[place] + source.choice([-1, 1, 1 << 8, 1 << 16, 1 << 24])
            stream[place] = source.choice([near, source.getrandbits(32), source.getrandbits(8)]) & 0xFFFFFFFF
        streams.append(stream)
    results = _run(program, *streams, _good())
    assert len(results) == len(streams) + 1
    assert len({result[0] for result in results}) > 5
    assert results[-1][0] == 0


def test_what_the_model_refuses_for_its_form_the_compiler_does_not_read_either() -> None:
    for stream, error in REFUSED.values():
        if error in (BAD_HEADER, BAD_COMMAND) and stream:
            with pytest.raises(BadStream):
                decoded(stream, SMALL)
