# SPDX-License-Identifier: Apache-2.0
"""The judge: ONNX Runtime, every operator executed as it stands in the file, on one thread."""

from __future__ import annotations

from collections.abc import Mapping

import onnxruntime
from onnx import ModelProto

from stowage.ir.graph import Array

_FATAL = 4
onnxruntime.set_default_logger_severity(_FATAL)


class Refused(Exception):
    """ONNX Runtime does not take the model or fails to run it."""


class Judge:
    """A model as ONNX Runtime runs it."""

    def __init__(self, model: ModelProto) -> None:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _FATAL
        try:
            data = model.SerializeToString()
            self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has a dozen exception types without a public base.
            raise Refused(str(error)) from None
        self.outputs: list[str] = [output.name for output in self._session.get_outputs()]
        self._inputs = {each.name for each in self._session.get_inputs()}

    def run(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        """The outputs by name."""
        used = {name: array for name, array in feeds.items() if name in self._inputs}
        try:
            return dict(zip(self.outputs, self._session.run(self.outputs, used), strict=True))
        except Exception as error:
            raise Refused(str(error)) from None


def run_model(model: ModelProto, feeds: Mapping[str, Array]) -> dict[str, Array]:
    """One run of a model."""
    return Judge(model).run(feeds)
