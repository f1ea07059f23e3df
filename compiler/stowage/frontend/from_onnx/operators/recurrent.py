# SPDX-License-Identifier: Apache-2.0
"""LSTM, GRU and RNN: a kernel for each direction that has the form of one, else step by step; then all joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.frontend.from_onnx.operators.recurrent_activation import Activation, activations_of
from stowage.frontend.from_onnx.operators.recurrent_steps import Cell, Step, gru_step, lstm_step, rnn_step, unrolled
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Concat, Pad, Reshape, Slice, Transpose
from stowage.ir.ops.recurrent import Gru, Lstm, Recurrent, Rnn

_DIRECTIONS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
_RESULTS = ("sequence", "hidden", "cell")

Made = dict[int, Value]
"""Results of one direction by the node's output: all hidden states [T, N, H], the last hidden, the last cell state."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """One of the three operators.

    Attributes:
        functions: its default activations.
        states: how many states it has.
        step: its equations.
        kernel: the record that a kernel computes it by, or None for activations that kernels do not have.
    """

    functions: tuple[str, ...]
    states: int
    step: Step
    kernel: Callable[[NodeSite, tuple[Activation, ...]], Callable[..., Recurrent] | None]


def _recurrent(layer: _Layer) -> Importer:
    def translate(site: NodeSite) -> Results:
        directions = _DIRECTIONS[site.text("direction", "forward", tuple(_DIRECTIONS))]
        functions = activations_of(site, layer.functions, len(directions))
        data = _time_first(site, site.real(0))
        wanted = [index for index in range(1 + layer.states) if site.makes(index)] or [0]
        made = [
            _direction(site, layer, functions[index], data, index, reverse, wanted)
            for index, reverse in enumerate(directions)
        ]
        joined = {index: _joined(site, [each[index] for each in made], index) for index in wanted}
        return tuple(joined.get(index, joined[wanted[0]]) for index in range(max(wanted) + 1))

    return translate


def _direction(
    site: NodeSite,
    layer: _Layer,
    functions: tuple[Activation, ...],
    data: Value,
    direction: int,
    reverse: bool,
    wanted: Sequence[int],
) -> Made:
    weights, recurrence, bias, *states = _operands(site, data, direction, layer.states)
    kernel = layer.kernel(site, functions) if _is_plain(site) else None
    cell = None if kernel else _cell(site, functions, recurrence, bias, direction)

    def run(data: Value, states: Sequence[Value]) -> Made:
        if kernel is not None:
            return _by_kernel(site, kernel, (data, weights, recurrence, bias, *states), reverse, wanted)
        assert cell is not None
        operands = (data, weights, _half(site, bias, 0), *states)
        return dict(enumerate(unrolled(cell, layer.step, operands, reverse=reverse)))

    lengths = _lengths(site, data)
    return run(data, states) if lengths is None else _by_batch(site, run, data, states, lengths, wanted)


def _is_plain(site: NodeSite) -> bool:
    return not (
        site.attribute("clip") is not None or site.flag("input_forget") or site.has(7) or _has_lengths_of_run_time(site)
    )


def _has_lengths_of_run_time(site: NodeSite) -> bool:
    return site.has(4) and site.tensors.known(site.proto.input[4]) is None


def _cell(site: NodeSite, functions: tuple[Activation, ...], recurrence: Value, bias: Value, direction: int) -> Cell:
    return Cell(
        site=site,
        functions=functions,
        recurrence=recurrence,
        recurrent_bias=_half(site, bias, 1),
        peepholes=_of_direction(site, site.weights(7), direction, 0) if site.has(7) else None,
        lengths=_lengths_of_run_time(site),
        clip=site.scalar("clip", 0.0) if site.attribute("clip") is not None else None,
        coupled=site.flag("input_forget"),
        reset_after=site.flag("linear_before_reset"),
    )


def _by_kernel(
    site: NodeSite, make: Callable[..., Recurrent], operands: Sequence[Value], reverse: bool, wanted: Sequence[int]
) -> Made:
    """One call for all results: several come as one tensor and are taken apart."""
    steps = operands[0].type.shape[0]
    if 2 not in wanted or len(wanted) == 1:
        result = _RESULTS[min(wanted)]
        made = site.add(make(reverse=reverse, result=result), *operands, role=result)
        if len(wanted) == 1:
            return {wanted[0]: made}
        return {0: made, 1: _row(site, made, 0 if reverse else steps - 1)}
    result = "sequence_and_cell" if 0 in wanted else "states"
    whole = site.add(make(reverse=reverse, result=result), *operands, role=result)
    rows = whole.type.shape[0]
    last = rows - 2 if result == "states" or not reverse else 0
    parts = {1: _row(site, whole, last), 2: _row(site, whole, rows - 1)}
    if 0 in wanted:
        parts[0] = site.add(Slice((0, 0, 0), (steps, *whole.type.shape[1:]), (1, 1, 1)), whole, role="sequence")
    return parts


def _row(site: NodeSite, rows: Value, index: int) -> Value:
    shape = rows.type.shape
    row = site.add(Slice((index, 0, 0), (1, *shape[1:]), (1, 1, 1)), rows, role=f"row{index}")
    return site.add(Reshape(shape[1:]), row, role=f"state{index}")


def _half(site: NodeSite, bias: Value, index: int) -> Value:
    """The bias of the input, or of the recurrence."""
    half = bias.type.shape[0] // 2
    return site.add(Slice((index * half,), (half,), (1,)), bias, role=f"bias{index}")


def _lengths(site: NodeSite, data: Value) -> tuple[int, ...] | None:
    """How many steps each batch has, or None where it is all of them or not known."""
    if not site.has(4) or _has_lengths_of_run_time(site):
        return None
    steps, batches, _ = data.type.shape
    lengths = site.known_ints(4, "the list of lengths")
    if len(lengths) != batches or not all(1 <= length <= steps for length in lengths):
        raise site.invalid(f"the lengths {list(lengths)} do not go with {batches} sequences of up to {steps} steps")
    return None if set(lengths) == {steps} else lengths


def _lengths_of_run_time(site: NodeSite) -> Value | None:
    """As a column beside the states."""
    if not _has_lengths_of_run_time(site):
        return None
    lengths = site.operand(4)
    return site.add(Reshape((lengths.type.elements, 1)), lengths, role="lengths")


def _by_batch(
    site: NodeSite,
    run: Callable[[Value, Sequence[Value]], Made],
    data: Value,
    states: Sequence[Value],
    lengths: tuple[int, ...],
    wanted: Sequence[int],
) -> Made:
    """Sequences of different lengths one by one; behind its end a sequence has zeros."""
    steps, _, inputs = data.type.shape
    parts: list[Made] = []
    for batch, length in enumerate(lengths):
        own = site.add(Slice((0, batch, 0), (length, 1, inputs), (1, 1, 1)), data, role=f"batch{batch}")
        made = run(own, [_batch(site, state, batch) for state in states])
        if 0 in wanted and length < steps:
            made[0] = site.add(Pad((0, 0, 0), (steps - length, 0, 0)), made[0], role=f"padded{batch}")
        parts.append(made)
    return {
        index: parts[0][index]
        if len(parts) == 1
        else site.add(Concat(1 if index == 0 else 0), *(part[index] for part in parts), role=f"batches{index}")
        for index in wanted
    }


def _batch(site: NodeSite, state: Value, batch: int) -> Value:
    return site.add(Slice((batch, 0), (1, state.type.shape[1]), (1, 1)), state, role=f"state_of{batch}")


def _time_first(site: NodeSite, data: Value) -> Value:
    if len(data.type.shape) != 3:
        raise site.invalid(f"the input has shape {list(data.type.shape)}, but must be [T, N, I]")
    return site.add(Transpose((1, 0, 2)), data, role="time_first") if site.flag("layout") else data


def _operands(site: NodeSite, data: Value, direction: int, states: int) -> list[Value]:
    """Weights, recurrence, bias and states of one direction; absent ones are zeros."""
    weights, recurrence = (_of_direction(site, site.weights(index), direction, 0) for index in (1, 2))
    rows, hidden = recurrence.type.shape
    found = [weights, recurrence]
    found.append(_of_direction(site, site.weights(3), direction, 0) if site.has(3) else _zeros(site, data, (2 * rows,)))
    axis = 1 if site.flag("layout") else 0
    for index in range(5, 5 + states):
        absent = not site.has(index)
        batches = data.type.shape[1]
        found.append(
            _zeros(site, data, (batches, hidden)) if absent else _of_direction(site, site.real(index), direction, axis)
        )
    return found


def _of_direction(site: NodeSite, value: Value, direction: int, axis: int) -> Value:
    """One direction's part of an operand, without the axis of directions."""
    shape = value.type.shape
    if direction >= shape[axis]:
        raise site.invalid(f"an operand of shape {list(shape)} has no direction {direction}")
    if shape[axis] > 1:
        begins = tuple(direction if k == axis else 0 for k in range(len(shape)))
        extents = tuple(1 if k == axis else extent for k, extent in enumerate(shape))
        value = site.add(Slice(begins, extents, (1,) * len(shape)), value, role=f"direction{direction}")
    return site.moved(Reshape((*shape[:axis], *shape[axis + 1 :])), value, f"of_direction{direction}")


