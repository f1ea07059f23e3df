# SPDX-License-Identifier: Apache-2.0
"""Inputs that carry no data but say what an operator is to do: a firmware build fixes them, and so do these tests."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from onnx import ModelProto, numpy_helper

from stowage.ir.graph import Array
from tests.conformance.case import Case

# Positions of the inputs that carry shapes, axes, pads, repeats, sizes, counts or switches.
_FIXED = {
    "AffineGrid": (1,),
    "BlackmanWindow": (0,),
    "CenterCropPad": (1,),
    "Col2Im": (1, 2),
    "ConstantOfShape": (0,),
    "CumProd": (1,),
    "CumSum": (1,),
    "DFT": (1, 2),
    "Dropout": (1, 2),
    "Expand": (1,),
    "HammingWindow": (0,),
    "HannWindow": (0,),
    "If": (0,),
    "Loop": (0, 1),
    "MaxUnpool": (2,),
    "MelWeightMatrix": (0, 1, 2, 3, 4),
    "OneHot": (1,),
    "Pad": (1, 3),
    "Range": (0, 1, 2),
    "ReduceL1": (1,),
    "ReduceL2": (1,),
    "ReduceLogSum": (1,),
    "ReduceLogSumExp": (1,),
    "ReduceMax": (1,),
    "ReduceMean": (1,),
    "ReduceMin": (1,),
    "ReduceProd": (1,),
    "ReduceSum": (1,),
    "ReduceSumSquare": (1,),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "STFT": (1, 3),
    "SequenceAt": (1,),
    "SequenceInsert": (2,),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "SplitToSequence": (1,),
    "Squeeze": (1,),
    "Tile": (1,),
    "TopK": (1,),
    "Trilu": (1,),
    "Unsqueeze": (1,),
    "Upsample": (1,),
}


def as_built(case: Case) -> tuple[ModelProto, dict[str, Array]]:
    """A case as a firmware build has it.

    Returns:
        The model with its fixed inputs among the constants and the shapes of the others known, and these others' data
        by name. A model whose inputs aren't all tensors is left as it is, and has no data.
    """
    model = ModelProto()
    model.CopyFrom(case.model)
    names = [value.name for value in model.graph.input]
    if not all(isinstance(value, np.ndarray) for value in case.inputs) or len(names) != len(case.inputs):
        return model, {}
    data = dict(zip(names, case.inputs, strict=True))
    fixed = set(_fixed_inputs(model))
    for name in filter(fixed.__contains__, names):
        model.graph.initializer.append(numpy_helper.from_array(data.pop(name), name))
    left = [value for value in model.graph.input if value.name in data]
    del model.graph.input[:]
    model.graph.input.extend(left)
    for value in model.graph.input:
        if value.type.HasField("tensor_type"):
            shape = value.type.tensor_type.shape
            shape.Clear()
            shape.dim.extend(type(shape).Dimension(dim_value=extent) for extent in data[value.name].shape)
    return model, data


def _fixed_inputs(model: ModelProto) -> Iterator[str]:
    for node in model.graph.node:
        for place in _FIXED.get(node.op_type, ()):
            if place < len(node.input):
                yield node.input[place]
