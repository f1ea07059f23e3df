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
        base: the value whose bytes it is (never itself a view, but maybe a part of a join).
        offset_bytes: where in the base it starts.
    """

    value: Value
    base: Value
    offset_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Join:
    """A value that no step makes: it lies in its parts, side by side, each of which a step writes where it belongs.

    Attributes:
        whole: the value; it can be read once all of its parts are made.
        parts: values that steps make, in the order of their addresses, each in no other join and none itself a whole.
    """

    whole: Value
    parts: tuple[Value, ...]


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
class Transfer:
    """A constant of a kernel that is copied into the arena, while earlier steps run, and read there.

    Attributes:
        buffer: name of the bytes in the arena, which are its own from the start on until the last reader is done.
        start: moment before whose step the copy starts; step k runs at moment k + 1.
        moment: that of the first step that reads it, before which the copy has to be done.
        constant: which of the call's constants it is.
        again: moments of later steps, in order, of whose calls that constant is the same bytes, and which read them
            where they still are.
    """

    buffer: str
    start: int
    moment: int
    constant: int
    again: tuple[int, ...] = ()

    @property
    def readers(self) -> tuple[int, ...]:
        """The moments of all steps that read it."""
        return (self.moment, *self.again)


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
        joins: values that are made in parts.
        transfers: constants that are brought to the arena, by the moments of their starts.
        order_gap_bytes: how many bytes less another order may have alive at its fullest moment; 0 where none has less.
        consumed: names of values that are read row by row, so that what has been read of them makes room.
        fed: the model's one input, if steps get it from the caller row by row; it is none of `inputs`, and has no
            place.
    """

    name: str
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    steps: tuple[Step, ...]
    views: tuple[View, ...]
    constant_values: tuple[tuple[Value, str], ...]
    constants: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)
    states: tuple[State, ...] = ()
    joins: tuple[Join, ...] = ()
    order_gap_bytes: int = 0
    consumed: tuple[str, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    fed: Value | None = None

    def transferred(self, transfer: Transfer) -> Array:
        """What a transfer brings."""
        return self.steps[transfer.moment - 1].call.constants[transfer.constant].array


def storage(schedule: Schedule) -> dict[str, View]:
    """By name, the values that lie within another one: views and parts of joins, each as a view of what is stored."""
    parts: dict[str, View] = {}
    for join in schedule.joins:
        offset_bytes = 0
        for part in join.parts:
            parts[part.name] = View(part, join.whole, offset_bytes)
            offset_bytes += part.type.size_bytes
    views = {view.value.name: _within(view, parts.get(view.base.name)) for view in schedule.views}
    return {**parts, **views}


def _within(view: View, base: View | None) -> View:
    """A view of a value as one of what that value is a view of."""
    return view if base is None else View(view.value, base.base, base.offset_bytes + view.offset_bytes)


def join_moments(schedule: Schedule) -> dict[str, int]:
    """For each whole the moment at which the last of its parts is made; step k runs at moment k + 1."""
    made = {value.name: moment for moment, step in enumerate(schedule.steps, 1) for value in step.node.outputs}
    return {join.whole.name: max(made[part.name] for part in join.parts) for join in schedule.joins}


def fresh_name(schedule: Schedule, name: str) -> str:
    """A name like the one given that no value and no node of the schedule has."""
    made = [value for step in schedule.steps for value in step.node.outputs]
    nodes = [step.node.name for step in schedule.steps]
    wholes = [join.whole for join in schedule.joins]
    views = [view.value for view in schedule.views]
    taken = {value.name for value in (*schedule.inputs, *made, *wholes, *views)} | set(nodes)
    while name in taken:
        name += "_"
    return name


def in_base_order(
    views: Iterable[View], inputs: tuple[Value, ...], steps: Iterable[Step], joins: Iterable[Join] = ()
) -> tuple[View, ...]:
    """Views in the order in which their bases are made; those of one base keep theirs."""
    made = [value.name for value in inputs]
    waiting = {join.whole.name: {part.name for part in join.parts} for join in joins}
    for step in steps:
        made += [value.name for value in step.node.outputs]
        complete = [whole for whole, parts in waiting.items() if parts <= set(made)]
        made += complete
        waiting = {whole: parts for whole, parts in waiting.items() if whole not in complete}
    places = {name: place for place, name in enumerate(made)}
    return tuple(sorted(views, key=lambda view: places[view.base.name]))
