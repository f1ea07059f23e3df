# SPDX-License-Identifier: Apache-2.0
"""Every operator, in every form that ONNX gave it over the years, computes what ONNX Runtime computes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import helper

from stowage.frontend.from_onnx.model_making import model_of
from stowage.frontend.from_onnx.oracle import check_import

F32, I64 = np.float32, np.int64


@dataclass(frozen=True)
class Case:
    """One node: its graph inputs' shapes (a dtype may follow), constant operands (None: absent), attributes."""

    op: str
    inputs: tuple[Any, ...]
    constants: tuple[Any, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    opset: int = 21
    outputs: int = 1
    dtype: Any = F32

    @property
    def id(self) -> str:
        attributes = "-".join(f"{name}={value}" for name, value in self.attributes.items())
        return f"{self.op}{self.opset}-{'x'.join(map(str, self.inputs[0]))}-{attributes}".replace(" ", "")


def ints(*values: int) -> NDArray[Any]:
    return np.array(values, I64)


def reals(*shape: int) -> NDArray[Any]:
    return np.random.default_rng(7).normal(size=shape).astype(F32)


CONV = [
    Case("Conv", ((2, 3, 7, 6),), (reals(4, 3, 3, 2),)),
    Case("Conv", ((2, 3, 7, 6),), (reals(4, 3, 3, 2), reals(4)), {"pads": [1, 0, 2, 1], "strides": [2, 1]}),
    Case("Conv", ((1, 4, 7, 6),), (reals(6, 2, 3, 3), reals(6)), {"group": 2, "dilations": [2, 1]}),
    Case("Conv", ((1, 4, 5, 5),), (reals(8, 1, 3, 3),), {"group": 4, "auto_pad": "SAME_LOWER"}),
    Case("Conv", ((1, 2, 6, 6),), (reals(3, 2, 2, 2),), {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
    Case("Conv", ((1, 2, 6, 6),), (reals(3, 2, 2, 3),), {"auto_pad": "VALID", "kernel_shape": [2, 3]}),
    Case("Conv", ((2, 3, 9),), (reals(4, 3, 3), reals(4)), {"pads": [2, 0], "dilations": [2]}),
    Case("Conv", ((2, 3, 7, 6), (4, 3, 3, 3)), opset=11),
]
POOL = [
    Case("MaxPool", ((1, 2, 7, 6),), (), {"kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 1, 1]}),
    Case("MaxPool", ((1, 2, 7, 6),), (), {"kernel_shape": [2, 2], "strides": [2, 2], "ceil_mode": 1}),
    Case("MaxPool", ((1, 2, 9, 9),), (), {"kernel_shape": [3, 3], "dilations": [2, 2]}),
    Case("MaxPool", ((1, 2, 9),), (), {"kernel_shape": [3], "auto_pad": "SAME_UPPER"}, 8),
    Case("MaxPool", ((1, 2, 6, 6),), (), {"kernel_shape": [2, 2]}, 12, dtype=np.uint8),
    Case("AveragePool", ((1, 2, 7, 6),), (), {"kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 1, 1]}, 7),
    Case("AveragePool", ((1, 2, 7, 6),), (), {"kernel_shape": [3, 3], "pads": [1] * 4, "count_include_pad": 1}),
    Case("AveragePool", ((1, 2, 8),), (), {"kernel_shape": [3], "strides": [2], "ceil_mode": 1}),
    Case("AveragePool", ((1, 2, 8, 8),), (), {"kernel_shape": [2, 2], "dilations": [2, 3]}),
    Case(
        "AveragePool",
        ((1, 2, 8, 8),),
        (),
        {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4, "ceil_mode": 1, "count_include_pad": 1},
    ),
    Case("GlobalAveragePool", ((2, 3, 4, 5),)),
    Case("GlobalAveragePool", ((2, 3, 4),)),
    Case("GlobalMaxPool", ((2, 3, 4, 5),)),
]
PRODUCT = [
    Case("Gemm", ((3, 4),), (reals(4, 5), reals(5))),
    Case("Gemm", ((4, 3),), (reals(5, 4), reals(3, 1)), {"transA": 1, "transB": 1, "alpha": 0.5, "beta": 2.0}),
    Case("Gemm", ((3, 4),), (reals(4, 5),), opset=11),
    Case("MatMul", ((2, 3, 4),), (reals(4, 5),)),
    Case("MatMul", ((2, 3, 4), (2, 4, 2))),
    Case("MatMul", ((4,),), (reals(3, 4, 5),)),
]
ELEMENTWISE = [
    *(Case(op, ((2, 3, 4), (3, 1)), opset=opset) for op in ("Add", "Sub", "Mul", "Div") for opset in (7, 13, 14)),
    *(Case(op, ((2, 3),), (ints(1, 2, 3),), dtype=I64) for op in ("Add", "Sub", "Mul", "Div")),
    *(Case(op, ((2, 3),)) for op in ("Relu", "HardSwish", "Sigmoid", "Tanh", "LeakyRelu", "HardSigmoid")),
    Case("LeakyRelu", ((2, 3),), (), {"alpha": 0.3}, 7),
    Case("HardSigmoid", ((2, 3),), (), {"alpha": 0.3, "beta": 0.4}, 7),
    Case("Clip", ((2, 30),), (), {"min": -0.5, "max": 0.5}, 7),
    Case("Clip", ((2, 30),), (), {"max": 0.5}, 10),
    Case("Clip", ((2, 30),), (np.array(-0.5, F32), np.array(0.5, F32))),
    Case("Clip", ((2, 30),), (None, np.array(0.5, F32)), opset=11),
    Case("Clip", ((2, 30),)),
    Case("Cast", ((2, 3),), (), {"to": 7}),
    Case("Cast", ((2, 3),), (), {"to": 1}),
    Case("Cast", ((2, 3),), (), {"to": 1}, dtype=np.int8),
    Case("BatchNormalization", ((2, 3, 4, 5),), (reals(3), reals(3), reals(3), reals(3) ** 2), {"epsilon": 0.01}),
    Case("BatchNormalization", ((2, 3),), (reals(3), reals(3), reals(3), reals(3) ** 2), opset=7),
]
AXES = [
    Case("ReduceMean", ((2, 3, 4),), (), {"axes": [1, -1]}, 11),
    Case("ReduceMean", ((2, 3, 4),), (), {"keepdims": 0}, 13),
    Case("ReduceMean", ((2, 3, 4),), (ints(-2),), {"keepdims": 0}, 18),
    Case("ReduceMean", ((2, 3, 4),), (ints(),), {"noop_with_empty_axes": 1}),
    Case("ReduceMean", ((2, 3, 4),)),
    Case("Softmax", ((2, 3, 4),), opset=11),
    Case("Softmax", ((2, 3, 4),), (), {"axis": -1}, 11),
    Case("Softmax", ((2, 3, 4),), opset=13),
    Case("Softmax", ((2, 3, 4),), (), {"axis": 1}),
    Case("ArgMax", ((2, 5, 4),), (), {"axis": 1, "keepdims": 0}, dtype=np.int8),
    Case("ArgMax", ((2, 5, 4),), (), {"axis": -1, "select_last_index": 1}, dtype=np.int8),
    Case("ArgMax", ((2, 5),), opset=7),
]
SHAPE = [
    Case("Reshape", ((2, 3, 4),), (ints(0, -1),)),
    Case("Reshape", ((2, 3, 4),), (ints(4, 6),), {"allowzero": 1}, 14),
    Case("Reshape", ((1,),), (ints(),)),
    Case("Flatten", ((2, 3, 4),)),
    Case("Flatten", ((2, 3, 4),), (), {"axis": -1}),
    Case("Flatten", ((2, 3, 4),), (), {"axis": 0}, 9),
    Case("Squeeze", ((1, 3, 1),), (), {"axes": [0]}, 11),
    Case("Squeeze", ((1, 3, 1),), (ints(-1),)),
    Case("Squeeze", ((1, 3, 1),)),
    Case("Unsqueeze", ((3, 2),), (), {"axes": [0, 3]}, 11),
    Case("Unsqueeze", ((3, 2),), (ints(-1, 1),)),
    Case("Transpose", ((2, 3, 4),)),
    Case("Transpose", ((2, 3, 4),), (), {"perm": [1, 2, 0]}),
    Case("Identity", ((2, 3),)),
    Case("Dropout", ((2, 3),), opset=11),
    Case("Dropout", ((2, 3),), (np.array(0.3, F32), np.array(False)), opset=13, outputs=2),
    Case("Shape", ((2, 3, 4),)),
    Case("Shape", ((2, 3, 4),), (), {"start": -2, "end": -1}, 15),
    Case("Size", ((2, 3, 4),)),
]
PARTS = [
    Case("Concat", ((2, 3), (4, 3)), (), {"axis": 0}),
    Case("Concat", ((2, 3), (2, 1)), (reals(2, 2),), {"axis": -1}),
    Case("Concat", ((2, 3),), (), {"axis": 1}),
    Case("Split", ((2, 6),), (), {"axis": 1, "split": [2, 4]}, 11, 2),
    Case("Split", ((6, 2),), opset=11, outputs=3),
    Case("Split", ((2, 6),), (ints(1, 5),), {"axis": -1}, 13, 2),
    Case("Split", ((7, 2),), (), {"num_outputs": 3}, 18, 3),
    Case("Slice", ((5, 6),), (), {"starts": [1, -3], "ends": [4, 1000]}, 9),
    Case("Slice", ((5, 6),), (), {"starts": [1], "ends": [-1], "axes": [1]}, 9),
    Case("Slice", ((5, 6),), (ints(-1), ints(-1000), ints(1), ints(-1)), opset=10),
    Case("Slice", ((5, 6),), (ints(4, 1), ints(0, 6), ints(-2, -1), ints(-2, 2))),
    Case("Slice", ((5, 6),), (ints(1, 2), ints(3, 2**31 - 1))),
    Case("Slice", ((5, 6),), (ints(7), ints(-(2**62)), None, ints(-3))),
    Case("Slice", ((5, 6),), (ints(0), ints(5))),
    Case("Pad", ((2, 3),), (), {"pads": [1, 0, 0, 2], "value": 1.5}, 7),
    Case("Pad", ((2, 3),), (ints(0, 1, 1, 0),), opset=11),
    Case("Pad", ((2, 3),), (ints(0, 1, 1, 0), np.array(-2.5, F32))),
    Case("Pad", ((4, 3),), (ints(1, 2), None, ints(-1)), {"mode": "reflect"}, 18),
    Case("Pad", ((4, 3),), (ints(1, 2, 0, 4),), {"mode": "edge"}),
    Case("Pad", ((4, 3),), (ints(-1, 2, 0, -1),)),
    Case("Pad", ((4, 3),), (ints(0, 0, 0, 0),)),
]


def resize(
    shape: tuple[int, ...], *, scales: Any = None, sizes: Any = None, opset: int = 19, **attributes: Any
) -> Case:
    """A Resize whose region of interest is absent."""
    given = (None if scales is None else np.array(scales, F32), None if sizes is None else ints(*sizes))
    return Case("Resize", (shape,), (None, *given), attributes, opset)


RESIZE = [
    Case("Upsample", ((1, 2, 3, 4),), (), {"scales": [1.0, 1.0, 2.0, 3.0]}, 7),
    Case("Upsample", ((1, 2, 3, 4),), (np.array([1, 1, 2, 1.5], F32),), {"mode": "linear"}, 9),
    Case("Resize", ((1, 2, 3, 4),), (np.array([1, 1, 2, 2], F32),), {}, 10),
    Case("Resize", ((1, 2, 3, 4),), (reals(0), np.array([1, 1, 2.5, 0.7], F32)), {"mode": "linear"}, 11),
    *(
        resize((1, 2, 3, 5), sizes=(1, 2, 7, 4), mode=mode, coordinate_transformation_mode=coordinates)
        for mode in ("nearest", "linear")
        for coordinates in ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
    ),
    *(
        resize((1, 2, 4, 4), scales=(1, 1, 0.6, 1.7), nearest_mode=nearest)
        for nearest in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    ),
    resize((1, 3, 5, 2), sizes=(1, 7, 4, 2), mode="linear"),
    resize((2, 3, 5), scales=(1, 1, 2), mode="linear", opset=13),
    resize((4, 5), scales=(2, 3)),
    resize((1, 2, 4, 6), sizes=(9, 9), axes=[2, 3], keep_aspect_ratio_policy="not_larger"),
    resize((1, 2, 4, 6), sizes=(9, 9), axes=[2, 3], keep_aspect_ratio_policy="not_smaller"),
    resize((1, 2, 4, 6), sizes=(1, 2, 4, 6)),
]
CASES = [*CONV, *POOL, *PRODUCT, *ELEMENTWISE, *AXES, *SHAPE, *PARTS, *RESIZE]


@pytest.mark.parametrize("case", CASES, ids=[f"{index}-{case.id}" for index, case in enumerate(CASES)])
def test_computes_what_onnx_runtime_does(case: Case, tmp_path: Path) -> None:
    element_type = helper.np_dtype_to_tensor_dtype(np.dtype(case.dtype))
    inputs = [helper.make_tensor_value_info(f"x{k}", element_type, shape) for k, shape in enumerate(case.inputs)]
    constants = {f"c{k}": array for k, array in enumerate(case.constants) if array is not None}
    operands = [f"c{k}" if array is not None else "" for k, array in enumerate(case.constants)]
    names = [f"y{k}" for k in range(case.outputs)]
    node = helper.make_node(case.op, [info.name for info in inputs] + operands, names, name="n", **case.attributes)
    outputs = [helper.make_empty_tensor_value_info(name) for name in names]
    check_import(model_of([node], inputs, outputs, constants, case.opset), tmp_path)
