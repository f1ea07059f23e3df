# SPDX-License-Identifier: Apache-2.0
"""Combinations that fuse no activation: combination.h, and Where: select.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.combination import Connective, Equal, Mod, Pow
from stowage.target.kernels.broadcast_call import binary_call, broadcast_shape, overlaps
from stowage.target.kernels.call_parts import SUFFIXES, pointers, require_elements, word
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site


def lower_combination(node: Node, site: Site) -> KernelCall:
    """The call for a number combination, a comparison or a connective."""
    require_elements(node)
    op, operand = node.op, node.inputs[0].type
    known = operand.dtype in SUFFIXES and operand.quant is None
    if not known or (isinstance(op, Pow) and operand.dtype is not DType.F32):
        raise NoKernel(f"{op.mnemonic} of {operand.dtype.value}")
    if operand.dtype is DType.BOOL and not isinstance(op, Connective | Equal):
        raise NoKernel(f"{op.mnemonic} of truth values")
    verb = f"{op.mnemonic}_truncated" if isinstance(op, Mod) and op.truncated else op.mnemonic
    return binary_call(node, "combination.h", f"stw_combine_{verb}_{SUFFIXES[operand.dtype]}", ())


def lower_where(node: Node, site: Site) -> KernelCall:
    """The call for Where."""
    require_elements(node)
    ctype = word(node.output)
    return KernelCall(
        header="stowage/kernels/select.h",
        function=f"stw_select_u{8 * node.output.type.dtype.size_bytes}",
        parameters=broadcast_shape(node, ("condition", "a", "b")),
        arguments=pointers(("uint8_t", ctype, ctype), ctype),
        overlaps=overlaps(node),
    )
