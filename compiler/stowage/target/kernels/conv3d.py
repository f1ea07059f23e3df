# SPDX-License-Identifier: Apache-2.0
"""Convolution over volumes, and over images with weights that are computed at run time: conv3d_f32.h."""

from __future__ import annotations

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.volume import Conv3d
from stowage.ir.ops.window import Conv2d
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import Argument, KernelCall, KernelConstant, NoKernel, Place, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.volume_parameters import volume_parameters


def lower_conv3d(node: Node, site: Site) -> KernelCall:
    """The call for Conv3d, or for a Conv2d of floats; none of its operands need be constant."""
    op = node.op
    assert isinstance(op, Conv2d | Conv3d)
    if kernel_type(node) is not DType.F32:
        raise NoKernel(f"{op.mnemonic} of {node.output.type.dtype.value}")
    biased = len(node.inputs) > 2
    return KernelCall(
        header="stowage/kernels/conv3d_f32.h",
        function="stw_conv3d_f32",
        parameters=(*volume_parameters(node, op), ("groups", op.groups), *float_output(op.clamp)),
        arguments=(
            Argument(Place.INPUT, 0, "float"),
            Argument(Place.INPUT, 1, "float"),
            Argument(Place.INPUT, 2, "float") if biased else Argument(Place.CONSTANT, 0, "float"),
            Argument(Place.OUTPUT, 0, "float"),
        ),
        constants=() if biased else (KernelConstant("bias", np.zeros(node.output.type.shape[-1], np.float32)),),
    )
