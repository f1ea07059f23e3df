# SPDX-License-Identifier: Apache-2.0
"""A small model for every operator that the ONNX importer knows: layers, windows, normalisations, shapes."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from docs.elementwise_examples import ELEMENTWISE
from docs.operator_example import IMAGE, ROW, Example, numbers, some
from docs.selection_examples import SELECTION

_NORMALISATION = {name: some(1) for name in ("scale", "bias", "mean", "variance")}
_PLACES = {"roi": np.zeros(0, np.float32), "scales": np.array([1, 1, 2, 2], np.float32)}
_REGIONS = {"regions": np.array([[1, 1, 4, 5]], np.float32), "batch_indices": numbers(0)}
_UNPOOLING = {"kernel_shape": [2, 2], "strides": [2, 2]}

EXAMPLES = (
    Example("Conv", IMAGE, {"w": some(1, 1, 3, 3), "b": some(1)}, attributes={"pads": [1, 1, 1, 1]}),
    Example("MaxPool", IMAGE, attributes={"kernel_shape": [2, 2]}),
    Example("AveragePool", IMAGE, attributes={"kernel_shape": [2, 2]}),
    Example("GlobalAveragePool", IMAGE),
    Example("GlobalMaxPool", IMAGE),
    Example("Gemm", ROW, {"w": some(8, 3), "b": some(3)}),
    Example("MatMul", (4, 4), second=True),
    *(Example(operator, second=True) for operator in ("Add", "Sub", "Mul", "Div")),
    *(Example(operator) for operator in ("Relu", "LeakyRelu", "HardSigmoid", "HardSwish", "Sigmoid", "Tanh")),
    Example("Clip", settings={"min": np.array(0, np.float32), "max": np.array(6, np.float32)}),
    Example("BatchNormalization", IMAGE, settings=_NORMALISATION),
    Example("ReduceMean", IMAGE, attributes={"axes": [2, 3]}),
    Example("Softmax", attributes={"axis": 1}),
    *(Example(name, attributes={"axis": 1}, gives=(TensorProto.INT64,)) for name in ("ArgMax", "ArgMin")),
    Example("Reshape", settings={"shape": numbers(4, 2)}),
    Example("Flatten", IMAGE),
    Example("Squeeze", settings={"axes": numbers(0)}),
    Example("Unsqueeze", settings={"axes": numbers(0)}),
    Example("Transpose", (2, 3), attributes={"perm": [1, 0]}),
    Example("Identity"),
    Example("Dropout"),
    Example("Concat", second=True, attributes={"axis": 1}),
    Example("Split", settings={"split": numbers(3, 5)}, attributes={"axis": 1}, outputs=2),
    Example("Slice", settings={"starts": numbers(1), "ends": numbers(7), "axes": numbers(1)}),
    Example("Pad", settings={"pads": numbers(0, 1, 0, 1)}),
    Example("Resize", IMAGE, settings=_PLACES, attributes={"mode": "nearest"}),
    Example("ConvTranspose", IMAGE, {"w": some(1, 1, 2, 2), "b": some(1)}, attributes={"strides": [2, 2]}),
    Example("Col2Im", (1, 4, 25), settings={"image": numbers(6, 6), "block": numbers(2, 2)}, opset=18),
    Example("DeformConv", IMAGE, {"w": some(1, 1, 3, 3)}, {"offset": some(1, 18, 4, 4)}, opset=19),
    Example("GridSample", IMAGE, settings={"grid": some(1, 3, 3, 2)}),
    Example(
        "RoiAlign", IMAGE, settings=_REGIONS, attributes={"sampling_ratio": 2, "output_height": 2, "output_width": 2}
    ),
    Example("LpPool", IMAGE, attributes={"kernel_shape": [2, 2]}),
    Example("GlobalLpPool", IMAGE),
    Example("MaxUnpool", (1, 1, 1, 2), settings={"indices": numbers(0, 7).reshape(1, 1, 1, 2)}, attributes=_UNPOOLING),
    Example("InstanceNormalization", IMAGE, settings={"scale": some(1), "bias": some(1)}),
    Example("LayerNormalization", ROW, settings={"scale": some(8), "bias": some(8)}),
    Example(
        "GroupNormalization",
        IMAGE,
        settings={"scale": some(1), "bias": some(1)},
        attributes={"num_groups": 1},
        opset=21,
    ),
    Example("RMSNormalization", ROW, settings={"scale": some(8)}, opset=23),
    Example("MeanVarianceNormalization", IMAGE),
    Example("LRN", IMAGE, attributes={"size": 3}),
    Example("DepthToSpace", (1, 4, 2, 2), attributes={"blocksize": 2}),
    Example("SpaceToDepth", (1, 1, 4, 4), attributes={"blocksize": 2}),
    Example("Upsample", IMAGE, settings={"scales": _PLACES["scales"]}, attributes={"mode": "nearest"}, opset=9),
    *ELEMENTWISE,
    *SELECTION,
)
