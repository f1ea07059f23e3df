# SPDX-License-Identifier: Apache-2.0
"""Test support: small schedules of any form that the later stages have to cope with.

Operators, shapes and kernels need not suit each other: planning looks at sizes, lives, scratch and overlaps alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value, digest_of
from stowage.ir.ops.elementwise import Add, Relu
from stowage.ir.ops.movement import Concat
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import TensorType
from stowage.schedule.order import in_best_order
from stowage.schedule.schedule import Join, Schedule, Step, Transfer, View, storage
from stowage.schedule.states import keep_states
from stowage.target.kernels.kernel import Argument, Direction, KernelCall, KernelConstant, Overlap, Place

_ARRAY = np.arange(4, dtype=np.int8)
_CTYPES = {DType.I8: "int8_t", DType.F32: "float"}


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a schedule may get."""

    inputs: int = 2
    steps: int = 6
    elements: int = 24
    operands: int = 3


@st.composite
def stateful_schedules(draw: st.DrawFn, limits: Limits = Limits()) -> Schedule:
    """Schedules in their final order, of which most keep a state."""
    schedule = in_best_order(draw(schedules(limits, like_input=True)))
    made = [value for value in schedule.outputs if value.type == schedule.inputs[0].type]
    pairs = {schedule.inputs[0].name: made[0].name} if made else {}
    return keep_states(schedule, pairs if draw(st.integers(0, 3)) else {})


@st.composite
def joined_schedules(draw: st.DrawFn, limits: Limits = Limits()) -> Schedule:
    """Schedules in their final order, of which most have a value that is made in parts and read, as the parts are."""
    schedule = draw(stateful_schedules(limits))
    parts = _parts(draw, schedule)
    if len(parts) < 2:
        return schedule
    elements = sum(part.type.elements for part in parts)
    whole = Value("whole", TensorType((elements,), parts[0].type.dtype))
    steps = list(schedule.steps)
    outputs = []
    for index in range(draw(st.integers(1, 2))):
        steps.append(_step(draw, len(steps), [whole, whole, *parts], limits, None))
        outputs.append(steps[-1].node.output if index else whole)
    return replace(
        schedule,
        steps=tuple(steps),
        outputs=(*schedule.outputs, *outputs),
        joins=(Join(whole, parts),),
    )


@st.composite
def prefetching_schedules(draw: st.DrawFn, limits: Limits = Limits()) -> Schedule:
    """Schedules in their final order, of which most have steps whose constant a transfer brings, some to several."""
    schedule = draw(stateful_schedules(limits))
    steps, transfers = list(schedule.steps), list[Transfer]()
    staged = draw(st.lists(st.booleans(), min_size=len(steps), max_size=len(steps)))
    for moment, step in enumerate(schedule.steps, 1):
        if step.call.constants and staged[moment - 1]:
            table = KernelConstant("table", np.arange(draw(st.integers(1, 12)), dtype=np.int8))
            is_shared = draw(st.booleans())
            if transfers and is_shared:
                shared = transfers.pop(draw(st.integers(0, len(transfers) - 1)))
                table = steps[shared.moment - 1].call.constants[0]
                transfers.append(replace(shared, again=(*shared.again, moment)))
            else:
                transfers.append(Transfer(f"staged {moment}", draw(st.integers(1, moment)), moment, 0))
            steps[moment - 1] = replace(step, call=replace(step.call, constants=(table,)))
    transfers.sort(key=lambda each: each.start)
    return replace(schedule, steps=tuple(steps), transfers=tuple(transfers))


def _parts(draw: st.DrawFn, schedule: Schedule) -> tuple[Value, ...]:
    """Some values of one type, of which there are most, that steps make and nobody outside reads."""
    within = storage(schedule)
    taken = {within[value.name].base if value.name in within else value for value in schedule.outputs}
    made = [value for step in schedule.steps for value in step.node.outputs if value not in taken]
    by_dtype = [[value for value in made if value.type.dtype is dtype] for dtype in _CTYPES]
    alike = max(by_dtype, key=len)
    return tuple(draw(st.permutations(alike)))[: draw(st.integers(2, 3))]


