# SPDX-License-Identifier: Apache-2.0
"""What all layers with weights share: which element types go together, and the bias."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.hybrid import hybrid_layer
from stowage.frontend.from_tflite.scales import check_centred, check_scales
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.transposed import ConvTranspose2d
from stowage.ir.ops.window import Conv2d, DepthwiseConv2d

LARGEST = 254
"""How far an unsigned weight may be from its zero point: two integers of eight bits."""
_WORDS = (DType.I16, DType.I8, DType.I16)
Layer = Conv2d | ConvTranspose2d | DepthwiseConv2d | FullyConnected


@dataclass(frozen=True, slots=True)
class Places:
    """Which operands are the weights and the bias."""

    weights: int = 1
    bias: int = 2


USUAL = Places()
"""Input, weights, bias."""


def layer(site: OperatorSite, op: Layer, data: Value, weights: Value, places: Places = USUAL) -> Value:
    """The layer on its input, weights and, if there is one, bias."""
    result = site.declared()
    kinds = data.type.dtype, weights.type.dtype, result.dtype
    if kinds == (DType.F32, DType.I8, DType.F32) and not isinstance(op, ConvTranspose2d):
        return hybrid_layer(site, op, data, weights)
    wide = kinds == _WORDS and not isinstance(op, ConvTranspose2d)
    if kinds not in ((DType.F32,) * 3, (DType.I8,) * 3, (DType.U8,) * 3) and not wide:
        named = ", ".join(kind.value for kind in kinds)
        site.refuse(f"input, weights and result are {named}", "convert the model with int8 or float32 throughout")
    if wide:
        check_centred(site, data)
        if site.has(places.bias) and site.input(places.bias).type.dtype is not DType.I64:
            site.refuse(f"its bias is {site.input(places.bias).type.dtype.value}", "convert it with 64-bit biases")
    if weights.type.dtype is DType.I8 and weights.type.quant is not None and any(weights.type.quant.zero_points):
        site.refuse("its weights have a zero point other than 0", "convert the model with symmetric int8 weights")
    if weights.type.dtype is DType.U8:
        _check_unsigned(site, op, weights)
    check_scales(site, data, weights)
    operands = (data, weights, _bias(site, places)) if site.has(places.bias) else (data, weights)
    if isinstance(op, ConvTranspose2d) and len(operands) == 2:
        zeros = np.zeros(weights.type.shape[0], np.float32 if result.dtype is DType.F32 else np.int32)
        operands = (data, weights, site.known(zeros, "bias"))
    return site.add_as(op, operands, like=result)


def _check_unsigned(site: OperatorSite, op: Layer, weights: Value) -> None:
    """Refuses unsigned weights that could not be multiplied exactly: by integers of eight bits, or by two of them."""
    quant, integers = weights.type.quant, site.builder.elements(weights)
    if isinstance(op, ConvTranspose2d) or (isinstance(op, Conv2d) and op.groups > 1):
        site.refuse("it is transposed or in groups, with uint8 weights", "convert the model with int8 throughout")
    if quant is None or quant.axis is not None or integers is None:
        site.refuse("its uint8 weights have no scale, several, or are computed", "use constants with one scale")
    if np.abs(integers.astype(np.int64) - quant.zero_point).max(initial=0) > LARGEST:
        site.refuse(f"uint8 weights are more than {LARGEST} from their zero point", "convert the model with int8")


def _bias(site: OperatorSite, places: Places) -> Value:
    """The bias, negated with the weights: it counts steps of the product of the input's and the weights' scales."""
    negative = list(site.tensors.negative_channels(site.record.inputs[places.weights]))
    bias = site.input(places.bias)
    if not negative or bias.type.shape != site.tensors.type(site.record.outputs[0]).shape[-1:]:
        return bias
    steps = site.constant(places.bias, "bias").astype(np.int64)
    steps[negative] = -steps[negative]
    return site.known(steps.astype(bias.type.dtype.numpy), "bias")
