# SPDX-License-Identifier: Apache-2.0
"""Transpose, Slice, Concat, Pad and Resize against the reference, and their safe distances by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.movement import Concat, Pad, Resize, Slice, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.resize_coordinates import COORDINATES, ROUNDINGS
from stowage.ir.tensor_type import TensorType
from stowage.target.kernels.axes import AXES, filled_up
from stowage.target.kernels.concat import lower_concat
from stowage.target.kernels.gather import lower_slice, lower_transpose
from stowage.target.kernels.kernel import Direction, Lowering, NoKernel, Overlap, Site
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_close,
    check_equal,
    check_overlaps,
    distinct,
    integers,
    operator_trial,
    reals,
    tensor,
)
from stowage.target.kernels.pad import lower_pad
from stowage.target.kernels.resize import lower_resize

TYPES = [DType.I8, DType.I16, DType.I32, DType.I64]
SHAPES = st.lists(st.integers(1, 3), min_size=1, max_size=8).map(tuple)
Shape = tuple[int, ...]
MANY = settings(deadline=None, max_examples=40)


def moved(lowering: Lowering, op: Op, operands: list[TensorType], seed: int = 0) -> OperatorTrial:
    """Bytes differ from their neighbours' in all operands together."""
    whole = distinct(np.random.default_rng(seed), tensor((sum(type_.size_bytes for type_ in operands),), DType.U8))
    ends = np.cumsum([type_.size_bytes for type_ in operands])
    parts = [whole[end - type_.size_bytes : end] for type_, end in zip(operands, ends, strict=True)]
    arrays = [part.view(type_.dtype.numpy).reshape(type_.shape) for type_, part in zip(operands, parts, strict=True)]
    return operator_trial(lowering, op, list(zip(operands, arrays, strict=True)))


def check_all(trials: list[OperatorTrial]) -> None:
    """Equal to the reference, and every overlap safe and exact."""
    groups: dict[str, list[OperatorTrial]] = {}
    for each in trials:
        groups.setdefault(each.call.function, []).append(each)
    for alike in groups.values():
        check_equal(alike)
        check_overlaps(alike)


@st.composite
def transposes(draw: Callable[..., object]) -> tuple[Shape, Shape]:
    shape = draw(SHAPES)
    assert isinstance(shape, tuple)
    permutation = draw(st.permutations(range(len(shape))))
    assert isinstance(permutation, list)
    return shape, tuple(permutation)


@MANY
@given(st.lists(transposes(), min_size=1, max_size=20), st.sampled_from(TYPES))
def test_transpose(cases: list[tuple[Shape, Shape]], dtype: DType) -> None:
    check_all([moved(lower_transpose, Transpose(order), [tensor(shape, dtype)]) for shape, order in cases])


@st.composite
def slices(draw: Callable[..., int]) -> tuple[Shape, Slice]:
    shape: list[int] = draw(st.lists(st.integers(1, 6), min_size=1, max_size=5))  # type: ignore[assignment]
    begins, counts, steps = [], [], []
    for extent in shape:
        first, last = draw(st.integers(0, extent - 1)), draw(st.integers(0, extent - 1))
        step = draw(st.integers(1, 3)) * (1 if last >= first else -1)
        begins.append(first)
        counts.append(abs(last - first) // abs(step) + 1)
        steps.append(step)
    return tuple(shape), Slice(tuple(begins), tuple(counts), tuple(steps))


@MANY
@given(st.lists(slices(), min_size=1, max_size=20), st.sampled_from(TYPES))
def test_slice(cases: list[tuple[Shape, Slice]], dtype: DType) -> None:
    check_all([moved(lower_slice, op, [tensor(shape, dtype)]) for shape, op in cases])


def test_contiguous_elements_move_as_bytes() -> None:
    call = moved(lower_transpose, Transpose((0, 2, 1, 3)), [tensor((1, 5, 6, 7), DType.F32)]).call
    assert call.function == "stw_gather_runs"
    assert dict(call.parameters)["run_bytes"] == 28
    whole = moved(lower_slice, Slice((0, 2, 0), (1, 2, 9), (1, 1, 1)), [tensor((1, 5, 9), DType.I8)]).call
    assert dict(whole.parameters) == {
        "extents": (1,) * AXES,
        "strides": filled_up((1,), 0),
        "begin": 18,
        "run_bytes": 18,
        "backward": 0,
    }


def test_transposed_matrix_has_to_lie_below() -> None:
    forward, backward = moved(lower_transpose, Transpose((1, 0)), [tensor((5, 7), DType.F32)]).call.overlaps
    assert forward == Overlap(0, 4 * 6 * 4)
    assert backward == Overlap(0, 4 * 6 * 4, Direction.BACKWARD)


@st.composite
def concats(draw: Callable[..., int]) -> tuple[int, list[Shape]]:
    shape: list[int] = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))  # type: ignore[assignment]
    axis = draw(st.integers(0, len(shape) - 1))
    extents: list[int] = draw(st.lists(st.integers(1, 5), min_size=2, max_size=5))  # type: ignore[assignment]
    return axis, [(*shape[:axis], extent, *shape[axis + 1 :]) for extent in extents]


