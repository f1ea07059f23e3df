# SPDX-License-Identifier: Apache-2.0
"""Transposed convolution of floats: conv_transpose_f32.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.target.kernels.call_parts import pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, NoKernel, Site
from stowage.target.kernels.volume_parameters import volume_parameters


def lower_conv_transpose(node: Node, site: Site) -> KernelCall:
    """The call for ConvTranspose2d and ConvTranspose3d; the importer always gives a bias."""
    require_elements(node)
    op = node.op
    assert isinstance(op, ConvTranspose2d | ConvTranspose3d)
    if node.output.type.dtype is not DType.F32 or len(node.inputs) != 3:
        raise NoKernel(f"{op.mnemonic} of {node.output.type.dtype.value} with {len(node.inputs)} operands")
    return KernelCall(
        header="stowage/kernels/conv_transpose_f32.h",
        function="stw_conv_transpose_f32",
        parameters=(*volume_parameters(node, op), ("groups", op.groups)),
        arguments=pointers(("float", "float", "float"), "float"),
    )
