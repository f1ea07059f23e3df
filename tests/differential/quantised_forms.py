# SPDX-License-Identifier: Apache-2.0
"""Float models quantised by ONNX Runtime's own tool in all the ways that it offers."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from stowage.ir.graph import Array
from tests.differential.integer_ends import with_integer_ends
from tests.differential.random_model import RandomModel, fresh_inputs

_CALIBRATION_RUNS = 4
_QOPERATOR_OPERATORS = ("Conv", "MatMul", "MaxPool", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Pad", "Resize")
OLDEST_OPSET = 13
"""Per-channel quantisation is possible since then."""


class _Calibration(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, model: RandomModel) -> None:
        self._feeds: Iterator[dict[str, Array]] = iter([fresh_inputs(model, run) for run in range(_CALIBRATION_RUNS)])

    def get_next(self) -> dict[str, Array] | None:
        return next(self._feeds, None)


def quantised(model: RandomModel, seed: int, folder: Path, qoperator: bool) -> RandomModel | None:
    """The model in QDQ or QOperator form; None where the tool fails on it or leaves the default domain."""
    if model.proto.opset_import[0].version < OLDEST_OPSET:
        return None
    logging.getLogger().setLevel(logging.ERROR)
    source, target = folder / "float.onnx", folder / "quantised.onnx"
    onnx.save(model.proto, source)
    try:
        quantize_static(str(source), str(target), _Calibration(model), **_options(random.Random(seed), qoperator))
        result = onnx.load(str(target))
    except Exception:  # The tool fails in many ways on models that nobody trained.
        return None
    foreign = any(node.domain not in ("", "ai.onnx") for node in result.graph.node)
    changed = any("Linear" in node.op_type for node in result.graph.node)
    if foreign or not changed:
        return None
    if random.Random(seed).random() < 0.4:
        return with_integer_ends(result, model.inputs)
    return RandomModel(result, model.inputs)


def _options(choices: random.Random, qoperator: bool) -> dict[str, Any]:
    kinds = (
        (QuantType.QInt8, QuantType.QInt8),
        (QuantType.QUInt8, QuantType.QInt8),
        (QuantType.QUInt8, QuantType.QUInt8),
    )
    activations, weights = choices.choice(kinds)
    extra = {
        "ActivationSymmetric": choices.random() < 0.4,
        "WeightSymmetric": choices.random() < 0.7,
        "DedicatedQDQPair": choices.random() < 0.3,
        "AddQDQPairToWeight": choices.random() < 0.15,
        "QDQKeepRemovableActivations": choices.random() < 0.3,
        "ForceQuantizeNoInputCheck": choices.random() < 0.3,
    }
    options: dict[str, Any] = {
        "quant_format": QuantFormat.QOperator if qoperator else QuantFormat.QDQ,
        "per_channel": choices.random() < 0.5 and weights is QuantType.QInt8,
        "activation_type": activations,
        "weight_type": weights,
        "extra_options": extra,
    }
    return options | ({"op_types_to_quantize": list(_QOPERATOR_OPERATORS)} if qoperator else {})