@MANY
@given(
    st.lists(concats(), min_size=1, max_size=20), st.sampled_from([DType.I8, DType.F32, DType.I64]), st.integers(0, 99)
)
def test_concat(cases: list[tuple[int, list[Shape]]], dtype: DType, seed: int) -> None:
    types = [(axis, [tensor(shape, dtype) for shape in shapes]) for axis, shapes in cases]
    check_all([moved(lower_concat, Concat(axis), operands, seed) for axis, operands in types])


@pytest.mark.parametrize("count", [1, 2, 7, 16])
def test_concat_of_many(count: int) -> None:
    operands = [tensor((3, index + 1), DType.I8) for index in range(count)]
    check_equal([moved(lower_concat, Concat(1), operands)])


def test_concat_leaves_empty_operands_out() -> None:
    operands = [tensor((2, extent), DType.I8) for extent in (3, 0, 2)]
    trial = moved(lower_concat, Concat(1), operands)
    assert [argument.index for argument in trial.call.arguments] == [0, 2, 0]
    check_all([trial])


def test_concat_of_too_many_is_refused() -> None:
    values = tuple(Value(f"x{index}", tensor((1,), DType.I8)) for index in range(17))
    node = Node("n", Concat(0), values, (Value("y", tensor((17,), DType.I8)),))
    with pytest.raises(NoKernel, match="17 operands"):
        lower_concat(node, Site({}, Arithmetic.ONNX))


def test_concat_may_lie_over_all_operands_at_once() -> None:
    """Along the first axis each operand may already be where it belongs."""
    operands = [tensor((2, 5), DType.I8), tensor((1, 5), DType.I8), tensor((4, 5), DType.I8)]
    overlaps = moved(lower_concat, Concat(0), operands).call.overlaps
    assert [each.distance_bytes for each in overlaps if each.direction is Direction.FORWARD] == [0, 10, 15]
    assert [each.distance_bytes for each in overlaps if each.direction is Direction.BACKWARD] == [25, 20, 0]


