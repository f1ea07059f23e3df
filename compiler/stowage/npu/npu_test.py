# SPDX-License-Identifier: Apache-2.0
"""Tests of the NPU's part of the compiler: random networks give the reference's numbers on NPUs of two sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.codegen.c_compiler import compile_c, output_of
from stowage.errors import InvalidPlan, UnsupportedModel
from stowage.ir.graph import Arithmetic, Graph
from stowage.ir.ops.elementwise import Add
from stowage.ir.ops.npu import NpuSegment
from stowage.ir.ops.window import Conv2d
from stowage.npu.check import check_words
from stowage.npu.decode import decoded
from stowage.npu.npu_trial import LARGE, SMALL, commands_in, run_models, scheduled_on, sources_of
from stowage.passes.random_layers import GROWTHS, RandomLayers, random_network
from stowage.passes.trial_graph import outputs_of, random_inputs
from stowage.schedule.schedule import Schedule, Step
from stowage.schedule.select import select
from stowage.schedule.text import arrays_of, parse_schedule, print_schedule
from stowage.target.board import Npu

SEEDS = range(16)
SIZES = [LARGE, SMALL]


def _networks(arithmetic: Arithmetic) -> Iterator[Graph]:
    """Random networks, but those that this arithmetic has no kernel for."""
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        growths = [GROWTHS[int(index)] for index in random.integers(0, len(GROWTHS), 5)]
        graph = replace(random_network(seed, growths, True), name=f"net{seed}", arithmetic=arithmetic)
        try:
            select(graph, frozenset())
        except UnsupportedModel:
            continue
        yield graph


@pytest.mark.parametrize("arithmetic", Arithmetic)
@pytest.mark.parametrize("npu", SIZES, ids=lambda npu: npu.name)
def test_random_networks_are_the_references_to_the_bit(npu: Npu, arithmetic: Arithmetic, tmp_path: Path) -> None:
    graphs = list(_networks(arithmetic))
    assert len(graphs) > 5
    schedules = [scheduled_on(graph, npu) for graph in graphs]
    assert all(_segments(schedule) for schedule in schedules)
    inputs = [random_inputs(graph) for graph in graphs]
    for graph, given, made in zip(graphs, inputs, run_models(tmp_path, schedules, inputs, npu), strict=True):
        for expected, output in zip(outputs_of(graph, dict(given)), made, strict=True):
            np.testing.assert_array_equal(output, expected, err_msg=graph.name)


def _segments(schedule: Schedule) -> list[Step]:
    return [step for step in schedule.steps if isinstance(step.node.op, NpuSegment)]


def _chain(gate: bool) -> Graph:
    """Three convolutions, of which the last two have a step between them that is the processor's, if asked for."""
    trial = RandomLayers(3)
    data = trial.image(1, 12, 12, 4)
    for index in range(3):
        if gate and index == 2:
            data = trial.gate(data)
        data = trial.layer(Conv2d(pads=(1, 1, 1, 1)), data, trial.some(8, 3, 3, data.type.shape[3]), [1] * 8)
    return trial.graph(data)


def test_a_chain_is_one_segment() -> None:
    (step,) = scheduled_on(_chain(gate=False), LARGE).steps
    assert isinstance(step.node.op, NpuSegment)
    assert len(step.node.op.layers) == 3


def test_what_the_npu_can_not_do_stays_on_the_processor() -> None:
    names = [step.node.op.mnemonic for step in scheduled_on(_chain(gate=True), LARGE).steps]
    assert names == ["npu_segment", "mul", "npu_segment"]


def test_an_operator_that_the_descriptor_leaves_out_is_the_processors() -> None:
    npu = replace(LARGE, operators=("add",))
    names = [step.node.op.mnemonic for step in scheduled_on(_chain(gate=False), npu).steps]
    assert names == ["conv2d"] * 3


def test_branches_cross_as_rarely_as_the_longest_way() -> None:
    """Two branches that both go to the processor and back: one segment before, one behind."""
    trial = RandomLayers(5)
    start = trial.layer(Conv2d(), trial.image(1, 4, 4, 4), trial.some(4, 1, 1, 4), [0] * 4)
    ends = []
    for _ in range(2):
        own = trial.layer(Conv2d(), start, trial.some(4, 1, 1, 4), [0] * 4)
        ends.append(trial.layer(Conv2d(), trial.gate(own), trial.some(4, 1, 1, 4), [0] * 4))
    graph = trial.graph(trial.made(Add(), *ends))
    names = [step.node.op.mnemonic for step in scheduled_on(graph, LARGE).steps]
    assert sorted(names) == ["mul", "mul", "npu_segment", "npu_segment"]


