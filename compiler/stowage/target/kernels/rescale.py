# SPDX-License-Identifier: Apache-2.0
"""16-bit integers brought to another scale and clamped, or through LeakyRelu, in TFLite's arithmetic: rescale.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.elementwise import Clip, LeakyRelu, Relu
from stowage.ir.quantised_clamp import quantised_bounds
from stowage.ir.requantise import quantise_multiplier
from stowage.ir.tflite.change_of_scale import clip_quotient
from stowage.ir.tflite.function import leaky_relu_multipliers
from stowage.target.kernels.call_parts import CTYPES, SUFFIXES, per_tensor, pointers
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site
from stowage.target.kernels.overlaps import element_by_element

_RESULTS = (DType.I8, DType.I16)
_LARGEST = 2**15
"""What a multiplier has to stay below: 16 bits of input, and as many more, are all that 32 bits have."""
_LEAST_SHIFT = 31 - 15
"""The same as a shift."""


def lower_leaky_relu_words(node: Node, site: Site) -> KernelCall:
    """The call for a LeakyRelu of quantised 16-bit integers."""
    source, target = per_tensor(node.inputs[0]), per_tensor(node.output)
    assert isinstance(node.op, LeakyRelu)
    if site.arithmetic is not Arithmetic.TFLITE or source.zero_point or target.zero_point:
        raise NoKernel("leaky_relu of 16-bit integers, but without zero points and in TFLite")
    kept, sloped = leaky_relu_multipliers(source, target, node.op.alpha)
    if min(kept.shift, sloped.shift) < _LEAST_SHIFT:
        raise NoKernel(f"leaky_relu to the scale {target.scale:g}, which is too small beside {source.scale:g}")
    return KernelCall(
        header="stowage/kernels/rescale.h",
        function="stw_leaky_relu_s16",
        parameters=(
            ("elements", node.output.type.elements),
            ("kept_multiplier", kept.value),
            ("kept_shift", kept.shift),
            ("sloped_multiplier", sloped.value),
            ("sloped_shift", sloped.shift),
        ),
        arguments=pointers(("int16_t",), "int16_t"),
        overlaps=(element_by_element(0, node.output.type.elements, 2, 2),),
    )


def lower_rescale(node: Node, site: Site) -> KernelCall:
    """The call for a Clip or Relu of quantised 16-bit integers."""
    data, result = node.inputs[0], node.output
    source, target = per_tensor(data), per_tensor(result)
    assert isinstance(node.op, Clip | Relu)
    real = clip_quotient(node.op, source.scale, target.scale)
    if site.arithmetic is not Arithmetic.TFLITE or result.type.dtype not in _RESULTS or source.zero_point:
        raise NoKernel(f"{node.op.mnemonic} of quantised {data.type.dtype.value} to {result.type.dtype.value}")
    if real >= _LARGEST:
        raise NoKernel(f"{node.op.mnemonic} to integers of a scale {real:g} times smaller")
    multiplier = quantise_multiplier(real)
    clamp = (node.op.lowest, node.op.highest) if isinstance(node.op, Clip) else (0.0, math.inf)
    lowest, highest = quantised_bounds(clamp, result.type)
    size_bytes = result.type.dtype.size_bytes
    return KernelCall(
        header="stowage/kernels/rescale.h",
        function=f"stw_rescale_s16_{SUFFIXES[result.type.dtype]}",
        parameters=(
            ("elements", result.type.elements),
            ("multiplier", multiplier.value),
            ("shift", multiplier.shift),
            ("output_zero_point", target.zero_point),
            ("lowest", lowest),
            ("highest", highest),
        ),
        arguments=pointers((CTYPES[data.type.dtype],), CTYPES[result.type.dtype]),
        overlaps=(element_by_element(0, result.type.elements, data.type.dtype.size_bytes, size_bytes),),
    )
