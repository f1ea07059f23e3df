# SPDX-License-Identifier: Apache-2.0
"""Activations of floats: activation_f32.h; of 16-bit tensors: rescale.h, sigmoid_s16.h. Of 8-bit ones: tables."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.elementwise import Clip, HardSigmoid, LeakyRelu, Relu, Sigmoid, Tanh
from stowage.ir.ops.op import Op
from stowage.target.kernels.call_parts import pointers, require_elements
from stowage.target.kernels.function import lower_function
from stowage.target.kernels.kernel import KernelCall, NoKernel, Overlap, ParameterValue, Site
from stowage.target.kernels.rescale import lower_leaky_relu_words, lower_rescale
from stowage.target.kernels.sigmoid_words import lower_sigmoid_words


def lower_activation(node: Node, site: Site) -> KernelCall:
    """The call for Relu, Clip, LeakyRelu, HardSigmoid, HardSwish, Sigmoid or Tanh."""
    require_elements(node)
    data = node.inputs[0].type
    if isinstance(node.op, Clip | Relu) and data.quant is not None and data.dtype is DType.I16:
        return lower_rescale(node, site)
    if isinstance(node.op, LeakyRelu) and data.dtype is node.output.type.dtype is DType.I16:
        return lower_leaky_relu_words(node, site)
    if isinstance(node.op, Sigmoid | Tanh) and data.dtype is node.output.type.dtype is DType.I16:
        return lower_sigmoid_words(node, site)
    if isinstance(node.op, Relu) and not node.output.type.dtype.is_float:
        return lower_function(node, site)
    if node.output.type.dtype is not DType.F32:
        raise NoKernel(f"{node.op.mnemonic} of {node.output.type.dtype.value}")
    return KernelCall(
        header="stowage/kernels/activation_f32.h",
        function=f"stw_activate_{node.op.mnemonic}_f32",
        parameters=(("elements", node.output.type.elements), *_fields(node.op)),
        arguments=pointers(("float",), "float"),
        overlaps=(Overlap(0, 0),),
    )


def _fields(op: Op) -> tuple[tuple[str, ParameterValue], ...]:
    match op:
        case Clip(lowest, highest):
            return (("lowest", float(lowest)), ("highest", float(highest)))
        case LeakyRelu(alpha):
            return (("alpha", float(alpha)),)
        case HardSigmoid(alpha, beta):
            return (("alpha", float(alpha)), ("beta", float(beta)))
    return ()
