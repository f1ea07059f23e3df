# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolution: depthwise_conv2d_s8.h and depthwise_conv2d_f32.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.window import DepthwiseConv2d
from stowage.target.kernels.call_parts import per_tensor, pointers
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import KernelCall, KernelConstant, ParameterValue, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.requantisation import product_requantisation
from stowage.target.kernels.weights import constant, float_bias, folded_bias, symmetric_weights
from stowage.target.kernels.window_parameters import window_parameters


def lower_depthwise_conv2d(node: Node, site: Site) -> KernelCall:
    """The call for DepthwiseConv2d."""
    return _lower_f32(node, site) if kernel_type(node) is DType.F32 else _lower_s8(node, site)


def _window(node: Node) -> tuple[tuple[str, ParameterValue], ...]:
    assert isinstance(node.op, DepthwiseConv2d)
    height, width, _ = node.inputs[1].type.shape
    return window_parameters(node, node.op, (height, width))


def _lower_s8(node: Node, site: Site) -> KernelCall:
    weights = symmetric_weights(node, site)
    output = product_requantisation(node, site.arithmetic)
    return KernelCall(
        header="stowage/kernels/depthwise_conv2d_s8.h",
        function="stw_depthwise_conv2d_s8",
        parameters=(
            *_window(node),
            ("input_zero_point", per_tensor(node.inputs[0]).zero_point),
            *output.parameters,
        ),
        arguments=pointers(("int8_t",), "int8_t", ("int8_t", "int32_t", "int32_t", "int8_t")),
        constants=(
            KernelConstant("weights", weights),
            KernelConstant("bias", folded_bias(node, site, weights.reshape(-1, weights.shape[2]).T)),
            *output.constants,
        ),
    )


def _lower_f32(node: Node, site: Site) -> KernelCall:
    weights = constant(node.inputs[1], site, "weights")
    return KernelCall(
        header="stowage/kernels/depthwise_conv2d_f32.h",
        function="stw_depthwise_conv2d_f32",
        parameters=(*_window(node), *float_output(getattr(node.op, "clamp", None))),
        arguments=pointers(("float",), "float", ("float", "float")),
        constants=(
            KernelConstant("weights", weights),
            KernelConstant("bias", float_bias(node, site, weights.shape[2])),
        ),
    )
