# SPDX-License-Identifier: Apache-2.0
"""Streams with a word changed: the proof refuses them, or the model in C computes the same from them.

Beside that, streams that only who knows the layers can refuse: a stripe that is still the one before, other weights.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from stowage.codegen.c_compiler import compile_c
from stowage.errors import InvalidPlan
from stowage.ir.graph import Graph
from stowage.ir.ops.window import Conv2d
from stowage.npu.check import check_stream
from stowage.npu.check_layers import check_layers
from stowage.npu.layer import Kind, Layer
from stowage.npu.npu_trial import NPU_C, ROOT, SMALL, commands_in, segments_on, with_words, words_of_step
from stowage.npu.partition import check_segment
from stowage.npu.usage import stream_of
from stowage.passes.random_layers import GROWTHS, RandomLayers, random_network
from stowage.schedule.schedule import Step
from stowage.target.board_header import npu_lines

COPY_IN, COPY_OUT = 0x10, 0x11
CHANGES = (1, -1, 1 << 8, 1 << 16, 1 << 24)

# Reads runs from standard input: words, stream, windows, and of each its size, whether it is written, and its bytes.
_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "stowage/npu.h"
static uint32_t word(void)
{
    uint32_t value = 0;

    return fread(&value, 4, 1, stdin) == 1 ? value : 0;
}
int main(void)
{
    for (uint32_t words = word(); words != 0; words = word()) {
        struct stw_hal_npu_job job = {malloc(words * 4u), words, 0, {{0, 0, 0}}};
        unsigned char *bytes[STW_HAL_NPU_WINDOWS];

        for (uint32_t i = 0; i < words; i++) {
            ((uint32_t *)job.stream)[i] = word();
        }
        job.windows = word();
        for (uint32_t i = 0; i < job.windows; i++) {
            job.window[i].size_bytes = word();
            job.window[i].is_written = word();
            job.window[i].base = bytes[i] = malloc(job.window[i].size_bytes);
            if (fread(bytes[i], 1, job.window[i].size_bytes, stdin) != job.window[i].size_bytes) {
                return 3;
            }
        }
        printf("%d", (int)stw_hal_npu_run(&job));
        for (uint32_t i = 0; i < job.windows; i++) {
            for (uint32_t k = 0; job.window[i].is_written && k < job.window[i].size_bytes; k++) {
                printf(" %d", bytes[i][k]);
            }
            free(bytes[i]);
        }
        printf("\\n");
        free((void *)job.stream);
    }
    return 0;
}
"""


