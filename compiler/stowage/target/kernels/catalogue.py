# SPDX-License-Identifier: Apache-2.0
"""Which lowering makes the kernel call of which operator."""

from __future__ import annotations

from collections.abc import Mapping

from stowage.ir.graph import Node
from stowage.ir.ops.linear import FullyConnected, MatMul
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.target.kernels.conv2d import lower_conv2d
from stowage.target.kernels.depthwise_conv2d import lower_depthwise_conv2d
from stowage.target.kernels.fully_connected import lower_fully_connected
from stowage.target.kernels.kernel import KernelCall, Lowering, NoKernel, Site
from stowage.target.kernels.matmul import lower_matmul
from stowage.target.kernels.pool2d import lower_average_pool2d, lower_max_pool2d

LOWERINGS: Mapping[type[Op], Lowering] = {
    AveragePool2d: lower_average_pool2d,
    Conv2d: lower_conv2d,
    DepthwiseConv2d: lower_depthwise_conv2d,
    FullyConnected: lower_fully_connected,
    MatMul: lower_matmul,
    MaxPool2d: lower_max_pool2d,
}


def lower(node: Node, site: Site) -> KernelCall:
    """The kernel call that computes a node.

    Raises:
        NoKernel: no kernel computes that operator, or not for such operands; the message is the reason.
    """
    lowering = LOWERINGS.get(type(node.op))
    if lowering is None:
        raise NoKernel(f"there is no kernel for {node.op.mnemonic}")
    return lowering(node, site)
