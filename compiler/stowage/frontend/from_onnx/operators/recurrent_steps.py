# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of forms that no kernel has, step by step: every step becomes nodes of the graph.

Equations and names are those of ONNX's operators; the products with the input are one product over all steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.frontend.from_onnx.operators.recurrent_activation import Activation
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Less, Where
from stowage.ir.ops.elementwise import Add, Clip, Mul, Sub
from stowage.ir.ops.linear import MatMul
from stowage.ir.ops.movement import Concat, Reshape, Slice, Transpose

MOST_STEPS = 512
"""Each step has code of its own."""

States = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What one direction of a layer computes with.

    Attributes:
        functions: the activations, in ONNX's order.
        recurrence: [G * H, H].
        recurrent_bias: [G * H].
        peepholes: [3 * H] for the gates i, o, f, or None.
        lengths: how many steps each batch has [N, 1], where that is only known at run time, or None.
        clip: what the operands of activations are bound to on both sides, or None.
        coupled: whether an LSTM forgets as much as it does not take in.
        reset_after: whether a GRU resets behind the recurrent product.
    """

    site: NodeSite
    functions: tuple[Activation, ...]
    recurrence: Value
    recurrent_bias: Value
    peepholes: Value | None
    lengths: Value | None
    clip: float | None
    coupled: bool
    reset_after: bool

    def part(self, value: Value, index: int, hidden: int) -> Value:
        """Gate `index` of a tensor that has gates side by side on its last axis."""
        shape = value.type.shape
        begins = (*(0 for _ in shape[1:]), index * hidden)
        op = Slice(begins, (*shape[:-1], hidden), (1,) * len(shape))
        return self.site.add(op, value, role=f"gate{index}")

    def product(self, state: Value, first: int, count: int) -> Value:
        """A state times the recurrence of some gates, plus their bias."""
        hidden = state.type.shape[1]
        rows = Slice((first * hidden, 0), (count * hidden, hidden), (1, 1))
        matrix = self.site.add(Transpose((1, 0)), self.site.add(rows, self.recurrence, role="rows"), role="columns")
        bias = Slice((first * hidden,), (count * hidden,), (1,))
        product = self.site.add(MatMul(), state, matrix, role="recurrent")
        return self.add(product, self.site.add(bias, self.recurrent_bias, role="recurrent_bias"))

    def activated(self, function: int, value: Value, role: str) -> Value:
        """An activation of a value that is clipped before."""
        if self.clip is not None:
            value = self.site.add(Clip(-self.clip, self.clip), value, role=f"{role}.clipped")
        return self.functions[function].apply(self.site, value, role)

    def peeped(self, value: Value, index: int, cell: Value) -> Value:
        """A gate that looks at the cell."""
        if self.peepholes is None:
            return value
        weights = self.part(self.peepholes, index, cell.type.shape[1])
        return self.add(value, self.multiply(weights, cell))

    def add(self, a: Value, b: Value) -> Value:
        """The sum."""
        return self.site.add(Add(), a, b, role="sum")

    def multiply(self, a: Value, b: Value) -> Value:
        """The product element by element."""
        return self.site.add(Mul(), a, b, role="product")

    def complement(self, gate: Value) -> Value:
        """What a gate keeps out."""
        return self.site.add(Sub(), self.site.scalar_constant("one", 1.0), gate, role="complement")


Step = Callable[[Cell, Value, States], States]
"""The states after a step, from the step's product of the input [N, G * H] and the states before it."""


def lstm_step(cell: Cell, given: Value, states: States) -> States:
    """Gates i, o, f and c; peepholes look at the old cell, that of o at the new one."""
    hidden, memory = states
    width = hidden.type.shape[1]
    sums = cell.add(given, cell.product(hidden, 0, 4))
    i, o, f, c = (cell.part(sums, index, width) for index in range(4))
    taken = cell.activated(0, cell.peeped(i, 0, memory), "i")
    kept = cell.complement(taken) if cell.coupled else cell.activated(0, cell.peeped(f, 2, memory), "f")
    added = cell.multiply(taken, cell.activated(1, c, "c"))
    memory = cell.add(cell.multiply(kept, memory), added)
    shown = cell.activated(0, cell.peeped(o, 1, memory), "o")
    return cell.multiply(shown, cell.functions[2].apply(cell.site, memory, "h")), memory


