# SPDX-License-Identifier: Apache-2.0
"""Combinations that fuse no activation: combination.h, prelu_s8.h and arithmetic_integer.h, and Where: select.h."""

from __future__ import annotations

from dataclasses import replace

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.bits import Shift
from stowage.ir.ops.combination import Connective, Equal, Mod, Pow, PRelu
from stowage.ir.tflite.function import prelu_multipliers
from stowage.target.kernels.binary import integer_call
from stowage.target.kernels.broadcast_call import binary_call, broadcast_shape, overlaps
from stowage.target.kernels.call_parts import (
    INTEGERS,
    SUFFIXES,
    bits_suffix,
    per_tensor,
    pointers,
    require_elements,
    word,
)
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site

_LEAST_SHIFT = 11
"""Of a multiplier below 2^20, which brings no 8-bit number beyond 2^28."""


def lower_combination(node: Node, site: Site) -> KernelCall:
    """The call for a number combination, a comparison or a connective."""
    require_elements(node)
    op, operand = node.op, node.inputs[0].type
    if isinstance(op, Connective):
        return _bit_by_bit(node)
    if isinstance(op, Shift) or (isinstance(op, Pow) and operand.dtype is not DType.F32):
        return integer_call(node)
    if isinstance(op, PRelu) and operand.quant is not None and site.arithmetic is Arithmetic.TFLITE:
        return _prelu(node)
    if operand.quant is not None or operand.dtype not in (DType.F32, DType.BOOL, *INTEGERS):
        raise NoKernel(f"{op.mnemonic} of {operand.dtype.value}")
    if operand.dtype is DType.BOOL and not isinstance(op, Equal):
        raise NoKernel(f"{op.mnemonic} of truth values")
    verb = f"{op.mnemonic}_truncated" if isinstance(op, Mod) and op.truncated else op.mnemonic
    return binary_call(node, "combination.h", f"stw_combine_{verb}_{SUFFIXES[operand.dtype]}", ())


def _prelu(node: Node) -> KernelCall:
    if {value.type.dtype for value in (*node.inputs, node.output)} != {DType.I8}:
        raise NoKernel(f"prelu of {node.inputs[0].type.dtype.value} to {node.output.type.dtype.value}")
    a, b, output = (per_tensor(value) for value in (*node.inputs, node.output))
    kept, sloped = prelu_multipliers(a, b, output)
    if kept.shift < _LEAST_SHIFT or sloped.shift < _LEAST_SHIFT + 8:
        raise NoKernel(f"prelu to the scale {output.scale:g}, which is too small beside its operands'")
    fields = (
        ("a_zero_point", a.zero_point),
        ("b_zero_point", b.zero_point),
        ("kept_multiplier", kept.value),
        ("kept_shift", kept.shift),
        ("sloped_multiplier", sloped.value),
        ("sloped_shift", sloped.shift),
        ("output_zero_point", output.zero_point),
    )
    return binary_call(node, "prelu_s8.h", "stw_prelu_tflite_s8", fields)


def _bit_by_bit(node: Node) -> KernelCall:
    """The call of a connective, on words of the elements' size."""
    call = binary_call(node, "combination.h", f"stw_combine_{node.op.mnemonic}_{bits_suffix(node.output)}", ())
    return replace(call, arguments=pointers((word(node.output),) * 2, word(node.output)))


def lower_where(node: Node, site: Site) -> KernelCall:
    """The call for Where."""
    require_elements(node)
    ctype = word(node.output)
    return KernelCall(
        header="stowage/kernels/select.h",
        function=f"stw_select_u{8 * node.output.type.dtype.size_bytes}",
        parameters=broadcast_shape(node, ("condition", "a", "b")),
        arguments=pointers(("uint8_t", ctype, ctype), ctype),
        overlaps=overlaps(node, rereads=True),
    )
