# SPDX-License-Identifier: Apache-2.0
"""What noise does to the outputs of a model, as the limit of how far they may lie off.

Integers of a deep quantised model differ by more than a step where a flip of one step grows on its way to the output.
The model itself says how far that goes: ONNX Runtime runs it with every quantised tensor moved by one step
(`tests/differential/judgement.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import onnx

from tests.differential.expanded import expanded
from tests.differential.judgement import noise_reach
from tests.zoo.deviation import Deviation, magnitude
from tests.zoo.expected import Expected
from tools.trial.vectors import Array


def noisy(expected: Expected, found: Sequence[Deviation]) -> list[Deviation]:
    """Deviations of an ONNX model, with the limits widened to what its own noise does.

    Where it has integers inside, these are the limits for boards too, whose floats may flip a step that the host's do
    not; where all is real, there is nothing to flip, and what is near enough needs no wider limit. Nor does what is
    equal to the bit, which it is on every board then.
    """
    if not any(any(each.distances) for each in found):
        return list(found)
    model = expanded(onnx.load(expected.model))
    rounds = any(node.op_type == "QuantizeLinear" for node in model.graph.node)
    if not rounds and not any(each.too_far for each in found):
        return list(found)
    noises = [_noise(model, expected, vector) for vector in range(len(expected.outputs[0]))]
    return [_widened(each, expected.outputs[k], [noise[k] for noise in noises]) for k, each in enumerate(found)]


def _widened(deviation: Deviation, expected: Array, noises: Sequence[float]) -> Deviation:
    scales = [magnitude(array) if deviation.unit == "relative" else 1.0 for array in expected]
    pairs = zip(deviation.limits, noises, scales, strict=True)
    return replace(deviation, limits=tuple(max(limit, amount / scale) for limit, amount, scale in pairs))


def _noise(model: onnx.ModelProto, expected: Expected, vector: int) -> list[float]:
    """How far noise moves each output of one vector."""
    constants = {constant.name for constant in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in constants]
    feeds = {name: array[vector] for name, array in zip(names, expected.inputs, strict=True)}
    outputs = [value.name for value in model.graph.output]
    answers = {name: array[vector] for name, array in zip(outputs, expected.outputs, strict=True)}
    reach = noise_reach(model, feeds, answers, seed=0)
    return [reach[name] for name in outputs]
