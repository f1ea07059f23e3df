# SPDX-License-Identifier: Apache-2.0
"""Each step of a compiled model against ONNX Runtime: given the runtime's own operands, how far off is the C kernel?

Fed with the runtime's operands no step inherits an error from the one before, so that the difference is the step's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx

from stowage.ir.graph import Array, Value
from stowage.ir.ops.op import Op
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.schedule.schedule import Schedule, Step
from stowage.schedule.select import select
from stowage.target.find_board import find_board
from stowage.target.kernels.kernel_trial import Trial, run_trials
from tests.e2e.counterpart import counterparts
from tests.e2e.onnx_runtime import EveryTensor


@dataclass(frozen=True, slots=True)
class StepDifference:
    """How one step compares over all vectors.

    Attributes:
        step: the name of its node.
        function: the kernel.
        integer: whether the result is of an integer type.
        largest: the largest difference in steps of the result, or relative to its largest magnitude.
        compared: whether the model has a tensor to compare with; else `largest` is 0.
        own_operands: operands for which the model has no tensor, so that our own results stood in.
        outputs: what the step makes.
    """

    step: str
    function: str
    integer: bool
    largest: float
    compared: bool
    own_operands: tuple[str, ...]
    outputs: tuple[str, ...]


def judged(differences: Sequence[StepDifference]) -> list[StepDifference]:
    """The steps that are compared, and those whose own results went into a step that is judged.

    An operator that the importer takes apart has one tensor in the model and several steps: what the last one makes of
    the others' results is compared, and they are with it.
    """
    wanted: set[str] = set()
    result = []
    for each in reversed(differences):
        if each.compared or wanted.intersection(each.outputs):
            wanted.update(each.own_operands)
            result.append(each)
    return result[::-1]


def step_differences(
    model: Path, vectors: Sequence[Mapping[str, Array]], oracle: onnx.ModelProto | None = None
) -> list[StepDifference]:
    """Every step of the model, compiled for the host, on every vector.

    The steps are those before any tensor was spared: a dropped channel or a joined tensor has none to compare with.

    Args:
        model: an ONNX file.
        vectors: the model's inputs by name, once for each vector.
        oracle: what ONNX Runtime is to run instead of the same model.
    """
    host = find_board("host")
    schedule = select(compile_model(ModelRequest(model, "model"), host).plain, host.features)
    session = EveryTensor(oracle or onnx.load(model))
    constants = {value.name: schedule.constants[digest] for value, digest in schedule.constant_values}
    runs = [_Run(schedule, session.run(vector), constants) for vector in vectors]
    return [_difference(step, runs) for step in schedule.steps]


class _Run:
    """One vector: what ONNX Runtime says that values are, and what our own kernels made of its operands."""

    def __init__(self, schedule: Schedule, tensors: Mapping[str, Array], constants: Mapping[str, Array]) -> None:
        self._views = schedule.views
        self._bases = {view.value.name: view.base.name for view in schedule.views}
        self._tensors = tensors
        self._known = dict(constants) | {value.name: tensors[value.name] for value in schedule.inputs}
        self._own: dict[str, Array] = {}

    def operand(self, value: Value) -> tuple[Array, bool]:
        """The value's elements, and whether they are ONNX Runtime's."""
        name = self.base(value)
        theirs = name in self._known
        array = self._known[name] if theirs else self._own[name]
        return array.reshape(value.type.shape), theirs

    def base(self, value: Value) -> str:
        """The name under which the bytes of a value were made."""
        return self._bases.get(value.name, value.name)

    def distance(self, value: Value, op: Op, output: Array) -> float | None:
        """How far our output is from theirs; keeps both. Of two layouts that fit, the nearer one is meant."""
        self._own[value.name] = output
        layouts = sorted(self._counterparts(value, op), key=lambda layout: _distance(output, layout))
        if not layouts:
            return None
        self._known[value.name] = layouts[0]
        return _distance(output, layouts[0])

    def _counterparts(self, value: Value, op: Op) -> list[Array]:
        """Those of the value, or else those of its views, in its shape."""
        own = counterparts(value, op, self._tensors)
        if own:
            return own
        seen = (view.value for view in self._views if view.base.name == value.name)
        return [array.reshape(value.type.shape) for view in seen for array in counterparts(view, op, self._tensors)]


def _difference(step: Step, runs: Sequence[_Run]) -> StepDifference:
    operands = [[run.operand(value) for value in step.node.inputs] for run in runs]
    types = tuple(output.type for output in step.node.outputs)
    trials = [Trial(step.call, tuple(array for array, _ in each), types) for each in operands]
    distances = [
        run.distance(value, step.node.op, output)
        for run, outputs in zip(runs, run_trials(trials), strict=True)
        for value, output in zip(step.node.outputs, outputs, strict=True)
    ]
    return StepDifference(
        step=step.node.name,
        function=step.call.function,
        integer=not np.issubdtype(types[0].dtype.numpy, np.floating),
        largest=max(distance or 0.0 for distance in distances),
        compared=None not in distances,
        own_operands=tuple(
            runs[0].base(v) for v, (_, theirs) in zip(step.node.inputs, operands[0], strict=True) if not theirs
        ),
        outputs=tuple(value.name for value in step.node.outputs),
    )


def _distance(actual: Array, expected: Array) -> float:
    """In steps for integers, relative to the largest magnitude for floats; NaN and infinity are infinitely far."""
    difference = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    if not np.isfinite(difference).all():
        return float("inf")
    largest = float(difference.max(initial=0.0))
    if not np.issubdtype(expected.dtype, np.floating):
        return largest
    return largest / max(float(np.abs(expected).max(initial=0.0)), float(np.finfo(np.float32).tiny))
