# SPDX-License-Identifier: Apache-2.0
"""Examples of operators that take elements one by one, or the same element of two tensors."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from docs.operator_example import IMAGE, Example, some

_FUNCTIONS = (
    *("Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Celu", "Cos", "Cosh", "Elu", "Erf", "Exp"),
    *("Floor", "Log", "Neg", "Reciprocal", "Round", "Selu", "Shrink", "Sign", "Sin", "Sinh", "Softplus", "Softsign"),
    *("Sqrt", "Tan", "ThresholdedRelu"),
)
_COMPARISONS = ("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")
_BITS = ("BitwiseAnd", "BitwiseOr", "BitwiseXor")
_BOOL, _INT32, _UINT32 = TensorProto.BOOL, TensorProto.INT32, TensorProto.UINT32

ELEMENTWISE = (
    *(Example(operator) for operator in _FUNCTIONS),
    *(Example(operator, opset=opset) for operator, opset in (("Gelu", 20), ("Mish", 18), ("Swish", 24))),
    *(Example(operator, second=True) for operator in ("Max", "Mean", "Min", "Pow", "Sum")),
    Example("Mod", second=True, attributes={"fmod": 1}),
    Example("PRelu", IMAGE, settings={"slope": some(1)}),
    *(Example(operator, second=True, gives=(_BOOL,)) for operator in _COMPARISONS),
    *(Example(operator, gives=(_BOOL,)) for operator in ("IsInf", "IsNaN")),
    *(Example(operator, second=True, takes=_BOOL, has_int8=False) for operator in ("And", "Or", "Xor")),
    Example("Not", takes=_BOOL, has_int8=False),
    *(Example(operator, second=True, takes=_INT32, opset=18, has_int8=False) for operator in _BITS),
    Example("BitwiseNot", takes=_INT32, opset=18, has_int8=False),
    Example("BitShift", second=True, takes=_UINT32, attributes={"direction": "LEFT"}, has_int8=False),
    Example("BitCast", attributes={"to": _INT32}, gives=(_INT32,), opset=26, has_int8=False),
    Example("CastLike", settings={"like": np.array(0, np.int32)}, gives=(_INT32,), has_int8=False),
    Example("DynamicQuantizeLinear", outputs=3, gives=(TensorProto.UINT8, 1, TensorProto.UINT8), has_int8=False),
)
