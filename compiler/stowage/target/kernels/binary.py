# SPDX-License-Identifier: Apache-2.0
"""Add, Sub, Mul and Div: add_s8.h, add_tflite.h, mul_quantised.h, arithmetic_f32.h, arithmetic_integer.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.fixed_point_add import add_multipliers
from stowage.ir.graph import Arithmetic, Node, Value
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub
from stowage.ir.product_scale import product_multipliers, product_rounding
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.requantise import Multiplier
from stowage.ir.tflite.sum import sum_multipliers
from stowage.target.kernels.broadcast_call import Fields, binary_call
from stowage.target.kernels.call_parts import INTEGERS, ROUNDINGS, SUFFIXES, per_tensor, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site

BinaryOp = Add | Sub | Mul | Div


def lower_binary(node: Node, site: Site) -> KernelCall:
    """The call for Add, Sub, Mul or Div."""
    require_elements(node)
    op, dtype = node.op, node.output.type.dtype
    assert isinstance(op, BinaryOp)
    if node.output.type.quant is not None and dtype in _quantised_types(site.arithmetic):
        return _quantised(node, op, site.arithmetic)
    if dtype is DType.F32:
        lowest, highest = op.clamp or (-math.inf, math.inf)
        clamp = (("lowest", float(lowest)), ("highest", float(highest)))
        return binary_call(node, "arithmetic_f32.h", f"stw_{op.mnemonic}_f32", clamp)
    if op.clamp is None:
        return integer_call(node)
    raise NoKernel(f"{op.mnemonic} of {dtype.value}")


def _quantised_types(arithmetic: Arithmetic) -> tuple[DType, ...]:
    return (DType.I8, DType.I16) if arithmetic is Arithmetic.TFLITE else (DType.I8,)


def integer_call(node: Node) -> KernelCall:
    """The call for arithmetic of two plain integer tensors."""
    dtype = node.output.type.dtype
    if dtype not in INTEGERS or any(value.type.quant is not None for value in node.inputs):
        raise NoKernel(f"{node.op.mnemonic} of {dtype.value}")
    return binary_call(node, "arithmetic_integer.h", f"stw_integer_{node.op.mnemonic}_{SUFFIXES[dtype]}", ())


def _quantised(node: Node, op: BinaryOp, arithmetic: Arithmetic) -> KernelCall:
    suffix = SUFFIXES[node.output.type.dtype]
    if any(value.type.dtype is not node.output.type.dtype for value in node.inputs):
        raise NoKernel(f"{op.mnemonic} of {node.inputs[0].type.dtype.value} to {node.output.type.dtype.value}")
    points = [per_tensor(value).zero_point for value in (*node.inputs, node.output)]
    if node.output.type.dtype is DType.I16 and any(points):
        raise NoKernel(f"{op.mnemonic} of 16-bit integers with a zero point")
    if isinstance(op, Mul):
        return binary_call(node, "mul_quantised.h", f"stw_mul_{suffix}", _product_fields(node, op, arithmetic))
    if isinstance(op, Div):
        raise NoKernel("a quotient of quantised tensors; leave it in floats between Dequantize and Quantize")
    if arithmetic is Arithmetic.TFLITE:
        return binary_call(node, "add_tflite.h", f"stw_add_tflite_{suffix}", _tflite_sum_fields(node, op))
    return binary_call(node, "add_s8.h", "stw_add_s8", _sum_fields(node, op))


def _sum_fields(node: Node, op: Add | Sub) -> Fields:
    a, b, output = (per_tensor(value) for value in (*node.inputs, node.output))
    try:
        multipliers = add_multipliers(a.scale, b.scale, output.scale, subtract=isinstance(op, Sub))
    except ValueError as error:
        raise NoKernel(str(error)) from error
    half = 1 << (multipliers.shift - 1)
    return (
        ("a_multiplier", multipliers.first),
        ("b_multiplier", multipliers.second),
        ("offset", half - a.zero_point * multipliers.first - b.zero_point * multipliers.second),
        ("shift", multipliers.shift),
        *_output_fields(op, node.output),
    )


def _tflite_sum_fields(node: Node, op: Add | Sub) -> Fields:
    a, b, output = (per_tensor(value) for value in (*node.inputs, node.output))
    try:
        by = sum_multipliers(a.scale, b.scale, output.scale, node.output.type.dtype.size_bytes, isinstance(op, Sub))
    except ValueError as error:
        raise NoKernel(str(error)) from error
    return (
        ("a_zero_point", a.zero_point),
        ("b_zero_point", b.zero_point),
        *_fixed_point("a_", by.first),
        *_fixed_point("b_", by.second),
        *_fixed_point("", by.output),
        *_output_fields(op, node.output),
    )


def _fixed_point(prefix: str, multiplier: Multiplier) -> Fields:
    """A multiplier of at most one: what it divides by beyond 2^31."""
    return ((f"{prefix}multiplier", multiplier.value), (f"{prefix}right", multiplier.shift - 31))


def _product_fields(node: Node, op: Mul, arithmetic: Arithmetic) -> Fields:
    a, b, output = (per_tensor(value) for value in (*node.inputs, node.output))
    try:
        (multiplier,) = product_multipliers(op, a, b, output, arithmetic)
    except ValueError as error:
        raise NoKernel(str(error)) from error
    return (
        ("a_zero_point", a.zero_point),
        ("b_zero_point", b.zero_point),
        ("multiplier", multiplier.value),
        ("shift", multiplier.shift),
        ("rounding", ROUNDINGS[product_rounding(op, arithmetic)]),
        *_output_fields(op, node.output),
    )


def _output_fields(op: BinaryOp, output: Value) -> Fields:
    lowest, highest = quantised_bounds(op.clamp, output.type)
    return (("output_zero_point", per_tensor(output).zero_point), ("lowest", lowest), ("highest", highest))
