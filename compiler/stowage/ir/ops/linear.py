# SPDX-License-Identifier: Apache-2.0
"""Products of matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stowage.ir.ops.op import Op


@dataclass(frozen=True, slots=True)
class FullyConnected(Op):
    """Dense layer: input [..., I], constant weights [O, I], bias [O] (optional) -> [..., O], clamped if `clamp`."""

    mnemonic: ClassVar[str] = "fully_connected"
    clamp: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class MatMul(Op):
    """NumPy's matmul: [..., M, K] x [..., K, N] -> [..., M, N] with the leading axes broadcast."""

    mnemonic: ClassVar[str] = "matmul"


@dataclass(frozen=True, slots=True)
class Gemm(Op):
    """ONNX Gemm: alpha * A' B' + beta * C, primes meaning "transposed if asked". Passes turn it into simpler operators."""

    mnemonic: ClassVar[str] = "gemm"
    alpha: float = 1.0
    beta: float = 1.0
    transpose_a: bool = False
    transpose_b: bool = False
