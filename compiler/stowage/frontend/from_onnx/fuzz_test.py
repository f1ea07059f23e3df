# SPDX-License-Identifier: Apache-2.0
"""Whatever bytes a file has, it is read or refused in one sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from onnx import AttributeProto, ModelProto, TensorProto, helper

from stowage.errors import StowageError
from stowage.frontend.from_onnx.model_making import conv_model, floats, model_of, relu_model, saved
from stowage.frontend.onnx_model import read_onnx
from stowage.ir.verify import verify

FILES_OF_A_SEED = 150
NUMBERS = [0, 1, -1, 2, 7, 2**31, 2**32 - 1, 2**63 - 1, -(2**63)]


def mixed_model() -> ModelProto:
    """Quantisation, movement, axes and a chain of shape arithmetic."""
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node("Pad", ["q", "pads"], ["p"]),
        helper.make_node("Slice", ["p", "one", "three", "one"], ["l"]),
        helper.make_node("DequantizeLinear", ["l", "s", "z"], ["d"]),
        helper.make_node("AveragePool", ["d"], ["a"], kernel_shape=[2, 2], ceil_mode=1),
        helper.make_node("Shape", ["a"], ["shape"], end=1),
        helper.make_node("Concat", ["shape", "rest"], ["target"], axis=0),
        helper.make_node("Reshape", ["a", "target"], ["r"]),
        helper.make_node("Softmax", ["r"], ["y"], axis=-1),
    ]
    constants = {
        "s": np.array(0.5, np.float32),
        "z": np.array(1, np.int8),
        "pads": np.array([0, 0, 1, 1, 0, 0, 1, 1]),
        "one": np.array([1]),
        "three": np.array([3]),
        "rest": np.array([-1]),
    }
    return model_of(nodes, [floats("x", [1, 4, 6, 6])], [floats("y", None)], constants)


def body_model() -> ModelProto:
    """An operator that is imported by its body."""
    node = helper.make_node("Attention", ["q", "q", "q"], ["y"], is_causal=1, scale=0.5)
    return model_of([node], [floats("q", [1, 2, 3, 4])], [floats("y", None)], opset=24)


def loop_model() -> ModelProto:
    """A branch inside of a loop over sequences."""
    branch = helper.make_graph([helper.make_node("Tanh", ["state"], ["t"])], "branch", [], [floats("t", None)])
    body = helper.make_graph(
        [
            helper.make_node("If", ["going"], ["made"], then_branch=branch, else_branch=branch),
            helper.make_node("SequenceConstruct", ["made", "state"], ["list"]),
            helper.make_node("SequenceAt", ["list", "step"], ["next"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("step", TensorProto.INT64, []),
            helper.make_tensor_value_info("going", TensorProto.BOOL, []),
            floats("state", None),
        ],
        [helper.make_tensor_value_info("going", TensorProto.BOOL, []), floats("next", None), floats("made", None)],
    )
    node = helper.make_node("Loop", ["trips", "", "x"], ["y", "all"], body=body)
    return model_of([node], [floats("x", [2])], [floats("y", None), floats("all", None)], {"trips": np.array(2)})


SEEDS = {"relu": relu_model, "conv": conv_model, "mixed": mixed_model, "body": body_model, "loop": loop_model}


def damaged(data: bytes, generator: random.Random) -> bytes:
    """One to four bit flips, cuts, doublings or runs of ones."""
    result = bytearray(data)
    for _ in range(generator.randint(1, 4)):
        at = generator.randrange(len(result))
        match generator.randrange(5):
            case 0 | 1:
                result[at] ^= 1 << generator.randrange(8)
            case 2:
                del result[at : at + generator.randint(1, 8)]
            case 3:
                result[at:at] = result[at : at + generator.randint(1, 30)]
            case 4:
                result[at : at + 8] = b"\xff" * 8
        result = result or bytearray(1)
    return bytes(result)


def altered(model: ModelProto, generator: random.Random) -> ModelProto:
    """A well-formed message with another extent, attribute, operand, element type or operator set."""
    copy = ModelProto()
    copy.CopyFrom(model)
    node = generator.choice(copy.graph.node)
    match generator.randrange(6):
        case 0 if copy.graph.initializer:
            dims = generator.choice(copy.graph.initializer).dims
            dims[:] = [generator.choice(NUMBERS) for _ in dims]
        case 1:
            generator.choice(copy.graph.input[0].type.tensor_type.shape.dim).dim_value = generator.choice(NUMBERS)
        case 2 if node.attribute:
            attribute = generator.choice(node.attribute)
            if attribute.type == AttributeProto.INTS:
                attribute.ints[generator.randrange(len(attribute.ints))] = generator.choice(NUMBERS)
            attribute.i = generator.choice(NUMBERS)
        case 3 if node.input:
            others = [*node.input, *node.output, ""]
            node.input[generator.randrange(len(node.input))] = generator.choice(others)
        case 4 if copy.graph.initializer:
            generator.choice(copy.graph.initializer).data_type = generator.randrange(25)
        case _:
            copy.opset_import[0].version = generator.randint(7, 24)
    return copy


def broken_files(name: str) -> Iterator[bytes]:
    generator = random.Random(name)
    model = SEEDS[name]()
    data = model.SerializeToString()
    for _ in range(FILES_OF_A_SEED):
        yield damaged(data, generator)
        yield altered(model, generator).SerializeToString()


@pytest.mark.parametrize("name", SEEDS)
def test_broken_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    refused = 0
    for data in broken_files(name):
        path = saved(data, tmp_path)
        try:
            verify(read_onnx(path), "the importer")
        except StowageError as error:
            refused += 1
            assert "\n" not in str(error)
            assert str(error).startswith(f"{path}: ")
            assert error.reason and error.remedy
    assert refused > FILES_OF_A_SEED / 2
