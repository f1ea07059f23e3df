# SPDX-License-Identifier: Apache-2.0
"""Which steps of a schedule an NPU can take, and what they are to it.

A layer is made of the step's kernel call on the processor: the same biases, multipliers, shifts and bounds, hence the
same integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from stowage.ir.graph import Node
from stowage.ir.ops.residual import Conv2dAdd
from stowage.npu.elementwise_layers import sum_layer, table_layer
from stowage.npu.layer import ELEMENTWISE, Layer, Tensor
from stowage.npu.pool_layers import average_pool_layer, max_pool_layer, mean_layer
from stowage.npu.product_layers import convolution_layer, dense_layer, depthwise_layer
from stowage.schedule.schedule import Step
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.conv2d_add import parts
from stowage.target.kernels.kernel import KernelCall, Site

_MOST_EXTENT = 0xFFFF
_MOST_WINDOW = 0xFF


def layers_of(step: Step, site: Site, operators: frozenset[str]) -> tuple[Layer, ...] | None:
    """What a step is to an NPU that runs such operators: one layer, or two where a sum is fused; None where it is not.

    Args:
        step: a step with the call that it has on the processor.
        site: its constants and arithmetic.
        operators: names of `Kind`s.
    """
    if isinstance(step.node.op, Conv2dAdd):
        nodes = parts(step.node)
        steps = [Step(node, lower(node, site)) for node in nodes]
        layers = tuple(_layer(each, site) for each in steps)
    else:
        layers = (_layer(step, site),)
    taken = [layer for layer in layers if layer is not None and layer.kind.value in operators and _is_in_range(layer)]
    return tuple(taken) if len(taken) == len(layers) else None


def _layer(step: Step, site: Site) -> Layer | None:
    make = _MAKERS.get(step.call.function)
    known = all(
        value.name not in site.constants for value in step.node.inputs[: 2 if "add" in step.call.function else 1]
    )
    return make(step.node, step.call, site) if make is not None and known else None


_MAKERS: Mapping[str, Callable[[Node, KernelCall, Site], Layer | None]] = {
    "stw_conv2d_s8": convolution_layer,
    "stw_depthwise_conv2d_s8": depthwise_layer,
    "stw_fully_connected_s8": dense_layer,
    "stw_max_pool2d_s8": max_pool_layer,
    "stw_average_pool2d_s8": average_pool_layer,
    "stw_reduce_mean_s8": mean_layer,
    "stw_add_s8": sum_layer,
    "stw_add_tflite_s8": sum_layer,
    "stw_table_u8": table_layer,
}


def _is_in_range(layer: Layer) -> bool:
    """Whether every extent fits its field."""
    window = layer.window
    small = (*window.kernel, *window.strides, *window.dilations, *window.pads)
    if layer.kind in ELEMENTWISE:
        return True
    large = [
        extent for tensor in (*layer.inputs, layer.output) for extent in (tensor.rows, tensor.columns, tensor.channels)
    ]
    return max(small) <= _MOST_WINDOW and max(large) <= _MOST_EXTENT


def renamed(layer: Layer, names: Mapping[str, str]) -> Layer:
    """The layer on the tensors whose bytes its own are."""

    def stored(tensor: Tensor) -> Tensor:
        return replace(tensor, name=names.get(tensor.name, tensor.name))

    return replace(layer, inputs=tuple(stored(tensor) for tensor in layer.inputs), output=stored(layer.output))
