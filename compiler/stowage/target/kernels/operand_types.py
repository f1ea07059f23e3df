# SPDX-License-Identifier: Apache-2.0
"""Which element type a window or matrix kernel computes in."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.target.kernels.kernel import NoKernel


def kernel_type(node: Node, allowed: tuple[DType, ...] = (DType.I8, DType.F32)) -> DType:
    """One of those `allowed`: the element type that the node's output and first two operands (if it has two) share.

    Raises:
        NoKernel: they do not, or it is another one, or the output is empty.
    """
    types = [value.type.dtype for value in (*node.inputs[:2], node.output)]
    if len(set(types)) != 1 or types[0] not in allowed:
        named = ", ".join(dtype.value for dtype in types[:-1])
        either = " or ".join(dtype.value for dtype in allowed)
        raise NoKernel(f"{node.op.mnemonic} of {named} to {types[-1].value}; kernels take {either} throughout")
    if node.output.type.elements == 0:
        raise NoKernel(f"the output of shape {list(node.output.type.shape)} is empty")
    return types[0]
