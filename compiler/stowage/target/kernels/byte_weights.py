# SPDX-License-Identifier: Apache-2.0
"""Layers of float32 inputs and 8-bit weights, which stay bytes in flash: conv2d_f32_s8.h."""

from __future__ import annotations

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.window import DepthwiseConv2d
from stowage.target.kernels.call_parts import pointers, require_elements
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import KernelCall, KernelConstant, Overlap, Site
from stowage.target.kernels.weights import float_bias, symmetric_weights
from stowage.target.kernels.words import distance_elements, window_fields


def takes_byte_weights(node: Node) -> bool:
    """Whether a layer has float32 activations and 8-bit weights."""
    types = [value.type.dtype for value in (*node.inputs[:2], node.output)]
    return types == [DType.F32, DType.I8, DType.F32]


def lower_byte_weights(node: Node, site: Site) -> KernelCall:
    """The call for a Conv2d, DepthwiseConv2d or FullyConnected of which `takes_byte_weights` is true."""
    require_elements(node)
    weights, quant = symmetric_weights(node, site), node.inputs[1].type.quant
    assert quant is not None
    if isinstance(node.op, DepthwiseConv2d):
        weights = np.ascontiguousarray(np.moveaxis(weights, 2, 0))
    scales = np.broadcast_to(np.array(quant.scales, np.float32), (len(weights),))
    return KernelCall(
        header="stowage/kernels/conv2d_f32_s8.h",
        function="stw_conv2d_f32_s8",
        parameters=(*window_fields(node), *float_output(getattr(node.op, "clamp", None))),
        arguments=pointers(("float",), "float", ("int8_t", "float", "float")),
        constants=(
            KernelConstant("weights", weights),
            KernelConstant("scales", np.ascontiguousarray(scales)),
            KernelConstant("bias", float_bias(node, site, len(weights))),
        ),
        overlaps=(Overlap(0, node.output.type.dtype.size_bytes * distance_elements(node)),),
    )