def test_a_segments_schedule_parses_back() -> None:
    schedule = scheduled_on(_chain(gate=True), LARGE)
    assert parse_schedule(print_schedule(schedule), arrays_of(schedule)) == schedule


def test_weights_come_while_the_array_works() -> None:
    (step,) = scheduled_on(_chain(gate=False), LARGE).steps
    steps = decoded([int(word) for word in step.call.constants[0].array], LARGE)
    assert any(each.transfers and each.computations for each in steps)


def _stream(npu: Npu) -> tuple[list[int], list[int], list[int]]:
    (step,) = scheduled_on(_chain(gate=False), npu).steps
    words, data = (constant.array for constant in step.call.constants)
    read = [data.size, *(value.type.size_bytes for value in step.node.inputs)]
    return [int(word) for word in words], read, [value.type.size_bytes for value in step.node.outputs]


def test_the_checker_takes_what_is_made() -> None:
    words, read, written = _stream(LARGE)
    check_words("chain", words, read, written, LARGE)


def _copies(words: list[int]) -> list[int]:
    """Where copies begin."""
    return [at for at in commands_in(words) if words[at] & 0xFFFF in (0x10, 0x11)]


def _engine(words: list[int]) -> list[int]:
    return [at for at in commands_in(words) if words[at] & 0xFFFF >= 0x20]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        (1, 5, "beyond window 5"),
        (2, 1 << 20, "beyond window 0"),
        (3, 9 << 24, "bank 9 lies beyond it"),
        (3, 0xFFFF, "bank 0 lies beyond it"),
    ],
)
def test_a_copy_that_is_wrong_is_refused(field: int, value: int, reason: str) -> None:
    words, read, written = _stream(LARGE)
    words[next(at for at in _copies(words) if words[at + 1] == 0) + field] = value
    with pytest.raises(InvalidPlan, match=reason):
        check_words("chain", words, read, written, LARGE)


def test_streams_that_share_a_port_are_refused() -> None:
    words, read, written = _stream(LARGE)
    at = _engine(words)[0]
    words[at + 3] = words[at + 1]
    with pytest.raises(InvalidPlan, match="two streams on one port"):
        check_words("chain", words, read, written, LARGE)


def test_a_read_before_anything_is_written_is_refused() -> None:
    words, read, written = _stream(LARGE)
    at = _engine(words)[0]
    words[at + 1] += 16
    with pytest.raises(InvalidPlan, match="read before it is written"):
        check_words("chain", words, read, written, LARGE)


def test_an_output_that_is_not_whole_is_refused() -> None:
    words, read, written = _stream(LARGE)
    words[next(at for at in _copies(words) if words[at] & 0xFFFF == 0x11) + 4] -= 1
    with pytest.raises(InvalidPlan, match="not written as a whole"):
        check_words("chain", words, read, written, LARGE)


def test_two_layers_at_once_are_refused() -> None:
    words, read, written = _stream(LARGE)
    at = next(at for at in commands_in(words) if at > _engine(words)[0] and words[at] & 0xFFFF == 2)
    del words[at]
    words[2] -= 1
    with pytest.raises(InvalidPlan, match=r"two commands for the engine|two streams on one port"):
        check_words("chain", words, read, written, LARGE)


def test_every_lost_command_is_noticed() -> None:
    words, read, written = _stream(LARGE)
    for at in [*_copies(words), *_engine(words)]:
        length = words[at] >> 16
        broken = [*words[:at], *words[at + length :]]
        broken[2] = len(broken)
        with pytest.raises(InvalidPlan):
            check_words("chain", broken, read, written, LARGE)


_FAILING_DEVICE = """
#include <stdio.h>
#include "trial.h"
#include "stowage/npu.h"
static int32_t answers[] = {STW_HAL_NPU_LOST, STW_HAL_NPU_OK};
static unsigned asked;
int32_t stw_hal_npu_run(const struct stw_hal_npu_job *job)
{
    (void)job;
    return answers[asked++];
}
int main(void)
{
    const int first = (int)trial_run(trial_arena);
    const int second = (int)trial_run(trial_arena);

    printf("%d %d", first == STW_DEVICE_ERROR, second == STW_OK);
    return 0;
}
"""


def test_an_error_of_the_device_ends_the_run_with_a_status_and_the_next_runs(tmp_path: Path) -> None:
    files = sources_of(scheduled_on(_chain(gate=False), LARGE)) | {"main.c": _FAILING_DEVICE}
    assert output_of(compile_c(tmp_path, files)) == b"1 1"
