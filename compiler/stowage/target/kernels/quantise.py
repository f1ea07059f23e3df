# SPDX-License-Identifier: Apache-2.0
"""Quantize and Dequantize with one scale for the tensor: quantise.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node, Value
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site
from stowage.target.kernels.overlaps import element_by_element

_QUANTISED = (DType.I8, DType.U8, DType.I16, DType.U16)


def lower_quantize(node: Node, site: Site) -> KernelCall:
    """The call for Quantize."""
    if node.inputs[0].type.dtype is not DType.F32 or node.output.type.dtype not in _QUANTISED:
        raise NoKernel(f"quantize of {node.inputs[0].type.dtype.value} to {node.output.type.dtype.value}")
    function = "stw_quantise_away" if site.arithmetic is Arithmetic.TFLITE else "stw_quantise"
    return _call(node, function, node.output)


def lower_dequantize(node: Node, site: Site) -> KernelCall:
    """The call for Dequantize."""
    if node.inputs[0].type.dtype not in (*_QUANTISED, DType.I32) or node.output.type.dtype is not DType.F32:
        raise NoKernel(f"dequantize of {node.inputs[0].type.dtype.value} to {node.output.type.dtype.value}")
    return _call(node, "stw_dequantise", node.inputs[0])


def _call(node: Node, function: str, quantised: Value) -> KernelCall:
    require_elements(node)
    quant = per_tensor(quantised)
    source, target = node.inputs[0].type, node.output.type
    return KernelCall(
        header="stowage/kernels/quantise.h",
        function=f"{function}_{SUFFIXES[source.dtype]}_{SUFFIXES[target.dtype]}",
        parameters=(
            ("elements", target.elements),
            ("scale", float(quant.scale)),
            ("zero_point", quant.zero_point),
        ),
        arguments=pointers((CTYPES[source.dtype],), CTYPES[target.dtype]),
        overlaps=(element_by_element(0, target.elements, source.dtype.size_bytes, target.dtype.size_bytes),),
    )
