# SPDX-License-Identifier: Apache-2.0
"""FULLY_CONNECTED."""

from __future__ import annotations

import tflite

from stowage.frontend.from_tflite.fused_activation import fused_clamp
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.layer import layer
from stowage.ir.graph import Value
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.movement import Reshape


def fully_connected(site: OperatorSite) -> list[Value]:
    """Any input, as rows of as many elements as the weights [O, I] take; bias [O]. Leading axes stay if asked."""
    if site.option("WeightsFormat") != tflite.FullyConnectedOptionsWeightsFormat.DEFAULT:
        site.refuse("its weights are shuffled", "convert the model with weights in the default format")
    data, weights = site.input(0), site.input(1)
    taken = weights.type.shape[-1] if len(weights.type.shape) == 2 else 0
    if taken < 1 or data.type.elements % taken:
        site.invalid(f"weights of shape {list(weights.type.shape)} do not suit the input {list(data.type.shape)}")
    if not site.option("KeepNumDims", False):
        rows = (data.type.elements // taken, taken)
        data = data if data.type.shape == rows else site.moved(Reshape(rows), data, "rows")
    return [layer(site, FullyConnected(fused_clamp(site, site.declared())), data, weights)]