@st.composite
def pads(draw: Callable[..., int], mode: str) -> tuple[Shape, Pad]:
    shape: list[int] = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))  # type: ignore[assignment]
    around: list[tuple[int, int]] = []
    for extent in shape:
        most = extent - 1 if mode == "reflect" else 3
        least = 0 if mode == "reflect" else -(extent // 2)
        around.append((draw(st.integers(least, most)), draw(st.integers(least, most))))
    around = [pair if extent + sum(pair) > 0 else (0, 0) for extent, pair in zip(shape, around, strict=True)]
    before, after = zip(*around, strict=True)
    return tuple(shape), Pad(before, after, mode, 7.0 if mode == "constant" else 0.0)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap"])
@MANY
@given(st.data(), st.sampled_from([*TYPES, DType.F32]))
def test_pad(mode: str, data: st.DataObject, dtype: DType) -> None:
    """A byte that is repeated may be overwritten by itself, which shows nothing: such a pad gets a second channel."""
    cases = data.draw(st.lists(pads(mode), min_size=1, max_size=20))
    if mode in ("edge", "wrap") and dtype is DType.I8:
        cases = [((*shape, 2), Pad((*op.before, 0), (*op.after, 0), mode)) for shape, op in cases]
    check_all([moved(lower_pad, op, [tensor(shape, dtype)]) for shape, op in cases])


def test_padding_of_an_image_is_two_axes_of_rows() -> None:
    op = Pad((0, 1, 1, 0), (0, 1, 1, 0))
    parameters = dict(moved(lower_pad, op, [tensor((1, 8, 8, 3), DType.I8, 0.5, -128)]).call.parameters)
    assert parameters["shape.extents"] == filled_up((10, 30), 1)
    assert parameters["shape.before"] == filled_up((1, 3), 0)
    assert parameters["shape.block"] == filled_up((8, 24), 1)
    assert parameters["value"] == -128


@pytest.mark.parametrize(
    ("dtype", "scale", "value"), [(DType.I8, 0.25, 3.0), (DType.F32, None, -1.5), (DType.I64, None, -9.0)]
)
def test_added_elements_stand_for_the_value(dtype: DType, scale: float | None, value: float) -> None:
    check_equal([moved(lower_pad, Pad((1, 2), (0, 1), "constant", value), [tensor((2, 3), dtype, scale, 5)])])


SIZES = [((4, 5), (8, 10)), ((4, 5), (7, 3)), ((3, 1), (1, 4)), ((5, 6), (5, 6)), ((2, 2), (5, 7))]


def resize(mode: str, sizes: tuple[tuple[int, int], tuple[int, int]], coordinates: str, nearest: str) -> Resize:
    (height, width), size = sizes
    return Resize(size, (size[0] / height, size[1] / width), mode, coordinates, nearest)


@pytest.mark.parametrize("coordinates", list(COORDINATES))
def test_nearest_resize(coordinates: str) -> None:
    for sizes, nearest, dtype in itertools.product(SIZES, ROUNDINGS, (DType.I8, DType.F32)):
        type_ = tensor((2, *sizes[0], 3), dtype)
        check_all([moved(lower_resize, resize("nearest", sizes, coordinates, nearest), [type_])])


def linear(type_: TensorType, sizes: tuple[tuple[int, int], tuple[int, int]], coordinates: str) -> OperatorTrial:
    random = np.random.default_rng(1)
    array = reals(random, type_) if type_.dtype is DType.F32 else integers(random, type_)
    return operator_trial(lower_resize, resize("linear", sizes, coordinates, "floor"), [(type_, array)])


@pytest.mark.parametrize("coordinates", list(COORDINATES))
@pytest.mark.parametrize("batch", [1, 3])
def test_linear_resize(coordinates: str, batch: int) -> None:
    floats = [linear(tensor((batch, *sizes[0], 3), DType.F32), sizes, coordinates) for sizes in SIZES]
    check_close(floats, relative=1e-5, absolute=1e-5)
    check_overlaps(floats)
    quantised = [linear(tensor((batch, *sizes[0], 3), DType.I8, 0.5, 7), sizes, coordinates) for sizes in SIZES]
    check_close(quantised, relative=0, absolute=1)
    check_overlaps(quantised)


def test_linear_resize_keeps_the_extremes() -> None:
    type_ = tensor((1, 2, 2, 2), DType.I8, 0.5, 7)
    array = np.repeat(np.array([-128, 127], np.int8)[None], 4, 0).reshape(1, 2, 2, 2)
    op = resize("linear", ((2, 2), (5, 5)), "half_pixel", "floor")
    check_equal([operator_trial(lower_resize, op, [(type_, array)])], sanitise=True)


@pytest.mark.parametrize(
    "trial",
    [
        moved(lower_transpose, Transpose((2, 0, 1)), [tensor((3, 4, 5), DType.I16)]),
        moved(lower_slice, Slice((4, 1), (2, 3), (-2, 1)), [tensor((5, 4), DType.I8)]),
        moved(lower_concat, Concat(1), [tensor((3, 2), DType.F32), tensor((3, 1), DType.F32)]),
        moved(lower_pad, Pad((1, -1), (2, 3)), [tensor((3, 4), DType.I32)]),
        moved(lower_pad, Pad((1, 2), (2, 1), "reflect"), [tensor((3, 4), DType.I64)]),
    ],
)
def test_sanitisers_find_nothing(trial: OperatorTrial) -> None:
    check_equal([trial], sanitise=True)
