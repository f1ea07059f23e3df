# SPDX-License-Identifier: Apache-2.0
"""A graph whose input is fed by rows computes what it computes with the input whole, or is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.codegen.assemble import assemble
from stowage.codegen.faithful import check_faithful
from stowage.codegen.program import Program
from stowage.codegen.text import parse_program, print_program
from stowage.codegen.validate import validate
from stowage.errors import InvalidPlan, UnsupportedModel
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph, Node, Value
from stowage.ir.ops.elementwise import Quantize
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.window import Conv2d
from stowage.ir.reference import run
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.verify import verify
from stowage.memory.planning import lowest_plan
from stowage.passes.trial_graph import TrialGraph
from stowage.schedule.order import in_best_order
from stowage.schedule.select import select
from stowage.schedule.text import arrays_of, parse_schedule, print_schedule
from stowage.tiles.arbitrary_chains import Chain, chains, residual_network
from stowage.tiles.cuts import spans
from stowage.tiles.fed_input import with_fed_input
from stowage.tiles.schedule_stripes import schedule_stripes
from stowage.tiles.streamed_input import with_streamed_input
from stowage.tiles.stripes import striped_graph, worked
from stowage.tiles.tiling import Segment
from stowage.tiles.within_limit import Tiled

QUANT = Quant((0.1,), (3,))


def results(graph: Graph, data: Array) -> list[Array]:
    made = run(graph, {graph.inputs[0].name: data})
    return [made[output.name] for output in graph.outputs]


def random_bytes(graph: Graph) -> Array:
    return np.random.default_rng(3).integers(-128, 128, graph.inputs[0].type.shape).astype(np.int8)


def streamed(graph: Graph, limit_bytes: int | None = None) -> Tiled:
    return with_streamed_input(graph, in_best_order(select(graph, frozenset())), frozenset(), limit_bytes)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_rows_compute_the_same_to_the_bit_and_their_programs_are_sound(data: st.DataObject) -> None:
    graph = data.draw(chains())
    fed = with_fed_input(graph)
    segment = Segment(0, len(worked(fed)), data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5)))
    result, stripes = striped_graph(fed, (segment,))
    verify(result, "the test")
    image = random_bytes(graph)
    for whole, rows in zip(results(graph, image), results(result, image), strict=True):
        np.testing.assert_array_equal(whole, rows)
    plan = lowest_plan(schedule_stripes(result, stripes, frozenset()), "ram")
    program = assemble(plan)
    validate(program)
    check_faithful(program, plan.schedule)


def test_the_input_has_no_place() -> None:
    graph = residual_network()
    result = streamed(graph)
    whole = graph.inputs[0]
    assert result.schedule.fed == whole and result.schedule.inputs == ()
    plan = lowest_plan(result.schedule, "ram")
    rows = [step for step in plan.schedule.steps if isinstance(step.node.op, FeedRows)]
    assert sum(step.node.output.type.shape[1] for step in rows) == whole.type.shape[1]
    assert all(placed.buffer.name != whole.name for placed in plan.placed)


def test_a_limit_below_what_the_input_takes_is_kept() -> None:
    chain = Chain(40)
    chain.window(Conv2d(strides=(2, 1), pads=(1, 1, 1, 1)), 3)
    chain.window(Conv2d(strides=(2, 1), pads=(1, 1, 1, 1)), 3)
    graph = chain.graph()
    input_bytes = graph.inputs[0].type.size_bytes
    assert streamed(graph, input_bytes - 1).arena_bytes < input_bytes


def test_a_first_layer_that_makes_more_than_it_reads_runs_in_stripes() -> None:
    trial = TrialGraph()
    image = trial.input(1, 12, 8, 1, dtype=DType.F32)
    wide = trial.constant(np.ones((9, 1, 1, 1), np.float32))
    graph = trial.graph(trial.add(Conv2d(), image, wide))
    result = streamed(graph)
    assert [segment.first for segment in result.tiling] == [0] and result.schedule.fed == image


def test_without_a_limit_the_arena_is_no_larger_than_with_the_input_whole() -> None:
    graph = residual_network()
    as_it_is = lowest_plan(in_best_order(select(graph, frozenset())), "ram").arena_bytes
    assert streamed(graph).arena_bytes <= as_it_is


def test_dumps_read_back() -> None:
    schedule = streamed(residual_network()).schedule
    assert parse_schedule(print_schedule(schedule), arrays_of(schedule)) == schedule
    program = assemble(lowest_plan(schedule, "ram"))
    assert parse_program(print_program(program)) == program


def trial_of(image: TensorType, *ops: tuple[str, Transpose | Reshape | Quantize]) -> tuple[Graph, Value]:
    """A graph of such nodes, then a convolution of an image 1x12x4x3."""
    trial = TrialGraph()
    first = value = trial.input(*image.shape, dtype=image.dtype, quant=image.quant)
    for _, op in ops:
        value = trial.add(op, value, quant=QUANT if isinstance(op, Quantize) else value.type.quant)
    integers = trial.random.integers(-100, 100, (3, 3, 3, 3)).astype(np.int8)
    weights = trial.constant(integers, Quant((0.01,), (0,)))
    bias = trial.constant(np.zeros(3, np.int32), Quant((0.001,), (0,)))
    return trial.graph(trial.add(Conv2d(pads=(1, 1, 1, 1)), value, weights, bias, quant=Quant((0.2,), (0,)))), first


QUANTISE = ("quantise", Quantize(DType.I8, QUANT))
TRANSPOSE = ("transpose", Transpose((0, 2, 3, 1)))
RESHAPE = ("reshape", Reshape((1, 12, 4, 3)))
FLOAT, BYTE = TensorType((1, 3, 12, 4), DType.F32), TensorType((1, 3, 12, 4), DType.I8, QUANT)


@pytest.mark.parametrize(
    ("image", "ops"),
    [
        (FLOAT, (QUANTISE, TRANSPOSE)),
        (FLOAT, (TRANSPOSE, QUANTISE)),
        (BYTE, (TRANSPOSE,)),
        (TensorType((1, 12, 12), DType.I8, QUANT), (RESHAPE,)),
        (TensorType((144,), DType.F32), (QUANTISE, RESHAPE)),
        (TensorType((1, 12, 4, 3), DType.F32), (QUANTISE,)),
    ],
)
def test_rows_are_in_the_order_of_the_first_layer(
    image: TensorType, ops: tuple[tuple[str, Transpose | Reshape | Quantize], ...]
) -> None:
    graph, value = trial_of(image, *ops)
    fed = with_fed_input(graph)
    verify(fed, "the test")
    assert fed.inputs[0].name == value.name and fed.inputs[0].type.shape == (1, 12, 4, 3)
    assert not any(isinstance(node.op, Transpose | Reshape) for node in fed.nodes)
    data = np.random.default_rng(4).integers(-40, 40, image.shape).astype(image.dtype.numpy)
    given_rows = data.transpose(0, 2, 3, 1) if TRANSPOSE in ops else data.reshape(1, 12, 4, 3)
    np.testing.assert_array_equal(results(graph, data)[0], results(fed, given_rows)[0])


def test_few_rows_of_a_float_input_exist_at_once() -> None:
    graph, _ = trial_of(TensorType((1, 12, 4, 3), DType.F32), QUANTISE)
    fed = with_fed_input(graph)
    result, stripes = striped_graph(fed, (Segment(0, 3, 1, 1),))
    plan = lowest_plan(schedule_stripes(result, stripes, frozenset()), "ram")
    floats = [step.node.output.type for step in plan.schedule.steps if step.node.output.type.dtype is DType.F32]
    assert len(floats) == 12 and all(type_.shape[1] == 1 for type_ in floats)


def two_inputs() -> Graph:
    graph = residual_network()
    return replace(graph, inputs=(*graph.inputs, Value("other", graph.inputs[0].type)))


def flat_input() -> Graph:
    value, made = (Value(name, TensorType((1, 8), DType.F32)) for name in ("x", "y"))
    return Graph("flat", (value,), (made,), (Node("same", Reshape((1, 8)), (value,), (made,)),))


def output_itself() -> Graph:
    graph = residual_network()
    return replace(graph, outputs=(*graph.outputs, *graph.inputs))


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (two_inputs(), "it has 2 inputs .*, and only a sole one is fed by rows"),
        (flat_input(), 'input "x": 1x8 is no image of several rows'),
        (output_itself(), "it is an output as well"),
    ],
)
def test_what_cannot_be_fed_is_refused(graph: Graph, reason: str) -> None:
    with pytest.raises(UnsupportedModel, match=f"{reason}.*; leave stream_input out"):
        with_fed_input(graph)


def test_first_layers_that_run_in_no_stripes_are_refused() -> None:
    trial = TrialGraph()
    image = trial.input(1, 6, 4, 3, dtype=DType.F32)
    graph = trial.graph(trial.add(Transpose((0, 2, 1, 3)), image))
    assert list(spans(with_fed_input(graph))) == []
    with pytest.raises(UnsupportedModel, match=r"the first layers, .* do not run in stripes of rows"):
        streamed(graph)


def broken() -> list[tuple[str, Program]]:
    program = assemble(lowest_plan(streamed(residual_network()).schedule, "ram"))
    feeds = [index for index, call in enumerate(program.calls) if call.asks_for_rows]
    calls = list(program.calls)
    first, second = (dict(calls[index].parameters) for index in feeds[:2])

    def with_call(index: int, **parameters: object) -> Program:
        changed = dict(calls[index].parameters) | parameters
        call = replace(calls[index], parameters=tuple(changed.items()))  # type: ignore[arg-type]
        return replace(program, calls=(*calls[:index], call, *calls[index + 1 :]))

    without_last = tuple(call for call in calls if call != calls[feeds[-1]])
    without_any = tuple(call for call in calls if not call.asks_for_rows)
    return [
        ("is the next", with_call(feeds[1], first_row=first["first_row"])),
        ("is the next", with_call(feeds[0], first_row=second["first_row"])),
        ("do not fill", with_call(feeds[-1], rows=3 * 48)),
        (
            "has no slot|no longer holds|nothing uses|do not fill",
            replace(program, calls=without_last),
        ),
        ("rows are fed|is the next", replace(program, calls=without_any)),
        ("does not have", replace(program, fed=None)),
    ]


@pytest.mark.parametrize(("reason", "program"), broken())
def test_rows_that_are_missing_or_out_of_order_are_seen(reason: str, program: Program) -> None:
    with pytest.raises(InvalidPlan, match=reason):
        validate(program)