def _zeros(site: NodeSite, data: Value, shape: tuple[int, ...]) -> Value:
    return site.builder.constant(f"{site.output_name}.zeros", np.zeros(shape, data.type.dtype.numpy))


def _joined(site: NodeSite, parts: list[Value], index: int) -> Value:
    """Directions side by side: [T, D, N, H] (or [N, T, D, H]) and [D, N, H] (or [N, D, H])."""
    batchwise = site.flag("layout")
    axis = 1 if index == 0 or batchwise else 0
    raised = [_with_axis(site, part, axis, number) for number, part in enumerate(parts)]
    whole = raised[0] if len(raised) == 1 else site.add(Concat(axis), *raised, role=f"joined{index}")
    return site.add(Transpose((2, 0, 1, 3)), whole, role="batch_first") if batchwise and index == 0 else whole


def _with_axis(site: NodeSite, part: Value, axis: int, number: int) -> Value:
    shape = part.type.shape
    return site.add(Reshape((*shape[:axis], 1, *shape[axis:])), part, role=f"direction_axis{number}")


def _lstm(site: NodeSite, functions: tuple[Activation, ...]) -> Callable[..., Recurrent] | None:
    return Lstm if [each.name for each in functions] == ["sigmoid", "tanh", "tanh"] else None


def _gru(site: NodeSite, functions: tuple[Activation, ...]) -> Callable[..., Recurrent] | None:
    if [each.name for each in functions] != ["sigmoid", "tanh"]:
        return None
    return partial(Gru, reset_after=site.flag("linear_before_reset"))


def _rnn(site: NodeSite, functions: tuple[Activation, ...]) -> Callable[..., Recurrent] | None:
    return partial(Rnn, relu=functions[0].name == "relu") if functions[0].name in ("tanh", "relu") else None


IMPORTERS: Importers = {
    "LSTM": _recurrent(_Layer(("sigmoid", "tanh", "tanh"), 2, lstm_step, _lstm)),
    "GRU": _recurrent(_Layer(("sigmoid", "tanh"), 1, gru_step, _gru)),
    "RNN": _recurrent(_Layer(("tanh",), 1, rnn_step, _rnn)),
}
