# SPDX-License-Identifier: Apache-2.0
"""The int8 matrix kernels as each core takes rows and weights: their results, and scratch to the last byte."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.kernel import KernelCall, Site
from stowage.target.kernels.kernel_trial import run_trials
from stowage.target.kernels.operator_trial import OperatorTrial, check_equal, integers, operator_trial, tensor
from stowage.target.kernels.random_window import RandomWindow

FEATURES = [frozenset[str](), frozenset({"thumb1"}), frozenset({"dsp"}), frozenset({"dsp", "mve"})]
WINDOWS: list[Op] = [Conv2d(pads=(1, 1, 1, 1)), ConvTranspose2d(size=(4, 5), pads=(1, 1))]


def window(op: Op, features: frozenset[str]) -> OperatorTrial:
    """An operator with 3 x 3 taps over an image of 4 x 5 pixels."""
    random = np.random.default_rng(7)
    image, weights = tensor((1, 4, 5, 3), DType.I8, 0.5, 3), tensor((6, 3, 3, 3), DType.I8, 0.25)
    types = image, weights, tensor((6,), DType.I32)
    result = tensor((1, 4, 5, 6), DType.I8, 64.0)

    def lowered(node: Node, site: Site) -> KernelCall:
        return lower(node, replace(site, features=features))

    operands = [(type_, integers(random, type_) // (1 << 16 if type_.dtype is DType.I32 else 1)) for type_ in types]
    return operator_trial(lowered, op, operands, result=result, constants=(1, 2))


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("op", WINDOWS)
def test_scratch_is_used_to_its_last_byte(op: Op, features: frozenset[str]) -> None:
    each = window(op, features)
    check_equal([each])
    (size,) = each.call.scratch_bytes
    assert size == (1 if "thumb1" in features else 2) * 3 * 3 * 3
    short = replace(each.trial, call=replace(each.call, scratch_bytes=(size - 1,)))
    with pytest.raises(AssertionError, match="wrote outside of its output and scratch"):
        run_trials([short])


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("kind", [Conv2d, FullyConnected])
def test_results_are_the_reference_s_however_rows_and_weights_are_taken(
    kind: type[Op], features: frozenset[str]
) -> None:
    trials = RandomWindow(np.random.default_rng(8), DType.I8, features=features).trials(kind, 60)
    for function in {each.call.function for each in trials}:
        check_equal([each for each in trials if each.call.function == function])
