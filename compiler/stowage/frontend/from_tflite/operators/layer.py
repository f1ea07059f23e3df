# SPDX-License-Identifier: Apache-2.0
"""What all layers with weights share: which element types go together, and the bias."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.hybrid import hybrid_layer
from stowage.frontend.from_tflite.scales import check_centred, check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d

_WORDS = (DType.I16, DType.I8, DType.I16)
Layer = Conv2d | DepthwiseConv2d | FullyConnected


def layer(site: OperatorSite, op: Layer, data: Value, weights: Value) -> Value:
    """The layer on its input, weights and, as operand 2, bias."""
    result = site.declared()
    kinds = data.type.dtype, weights.type.dtype, result.dtype
    if kinds == (DType.F32, DType.I8, DType.F32):
        return hybrid_layer(site, op, data, weights)
    if kinds not in ((DType.F32,) * 3, (DType.I8,) * 3, _WORDS):
        named = ", ".join(kind.value for kind in kinds)
        site.refuse(f"input, weights and result are {named}", "convert the model with int8 or float32 throughout")
    if kinds == _WORDS:
        check_centred(site, data)
        if site.has(2) and site.input(2).type.dtype is not DType.I64:
            site.refuse(f"its bias is {site.input(2).type.dtype.value}", "convert the model with 64-bit biases")
    if weights.type.quant is not None and any(weights.type.quant.zero_points):
        site.refuse("its weights have a zero point other than 0", "convert the model with symmetric int8 weights")
    check_scales(site, data, weights)
    operands = (data, weights, _bias(site)) if site.has(2) else (data, weights)
    return site.add_as(op, operands, like=result)


def _bias(site: OperatorSite) -> Value:
    """The bias, negated with the weights: it counts steps of the product of the input's and the weights' scales."""
    negative = list(site.tensors.negative_channels(site.record.inputs[1]))
    bias = site.input(2)
    if not negative or bias.type.shape != site.tensors.type(site.record.outputs[0]).shape[-1:]:
        return bias
    steps = site.constant(2, "bias").astype(np.int64)
    steps[negative] = -steps[negative]
    return site.known(steps.astype(bias.type.dtype.numpy), "bias")
