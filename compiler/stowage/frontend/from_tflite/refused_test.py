# SPDX-License-Identifier: Apache-2.0
"""Broken and unsupported .tflite files: each is refused in one sentence that names file, place, reason and remedy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.errors import InvalidModel, StowageError, UnsupportedModel
from stowage.frontend.from_tflite.model_making import Operator, Subgraph, Tensor, constant, model_bytes
from stowage.frontend.read_model import read_model

WEIGHTS = constant(np.arange(12, dtype=np.int8).reshape(3, 4), (0.01,))
DENSE = Operator("FULLY_CONNECTED", (0, 1), (2,), "FullyConnectedOptions", version=4)
INPUT, OUTPUT = Tensor((1, 4), "int8", None, (0.5,), (3,)), Tensor((1, 3), "int8", None, (0.25,), (-1,))
SOUND = Subgraph([INPUT, WEIGHTS, OUTPUT], [DENSE], (0,), (2,))


def refusal(data: bytes, folder: Path, kind: type[StowageError]) -> str:
    """The sentence without the file's name."""
    path = folder / "model.tflite"
    path.write_bytes(data)
    with pytest.raises(kind) as caught:
        read_model(path, "", {})
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}: ") and "\n" not in sentence and sentence.endswith(".")
    return sentence.removeprefix(f"{path}: ")


def with_tensor(index: int, tensor: Tensor) -> Subgraph:
    tensors = list(SOUND.tensors)
    tensors[index] = tensor
    return replace(SOUND, tensors=tensors)


def with_operator(operator: Operator) -> Subgraph:
    return replace(SOUND, operators=[operator])


def test_the_sound_model_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(SOUND))
    graph = read_model(path, "", {})
    assert [value.name for value in (*graph.inputs, *graph.outputs)] == ["t0", "t2"]
    assert graph.outputs[0].type.quant is not None and graph.outputs[0].type.quant.scale == 0.25


def test_wrong_identifier(tmp_path: Path) -> None:
    data = model_bytes(SOUND).replace(b"TFL3", b"TFL2")
    assert "bytes 4 to 8 are not TFL3" in refusal(data, tmp_path, InvalidModel)


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    """Writers put tables last, so that what is cut off is what the first offsets lead to."""
    data = model_bytes(SOUND)
    for length in range(8, len(data) - 8, 7):
        assert "damaged" in refusal(data[:length], tmp_path, InvalidModel)


def damaged(change: Callable[[bytearray], None]) -> bytes:
    data = bytearray(model_bytes(SOUND))
    change(data)
    return bytes(data)


def test_an_offset_that_leads_outside(tmp_path: Path) -> None:
    def far_root(data: bytearray) -> None:
        data[0:4] = (0x7FFFFFF0).to_bytes(4, "little")

    assert refusal(damaged(far_root), tmp_path, InvalidModel) == (
        "the file is damaged or cut off (an offset leads outside of it); convert the model again."
    )


BROKEN: list[tuple[str, Subgraph, str]] = [
    ("huge", with_tensor(0, replace(INPUT, shape=(1 << 30, 1 << 30))), "tensor 't0': it has the shape"),
    ("negative", with_tensor(0, replace(INPUT, shape=(-4, 4))), r"tensor 't0': it has the shape \[-4, 4\]"),
    ("scale", with_tensor(0, replace(INPUT, scales=(float("nan"),))), "a scale of its quantisation is not positive"),
    ("point", with_tensor(0, replace(INPUT, zero_points=(300,))), "zero points do not suit"),
    ("axis", with_tensor(1, replace(WEIGHTS, scales=(0.1,) * 4, zero_points=(0,) * 4)), "4 scales for axis 0"),
    ("short", with_tensor(1, replace(WEIGHTS, shape=(3, 8))), "its buffer has 12 bytes, but its shape"),
    ("result", with_tensor(2, replace(OUTPUT, shape=(1, 5))), r"its result has \[1, 5\]"),
    ("inputs", with_tensor(1, replace(WEIGHTS, shape=(4, 3))), "weights of shape"),
    ("unmade", with_operator(replace(DENSE, inputs=(2, 1))), "tensor 't2' is used before anything makes it"),
    ("missing", with_operator(replace(DENSE, inputs=(0, -1))), "operand 1 is missing"),
    ("outside", with_operator(replace(DENSE, inputs=(0, 9))), "tensor 9 of 3"),
    ("twice", replace(SOUND, operators=[DENSE, DENSE]), "it is made twice"),
    ("written", with_operator(replace(DENSE, outputs=(1,))), "it makes the shape|made twice|declared"),
    ("outputs", replace(SOUND, outputs=()), "has no outputs"),
    ("tiny", with_tensor(2, replace(OUTPUT, scales=(1e-30,))), "is too small beside its operands'"),
]


@pytest.mark.parametrize(("name", "subgraph", "reason"), BROKEN, ids=[name for name, _, _ in BROKEN])
def test_contradictions(tmp_path: Path, name: str, subgraph: Subgraph, reason: str) -> None:
    assert re.search(reason, refusal(model_bytes(subgraph), tmp_path, InvalidModel))


UNSUPPORTED: list[tuple[str, Subgraph, str]] = [
    ("operator", with_operator(Operator("WHILE", (0,), (2,))), "WHILE 't2': Stowage does not compile this operator"),
    ("resource", with_tensor(0, replace(INPUT, dtype="resource", scales=())), "its elements are RESOURCE"),
    ("weights", with_tensor(1, replace(WEIGHTS, zero_points=(4,))), "weights have a zero point other than 0"),
    ("words", with_tensor(0, replace(INPUT, dtype="int16")), "input, weights and result are i16, i8, i8"),
    (
        "shuffled",
        with_operator(replace(DENSE, options={"WeightsFormat": 1})),
        "its weights are shuffled; convert the model with weights in the default format",
    ),
    ("activation", with_operator(replace(DENSE, options={"FusedActivationFunction": 5})), "cannot be fused into it"),
]


@pytest.mark.parametrize(("name", "subgraph", "reason"), UNSUPPORTED, ids=[name for name, _, _ in UNSUPPORTED])
def test_what_is_not_compiled(tmp_path: Path, name: str, subgraph: Subgraph, reason: str) -> None:
    assert reason in refusal(model_bytes(subgraph), tmp_path, UnsupportedModel)


def test_an_input_that_is_a_constant_of_the_build(tmp_path: Path) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(SOUND))
    graph = read_model(path, "", {}, {"t0": "1,-2,3,127"})
    assert graph.inputs == ()
    data = next(array for array in graph.constants.values() if array.shape == (1, 4))
    np.testing.assert_array_equal(data, np.array([[1, -2, 3, 127]], np.int8))


@pytest.mark.parametrize(
    ("fixed", "sentence"),
    [
        ({"t1": "1"}, "input 't1': the model has no such input to be given a value; its inputs are 't0'."),
        (
            {"t0": "1,2,3"},
            "input 't0': 3 numbers do not fill its shape [1, 4]; give every element, with commas between",
        ),
        ({"t0": "1,2,3,128"}, """input 't0': "128" is no number of its element type i8; write numbers with commas"""),
    ],
)
def test_what_is_no_constant_is_refused(fixed: dict[str, str], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "model.tflite"
    path.write_bytes(model_bytes(SOUND))
    with pytest.raises(InvalidModel) as refusal:
        read_model(path, "", {}, fixed)
    assert sentence in str(refusal.value)