@st.composite
def schedules(draw: st.DrawFn, limits: Limits = Limits(), like_input: bool = False) -> Schedule:
    """Schedules whose steps read any earlier values, some of them through views, some of them constants.

    With `like_input` one of the values made, often an output, is of the first input's type.
    """
    inputs = tuple(_value(draw, f"in/{index}", limits) for index in range(draw(st.integers(1, limits.inputs))))
    constant = Value("weights:0", TensorType(_ARRAY.shape, DType.I8))
    known, views, steps = list(inputs), list[View](), list[Step]()
    count = draw(st.integers(1, limits.steps))
    alike = draw(st.integers(0, count - 1)) if like_input else count
    for index in range(count):
        type_ = inputs[0].type if index == alike else None
        steps.append(_step(draw, index, [*known, constant], limits, type_))
        known += steps[-1].node.outputs
        views += _views(draw, f"view{index}", steps[-1].node.output)
        known += [view.value for view in views if view.base == steps[-1].node.output]
    made = [value for step in steps for value in step.node.outputs]
    outputs = tuple(draw(st.lists(st.sampled_from(made), min_size=1, max_size=2, unique_by=lambda value: value.name)))
    if like_input and made[alike] not in outputs and draw(st.booleans()):
        outputs = (*outputs, made[alike])
    arrays = {digest_of(_ARRAY): _ARRAY}
    stored = ((constant, digest_of(_ARRAY)),)
    return Schedule("model", inputs, outputs, tuple(steps), tuple(views), stored, arrays)


def _value(draw: st.DrawFn, name: str, limits: Limits) -> Value:
    shape = (draw(st.integers(1, limits.elements)),)
    return Value(name, TensorType(shape, draw(st.sampled_from(list(_CTYPES)))))


def _views(draw: st.DrawFn, name: str, base: Value) -> Iterator[View]:
    """Nothing, or one view of the base or of its tail."""
    if draw(st.booleans()):
        start = draw(st.sampled_from([0, 0, base.type.elements // 2]))
        type_ = TensorType((base.type.elements - start, 1), base.type.dtype)
        yield View(Value(name, type_), base, start * base.type.dtype.size_bytes)


def _step(draw: st.DrawFn, index: int, known: list[Value], limits: Limits, type_: TensorType | None) -> Step:
    operands = tuple(draw(st.lists(st.sampled_from(known), min_size=1, max_size=limits.operands)))
    output = _value(draw, f"t{index}", limits) if type_ is None else Value(f"t{index}", type_)
    return Step(Node(f"node {index}", _op(len(operands)), operands, (output,)), _call(draw, operands, output))


def _op(operands: int) -> Op:
    return {1: Relu(), 2: Add()}.get(operands, Concat(0))


def _call(draw: st.DrawFn, operands: tuple[Value, ...], output: Value) -> KernelCall:
    scratch_bytes = tuple(draw(st.lists(st.integers(1, 32), max_size=2)))
    places = [
        *(Argument(Place.INPUT, index, _CTYPES[value.type.dtype]) for index, value in enumerate(operands)),
        Argument(Place.CONSTANT, 0, "int8_t"),
        *(Argument(Place.SCRATCH, index, "int8_t") for index in range(len(scratch_bytes))),
        Argument(Place.OUTPUT, 0, _CTYPES[output.type.dtype]),
    ]
    return KernelCall(
        header="stowage/kernels/any.h",
        function="stw_any",
        parameters=(("extents", (1, 2)), ("gain", 0.5), ("count", output.type.elements)),
        arguments=tuple(places),
        constants=(KernelConstant("table", _ARRAY),),
        scratch_bytes=scratch_bytes,
        overlaps=_overlaps(draw, len(operands)),
    )


def _overlaps(draw: st.DrawFn, operands: int) -> tuple[Overlap, ...]:
    """Safe distances for some of the operands; a kernel walks one way."""
    direction = draw(st.sampled_from(Direction))
    indices = draw(st.lists(st.integers(0, operands - 1), unique=True))
    distances = st.sampled_from([0, 0, 0, 1, 5, 16])
    return tuple(Overlap(index, draw(distances), direction) for index in sorted(indices))
