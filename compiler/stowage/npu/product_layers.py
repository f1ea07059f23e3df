# SPDX-License-Identifier: Apache-2.0
"""Convolutions and dense layers as an NPU's: weights, and for each output channel bias, multiplier and shift."""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Array, Node
from stowage.npu.call_fields import (
    bounds_of,
    constant_of,
    fields_of,
    image_of,
    matrix_of,
    number_of,
    pad_value_of,
    window_of,
)
from stowage.npu.layer import Kind, Layer, Tensor, Window
from stowage.npu.words import output_word
from stowage.target.kernels.kernel import KernelCall, Site
from stowage.target.kernels.weights import symmetric_weights


def convolution_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """A convolution that is not grouped, of one image."""
    shape = node.inputs[0].type.shape
    fields = fields_of(call)
    if shape[0] != 1 or fields["groups"] != 1:
        return None
    weights = symmetric_weights(node, site)
    tensors = image_of(node.inputs[0].name, shape), image_of(node.output.name, node.output.type.shape)
    return _product(node, call, Kind.CONV2D, tensors, window_of(fields), weights.reshape(len(weights), -1))


def depthwise_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """A depthwise convolution of one image."""
    shape = node.inputs[0].type.shape
    if shape[0] != 1:
        return None
    weights = symmetric_weights(node, site)
    tensors = image_of(node.inputs[0].name, shape), image_of(node.output.name, node.output.type.shape)
    return _product(
        node, call, Kind.DEPTHWISE, tensors, window_of(fields_of(call)), weights.reshape(-1, weights.shape[2]).T
    )


def dense_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """A dense layer; also the convolution of a single pixel, which is a dense layer over pixels."""
    weights = symmetric_weights(node, site)
    tensors = (
        matrix_of(node.inputs[0].name, node.inputs[0].type.shape),
        matrix_of(node.output.name, node.output.type.shape),
    )
    return _product(node, call, Kind.FULLY_CONNECTED, tensors, Window(), weights.reshape(len(weights), -1))


def _records(call: KernelCall, channels: int) -> Array:
    """Bias, multiplier and shift of every output channel: int32 [channel, 3]."""
    columns = [constant_of(call, role).astype(np.int32) for role in ("bias", "multipliers", "shifts")]
    return np.stack([np.broadcast_to(column, (channels,)) for column in columns], axis=1)


def _product(
    node: Node, call: KernelCall, kind: Kind, tensors: tuple[Tensor, Tensor], window: Window, weights: Array
) -> Layer:
    """A product whose weights are [output channel, what the channel has]."""
    records, fields = _records(call, len(weights)), fields_of(call)

    def parameters(begin: int, end: int) -> bytes:
        own = weights[begin:end]
        ordered = own.T if kind is Kind.DEPTHWISE else own
        return records[begin:end].astype("<i4").tobytes() + np.ascontiguousarray(ordered).tobytes()

    source, made = tensors
    return Layer(
        name=node.name,
        kind=kind,
        inputs=(source,),
        output=made,
        window=window,
        channel_bytes=12 + weights.shape[1],
        parameters=parameters,
        output_word=output_word(pad_value_of(fields), *bounds_of(fields)),
        rounding=number_of(fields, "output.rounding"),
        macs=made.rows * made.columns * weights.size,
    )
