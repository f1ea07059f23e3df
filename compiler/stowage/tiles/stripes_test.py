# SPDX-License-Identifier: Apache-2.0
"""A graph in stripes computes what it computes as it is, to the bit, and its program is proved sound."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.codegen.assemble import assemble
from stowage.codegen.faithful import check_faithful
from stowage.codegen.program import Program
from stowage.codegen.validate import validate
from stowage.codegen.watched_slots import Watched, watched_slots
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d
from stowage.ir.reference import run
from stowage.ir.verify import verify
from stowage.memory.planning import lowest_plan
from stowage.passes.fuse_addition import FUSE_ADDITION
from stowage.passes.graph_pass import run_passes
from stowage.tiles.arbitrary_chains import Chain, chains, tilings
from stowage.tiles.cuts import spans
from stowage.tiles.schedule_stripes import schedule_stripes
from stowage.tiles.stripes import striped_graph, worked
from stowage.tiles.tiling import Segment


def results(graph: Graph, seed: int = 0) -> list[Array]:
    (value,) = graph.inputs
    data = np.random.default_rng(seed).integers(-128, 128, value.type.shape).astype(np.int8)
    made = run(graph, {value.name: data})
    return [made[output.name] for output in graph.outputs]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_stripes_compute_the_same_to_the_bit(data: st.DataObject) -> None:
    graph = data.draw(chains())
    result, _ = striped_graph(graph, data.draw(tilings(graph)))
    verify(result, "the test")
    for whole, striped in zip(results(graph), results(result), strict=True):
        np.testing.assert_array_equal(whole, striped)


@settings(deadline=None, max_examples=25)
@given(st.data())
def test_programs_in_stripes_are_sound(data: st.DataObject) -> None:
    graph = data.draw(chains())
    result, stripes = striped_graph(graph, data.draw(tilings(graph)))
    plan = lowest_plan(schedule_stripes(result, stripes, frozenset()), "ram")
    program = assemble(plan)
    validate(program)
    check_faithful(program, plan.schedule)


def long_chain() -> Program:
    """A chain in stripes whose output may lie over rows of the input that have been read."""
    chain = Chain(40)
    for _ in range(3):
        chain.window(Conv2d(strides=(1, 1), pads=(1, 1, 1, 1)), 3)
    graph, stripes = striped_graph(chain.graph(), (Segment(0, 3, 1, 1),))
    return assemble(lowest_plan(schedule_stripes(graph, stripes, frozenset()), "ram"))


def test_an_output_lies_over_rows_that_have_been_read() -> None:
    program = long_chain()
    (held,), (made,) = program.inputs, program.outputs
    assert made.offset_bytes < held.offset_bytes + 40 * 4 * 3 and held.offset_bytes < made.offset_bytes + 40 * 4 * 3
    assert program.arena_bytes < 2 * 40 * 4 * 3


def test_no_two_lives_that_a_poison_build_watches_share_bytes() -> None:
    pieces = list(watched_slots(long_chain()))
    for one, other in permutations(pieces, 2):
        made_later = one.slot.first < other.slot.first < one.last
        assert not made_later or end_of(one) <= begin_of(other) or end_of(other) <= begin_of(one)


def begin_of(piece: Watched) -> int:
    return piece.slot.offset_bytes + piece.begin_bytes


def end_of(piece: Watched) -> int:
    return begin_of(piece) + piece.size_bytes


def three_layers() -> Graph:
    chain = Chain(32)
    for _ in range(3):
        chain.window(Conv2d(pads=(1, 1, 1, 1)), 3)
    return chain.graph()


def test_no_row_is_computed_twice() -> None:
    graph = three_layers()
    result, _ = striped_graph(graph, (Segment(0, 3, 1, 1),))
    rows = sum(node.output.type.shape[1] for node in worked(result) if isinstance(node.op, Conv2d))
    assert rows == 3 * 32


def test_no_value_within_is_ever_whole() -> None:
    graph = three_layers()
    result, _ = striped_graph(graph, (Segment(0, 3, 1, 1),))
    ends = {value.name for value in (*graph.inputs, *graph.outputs)}
    within = [node.output for node in worked(result) if node.output.name not in ends]
    assert max(value.type.shape[1] for value in within) == 3


def test_three_layers_take_little_more_than_their_ends() -> None:
    graph = three_layers()
    result, stripes = striped_graph(graph, (Segment(0, 3, 1, 1),))
    plan = lowest_plan(schedule_stripes(result, stripes, frozenset()), "ram")
    ends, row_bytes = 2 * 32 * 4 * 3, 4 * 3
    scratch_bytes = max(sum(step.call.scratch_bytes) for step in plan.schedule.steps)
    assert plan.arena_bytes <= ends + 2 * 3 * row_bytes + scratch_bytes + 32


def test_what_is_added_is_read_where_the_sum_is_made() -> None:
    chain = Chain(12)
    chain.window(Conv2d(pads=(1, 1, 1, 1)), 3)
    before = chain.value
    chain.window(Conv2d(pads=(1, 1, 1, 1)), 3)
    chain.sum_with(before)
    graph = run_passes(chain.graph(), (FUSE_ADDITION,))
    assert any(isinstance(node.op, Conv2dAdd) for node in graph.nodes)
    result, _ = striped_graph(graph, (Segment(0, len(worked(graph)), 2, 1),))
    for whole, striped in zip(results(graph), results(result), strict=True):
        np.testing.assert_array_equal(whole, striped)


@pytest.mark.parametrize("stripe_rows", [1, 2, 5])
def test_the_mean_of_an_image_is_summed_up_row_by_row(stripe_rows: int) -> None:
    chain = Chain(15)
    chain.window(Conv2d(pads=(1, 1, 1, 1)), 3)
    chain.window(DepthwiseConv2d(pads=(1, 1, 1, 1)), 3)
    chain.plain(AveragePool2d((15, 4), (15, 4)))
    graph = chain.graph()
    assert (0, 3) in [(begin.index, end.index) for begin, end in spans(graph)]
    result, stripes = striped_graph(graph, (Segment(0, 3, stripe_rows, 1),))
    verify(result, "the test")
    for whole, striped in zip(results(graph), results(result), strict=True):
        np.testing.assert_array_equal(whole, striped)
    program = assemble(lowest_plan(schedule_stripes(result, stripes, frozenset()), "ram"))
    validate(program)
    within = [node.output.type.shape[1] for node in worked(result) if node.output.type.dtype is DType.I8]
    assert max(within) <= stripe_rows + 2
