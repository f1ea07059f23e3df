# SPDX-License-Identifier: Apache-2.0
"""Determinants: det_f32.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.target.kernels.call_parts import require_elements
from stowage.target.kernels.kernel import Argument, KernelCall, NoKernel, Place, Site


def lower_det(node: Node, site: Site) -> KernelCall:
    """The call for Det."""
    require_elements(node)
    data = node.inputs[0].type
    if data.dtype is not DType.F32:
        raise NoKernel(f"det of {data.dtype.value}")
    order = data.shape[-1]
    return KernelCall(
        header="stowage/kernels/det_f32.h",
        function="stw_det_f32",
        parameters=(("count", node.output.type.elements), ("order", order)),
        arguments=(
            Argument(Place.INPUT, 0, "float"),
            Argument(Place.SCRATCH, 0, "float"),
            Argument(Place.OUTPUT, 0, "float"),
        ),
        scratch_bytes=(order * order * data.dtype.size_bytes,),
    )
