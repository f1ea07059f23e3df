# SPDX-License-Identifier: Apache-2.0
"""Nodes whose operands are all known are computed while importing, so that shapes, axes and pads are plain numbers.

ONNX's own reference evaluator does it, one node at a time. It runs on data that nobody has vouched for: only operators
whose results' size can be told beforehand are given to it, and products, convolutions and random numbers never.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from onnx import GraphProto, NodeProto, ValueInfoProto

from stowage.errors import InvalidModel
from stowage.frontend.from_onnx.graph_order import describe
from stowage.frontend.from_onnx.opset import in_default_domain
from stowage.ir.graph import Array

LARGEST_RESULT_ELEMENTS = 2**20
"""Larger results stay nodes of the graph, where the operator has one."""

Arrays = Sequence[Array]


def evaluate(node: NodeProto, operands: Mapping[str, Array | None], opset: int) -> tuple[Array, ...] | None:
    """The node's outputs, or None where it is not to be computed here.

    Args:
        node: the node.
        operands: its operands by name; None where one is not known.
        opset: version of the default operator set.

    Raises:
        InvalidModel: the evaluator refuses the operands.
    """
    known = {name: array for name, array in operands.items() if array is not None}
    bound = _BOUNDS.get(node.op_type) if in_default_domain(node) else None
    if bound is None or len(known) < len(operands) or not known:
        return None
    try:
        if bound([known[name] for name in node.input if name]) > LARGEST_RESULT_ELEMENTS:
            return None
        return _computed(node, known, opset)
    except Exception as error:  # the evaluator raises anything at all on operands that do not suit
        reason = str(error).split("\n")[0][:200] or type(error).__name__
        raise InvalidModel(
            where=describe(node), reason=f"it cannot be computed ({reason})", remedy="export the model again"
        ) from None


def is_evaluated(op_type: str) -> bool:
    """Whether the operator is computed here when its operands are known."""
    return op_type in _BOUNDS


def _computed(node: NodeProto, operands: Mapping[str, Array], opset: int) -> tuple[Array, ...]:
    from onnx.reference import ReferenceEvaluator  # most models need nothing computed

    outputs = [name for name in node.output if name]
    graph = GraphProto(
        node=[node],
        input=[ValueInfoProto(name=name) for name in operands],
        output=[ValueInfoProto(name=name) for name in outputs],
    )
    with np.errstate(all="ignore"):
        found = ReferenceEvaluator(graph, opsets={"": opset, "ai.onnx": opset}).run(None, dict(operands))
    return tuple(np.asarray(array) for array in found)


def _first(arrays: Arrays) -> int:
    return arrays[0].size


def _sum(arrays: Arrays) -> int:
    return sum(array.size for array in arrays)


def _broadcast(arrays: Arrays) -> int:
    return math.prod(np.broadcast_shapes(*(array.shape for array in arrays)))


def _product(arrays: Arrays) -> int:
    return arrays[0].size * arrays[1].size


def _shape_operand(arrays: Arrays) -> int:
    """Bound for operators whose last operand is the shape, or repeats, of the result."""
    return max(_first(arrays), 1) * math.prod(max(int(extent), 1) for extent in arrays[-1].reshape(-1))


def _range(arrays: Arrays) -> int:
    start, limit, delta = (array.item() for array in arrays)
    return math.ceil((limit - start) / delta) if delta else LARGEST_RESULT_ELEMENTS + 1


_ELEMENTWISE = (
    *("Abs", "Add", "And", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Cast", "CastLike", "Ceil", "Clip"),
    *("Div", "Equal", "Exp", "Floor", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Log", "Max", "Min", "Mod"),
    *("Mul", "Neg", "Not", "Or", "Pow", "Reciprocal", "Relu", "Round", "Sign", "Sqrt", "Sub", "Where", "Xor"),
)
_NOT_LARGER = (
    *("Flatten", "Identity", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum"),
    *("Reshape", "Slice", "Split", "Squeeze", "Transpose", "Unsqueeze"),
)
_BOUNDS: Mapping[str, Callable[[Arrays], float]] = {
    **dict.fromkeys(_ELEMENTWISE, _broadcast),
    **dict.fromkeys(_NOT_LARGER, _first),
    "NonZero": lambda arrays: arrays[0].size * max(arrays[0].ndim, 1),
    "Concat": _sum,
    "Gather": _product,
    "Expand": _shape_operand,
    "Tile": _shape_operand,
    "ConstantOfShape": lambda arrays: math.prod(max(int(extent), 1) for extent in arrays[0].reshape(-1)),
    "Range": _range,
}
"""For each operator an upper bound of its result's elements."""
