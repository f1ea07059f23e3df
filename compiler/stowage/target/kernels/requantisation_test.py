# SPDX-License-Identifier: Apache-2.0
"""core/requantise.h against its definition: all shifts, both roundings, ties and saturation, on chosen accumulators.

A dense layer over one zero input has its biases as accumulators, and a multiplier for each.
"""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.reference import run
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import Site
from stowage.target.kernels.kernel_trial import Trial, run_trials

LIMIT = 2**30 - 1


def dense(scales: list[float], accumulators: list[int], zero_point: int) -> tuple[Node, dict[str, Array]]:
    """A layer whose channel c has accumulator c and real multiplier scales[c]."""
    count = len(scales)
    values = (
        Value("x", TensorType((1, 1), DType.I8, Quant((1.0,), (0,)))),
        Value("w", TensorType((count, 1), DType.I8, Quant(tuple(scales), (0,) * count, 0))),
        Value("b", TensorType((count,), DType.I32)),
    )
    output = Value("y", TensorType((1, count), DType.I8, Quant((1.0,), (zero_point,))))
    arrays: tuple[Array, ...] = (
        np.zeros((1, 1), np.int8),
        np.zeros((count, 1), np.int8),
        np.array(accumulators, np.int32),
    )
    named: dict[str, Array] = {value.name: array for value, array in zip(values, arrays, strict=True)}
    return Node("node", FullyConnected(), values, (output,)), named


def check(scales: list[float], accumulators: list[int], arithmetic: Arithmetic, zero_point: int = 0) -> None:
    node, arrays = dense(scales, accumulators, zero_point)
    expected = run(Graph("trial", node.inputs, node.outputs, (node,), arithmetic), arrays)["y"]
    call = lower(node, Site({"w": arrays["w"], "b": arrays["b"]}, arithmetic))
    trial = Trial(call, (arrays["x"], arrays["w"], arrays["b"]), (node.output.type,))
    for sanitise in (False, True):
        ((output,),) = run_trials([trial], sanitise=sanitise)
        np.testing.assert_array_equal(output, expected)


def near_results(random: np.random.Generator, scale: float) -> list[int]:
    """Accumulators whose results are around numbers of 8 bits, and those next to halves between them."""
    results = random.integers(-130, 130, 12) / 2
    close = [round(result / scale) + offset for result in results for offset in (-1, 0, 1)]
    return [accumulator for accumulator in close if abs(accumulator) <= LIMIT]


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
@pytest.mark.parametrize("exponents", [range(-31, -1), range(-29, 1), range(-3, 6)])
def test_all_shifts(arithmetic: Arithmetic, exponents: range) -> None:
    """Narrow ones (less than a quarter), those up to one, and those that enlarge."""
    random = np.random.default_rng(len(exponents))
    pairs = [
        (scale, accumulator)
        for exponent in exponents
        for scale in (2.0**exponent, float(2.0 ** (exponent + random.uniform(-1, 0))))
        for accumulator in near_results(random, scale)
    ]
    check([scale for scale, _ in pairs], [accumulator for _, accumulator in pairs], arithmetic, zero_point=-11)


@pytest.mark.parametrize("zero_point", [-128, 127])
def test_results_beyond_the_type_saturate(zero_point: int) -> None:
    accumulators = [LIMIT, -LIMIT, LIMIT // 3, -LIMIT // 5, 1, -1, 0]
    for scale in (2.0**29, 1.0, 0.37, 2.0**-10):
        check([scale] * len(accumulators), accumulators, Arithmetic.ONNX, zero_point)


def test_a_multiplier_too_small_to_matter_gives_the_zero_point() -> None:
    check([2.0**-40, 2.0**-34], [LIMIT, -LIMIT], Arithmetic.ONNX, zero_point=5)
    check([2.0**-40, 0.5], [LIMIT, 9], Arithmetic.TFLITE, zero_point=5)
