# SPDX-License-Identifier: Apache-2.0
"""When an output is made over the input whose state it is, when it is copied there, and which pairs are refused."""

from __future__ import annotations

import pytest

from stowage.errors import InvalidModel
from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Add
from stowage.ir.tensor_type import Quant, TensorType
from stowage.memory.lives import lives
from stowage.schedule.schedule import Schedule, State, Step, View
from stowage.schedule.states import keep_states
from stowage.target.kernels.kernel import Direction, KernelCall, Overlap

X, H, A, Y, H_NEXT = (Value(name, TensorType((16,), DType.I8)) for name in ("x", "h", "a", "y", "h next"))
PAIR = {"h": "h next"}


def step(output: Value, *operands: Value, overlaps: tuple[Overlap, ...] = ()) -> Step:
    call = KernelCall("h.h", "f", (), (), overlaps=overlaps)
    return Step(Node(f"make_{output.name}", Add(), operands, (output,)), call)


def schedule(*steps: Step, views: tuple[View, ...] = (), kept: Value = H_NEXT) -> Schedule:
    return Schedule("m", (X, H), (Y, kept), steps, views, ())


def test_made_after_the_last_reading_it_needs_no_buffer_of_its_own() -> None:
    made = keep_states(schedule(step(A, X, H), step(H_NEXT, A), step(Y, A, H_NEXT)), PAIR)
    assert made.states == (State(H, H_NEXT, "h next"),)
    assert len(made.steps) == 3
    assert {(each.name, each.first, each.last) for each in lives(made).buffers} == {
        ("x", 0, 1),
        ("h", 0, 4),
        ("a", 1, 3),
        ("y", 3, 4),
    }


@pytest.mark.parametrize(
    ("overlaps", "in_place"),
    [((), False), ((Overlap(1, 0),), True), ((Overlap(1, 4),), False), ((Overlap(1, 0, Direction.BACKWARD),), True)],
)
def test_made_by_what_reads_it_last_as_the_kernel_allows(overlaps: tuple[Overlap, ...], in_place: bool) -> None:
    made = keep_states(schedule(step(H_NEXT, X, H, overlaps=overlaps), step(Y, H_NEXT)), PAIR)
    assert (len(made.steps) == 2) == in_place


def test_made_too_soon_it_is_copied_at_the_end() -> None:
    made = keep_states(schedule(step(H_NEXT, X), step(Y, H_NEXT, H)), PAIR)
    (state,) = made.states
    assert (state.held, state.output) == (H, "h next")
    assert made.steps[-1].node.inputs == (H_NEXT,)
    assert made.steps[-1].node.outputs == (state.kept,)
    assert made.outputs == (Y, state.kept)
    assert {each.name: (each.first, each.last) for each in lives(made).buffers} == {
        "x": (0, 1),
        "h": (0, 4),
        "h next": (1, 3),
        "y": (2, 4),
    }


def test_a_view_is_made_where_its_base_is() -> None:
    base = Value("base", TensorType((4, 4), DType.I8))
    made = keep_states(schedule(step(A, X, H), step(base, A), step(Y, A), views=(View(H_NEXT, base),)), PAIR)
    assert len(made.steps) == 3
    assert "base" not in {each.name for each in lives(made).buffers}


def test_a_view_of_a_part_is_copied() -> None:
    base = Value("base", TensorType((32,), DType.I8))
    made = keep_states(schedule(step(A, X, H), step(base, A), step(Y, A), views=(View(H_NEXT, base, 16),)), PAIR)
    assert len(made.steps) == 4


def test_a_copy_gets_a_name_that_is_free() -> None:
    taken = Value("h next.kept", A.type)
    made = keep_states(schedule(step(H_NEXT, X), step(taken, H), step(Y, taken)), PAIR)
    assert made.states[0].kept.name == "h next.kept_"


SOUND = schedule(step(A, X, H), step(H_NEXT, A), step(Y, A))
OTHERS = [
    ({"g": "h next"}, 'a state: the model has no input "g"; its inputs are "x", "h".'),
    ({"h": "z"}, 'a state: the model has no output "z"; its outputs are "y", "h next".'),
    (
        {"h": "h next", "x": "h next"},
        'a state: output "h next" is in two pairs; give each state an output of its own.',
    ),
]


@pytest.mark.parametrize(("pairs", "sentence"), OTHERS)
def test_pairs_that_name_no_state_are_refused(pairs: dict[str, str], sentence: str) -> None:
    with pytest.raises(InvalidModel) as refusal:
        keep_states(SOUND, pairs)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("type_", "found"),
    [
        (TensorType((4, 4), DType.I8), r"but output \"h next\" is i8\[4, 4\]"),
        (TensorType((16,), DType.U8), r"but output \"h next\" is ui8\[16\]"),
    ],
)
def test_ends_of_different_types_are_refused(type_: TensorType, found: str) -> None:
    kept = Value("h next", type_)
    with pytest.raises(InvalidModel, match=rf'input "h" is i8\[16\], {found}; pair tensors of one type'):
        keep_states(schedule(step(A, X, H), step(kept, A), step(Y, A), kept=kept), PAIR)


def test_ends_of_different_scales_are_refused() -> None:
    fine, coarse = (TensorType((16,), DType.I8, Quant((scale,), (0,))) for scale in (0.5, 1.0))
    held, kept = Value("h", fine), Value("h next", coarse)
    made = Schedule("m", (X, held), (Y, kept), (step(A, X, held), step(kept, A), step(Y, A)), (), ())
    with pytest.raises(InvalidModel, match=r"i8.16. with .*0.5.* but output .* with .*1.0"):
        keep_states(made, PAIR)


def test_an_output_that_is_an_input_is_refused() -> None:
    made = Schedule("m", (X, H), (X, H), (step(A, X),), (), ())
    with pytest.raises(InvalidModel, match='output "h" is an input itself, which no run changes'):
        keep_states(made, {"h": "h"})


def test_a_state_without_elements_is_refused() -> None:
    held, kept = (Value(name, TensorType((0, 4), DType.F32)) for name in ("h", "h next"))
    made = Schedule("m", (X, held), (Y, kept), (step(A, X), step(Y, A), step(kept, held)), (), ())
    with pytest.raises(InvalidModel, match=r'input "h" is f32.0, 4., which holds nothing; leave the pair out'):
        keep_states(made, PAIR)
