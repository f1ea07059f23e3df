# SPDX-License-Identifier: Apache-2.0
"""LSTM, GRU and RNN: one operator a direction and result, joined where there are two directions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Concat, Reshape, Slice, Transpose
from stowage.ir.ops.recurrent import Gru, Lstm, Recurrent, Rnn

Make = Callable[..., Recurrent]
_DIRECTIONS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
_RESULTS = ("sequence", "hidden", "cell")


def _recurrent(make: Callable[[NodeSite], Make], states: int) -> Importer:
    def translate(site: NodeSite) -> Results:
        directions = _DIRECTIONS[site.text("direction", "forward", tuple(_DIRECTIONS))]
        _check_plain(site)
        record = make(site)
        data = _time_first(site, site.real(0))
        wanted = [index for index in range(1 + states) if site.makes(index)] or [0]
        joined = {
            index: _joined(site, [_one(site, record, data, d, index) for d in range(len(directions))], index)
            for index in wanted
        }
        return tuple(joined.get(index, joined[wanted[0]]) for index in range(max(wanted) + 1))

    def _one(site: NodeSite, record: Make, data: Value, direction: int, index: int) -> Value:
        reverse = _DIRECTIONS[site.text("direction", "forward")][direction]
        operands = _operands(site, data, direction, states)
        op = record(reverse=reverse, result=_RESULTS[index])
        return site.add(op, data, *operands, role=f"{_RESULTS[index]}{direction}")

    return translate


def _check_plain(site: NodeSite) -> None:
    """Refuses variants that hardly anyone exports."""
    if site.attribute("clip") is not None or site.flag("input_forget") or site.has(7):
        raise site.unsupported("it has clip, input_forget or peepholes", "export it without")
    if site.has(4) and set(site.known_ints(4, "the list of lengths")) != {_steps(site)}:
        raise site.unsupported("sequences have different lengths", "pad them, or run one after the other")


def _steps(site: NodeSite) -> int:
    return site.type(0).shape[1 if site.flag("layout") else 0]


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


def _lstm(site: NodeSite) -> Make:
    _check_activations(site, ("Sigmoid", "Tanh", "Tanh"))
    return Lstm


def _gru(site: NodeSite) -> Make:
    _check_activations(site, ("Sigmoid", "Tanh"))
    return partial(Gru, reset_after=site.flag("linear_before_reset"))


def _rnn(site: NodeSite) -> Make:
    names = set(_activations(site))
    if names - {"Tanh", "Relu"} or len(names) > 1:
        raise site.unsupported(f"its activations are {', '.join(names)}", "use Tanh or Relu")
    return partial(Rnn, relu=names == {"Relu"})


def _check_activations(site: NodeSite, expected: tuple[str, ...]) -> None:
    names = _activations(site)
    if names and names != expected * (len(names) // len(expected)):
        raise site.unsupported(f"its activations are {', '.join(names)}", f"use {', '.join(expected)}")


def _activations(site: NodeSite) -> tuple[str, ...]:
    attribute = site.attribute("activations")
    return () if attribute is None else tuple(str(name, "utf-8", "replace") for name in attribute.strings)


IMPORTERS: Importers = {
    "LSTM": _recurrent(_lstm, 2),
    "GRU": _recurrent(_gru, 1),
    "RNN": _recurrent(_rnn, 1),
}
