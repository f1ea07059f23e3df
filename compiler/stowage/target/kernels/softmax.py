# SPDX-License-Identifier: Apache-2.0
"""Softmax along an axis: softmax_f32.h and, in integers, softmax_s8.h, softmax_tflite_s8.h and softmax_s16.h."""

from __future__ import annotations

import math

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.reduction import Softmax
from stowage.ir.quantised_clamp import integer_range
from stowage.ir.softmax_fixed_point import exponential_table, probability_multiplier, sum_shift
from stowage.ir.tflite import softmax as softmax_tflite
from stowage.ir.tflite import softmax_words
from stowage.ir.tflite.sigmoid_words import RESULT as WORDS
from stowage.target.kernels.call_parts import per_tensor, pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, KernelConstant, NoKernel, Overlap, ParameterValue, Site

Fields = tuple[tuple[str, ParameterValue], ...]


def lower_softmax(node: Node, site: Site) -> KernelCall:
    """The call for Softmax."""
    require_elements(node)
    dtype = node.output.type.dtype
    if dtype is DType.F32:
        return KernelCall(
            header="stowage/kernels/softmax_f32.h",
            function="stw_softmax_f32",
            parameters=_shape(node),
            arguments=pointers(("float",), "float"),
            overlaps=_overlaps(node),
        )
    if dtype is DType.I8 and site.arithmetic is Arithmetic.ONNX:
        return _quantised(node)
    if dtype is DType.I8:
        return _quantised_in_tflite(node)
    if dtype is node.inputs[0].type.dtype is DType.I16 and site.arithmetic is Arithmetic.TFLITE:
        return _of_words(node)
    raise NoKernel(f"softmax of {dtype.value}")


def _quantised(node: Node) -> KernelCall:
    shape = _shape(node)
    source, target = per_tensor(node.inputs[0]), per_tensor(node.output)
    try:
        growth, multiplier = sum_shift(dict(shape)["axis"]), probability_multiplier(target.scale)
    except ValueError as error:
        raise NoKernel(str(error)) from error
    lowest, highest = integer_range(DType.I8)
    return KernelCall(
        header="stowage/kernels/softmax_s8.h",
        function="stw_softmax_s8",
        parameters=(
            *shape,
            ("sum_shift", growth),
            ("multiplier", multiplier.value),
            ("shift", multiplier.shift),
            ("output_zero_point", target.zero_point),
            ("lowest", lowest),
            ("highest", highest),
        ),
        arguments=pointers(("int8_t",), "int8_t", constants=("uint32_t",)),
        constants=(KernelConstant("exponentials", exponential_table(source.scale)),),
        overlaps=_overlaps(node),
    )


def _quantised_in_tflite(node: Node) -> KernelCall:
    shape, source, target = _shape(node), per_tensor(node.inputs[0]), per_tensor(node.output)
    if target != softmax_tflite.RESULT:
        raise NoKernel(
            f"softmax to the scale {target.scale:g} and zero point {target.zero_point} instead of 1/256 and -128"
        )
    if dict(shape)["axis"] > softmax_tflite.LONGEST_ROW:
        raise NoKernel(f"softmax over {dict(shape)['axis']} elements, and at most {softmax_tflite.LONGEST_ROW} can be")
    exponentials = softmax_tflite.exponential_table(source.scale).astype(np.int32)
    return KernelCall(
        header="stowage/kernels/softmax_tflite_s8.h",
        function="stw_softmax_tflite_s8",
        parameters=shape,
        arguments=pointers(("int8_t",), "int8_t", constants=("int32_t",)),
        constants=(KernelConstant("exponentials", exponentials),),
        overlaps=_overlaps(node),
    )


def _of_words(node: Node) -> KernelCall:
    shape, source = _shape(node), per_tensor(node.inputs[0])
    if node.output.type.quant != WORDS:
        raise NoKernel("softmax of 16-bit integers to another scale than 2^-15, or to a zero point")
    if dict(shape)["axis"] > softmax_words.LONGEST_ROW or source.scale > 1:
        raise NoKernel(f"softmax over {dict(shape)['axis']} integers of scale {source.scale:g}; at most 2^15 of 1")
    multiplier = softmax_words.distance_multiplier(source.scale)
    return KernelCall(
        header="stowage/kernels/softmax_s16.h",
        function="stw_softmax_s16",
        parameters=(*shape, ("multiplier", multiplier.value), ("shift", multiplier.shift)),
        arguments=pointers(("int16_t",), "int16_t", constants=("int16_t", "int16_t")),
        constants=(
            KernelConstant("exponentials", softmax_words.exponential_words().astype(np.int16)),
            KernelConstant("reciprocals", softmax_words.reciprocal_words().astype(np.int16)),
        ),
        overlaps=_overlaps(node),
    )


def _shape(node: Node) -> tuple[tuple[str, int], ...]:
    assert isinstance(node.op, Softmax)
    shape, axis = node.output.type.shape, node.op.axis
    return (
        ("outer", math.prod(shape[:axis])),
        ("axis", shape[axis]),
        ("inner", math.prod(shape[axis + 1 :])),
    )


def _overlaps(node: Node) -> tuple[Overlap, ...]:
    shape = dict(_shape(node))
    elements = (shape["axis"] - 1) * shape["inner"] if shape["inner"] > 1 else 0
    return (Overlap(0, elements * node.output.type.dtype.size_bytes),)