def gru_step(cell: Cell, given: Value, states: States) -> States:
    """Gates z, r and the candidate."""
    (hidden,) = states
    width = hidden.type.shape[1]
    first = cell.add(cell.site.add(_columns(given, 2 * width), given, role="gates"), cell.product(hidden, 0, 2))
    z, r = (cell.activated(0, cell.part(first, index, width), "zr"[index]) for index in range(2))
    if cell.reset_after:
        recurrent = cell.multiply(r, cell.product(hidden, 2, 1))
    else:
        recurrent = cell.product(cell.multiply(r, hidden), 2, 1)
    candidate = cell.activated(1, cell.add(cell.part(given, 2, width), recurrent), "candidate")
    return (cell.add(cell.multiply(cell.complement(z), candidate), cell.multiply(z, hidden)),)


def rnn_step(cell: Cell, given: Value, states: States) -> States:
    """One activation of the sum."""
    return (cell.activated(0, cell.add(given, cell.product(states[0], 0, 1)), "hidden"),)


def _columns(value: Value, count: int) -> Slice:
    return Slice((0, 0), (value.type.shape[0], count), (1, 1))


def unrolled(cell: Cell, step: Step, operands: Sequence[Value], *, reverse: bool) -> tuple[Value, ...]:
    """All hidden states [T, N, H], then the last states [N, H].

    Args:
        cell: the direction.
        step: the layer.
        operands: input [T, N, I], weights [G * H, I], bias of the input [G * H], states [N, H] before the first step.
        reverse: whether the last step is the first that is taken.

    Raises:
        UnsupportedModel: there are too many steps.
    """
    site, (data, weights, bias, *states) = cell.site, operands
    steps, batches, inputs = data.type.shape
    if steps > MOST_STEPS:
        raise site.unsupported(
            f"in this form each of its {steps} steps has code of its own, which is supported for {MOST_STEPS}",
            "leave out clip, peepholes, coupling and lengths of run time, and use the default activations",
        )
    rows = site.add(Reshape((steps * batches, inputs)), data, role="all_steps")
    product = site.add(MatMul(), rows, site.add(Transpose((1, 0)), weights, role="columns"), role="of_input")
    given = cell.add(product, bias)
    current: States = tuple(states)
    shown: dict[int, Value] = {}
    for time in reversed(range(steps)) if reverse else range(steps):
        part = Slice((time * batches, 0), (batches, given.type.shape[1]), (1, 1))
        made = step(cell, site.add(part, given, role=f"step{time}"), current)
        current, seen = _within_lengths(cell, time, made, current)
        shown[time] = site.add(Reshape((1, *seen.type.shape)), seen, role="shown")
    return (_joined(site, [shown[time] for time in range(steps)]), *current)


def _within_lengths(cell: Cell, time: int, made: States, before: States) -> tuple[States, Value]:
    """The states after a step, and what is shown of it: behind its end a batch keeps its states and shows zeros."""
    if cell.lengths is None:
        return made, made[0]
    site, dtype = cell.site, cell.lengths.type.dtype.numpy
    now = site.builder.constant(f"{site.output_name}.time", np.array(time, dtype))
    inside = site.add(Less(), now, cell.lengths, role="inside")
    kept = tuple(site.add(Where(), inside, new, old, role="kept") for new, old in zip(made, before, strict=True))
    return kept, site.add(Where(), inside, made[0], site.scalar_constant("nothing", 0.0), role="seen")


def _joined(site: NodeSite, parts: list[Value]) -> Value:
    """Kernels join sixteen tensors at once."""
    while len(parts) > 1:
        groups = [parts[first : first + 16] for first in range(0, len(parts), 16)]
        parts = [group[0] if len(group) == 1 else site.add(Concat(0), *group, role="shown") for group in groups]
    return parts[0]
