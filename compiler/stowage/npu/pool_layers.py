# SPDX-License-Identifier: Apache-2.0
"""Pooling and means over images as an NPU's."""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Node
from stowage.ir.ops.reduction import ReduceMean
from stowage.npu.call_fields import bounds_of, constant_of, fields_of, image_of, number_of, pad_value_of, window_of
from stowage.npu.layer import Kind, Layer, Tensor, Window, fixed, without_parameters
from stowage.npu.words import output_word
from stowage.target.kernels.kernel import KernelCall, Site


def max_pool_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """Maximum pooling of one image."""
    shape = node.inputs[0].type.shape
    if shape[0] != 1:
        return None
    tensors = image_of(node.inputs[0].name, shape), image_of(node.output.name, node.output.type.shape)
    word = output_word(0, 0, -128, 127)
    window = window_of(fields_of(call))
    return Layer(node.name, Kind.MAX_POOL, tensors[:1], tensors[1], window, 0, without_parameters, word, 0)


def average_pool_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """Average pooling of one image."""
    shape = node.inputs[0].type.shape
    if shape[0] != 1:
        return None
    fields = fields_of(call)
    pairs = np.stack([constant_of(call, role).astype("<i4") for role in ("multipliers", "shifts")], axis=1)
    tensors = image_of(node.inputs[0].name, shape), image_of(node.output.name, node.output.type.shape)
    word = output_word(pad_value_of(fields), *bounds_of(fields))
    rounding = number_of(fields, "output.rounding") | number_of(fields, "output.per_channel") << 8
    parameters = fixed(pairs.tobytes())
    return Layer(
        node.name, Kind.AVERAGE_POOL, tensors[:1], tensors[1], window_of(fields), 0, parameters, word, rounding
    )


def mean_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """The mean over an image is an average under a window as large as it."""
    shape = node.inputs[0].type.shape
    assert isinstance(node.op, ReduceMean)
    if len(shape) != 4 or shape[0] != 1 or {axis % 4 for axis in node.op.axes} != {1, 2}:
        return None
    fields = fields_of(call)
    scale = np.array([number_of(fields, "multiplier"), number_of(fields, "shift")], "<i4")
    if not 1 <= scale[1] <= 62:
        return None
    word = output_word(pad_value_of(fields), *bounds_of(fields, ""))
    source, made = image_of(node.inputs[0].name, shape), Tensor(node.output.name, 1, 1, shape[3])
    window, rounding = Window((shape[1], shape[2])), number_of(fields, "rounding")
    return Layer(node.name, Kind.AVERAGE_POOL, (source,), made, window, 0, fixed(scale.tobytes()), word, rounding)
