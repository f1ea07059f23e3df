# SPDX-License-Identifier: Apache-2.0
"""The second level: a total order of steps, each a complete kernel call on named values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stowage.ir.graph import Array, Node, Value
from stowage.target.kernels.kernel import KernelCall


@dataclass(frozen=True, slots=True)
class Step:
    """One kernel call; `node` says on which values, `call` how.

    Attributes:
        node: the operation with its operands and results.
        call: the kernel that computes it.
    """

    node: Node
    call: KernelCall


@dataclass(frozen=True, slots=True)
class View:
    """A value that is another's bytes under a new shape: no step makes it.

    Attributes:
        value: the view.
        base: the value whose bytes it is (never itself a view).
        offset_bytes: where in the base it starts.
    """

    value: Value
    base: Value
    offset_bytes: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """What a model keeps from run to run: an input that holds what the last run left.

    Attributes:
        held: the input; its bytes are the state's.
        kept: the output that is made over these bytes, after the last step that reads them.
        output: what the model calls that output, of which `kept` may be a copy.
    """

    held: Value
    kept: Value
    output: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """A model as steps in the order in which they run.

    Attributes:
        name: the model's C identifier.
        inputs: model inputs; they hold their data before step 0.
        outputs: model outputs; they hold their data after the last step.
        steps: kernel calls in order.
        views: values that cost nothing, in the order in which their bases are made.
        constant_values: values that lie among the weights, not in an arena, with their digest.
        constants: arrays by digest.
        states: inputs and outputs that are one; both are among the inputs and outputs as well.
    """

    name: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    steps: tuple[Step, ...]
    views: tuple[View, ...]
    constant_values: tuple[tuple[Value, str], ...]
    constants: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)
    states: tuple[State, ...] = ()


def in_base_order(views: Iterable[View], inputs: tuple[Value, ...], steps: Iterable[Step]) -> tuple[View, ...]:
    """Views in the order in which their bases are made; those of one base keep theirs."""
    made = [*inputs, *(value for step in steps for value in step.node.outputs)]
    places = {value.name: place for place, value in enumerate(made)}
    return tuple(sorted(views, key=lambda view: places[view.base.name]))
