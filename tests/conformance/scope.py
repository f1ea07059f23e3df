# SPDX-License-Identifier: Apache-2.0
"""Which cases are in scope: what a microcontroller can be given as plain tensors of shapes that a build knows."""

from __future__ import annotations

from collections.abc import Iterator

from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto

_PLAIN = {
    TensorProto.FLOAT,
    TensorProto.FLOAT16,
    TensorProto.INT8,
    TensorProto.INT16,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.UINT8,
    TensorProto.UINT16,
    TensorProto.UINT32,
    TensorProto.UINT64,
    TensorProto.BOOL,
}
_CLASSICAL = "ai.onnx.ml"
_RANDOM = "draws random numbers"
_TRAINING = "trains"
_DATA_SHAPED = "has an output whose shape depends on data"
_TEXT = "works on strings"
_OUTSIDE = {
    "Bernoulli": _RANDOM,
    "Multinomial": _RANDOM,
    "RandomNormal": _RANDOM,
    "RandomNormalLike": _RANDOM,
    "RandomUniform": _RANDOM,
    "RandomUniformLike": _RANDOM,
    "Adagrad": _TRAINING,
    "Adam": _TRAINING,
    "Gradient": _TRAINING,
    "Momentum": _TRAINING,
    "Compress": _DATA_SHAPED,
    "NonMaxSuppression": _DATA_SHAPED,
    "NonZero": _DATA_SHAPED,
    "Unique": _DATA_SHAPED,
    "RegexFullMatch": _TEXT,
    "StringConcat": _TEXT,
    "StringNormalizer": _TEXT,
    "StringSplit": _TEXT,
    "TfIdfVectorizer": _TEXT,
    "ImageDecoder": "decodes images",
}


def out_of_scope(model: ModelProto) -> str:
    """Why a case is out of scope, as the end of a sentence about it; empty for one in scope."""
    for value in [*model.graph.input, *model.graph.output]:
        if kind := _unplain(value):
            return f"takes or gives {kind}"
    if any(imported.domain == _CLASSICAL for imported in model.opset_import):
        return f"is of {_CLASSICAL}, operators of classical machine learning"
    return next((_OUTSIDE[name] for name in operators(model.graph) if name in _OUTSIDE), "")


def operators(graph: GraphProto) -> Iterator[str]:
    """The operators of a graph's nodes and, after each, of the graphs within it."""
    for node in graph.node:
        yield node.op_type
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from operators(attribute.g)


def _unplain(value: ValueInfoProto) -> str:
    kind = str(value.type.WhichOneof("value"))
    if kind != "tensor_type":
        return kind.removesuffix("_type") + "s"
    element = value.type.tensor_type.elem_type
    return "" if element in _PLAIN else f"tensors of {TensorProto.DataType.Name(element).lower()}"
