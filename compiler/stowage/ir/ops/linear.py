# SPDX-License-Identifier: Apache-2.0
"""Products of matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.broadcast import Shape, broadcast, check_broadcasts_to
from stowage.ir.ops.op import Op, ShapeError
from stowage.ir.ops.operands import (
    Operands,
    check_alike,
    check_bias,
    check_count,
    check_number,
    check_rank,
    check_real,
    check_weights,
    sole,
)
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class FullyConnected(Op):
    """Dense layer: input [..., I], constant weights [O, I], bias [O] (optional) -> [..., O], clamped if `clamp`."""

    mnemonic: ClassVar[str] = "fully_connected"
    clamp: tuple[float, float] | None = None

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("input", "weights"), ("bias",))
        data, weights = operands[:2]
        check_rank("weights", weights, 2, "[O, I]")
        check_weights(data, weights)
        outputs, inputs = weights.shape
        if data.shape[-1:] != (inputs,):
            raise ShapeError(f"weights take {inputs} inputs, but the input has shape {list(data.shape)}")
        for bias in operands[2:]:
            check_bias(data, bias, outputs)
        return (TensorType((*data.shape[:-1], outputs), data.dtype),)


@dataclass(frozen=True, slots=True)
class MatMul(Op):
    """NumPy's matmul: [..., M, K] x [..., K, N] -> [..., M, N] with the leading axes broadcast."""

    mnemonic: ClassVar[str] = "matmul"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("a", "b"))
        a, b = operands
        check_number("a", a)
        if a.quant is None:
            check_alike("a", a, "b", b)
        else:
            check_weights(a, b)
        return (TensorType(_product(a.shape, b.shape), a.dtype),)


@dataclass(frozen=True, slots=True)
class Gemm(Op):
    """ONNX Gemm: alpha * A' B' + beta * C, primes meaning "transposed if asked". Passes turn it into simpler
    operators."""

    mnemonic: ClassVar[str] = "gemm"
    alpha: float = 1.0
    beta: float = 1.0
    transpose_a: bool = False
    transpose_b: bool = False

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        check_count(operands, ("a", "b"), ("c",))
        a, b = operands[:2]
        check_rank("a", a, 2, "[M, K] or [K, M]")
        check_rank("b", b, 2, "[K, N] or [N, K]")
        for name, operand in zip(("b", "c"), operands[1:], strict=False):
            check_alike("a", a, name, operand)
        shape = _product(a.shape[::-1] if self.transpose_a else a.shape, b.shape[::-1] if self.transpose_b else b.shape)
        for c in operands[2:]:
            check_broadcasts_to("c", c.shape, shape)
        return (TensorType(shape, a.dtype),)


@dataclass(frozen=True, slots=True)
class Det(Op):
    """Determinants of square matrices: [..., N, N] -> [...]."""

    mnemonic: ClassVar[str] = "det"

    def result_types(self, operands: Operands) -> tuple[TensorType, ...]:
        data = sole(operands)
        check_real("input", data)
        if len(data.shape) < 2 or data.shape[-1] != data.shape[-2] or not data.shape[-1]:
            raise ShapeError(f"the shape {list(data.shape)} does not end in a square matrix")
        return (TensorType(data.shape[:-2], data.dtype),)


def _product(a: Shape, b: Shape) -> Shape:
    """NumPy's rule: one axis alone is a row on the left, a column on the right, and vanishes from the product."""
    if not a or not b:
        raise ShapeError("a scalar has no matrix product")
    rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
    if a[-1] != b[-2:][0]:
        raise ShapeError(f"shapes {list(a)} and {list(b)} do not multiply: {a[-1]} columns meet {b[-2:][0]} rows")
    return (*broadcast(a[:-2], b[:-2]), *rows, *columns)
