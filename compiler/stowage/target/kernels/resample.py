# SPDX-License-Identifier: Apache-2.0
"""Axes resampled by tabulated filters: resample_f32.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.resample import Resample
from stowage.target.kernels.call_parts import pointers, require_elements
from stowage.target.kernels.kernel import KernelCall, KernelConstant, NoKernel, Site
from stowage.target.kernels.weights import constant


def lower_resample(node: Node, site: Site) -> KernelCall:
    """The call for Resample."""
    require_elements(node)
    op, shape = node.op, node.inputs[0].type.shape
    assert isinstance(op, Resample)
    if node.output.type.dtype is not DType.F32:
        raise NoKernel(f"resampling of {node.output.type.dtype.value}")
    places, weights = (constant(value, site, "filters") for value in node.inputs[1:])
    if places.min() < 0 or places.max() >= shape[op.axis]:
        raise NoKernel(f"places from {places.min()} to {places.max()} leave an axis of {shape[op.axis]}")
    return KernelCall(
        header="stowage/kernels/resample_f32.h",
        function="stw_resample_f32",
        parameters=(
            ("outer", math.prod(shape[: op.axis])),
            ("extent", shape[op.axis]),
            ("inner", math.prod(shape[op.axis + 1 :])),
            ("size", places.shape[0]),
            ("taps", places.shape[1]),
        ),
        arguments=pointers(("float",), "float", ("int32_t", "float")),
        constants=(KernelConstant("places", places), KernelConstant("weights", weights)),
    )
