# SPDX-License-Identifier: Apache-2.0
"""Transposed convolution: conv_transpose_f32.h and conv_transpose2d_s8.h."""

from __future__ import annotations

import itertools
import math

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Node
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.target.kernels.call_parts import per_tensor, pointers
from stowage.target.kernels.float_output import float_output
from stowage.target.kernels.kernel import Argument, KernelCall, KernelConstant, NoKernel, Place, Site
from stowage.target.kernels.operand_types import kernel_type
from stowage.target.kernels.packing import Packing, packed, packing_for
from stowage.target.kernels.requantisation import product_requantisation
from stowage.target.kernels.rows_at_once import rows_at_once
from stowage.target.kernels.volume_parameters import volume_parameters
from stowage.target.kernels.weights import folded_bias, symmetric_weights
from stowage.target.kernels.window_parameters import window_parameters

_MOST_PHASES = 1024
"""Each has a matrix and a bias of its own."""


def lower_conv_transpose(node: Node, site: Site) -> KernelCall:
    """The call for ConvTranspose2d and ConvTranspose3d; the importer always gives a bias."""
    op = node.op
    assert isinstance(op, ConvTranspose2d | ConvTranspose3d)
    dtype = kernel_type(node)
    if dtype is DType.I8 and isinstance(op, ConvTranspose2d):
        return _lower_s8(node, op, site)
    if dtype is not DType.F32 or len(node.inputs) != 3:
        raise NoKernel(f"{op.mnemonic} of {dtype.value} with {len(node.inputs)} operands")
    return KernelCall(
        header="stowage/kernels/conv_transpose_f32.h",
        function="stw_conv_transpose_f32",
        parameters=(*volume_parameters(node, op), ("groups", op.groups), *float_output(op.clamp)),
        arguments=pointers(("float", "float", "float"), "float"),
    )


def _lower_s8(node: Node, op: ConvTranspose2d, site: Site) -> KernelCall:
    if math.prod(op.strides) > _MOST_PHASES:
        raise NoKernel(f"transposed convolution in integers with strides {list(op.strides)}")
    weights = symmetric_weights(node, site)
    phases = _phases(op, weights)
    output, at_once = product_requantisation(node, site.arithmetic), rows_at_once(site)
    packing = packing_for(site)
    matrices = [_packed(phase, op.groups, packing) for phase in phases]
    starts = np.cumsum([0, *(matrix.size for matrix in matrices[:-1])])
    depths = [phase.shape[1] for phase in phases]
    return KernelCall(
        header="stowage/kernels/conv_transpose2d_s8.h",
        function="stw_conv_transpose2d_s8",
        parameters=(
            *window_parameters(node, op, (weights.shape[1], weights.shape[2])),
            ("groups", op.groups),
            ("at_once", at_once),
            ("packing", packing),
            ("input_zero_point", per_tensor(node.inputs[0]).zero_point),
            *output.parameters,
        ),
        arguments=(
            Argument(Place.INPUT, 0, "int8_t"),
            *(Argument(Place.CONSTANT, k, f"int{bits}_t") for k, bits in enumerate((8, 32, 32, 8, 32))),
            Argument(Place.SCRATCH, 0, "int8_t"),
            Argument(Place.OUTPUT, 0, "int8_t"),
        ),
        constants=(
            KernelConstant("weights", np.concatenate(matrices)),
            KernelConstant("bias", np.concatenate([folded_bias(node, site, phase) for phase in phases])),
            *output.constants,
            KernelConstant("phases", np.stack([starts, depths], axis=1).astype(np.int32)),
        ),
        scratch_bytes=(at_once * op.groups * max(depths),),
    )


def _phases(op: ConvTranspose2d, weights: Array) -> list[Array]:
    """The weights [O, KH, KW, I / groups] as a matrix [O, taps * I / groups] for each phase of the strides."""
    taps = [_taps_of_phases(*each) for each in zip(weights.shape[1:3], op.strides, op.dilations, strict=True)]
    matrices = [weights[:, rows][:, :, columns].reshape(len(weights), -1) for rows, columns in itertools.product(*taps)]
    nothing = np.zeros((len(weights), weights.shape[3]), weights.dtype)
    return [matrix if matrix.size else nothing for matrix in matrices]


def _taps_of_phases(kernel: int, stride: int, dilation: int) -> list[list[int]]:
    """Along one axis, for each phase, the taps that take from a whole place."""
    return [[k for k in range(kernel) if (phase - k * dilation) % stride == 0] for phase in range(stride)]


def _packed(matrix: Array, groups: int, packing: Packing) -> Array:
    return np.concatenate([packed(part, packing) for part in matrix.reshape(groups, -1, matrix.shape[1])])
