# SPDX-License-Identifier: Apache-2.0
"""A float32 ONNX model made int8 with ONNX Runtime's static quantiser, int8 from end to end.

Weights are per-channel and symmetric, activations per-tensor with a zero point, biases int32: the QDQ form, in which
every tensor passes a QuantizeLinear and a DequantizeLinear. ONNX Runtime leaves float32 inputs and outputs; firmware
has no use for them, so the outer pair goes and the graph takes and gives int8.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

Floats = npt.NDArray[np.float32]
Int8s = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Quantisation:
    """An int8 tensor's meaning: `real = scale * (stored - zero_point)`."""

    scale: np.float32
    zero_point: np.int8

    def quantise(self, reals: Floats) -> Int8s:
        """The nearest int8, ties to even, saturated: ONNX's QuantizeLinear."""
        steps = np.rint(reals / self.scale) + np.float32(self.zero_point)
        stored: Int8s = np.clip(steps, -128, 127).astype(np.int8)
        return stored


class _Images(CalibrationDataReader):  # type: ignore[misc]
    """Hands the calibration images to ONNX Runtime, one a call."""

    def __init__(self, name: str, images: Floats) -> None:
        self._feeds: Iterator[dict[str, Floats]] = ({name: image[np.newaxis]} for image in images)

    def get_next(self) -> dict[str, Floats] | None:
        return next(self._feeds, None)


def quantise(model: onnx.ModelProto, calibration: Floats) -> onnx.ModelProto:
    """The int8 QDQ form of `model`, with the ranges that `calibration[n, ...]` reaches, int8 at both ends."""
    with tempfile.TemporaryDirectory() as folder:
        original, prepared, result = (Path(folder) / f"{stage}.onnx" for stage in ("original", "prepared", "int8"))
        onnx.save(model, original)
        # Shape inference alone: the rest is for dynamic shapes, or rewrites the graph beyond recognition.
        quant_pre_process(original, prepared, skip_optimization=True, skip_symbolic_shape=True)
        quantize_static(
            prepared,
            result,
            _Images(model.graph.input[0].name, calibration),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
        )
        quantised = onnx.load(result)
    stripped = with_int8_ends(_tidied(quantised))
    onnx.checker.check_model(stripped, full_check=True)
    return stripped


def _tidied(model: onnx.ModelProto) -> onnx.ModelProto:
    """`model` without what ONNX Runtime leaves behind: private domains, its notes, shapes of tensors that are gone."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    del result.opset_import[:], result.metadata_props[:], result.graph.value_info[:]
    result.opset_import.extend(opset for opset in model.opset_import if opset.domain == "")
    return result


def with_int8_ends(model: onnx.ModelProto) -> onnx.ModelProto:
    """`model` without the QuantizeLinear behind its input and the DequantizeLinear before its output."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    source, sink = graph.input[0], graph.output[0]
    (first,) = (node for node in graph.node if source.name in node.input)
    (last,) = (node for node in graph.node if sink.name in node.output)
    if (first.op_type, last.op_type) != ("QuantizeLinear", "DequantizeLinear"):
        raise ValueError(f"{graph.name}: the ends are {first.op_type} and {last.op_type}, not the outer QDQ pair")
    graph.node.remove(first)
    graph.node.remove(last)
    _rename(graph, {first.output[0]: source.name, last.input[0]: sink.name})
    source.type.tensor_type.elem_type = TensorProto.INT8
    sink.type.tensor_type.elem_type = TensorProto.INT8
    return result


def _rename(graph: onnx.GraphProto, names: dict[str, str]) -> None:
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]


def initialiser(model: onnx.ModelProto, name: str) -> npt.NDArray[Any]:
    """The constant tensor of that name."""
    (found,) = (tensor for tensor in model.graph.initializer if tensor.name == name)
    return numpy_helper.to_array(found)


def quantisation(model: onnx.ModelProto, tensor: str) -> Quantisation:
    """What the int8 values of `tensor` mean, read off the QuantizeLinear or DequantizeLinear that touches it."""
    node = next(
        node
        for node in model.graph.node
        if (node.op_type == "DequantizeLinear" and node.input[0] == tensor)
        or (node.op_type == "QuantizeLinear" and node.output[0] == tensor)
    )
    return Quantisation(
        np.float32(initialiser(model, node.input[1])[()]), np.int8(initialiser(model, node.input[2])[()])
    )
