# SPDX-License-Identifier: Apache-2.0
"""For tests: what ONNX Runtime computes for one ONNX operator, and what the reference computes for one of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnx import TensorProto, helper

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic
from stowage.ir.ops.op import Op
from stowage.ir.reference.interpreter import compute
from stowage.ir.reference.operand import Operand
from stowage.ir.tensor_type import Quant, TensorType

AnyArray = NDArray[Any]
TO_NCHW, TO_NHWC = (0, 3, 1, 2), (0, 2, 3, 1)
OPSET = 21


def onnx_runtime(operator: str, inputs: Sequence[AnyArray | None], **attributes: Any) -> AnyArray:
    """The first output of an ONNX operator, with its inferred element type; None is an input left out."""
    names = [f"in{index}" if array is not None else "" for index, array in enumerate(inputs)]
    node = helper.make_node(operator, names, ["out"], **attributes)
    given = {name: array for name, array in zip(names, inputs, strict=True) if array is not None}
    graph = helper.make_graph(
        [node],
        "oracle",
        [helper.make_tensor_value_info(name, _element(array.dtype), array.shape) for name, array in given.items()],
        [helper.make_empty_tensor_value_info("out")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)
    session = ort.InferenceSession(model.SerializeToString(), _quiet(), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, given)[0])


def _element(dtype: np.dtype[Any]) -> TensorProto.DataType:
    return onnx.helper.np_dtype_to_tensor_dtype(dtype)


def _quiet() -> ort.SessionOptions:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return options


def reference(
    op: Op, arrays: Sequence[AnyArray], quants: Sequence[Quant] = (), output: Quant | None = None
) -> AnyArray:
    """The reference's result for plain or quantised operands, in the element type of the operator's shape rule."""
    padded = [*quants, *[None] * (len(arrays) - len(quants))]
    types = [TensorType(a.shape, DType.of(a.dtype), quant) for a, quant in zip(arrays, padded, strict=True)]
    (rule,) = op.result_types(tuple(types))
    result = TensorType(rule.shape, rule.dtype, output or rule.quant)
    operands = [Operand(type_, array) for type_, array in zip(types, arrays, strict=True)]
    computed: AnyArray = compute(op, operands, result, Arithmetic.ONNX)
    assert (computed.shape, computed.dtype) == (result.shape, result.dtype.numpy)
    return computed


def normal(seed: int, *shape: int) -> AnyArray:
    """Standard normal float32 numbers."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def assert_close(ours: AnyArray, theirs: AnyArray) -> None:
    """Refuses float32 results that differ by more than 1e-5, relative or absolute."""
    np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-5)
