# SPDX-License-Identifier: Apache-2.0
"""Schedule to Schedule: pairs of an input and an output become states, which a run takes over from the last one.

What makes the output writes it over the input's bytes where nobody reads these any more; else a copy does, at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from stowage.errors import InvalidModel
from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.movement import Reshape
from stowage.ir.tensor_type import TensorType
from stowage.schedule.in_place import sharings
from stowage.schedule.schedule import Schedule, State, Step, fresh_name
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Site


def keep_states(schedule: Schedule, pairs: Mapping[str, str]) -> Schedule:
    """The schedule with these states.

    Args:
        schedule: steps in their final order.
        pairs: names of outputs by names of inputs.

    Raises:
        InvalidModel: a pair names something that is not there or is in another pair, or its two types differ.
    """
    states = [_state(schedule, held, kept) for held, kept in pairs.items()]
    _check_once(pairs.values())
    copies = {state.kept.name: _copy(schedule, state) for state in states if not _is_made_over(schedule, state)}
    final = {name: step.node.output for name, step in copies.items()}
    return replace(
        schedule,
        steps=(*schedule.steps, *copies.values()),
        outputs=tuple(final.get(value.name, value) for value in schedule.outputs),
        states=tuple(replace(state, kept=final.get(state.kept.name, state.kept)) for state in states),
    )


def _state(schedule: Schedule, held: str, kept: str) -> State:
    state = State(_named(schedule.inputs, "input", held), _named(schedule.outputs, "output", kept), kept)
    if not _go_together(state.held.type, state.kept.type):
        raise _refused(
            f'input "{held}" is {_described(state.held)}, but output "{kept}" is {_described(state.kept)}',
            "pair tensors of one type, shape and quantisation",
        )
    if not state.held.type.elements:
        raise _refused(f'input "{held}" is {_described(state.held)}, which holds nothing', "leave the pair out")
    if kept in {value.name for value in schedule.inputs}:
        raise _refused(f'output "{kept}" is an input itself, which no run changes', "leave the pair out")
    return state


def _go_together(held: TensorType, kept: TensorType) -> bool:
    """Whether the elements of one can be the other's. An integer that no scale is known of goes with any."""
    known = held.quant is not None and kept.quant is not None
    return (held.shape, held.dtype) == (kept.shape, kept.dtype) and not (known and held.quant != kept.quant)


def _described(value: Value) -> str:
    type_ = value.type
    scale = f" with {type_.quant}" if type_.quant is not None else ""
    return f"{type_.dtype.value}{list(type_.shape)}{scale}"


def _named(values: tuple[Value, ...], kind: str, name: str) -> Value:
    for value in values:
        if value.name == name:
            return value
    known = ", ".join(f'"{value.name}"' for value in values) or "none"
    raise _refused(f'the model has no {kind} "{name}"', f"its {kind}s are {known}")


def _check_once(kept: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in kept:
        if name in seen:
            raise _refused(f'output "{name}" is in two pairs', "give each state an output of its own")
        seen.add(name)


def _refused(reason: str, remedy: str) -> InvalidModel:
    return InvalidModel(where="a state", reason=reason, remedy=remedy)


def _is_made_over(schedule: Schedule, state: State) -> bool:
    """Whether the step that makes the output can write it over the input: in all of its bytes, and not too soon."""
    views = {view.value.name: view for view in schedule.views}
    view = views.get(state.kept.name)
    made = state.kept if view is None else view.base
    if made.type.size_bytes != state.held.type.size_bytes or (view is not None and view.offset_bytes):
        return False
    readers = [
        moment
        for moment, step in enumerate(schedule.steps)
        for value in step.node.inputs
        if (views[value.name].base if value.name in views else value) == state.held
    ]
    writer = next(moment for moment, step in enumerate(schedule.steps) if made in step.node.outputs)
    last = max(readers, default=-1)
    if last == writer:
        shared = [each for each in sharings(schedule.steps[writer], views) if each.base == state.held.name]
        return any(each.distance_bytes <= 0 for each in shared)
    return last < writer


def _copy(schedule: Schedule, state: State) -> Step:
    """A step that comes after all others."""
    copied = Value(fresh_name(schedule, f"{state.kept.name}.kept"), state.kept.type)
    node = Node(copied.name, Reshape(copied.type.shape), (state.kept,), (copied,))
    return Step(node, lower(node, Site({}, Arithmetic.ONNX)))
