# SPDX-License-Identifier: Apache-2.0
"""Window and matrix kernels against the reference on random shapes: int8 bit for bit, float32 within its tolerance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.target.kernels.kernel_trial import run_trials
from stowage.target.kernels.operator_trial import OperatorTrial
from stowage.target.kernels.random_window import RandomWindow

KINDS: list[type[Op]] = [AveragePool2d, Conv2d, DepthwiseConv2d, FullyConnected, MatMul, MaxPool2d]
SEEDS = st.integers(0, 2**32 - 1)
BATCH = 60


def by_function(trials: Sequence[OperatorTrial]) -> list[list[OperatorTrial]]:
    """Trials that one program can run."""
    groups: dict[str, list[OperatorTrial]] = defaultdict(list)
    for each in trials:
        groups[each.call.function].append(each)
    return list(groups.values())


def check(trials: Sequence[OperatorTrial], *, specialise: bool = False, sanitise: bool = False) -> None:
    """int8 results are the reference's; float32 ones within 1e-5 of the sum's magnitude (its terms may cancel)."""
    outputs = run_trials([each.trial for each in trials], specialise=specialise, sanitise=sanitise)
    for each, (output,) in zip(trials, outputs, strict=True):
        if output.dtype == np.int8:
            np.testing.assert_array_equal(output, each.expected, err_msg=f"{each.node}")
        else:
            near = output.astype(np.float64), each.expected.astype(np.float64)
            np.testing.assert_allclose(*near, rtol=1e-5, atol=2e-5, err_msg=f"{each.node}")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("arithmetic", list(Arithmetic))
@given(SEEDS)
@settings(max_examples=3, deadline=None)
def test_int8_is_the_reference_bit_for_bit(kind: type[Op], arithmetic: Arithmetic, seed: int) -> None:
    source = RandomWindow(np.random.default_rng(seed), DType.I8, arithmetic)
    for group in by_function(source.trials(kind, BATCH)):
        check(group)


@pytest.mark.parametrize("kind", KINDS)
@given(SEEDS)
@settings(max_examples=3, deadline=None)
def test_float32_is_the_reference(kind: type[Op], seed: int) -> None:
    for group in by_function(RandomWindow(np.random.default_rng(seed), DType.F32).trials(kind, BATCH)):
        check(group)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [DType.I8, DType.F32])
def test_nothing_is_read_or_written_outside_and_nothing_is_undefined(kind: type[Op], dtype: DType) -> None:
    for group in by_function(RandomWindow(np.random.default_rng(7), dtype).trials(kind, 2 * BATCH)):
        check(group, sanitise=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [DType.I8, DType.F32])
def test_constants_that_are_compiled_in_change_nothing(kind: type[Op], dtype: DType) -> None:
    check(RandomWindow(np.random.default_rng(11), dtype).trials(kind, 6), specialise=True)
