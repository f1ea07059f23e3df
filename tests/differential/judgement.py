# SPDX-License-Identifier: Apache-2.0
"""How far an answer may lie from ONNX Runtime's.

Reals: 1e-5 of the tensor's magnitude. Integers: equal. Where that is not so, the model itself says what is allowed: it
runs again with every quantised tensor moved by one step, up or down, and every real by a millionth, which is what
another order of summing and another rounding of a tie do. Integers made from the model's inputs are not moved: these
have one right value. For a single operator that leaves one step at its output, for a deep model what flips grow to.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from stowage.ir.graph import Array
from tests.differential.expanded import expanded
from tests.differential.onnx_runtime import Judge, Refused

RELATIVE = 1e-5
_REAL_NOISE = 1e-6
_RUNS = 12


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far one output lies from what is expected, and how far it may; infinitely far if of another type."""

    output: str
    distance: float
    allowed: float
    magnitude: float

    @property
    def is_wrong(self) -> bool:
        """Whether it lies too far."""
        return self.distance > self.allowed

    def __str__(self) -> str:
        return f"{self.output!r} is off by {self.distance:g}, allowed is {self.allowed:g}, magnitude {self.magnitude:g}"


def deviations(
    model: ModelProto, inputs: Mapping[str, Array], found: Mapping[str, Array], seed: int
) -> list[Deviation]:
    """Every output of one run against ONNX Runtime's, in the model's order."""
    model = expanded(model)
    expected = Judge(model).run(inputs)
    distances = {name: _distance(array, found[name]) for name, array in expected.items()}
    allowed = {name: _strict(array) for name, array in expected.items()}
    if any(distances[name] > allowed[name] for name in expected):
        allowed = noise_reach(model, inputs, expected, seed)
    return [
        Deviation(name, distances[name], allowed[name], float(np.abs(array.astype(np.float64)).max(initial=0.0)))
        for name, array in expected.items()
    ]


def _strict(expected: Array) -> float:
    if expected.dtype.kind != "f":
        return 0.0
    return RELATIVE * float(np.abs(expected).max(initial=0.0))


def _distance(a: Array, b: Array) -> float:
    if a.shape != b.shape or a.dtype != b.dtype:
        return math.inf
    difference = np.abs(a.astype(np.float64) - b.astype(np.float64))
    return float(np.where(np.isnan(difference), np.inf, difference).max(initial=0.0))


def noise_reach(
    model: ModelProto, inputs: Mapping[str, Array], expected: Mapping[str, Array], seed: int
) -> dict[str, float]:
    """How far noise moves each output of a model (as `expanded` leaves it) from what is expected, in its own units."""
    allowed = {name: _strict(array) for name, array in expected.items()}
    noisy = _Noisy(model, inputs)
    judge = Judge(noisy.model)
    for run in range(_RUNS):
        answer = judge.run({**inputs, **noisy.noise(np.random.default_rng([seed, run]))})
        for name, array in expected.items():
            allowed[name] = max(allowed[name], (1 + RELATIVE) * _distance(array, answer[name]))
    return allowed


class _Noisy:
    """The model with an Add behind every tensor that may differ; what it adds is fed.

    Attributes:
        model: the changed model.
    """

    def __init__(self, model: ModelProto, inputs: Mapping[str, Array]) -> None:
        self._constants = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
        self._inputs = set(inputs)
        self._values = every_value(model, inputs)
        self._amplitudes: dict[str, NDArray[np.float64]] = {}
        self._steps: set[str] = set()
        self.model = ModelProto()
        self.model.CopyFrom(model)
        del self.model.graph.node[:]
        for node in model.graph.node:
            self.model.graph.node.extend(self._moved(node))

    def noise(self, generator: np.random.Generator) -> dict[str, Array]:
        """Something to add, for each place where something is added."""
        result: dict[str, Array] = {}
        for name, amplitude in self._amplitudes.items():
            draw = generator.uniform(-1, 1, amplitude.shape)
            draw = np.sign(draw) if name in self._steps else draw
            result[name] = np.asarray(amplitude * draw, np.float32)
        return result

    def _moved(self, node: NodeProto) -> list[NodeProto]:
        if node.op_type == "QuantizeLinear" and node.input[0] in self._values and node.input[0] not in self._inputs:
            return self._quantise_moved(node)
        if len(node.output) == 1 and self._is_real(node.output[0]):
            return self._reals_moved(node)
        return [node]

    def _is_real(self, name: str) -> bool:
        return name in self._values and self._values[name].dtype == np.float32

    def _quantise_moved(self, node: NodeProto) -> list[NodeProto]:
        changed = NodeProto()
        changed.CopyFrom(node)
        changed.input[0] = f"{node.output[0]}.noisy"
        noise = self._step_noise(node, self._values[node.input[0]].shape)
        return [helper.make_node("Add", [node.input[0], noise], [changed.input[0]]), changed]

    def _reals_moved(self, node: NodeProto) -> list[NodeProto]:
        changed = NodeProto()
        changed.CopyFrom(node)
        changed.output[0] = f"{node.output[0]}.raw"
        amplitude = (
            _REAL_NOISE * np.abs(self._values[node.output[0]]).max() * np.ones(self._values[node.output[0]].shape)
        )
        noise = self._fed(f"{node.output[0]}.noise", amplitude)
        return [changed, helper.make_node("Add", [changed.output[0], noise], [node.output[0]])]

    def _step_noise(self, node: NodeProto, shape: tuple[int, ...]) -> str:
        scale = float(self._constants[node.input[1]].max())
        name = self._fed(f"{node.output[0]}.noise", np.full(shape, scale))
        self._steps.add(name)
        return name

    def _fed(self, name: str, amplitude: NDArray[np.float64]) -> str:
        self._amplitudes[name] = amplitude
        self.model.graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, amplitude.shape))
        return name


def every_value(model: ModelProto, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """Everything that the model computes, by name."""
    whole = ModelProto()
    whole.CopyFrom(model)
    shown = {output.name for output in model.graph.output}
    names = dict.fromkeys(name for node in model.graph.node if node.op_type != "Constant" for name in node.output)
    whole.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names if name and name not in shown)
    try:
        return {**inputs, **Judge(whole).run(inputs)}
    except Refused:
        return dict(inputs)
