# SPDX-License-Identifier: Apache-2.0
"""Functions of one number and truth values of one element: function_f32.h and function_integer.h."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.elementwise import Relu
from stowage.ir.ops.function import Abs, Neg, Sign
from stowage.ir.ops.op import Op
from stowage.ir.ops.truth import IsInf, Not
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, bits_suffix, pointers, require_elements, word
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, ParameterValue, Site

_SIGNED = (DType.I8, DType.I16, DType.I32, DType.I64)
_UNSIGNED = (DType.U8, DType.U16, DType.U32, DType.U64)


def lower_function(node: Node, site: Site) -> KernelCall:
    """The call for a function of one number."""
    require_elements(node)
    dtype = node.output.type.dtype
    if dtype is DType.F32:
        return _call(node, "function_f32.h", _attributes(node.op))
    return _call(node, "function_integer.h", ()) if _is_whole(node) else _refuse(node.op, dtype)


def _attributes(op: Any) -> tuple[tuple[str, ParameterValue], ...]:
    return tuple((field.name, float(getattr(op, field.name))) for field in fields(op))


def lower_truth(node: Node, site: Site) -> KernelCall:
    """The call for Not, IsNan or IsInf."""
    require_elements(node)
    op, dtype = node.op, node.inputs[0].type.dtype
    if isinstance(op, Not):
        ctype = word(node.output)
        call = _call(node, "function_integer.h", ())
        return replace(call, function=f"stw_apply_not_{bits_suffix(node.output)}", arguments=pointers((ctype,), ctype))
    if dtype is not DType.F32:
        _refuse(op, dtype)
    signs = (("positive", int(op.positive)), ("negative", int(op.negative))) if isinstance(op, IsInf) else ()
    return _call(node, "function_integer.h", signs)


def _is_whole(node: Node) -> bool:
    data = node.inputs[0].type
    if data.quant is not None or not isinstance(node.op, Neg | Abs | Sign | Relu):
        return False
    return data.dtype in _SIGNED or (data.dtype in _UNSIGNED and isinstance(node.op, Abs | Sign))


def _refuse(op: Op, dtype: DType) -> KernelCall:
    raise NoKernel(f"{op.mnemonic} of {dtype.value}")


def _call(node: Node, header: str, values: tuple[tuple[str, ParameterValue], ...]) -> KernelCall:
    source = node.inputs[0].type.dtype
    return KernelCall(
        header=f"stowage/kernels/{header}",
        function=f"stw_apply_{node.op.mnemonic}_{SUFFIXES[source]}",
        parameters=(("elements", node.output.type.elements), *values),
        arguments=pointers((CTYPES[source],), CTYPES[node.output.type.dtype]),
        overlaps=(Overlap(0, 0),),
    )
