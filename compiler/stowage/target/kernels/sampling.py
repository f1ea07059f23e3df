# SPDX-License-Identifier: Apache-2.0
"""Images read between their pixels: grid_sample_f32.h, roi_align_f32.h and deform_conv2d_f32.h."""

from __future__ import annotations

import math

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.sampling import DeformConv2d, GridSample, RoiAlign
from stowage.target.kernels.call_parts import pointers, require_elements
from stowage.target.kernels.kernel import Argument, KernelCall, NoKernel, Place, Site
from stowage.target.kernels.window_parameters import window_parameters

_TAPS = {"nearest": 1, "linear": 2, "cubic": 4}
_PADDINGS = ("zeros", "border", "reflection")
"""enum stw_grid_padding."""


def lower_grid_sample(node: Node, site: Site) -> KernelCall:
    """The call for GridSample."""
    _require_floats(node)
    op, data = node.op, node.inputs[0].type.shape
    assert isinstance(op, GridSample)
    if op.mode not in _TAPS or op.padding not in _PADDINGS:
        raise NoKernel(f"grid_sample in mode {op.mode} with padding {op.padding}")
    return KernelCall(
        header="stowage/kernels/grid_sample_f32.h",
        function="stw_grid_sample_f32",
        parameters=(
            ("batches", data[0]),
            ("pixels", math.prod(node.output.type.shape[1:-1])),
            ("channels", data[-1]),
            ("axes", len(data) - 2),
            ("input", (1,) * (5 - len(data)) + data[1:-1]),
            ("taps", _TAPS[op.mode]),
            ("padding", _PADDINGS.index(op.padding)),
            ("align_corners", int(op.align_corners)),
        ),
        arguments=pointers(("float", "float"), "float"),
    )


def lower_roi_align(node: Node, site: Site) -> KernelCall:
    """The call for RoiAlign."""
    _require_floats(node)
    op, data = node.op, node.inputs[0].type.shape
    assert isinstance(op, RoiAlign)
    if op.mode not in ("avg", "max"):
        raise NoKernel(f"roi_align in mode {op.mode}")
    return KernelCall(
        header="stowage/kernels/roi_align_f32.h",
        function="stw_roi_align_f32",
        parameters=(
            ("batches", data[0]),
            ("input", data[1:3]),
            ("channels", data[3]),
            ("regions", node.output.type.shape[0]),
            ("bins", op.size),
            ("samples", op.samples),
            ("scale", float(op.scale)),
            ("half_pixel", int(op.half_pixel)),
            ("largest", int(op.mode == "max")),
        ),
        arguments=pointers(("float", "float", "int64_t"), "float"),
    )


def lower_deform_conv2d(node: Node, site: Site) -> KernelCall:
    """The call for DeformConv2d."""
    _require_floats(node)
    op, (_, rows, columns, _) = node.op, node.inputs[1].type.shape
    assert isinstance(op, DeformConv2d)
    weighed = "weighed_" if len(node.inputs) > 4 else ""
    return KernelCall(
        header="stowage/kernels/deform_conv2d_f32.h",
        function=f"stw_{weighed}deform_conv2d_f32",
        parameters=(
            *window_parameters(node, op, (rows, columns)),
            ("groups", op.groups),
            ("offset_groups", op.offset_groups),
        ),
        arguments=(
            *(Argument(Place.INPUT, index, "float") for index in range(len(node.inputs))),
            Argument(Place.SCRATCH, 0, "float"),
            Argument(Place.OUTPUT, 0, "float"),
        ),
        scratch_bytes=(4 * rows * columns * node.inputs[0].type.shape[3],),
    )


def _require_floats(node: Node) -> None:
    require_elements(node)
    if node.output.type.dtype is not DType.F32:
        raise NoKernel(f"{node.op.mnemonic} of {node.output.type.dtype.value}")
