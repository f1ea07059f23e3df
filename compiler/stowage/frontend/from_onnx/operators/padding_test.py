# SPDX-License-Identifier: Apache-2.0
"""Pad whose added elements come at run time is what ONNX Runtime makes of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from stowage.frontend.from_onnx.model_making import model_of
from stowage.frontend.from_onnx.oracle import check_import


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.INT8, TensorProto.INT64, TensorProto.BOOL])
@pytest.mark.parametrize("pads", [(1, 0, 2, 0, 0, 3), (0, -1, 0, 0, 2, 0), (-1, 1, 0, -1, -2, 0)])
def test_value_at_run_time(kind: TensorProto.DataType, pads: tuple[int, ...], tmp_path: Path) -> None:
    node = helper.make_node("Pad", ["x", "p", "v"], ["y"])
    inputs = [helper.make_tensor_value_info(name, kind, shape) for name, shape in (("x", (4, 3, 5)), ("v", ()))]
    output = helper.make_empty_tensor_value_info("y")
    check_import(model_of([node], inputs, [output], {"p": np.array(pads, np.int64)}, 20), tmp_path)
