# SPDX-License-Identifier: Apache-2.0
"""Sequences and optional values against ONNX Runtime: lists at build time between tensors at run time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.model_making import floats, model_of
from stowage.frontend.from_onnx.oracle import check_import
from stowage.frontend.from_onnx.refusing import refusal

CONSTANTS = {
    "zero": np.array(0),
    "one": np.array(1),
    "end": np.array(-1),
    "two": np.array(2),
    "parts": np.array([1, 3]),
}


def sequences(*nodes: NodeProto, result: int = TensorProto.FLOAT, opset: int = 17) -> ModelProto:
    """Nodes that make "y" of "a" and "b", both of shape [4, 3]."""
    output = helper.make_tensor_value_info("y", result, None)
    return model_of(nodes, [floats("a", [4, 3]), floats("b", [4, 3])], [output], CONSTANTS, opset)


def make(op_type: str, inputs: Sequence[str], output: str, **attributes: Any) -> NodeProto:
    return helper.make_node(op_type, inputs, [output], name=output, **attributes)


PAIR = make("SequenceConstruct", ["a", "b"], "s")


def mapped() -> ModelProto:
    """SequenceMap, whose body ONNX defines by a Loop over sequences."""
    body = helper.make_graph(
        [helper.make_node("Mul", ["each", "a"], ["product"])],
        "body",
        [floats("each", [4, 3])],
        [floats("product", None)],
    )
    return sequences(PAIR, make("SequenceMap", ["s"], "m", body=body), make("ConcatFromSequence", ["m"], "y", axis=0))


CASES = {
    "at": sequences(PAIR, make("SequenceAt", ["s", "end"], "y")),
    "length": sequences(PAIR, make("SequenceLength", ["s"], "y"), result=TensorProto.INT64),
    "insert in front": sequences(
        PAIR,
        make("Relu", ["a"], "r"),
        make("SequenceInsert", ["s", "r", "zero"], "i"),
        make("SequenceAt", ["i", "one"], "y"),
    ),
    "insert behind": sequences(
        make("SequenceEmpty", [], "e"),
        make("SequenceInsert", ["e", "b"], "i"),
        make("SequenceInsert", ["i", "a"], "j"),
        make("ConcatFromSequence", ["j"], "y", axis=1),
    ),
    "erase": sequences(PAIR, make("SequenceErase", ["s", "zero"], "i"), make("SequenceAt", ["i", "zero"], "y")),
    "stacked": sequences(PAIR, make("ConcatFromSequence", ["s"], "y", axis=-1, new_axis=1)),
    "split to places": sequences(
        make("SplitToSequence", ["a"], "s", axis=0, keepdims=0), make("SequenceAt", ["s", "two"], "y")
    ),
    "split to equal parts": sequences(
        make("SplitToSequence", ["a", "two"], "s", axis=1), make("SequenceAt", ["s", "one"], "y")
    ),
    "split to parts": sequences(
        make("SplitToSequence", ["a", "parts"], "s", axis=0), make("SequenceAt", ["s", "end"], "y")
    ),
    "identity": sequences(PAIR, make("Identity", ["s"], "t"), make("SequenceAt", ["t", "one"], "y")),
    "optional": sequences(
        make("Optional", ["a"], "o"), make("OptionalGetElement", ["o"], "g"), make("Neg", ["g"], "y")
    ),
    "is there": sequences(
        make("Optional", ["a"], "o"), make("OptionalHasElement", ["o"], "y"), result=TensorProto.BOOL
    ),
    "map": mapped(),
}


@pytest.mark.parametrize("name", CASES)
def test_sequences_are_lists_at_build_time(name: str, tmp_path: Path) -> None:
    check_import(CASES[name], tmp_path)


def test_sequence_read_as_a_tensor(tmp_path: Path) -> None:
    model = sequences(PAIR, make("Relu", ["s"], "y"))
    assert refusal(model, tmp_path, InvalidModel) == (
        "tensor 's': it is a sequence, but it is read as a tensor; export the model again."
    )


def test_place_outside_of_a_sequence(tmp_path: Path) -> None:
    model = sequences(PAIR, make("SequenceAt", ["s", "two"], "y"))
    assert refusal(model, tmp_path, InvalidModel) == (
        "SequenceAt node 'y': there is no place 2 in a sequence of 2; export the model again."
    )


@pytest.mark.parametrize("lengths", [[], ["one"]])
def test_too_many_parts(lengths: list[str], tmp_path: Path) -> None:
    model = sequences(make("SplitToSequence", ["a", *lengths], "s"), make("SequenceAt", ["s", "one"], "y"))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 2**26
    assert refusal(model, tmp_path, UnsupportedModel) == (
        f"SplitToSequence node 's': it splits into {2**26} tensors, over 1024; split into fewer."
    )
