# SPDX-License-Identifier: Apache-2.0
"""All families in one translation unit, with their parameters as compile-time constants as generated code has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.ops import elementwise, movement, reduction
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import LOWERINGS
from stowage.target.kernels.kernel_trial import run_trials
from stowage.target.kernels.operator_trial import OperatorTrial, distinct, integers, operator_trial, reals, tensor

INT8 = tensor((2, 3, 4, 5), DType.I8, 0.1, -7)
FLOAT = tensor((2, 3, 4, 5), DType.F32)
RESULT = tensor((2, 3, 4, 5), DType.I8, 0.2, 9)

QUANTISED: list[tuple[Op, list[TensorType], TensorType | None]] = [
    (elementwise.Add((0.0, math.inf)), [INT8, tensor((4, 1), DType.I8, 0.3, 1)], RESULT),
    (elementwise.Sub(), [tensor((5,), DType.I8, 0.01), INT8], RESULT),
    (elementwise.Mul(), [INT8, tensor((), DType.I8, 0.02, 5)], RESULT),
    (reduction.ReduceMean((1, 3)), [INT8], tensor((2, 1, 4, 1), DType.I8, 0.05, 2)),
    (reduction.Softmax(3), [INT8], tensor(INT8.shape, DType.I8, 1 / 256, -128)),
    (reduction.ArgMax(2), [INT8], None),
    (movement.Pad((0, 1, 2, 0), (1, 0, 0, 1), "constant", -0.7), [INT8], None),
    (movement.Transpose((0, 3, 1, 2)), [INT8], None),
    (movement.Resize((5, 9), (5 / 3, 9 / 4)), [INT8], None),
    (movement.Concat(3), [INT8, INT8, INT8], None),
    (elementwise.Dequantize(), [INT8], None),
]
FLOATS: list[tuple[Op, list[TensorType], TensorType | None]] = [
    (elementwise.Div((-1.0, math.inf)), [FLOAT, tensor((3, 1, 5), DType.F32)], None),
    (elementwise.Clip(-math.inf, 0.5), [FLOAT], None),
    (elementwise.Sigmoid(), [FLOAT], None),
    (reduction.ReduceMean((0, 1, 2, 3), keepdims=False), [FLOAT], None),
    (reduction.Softmax(1), [FLOAT], None),
    (movement.Resize((2, 7), (2 / 3, 7 / 4), "linear"), [FLOAT], None),
    (movement.Slice((1, 2, 0, 4), (1, 3, 4, 2), (1, -1, 1, -2)), [FLOAT], None),
    (movement.Pad((0, 0, 1, 2), (0, 1, 0, 1), "reflect"), [FLOAT], None),
    (movement.Reshape((8, 15)), [FLOAT], None),
    (elementwise.Quantize(DType.I8, Quant((0.05,), (3,))), [FLOAT], None),
    (elementwise.Cast(DType.I64), [FLOAT], None),
]


def trial(op: Op, types: list[TensorType], result: TensorType | None) -> OperatorTrial:
    random = np.random.default_rng(3)
    operands = [(type_, (reals if type_.dtype is DType.F32 else integers)(random, type_)) for type_ in types]
    return operator_trial(LOWERINGS[type(op)], op, operands, result=result)


def table_trial() -> OperatorTrial:
    random = np.random.default_rng(4)
    table = tensor((256,), DType.F32)
    operands = [(INT8, integers(random, INT8)), (table, reals(random, table))]
    return operator_trial(LOWERINGS[elementwise.Table], elementwise.Table(), operands, constants=[1])


def wide_pad() -> OperatorTrial:
    type_ = tensor((3,), DType.I64)
    op = movement.Pad((1,), (2,), "constant", -(2.0**40))
    return operator_trial(LOWERINGS[movement.Pad], op, [(type_, distinct(np.random.default_rng(5), type_))])


@pytest.mark.parametrize("sanitise", [False, True])
def test_constants_compiled_in_give_the_same(sanitise: bool) -> None:
    trials = [trial(*case) for case in (*QUANTISED, *FLOATS)] + [table_trial(), wide_pad()]
    outputs = run_trials([each.trial for each in trials], specialise=True, sanitise=sanitise)
    for each, (output,) in zip(trials, outputs, strict=True):
        if output.dtype == np.float32:
            near = output.astype(np.float64), each.expected.astype(np.float64)
            np.testing.assert_allclose(*near, rtol=1e-5, atol=1e-6)
        else:
            np.testing.assert_array_equal(output, each.expected, err_msg=each.call.function)
