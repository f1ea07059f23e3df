# SPDX-License-Identifier: Apache-2.0
"""Sums of rows and the mean of them: pool_rows_s8.h."""

from __future__ import annotations

from stowage.ir.graph import Node, Value
from stowage.ir.ops.pool_rows import PoolMean
from stowage.target.kernels.call_parts import pointers
from stowage.target.kernels.kernel import KernelCall, Overlap, Site
from stowage.target.kernels.pool2d import lower_average_pool2d

_HEADER = "stowage/kernels/pool_rows_s8.h"


def lower_pool_sum(node: Node, site: Site) -> KernelCall:
    """The call for PoolSum."""
    _, height, width, channels = node.inputs[0].type.shape
    goes_on = len(node.inputs) > 1
    return KernelCall(
        header=_HEADER,
        function="stw_pool_sum_more_s8" if goes_on else "stw_pool_sum_s8",
        parameters=(("pixels", height * width), ("channels", channels)),
        arguments=pointers(("int8_t", "int32_t") if goes_on else ("int8_t",), "int32_t"),
        overlaps=(Overlap(1, 0),) if goes_on else (),
    )


def lower_pool_mean(node: Node, site: Site) -> KernelCall:
    """The call for PoolMean, with the output stage of the average pool that it stands for."""
    assert isinstance(node.op, PoolMean)
    image = Value("image", node.op.image(node.inputs[0].type))
    whole = lower_average_pool2d(Node(node.name, node.op.pool, (image,), node.outputs), site)
    zero_point = dict(whole.parameters)["input_zero_point"]
    assert isinstance(zero_point, int)
    return KernelCall(
        header=_HEADER,
        function="stw_pool_mean_s8",
        parameters=(
            ("channels", node.output.type.shape[3]),
            ("offset", -zero_point * node.op.pixels),
            *(each for each in whole.parameters if each[0].startswith("output.")),
        ),
        arguments=pointers(("int32_t",), "int8_t", ("int32_t", "int8_t")),
        constants=whole.constants,
        overlaps=(Overlap(0, 0),),
    )
