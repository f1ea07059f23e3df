# SPDX-License-Identifier: Apache-2.0
"""Activations of floats against the reference, over all magnitudes and at the limits, and in place."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.elementwise import Clip, HardSigmoid, HardSwish, LeakyRelu, Relu, Sigmoid, Tanh
from stowage.ir.ops.op import Op
from stowage.target.kernels.activation import lower_activation
from stowage.target.kernels.kernel import NoKernel, Site
from stowage.target.kernels.operator_trial import (
    OperatorTrial,
    check_close,
    check_equal,
    check_overlaps,
    operator_trial,
    tensor,
)

EXACT = [
    Relu(),
    Clip(-1.5, 2.5),
    Clip(0.0, 6.0),
    Clip(-math.inf, -1.0),
    Clip(-0.5, math.inf),
    Clip(-math.inf, math.inf),
]
ROUNDED: list[Op] = [LeakyRelu(0.3), LeakyRelu(-2.0), HardSigmoid(0.25, 0.4), HardSwish(), Sigmoid(), Tanh()]


def magnitudes(low: float, high: float) -> NDArray[np.float32]:
    """Both signs, spread evenly over the logarithm."""
    sizes = np.geomspace(low, high, 2000)
    return np.concatenate([-sizes, sizes, [0.0, -0.0]]).astype(np.float32)


def trial(op: Op, array: NDArray[np.float32]) -> OperatorTrial:
    return operator_trial(lower_activation, op, [(tensor(array.shape, DType.F32), array)])


@pytest.mark.parametrize("op", EXACT)
def test_clamping_activations_are_exact(op: Op) -> None:
    everything = np.append(magnitudes(1e-40, 3e38), np.array([np.inf, -np.inf], np.float32))
    check_equal([trial(op, everything), trial(op, everything[:1])])
    check_equal([trial(op, everything)], sanitise=True)


@pytest.mark.parametrize("op", ROUNDED)
def test_other_activations_are_within_rounding(op: Op) -> None:
    check_close([trial(op, magnitudes(1e-30, 80.0))], relative=1e-6, absolute=3e-7 if isinstance(op, HardSwish) else 0)


@pytest.mark.parametrize(("op", "limits"), [(Sigmoid(), [1.0, 0.0]), (Tanh(), [1.0, -1.0]), (Relu(), [np.inf, 0.0])])
def test_limits(op: Op, limits: list[float]) -> None:
    at_infinity = trial(op, np.array([np.inf, -np.inf], np.float32))
    np.testing.assert_array_equal(at_infinity.expected, limits)
    check_equal([at_infinity])


@pytest.mark.parametrize("op", [*EXACT, *ROUNDED])
def test_output_may_lie_over_the_input(op: Op) -> None:
    positive = np.linspace(0.6, 1.4, 37).astype(np.float32)
    within = positive - np.float32(3) if isinstance(op, Clip) and op.highest < 0 else positive
    check_overlaps([trial(op, within)], exact_at_zero=True)


def test_other_types_are_refused() -> None:
    type_ = tensor((2,), DType.F64)
    node = Node("n", Relu(), (Value("x", type_),), (Value("y", type_),))
    with pytest.raises(NoKernel, match="relu of f64"):
        lower_activation(node, Site({}, Arithmetic.ONNX))
