# SPDX-License-Identifier: Apache-2.0
"""What ONNX Runtime answers, one image at a time, with every graph optimisation off: the expected outputs.

Off, a QDQ graph is computed in float32. On, its int8 kernels take over, and on x86 processors without VNNI those let
16-bit sums of two products saturate. ONNX's own reference evaluator is the second opinion, so that no expected output
rests on one implementation.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
from onnx import version_converter
from onnx.reference import ReferenceEvaluator

# The first opset whose int8 forms the reference evaluator knows.
REFERENCE_OPSET = 21


def session(model: onnx.ModelProto) -> ort.InferenceSession:
    """A single-threaded session that computes the graph as it is written, nothing fused and nothing folded."""
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    return ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def answers(model: onnx.ModelProto, inputs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The model's output for each of `inputs[n, ...]`, as `[n, ...]`: each input is run alone, as on a device."""
    runner = session(model)
    (name,) = (value.name for value in runner.get_inputs())
    return np.concatenate([runner.run(None, {name: one[np.newaxis]})[0] for one in inputs])


def reference_answers(model: onnx.ModelProto, inputs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What `answers` gives, from ONNX's reference evaluator: NumPy, and slow."""
    runner = ReferenceEvaluator(version_converter.convert_version(model, REFERENCE_OPSET))
    (name,) = runner.input_names
    outputs: list[npt.NDArray[Any]] = []
    for one in inputs:
        (output,) = runner.run(None, {name: one[np.newaxis]})
        outputs.append(np.asarray(output))
    return np.concatenate(outputs)