@pytest.fixture(scope="module", name="program")
def _program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("npu")
    files = {"main.c": _MAIN, "stw_board.h": "\n".join(npu_lines(SMALL)) + "\n"}
    options = [f"-I{ROOT}", f"-I{folder}", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    return compile_c(folder, files, *options, *map(str, NPU_C))


def _run(program: Path, steps: Sequence[Step]) -> list[list[int]]:
    """Error and outputs of segments that differ in their streams alone, on one random input."""
    random, first = np.random.default_rng(1), steps[0]
    read = [first.call.constants[1].array.tobytes()]
    read += [random.integers(0, 256, value.type.size_bytes, np.uint8).tobytes() for value in first.node.inputs]
    windows = [(data, 0) for data in read] + [(bytes(value.type.size_bytes), 1) for value in first.node.outputs]
    tail = _words(len(windows)) + b"".join(_words(len(data), written) + data for data, written in windows)
    given = b"".join(_words(len(words), *words) + tail for words in map(words_of_step, steps))
    done = subprocess.run([program], input=given, capture_output=True, check=True)
    return [[int(number) for number in line.split()] for line in done.stdout.decode().splitlines()]


def _words(*words: int) -> bytes:
    return b"".join(word.to_bytes(4, "little") for word in words)


def _mutants(step: Step) -> Iterator[Step]:
    words = words_of_step(step)
    for at in range(6, len(words)):
        for change in CHANGES:
            yield with_words(step, [*words[:at], (words[at] + change) & 0xFFFFFFFF, *words[at + 1 :]])


def _network(seed: int) -> Graph:
    random = np.random.default_rng(seed)
    return random_network(seed, [GROWTHS[int(index)] for index in random.integers(0, len(GROWTHS), 4)], True)


def _striped() -> Graph:
    """A convolution whose image no bank takes, and another in blocks of channels."""
    trial = RandomLayers(3)
    tall = trial.layer(Conv2d(pads=(1, 1, 1, 1)), trial.image(1, 24, 8, 4), trial.some(4, 3, 3, 4), [1] * 4)
    return trial.graph(trial.layer(Conv2d(strides=(4, 4)), tall, trial.some(16, 2, 2, 4), [1] * 16))


def _is_refused(step: Step, layers: Sequence[Layer]) -> bool:
    try:
        check_segment(step, layers, SMALL)
    except InvalidPlan:
        return True
    return False


@pytest.mark.parametrize("graph", [_network(1), _network(2), _network(5), _striped()], ids=["1", "2", "5", "striped"])
def test_a_changed_word_is_refused_or_changes_nothing(graph: Graph, program: Path) -> None:
    segments = segments_on(graph, SMALL)
    assert segments
    for step, layers in segments:
        mutants = list(_mutants(step))
        taken = [mutant for mutant in mutants if not _is_refused(mutant, layers)]
        assert len(taken) < len(mutants) / 4
        wanted, *made = _run(program, [step, *taken])
        assert wanted[0] == 0
        assert all(each == wanted for each in made)


def _only_layers_tell(step: Step, layers: Sequence[Layer], reason: str) -> None:
    """Whoever knows the format alone takes the stream; who knows the layers does not."""
    check_stream(step, SMALL)
    with pytest.raises(InvalidPlan, match=reason):
        check_layers(step, stream_of(step, SMALL), layers, SMALL)


def _copies(words: Sequence[int], code: int, window: int) -> list[int]:
    return [at for at in commands_in(words) if words[at] & 0xFFFF == code and words[at + 1] == window]


def _part(kind: Kind) -> tuple[Step, tuple[Layer, ...], list[int]]:
    """The first segment of the striped graph that does something of a kind."""
    step, layers = next(each for each in segments_on(_striped(), SMALL) if each[1][0].kind is kind)
    return step, layers, words_of_step(step)


def test_a_stripe_that_is_still_the_one_before_is_refused() -> None:
    """The bank holds bytes of the right tensor, written before they are read: but other rows of it."""
    step, layers, words = _part(Kind.CONV2D)
    stripes = _copies(words, COPY_IN, 1)
    again = [(a, b) for a in stripes for b in stripes if a < b and words[a + 3 : a + 5] == words[b + 3 : b + 5]]
    assert again
    for _, later in again:
        _only_layers_tell(
            with_words(step, [*words[:later], *words[later + 8 :]]), layers, "is not rows of|what .* has made"
        )


def test_rows_of_another_stripe_are_refused() -> None:
    step, layers, words = _part(Kind.CONV2D)
    first, second = _copies(words, COPY_IN, 1)[:2]
    words[second + 2] = words[first + 2]
    _only_layers_tell(with_words(step, words), layers, "is not rows of|under a window|missing|has made")


def test_stripes_that_change_places_in_the_output_are_refused() -> None:
    step, layers, words = _part(Kind.CONV2D)
    made = _copies(words, COPY_OUT, 1 + len(step.node.inputs))
    first, second = next((a, b) for a in made for b in made if a < b and words[a + 4] == words[b + 4])
    words[first + 2], words[second + 2] = words[second + 2], words[first + 2]
    _only_layers_tell(with_words(step, words), layers, "does not copy what is of window")


def test_parameters_of_another_block_are_refused() -> None:
    step, layers = next(each for each in segments_on(_striped(), SMALL) if each[1][0].output.channels == 16)
    words = words_of_step(step)
    blocks = _copies(words, COPY_IN, 0)
    first, second = next((a, b) for a in blocks for b in blocks if a < b and words[a + 4] == words[b + 4])
    words[first + 2], words[second + 2] = words[second + 2], words[first + 2]
    _only_layers_tell(with_words(step, words), layers, "its parameters are not those")


def test_a_segment_that_leaves_a_layer_out_is_refused() -> None:
    step, layers = segments_on(_striped(), SMALL)[0]
    with pytest.raises(InvalidPlan, match="does not make all of"):
        check_layers(step, stream_of(step, SMALL), [*layers, layers[-1]], SMALL)
