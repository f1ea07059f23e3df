# SPDX-License-Identifier: Apache-2.0
"""A segment's output may lie over its inputs exactly as far as its copies let it, found out pair by pair of bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from stowage.errors import InvalidPlan
from stowage.ir.graph import Graph
from stowage.ir.ops.window import Conv2d
from stowage.memory.planning import plan_memory
from stowage.npu.check_overlaps import check_overlaps
from stowage.npu.npu_trial import LARGE, SMALL, commands_in, scheduled_on, segments_on, with_words, words_of_step
from stowage.npu.usage import stream_of
from stowage.passes.random_layers import RandomLayers
from stowage.schedule.schedule import Step
from stowage.target.find_board import find_board
from stowage.target.kernels.kernel import Direction, Overlap


def _graph(stride: int, pad: int, channels: int) -> Graph:
    """A convolution of an image that SMALL takes in stripes, LARGE as a whole."""
    trial = RandomLayers(3)
    conv = Conv2d(strides=(stride, stride), pads=(pad, pad, pad, pad))
    weights = trial.some(channels, 3, 3, 4)
    return trial.graph(trial.layer(conv, trial.image(1, 24, 8, 4), weights, [1] * channels))


GRAPHS = [_graph(1, 1, 4), _graph(1, 1, 8), _graph(2, 1, 8), _graph(1, 0, 2)]


def _segments(npu_name: str) -> Iterator[Step]:
    npu = {"small": SMALL, "large": LARGE}[npu_name]
    for graph in GRAPHS:
        for step, _ in segments_on(graph, npu):
            yield step


def _spoils(step: Step, output_at: int) -> bool:
    """Whether a copy reads a byte of the input, which begins at 0, that one before it wrote."""
    written: set[int] = set()
    for each in stream_of(step, SMALL if step.call.constants[0].array[4] == SMALL.bank_bytes else LARGE):
        for transfer in each.transfers:
            begin = transfer.outside.offset_bytes
            span = range(begin, begin + transfer.size_bytes)
            if transfer.is_out:
                written |= {output_at + byte for byte in span}
            elif transfer.window == 1 and written & set(span):
                return True
    return False


def _output_at(step: Step, overlap: Overlap, distance_bytes: int) -> int:
    """Where the output begins that lies at a distance from an input that begins at 0."""
    if overlap.direction is Direction.FORWARD:
        return -distance_bytes
    return step.node.inputs[0].type.size_bytes + distance_bytes - step.node.outputs[0].type.size_bytes


@pytest.mark.parametrize("npu", ["small", "large"])
def test_distances_are_exact(npu: str) -> None:
    seen = 0
    for step in _segments(npu):
        for overlap in step.call.overlaps:
            seen += 1
            distances = range(overlap.distance_bytes, step.node.outputs[0].type.size_bytes)
            assert not any(_spoils(step, _output_at(step, overlap, distance)) for distance in distances)
            if overlap.distance_bytes:
                assert _spoils(step, _output_at(step, overlap, overlap.distance_bytes - 1))
    assert seen >= len(GRAPHS)


def _with_overlaps(step: Step, *overlaps: Overlap) -> Step:
    return replace(step, call=replace(step.call, overlaps=overlaps))


def test_a_byte_nearer_is_refused() -> None:
    nearer = 0
    for step in _segments("small"):
        for overlap in step.call.overlaps:
            check_overlaps(_with_overlaps(step, overlap), stream_of(step, SMALL))
            if overlap.distance_bytes:
                nearer += 1
                mutant = _with_overlaps(step, replace(overlap, distance_bytes=overlap.distance_bytes - 1))
                with pytest.raises(InvalidPlan, match="where it has written over it"):
                    check_overlaps(mutant, stream_of(step, SMALL))
    assert nearer


def test_an_overlap_with_what_is_no_input_is_refused() -> None:
    step = next(_segments("large"))
    with pytest.raises(InvalidPlan, match="what is no input"):
        check_overlaps(_with_overlaps(step, Overlap(1, 0)), stream_of(step, LARGE))


def test_a_read_of_what_an_earlier_command_has_overwritten_is_refused() -> None:
    """The image is whole in a bank before the first result leaves it: until its copy is put behind that."""
    step = next(_segments("large"))
    assert {overlap.distance_bytes for overlap in step.call.overlaps} == {0}
    words = words_of_step(step)
    copy_in = next(at for at in commands_in(words) if words[at] == 0x80010 and words[at + 1] == 1)
    late = [*words[:copy_in], *words[copy_in + 8 : -1], *words[copy_in : copy_in + 8], 0x10002, words[-1]]
    mutant = with_words(step, late)
    with pytest.raises(InvalidPlan, match="where it has written over it"):
        check_overlaps(mutant, stream_of(mutant, LARGE))


def test_the_arena_is_no_larger_than_the_larger_end() -> None:
    """384 output bytes over 768 of input, or 1,536 over 768; on its own bytes where the two are as large."""
    for graph in GRAPHS:
        plan = plan_memory(scheduled_on(graph, LARGE), replace(find_board("host"), npu=LARGE))
        ends = [int(np.prod(value.type.shape)) for value in (*graph.inputs, *graph.outputs)]
        assert plan.arena_bytes == max(ends)
