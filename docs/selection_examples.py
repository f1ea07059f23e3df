# SPDX-License-Identifier: Apache-2.0
"""Examples of operators that reduce, select, order, transform and remember."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from docs.operator_example import IMAGE, Example, numbers, some

_REDUCTIONS = (
    *("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum"),
    "ReduceSumSquare",
)
_SQUARE = (4, 4)
_INT8, _INT32, _INT64 = TensorProto.INT8, TensorProto.INT32, TensorProto.INT64
_ELEMENTS = {"indices": numbers(2, 5).reshape(1, 2), "updates": some(1, 2)}

SELECTION = (
    *(Example(operator, attributes={"axes": [1]}, opset=11) for operator in _REDUCTIONS),
    *(Example(operator, attributes={"axis": 1}) for operator in ("Hardmax", "LogSoftmax", "LpNormalization")),
    Example("CumSum", settings={"axis": np.array(1)}),
    Example("CumProd", settings={"axis": np.array(1)}, opset=26),
    Example("TopK", settings={"k": numbers(3)}, outputs=2, gives=(TensorProto.FLOAT, _INT64)),
    Example("Gather", settings={"indices": numbers(1, 6)}, attributes={"axis": 1}),
    Example("GatherElements", settings={"indices": numbers(2, 5).reshape(1, 2)}, attributes={"axis": 1}),
    Example("GatherND", settings={"indices": numbers(0, 3).reshape(1, 2)}),
    *(
        Example(f"Scatter{rest}", settings=_ELEMENTS, attributes={"axis": 1}, opset=10 + bool(rest))
        for rest in ("", "Elements")
    ),
    Example("ScatterND", settings={"indices": numbers(0, 3).reshape(1, 2), "updates": some(1)}),
    Example("TensorScatter", (1, 1, 4, 2), settings={"update": some(1, 1, 1, 2)}, opset=24),
    Example("Compress", settings={"condition": np.array([True, False, True])}, attributes={"axis": 1}),
    Example("ReverseSequence", _SQUARE, settings={"lengths": numbers(1, 2, 3, 4)}),
    Example(
        "OneHot",
        (4,),
        settings={"depth": np.array(5), "values": np.array([0, 1], np.float32)},
        takes=_INT64,
        gives=(1,),
        has_int8=False,
    ),
    Example("Expand", settings={"shape": numbers(3, 8)}),
    Example("Tile", settings={"repeats": numbers(2, 1)}),
    Example("Trilu", _SQUARE),
    Example("CenterCropPad", settings={"shape": numbers(1, 6)}, opset=18),
    Example("Einsum", _SQUARE, second=True, attributes={"equation": "ij,jk->ik"}),
    Example("Det", _SQUARE),
    Example("DFT", (1, 8, 1), attributes={"axis": 1}),
    Example("STFT", (1, 16, 1), settings={"step": np.array(4), "window": some(8), "length": np.array(8)}),
    Example(
        "MatMulInteger",
        _SQUARE,
        settings={"w": np.ones(_SQUARE, np.int8)},
        takes=_INT8,
        gives=(_INT32,),
        has_int8=False,
    ),
    Example(
        "ConvInteger",
        IMAGE,
        settings={"w": np.ones((1, 1, 3, 3), np.int8)},
        takes=_INT8,
        gives=(_INT32,),
        has_int8=False,
    ),
    *(
        Example(
            operator,
            (3, 1, 4),
            settings={"w": some(1, 4 * gates, 4), "r": some(1, 4 * gates, 4)},
            attributes={"hidden_size": 4},
        )
        for operator, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1))
    ),
)
