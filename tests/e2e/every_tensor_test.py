# SPDX-License-Identifier: Apache-2.0
"""The examples at every tensor: within one step of ONNX Runtime's integers, within 1e-5 of its floats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from stowage.ir.graph import Array
from tests.e2e.step_difference import StepDifference, judged, step_differences

EXAMPLES = Path(__file__).parents[2] / "examples"
VECTORS = 12
MODELS = {
    "digits/digits_int8.onnx": "heldout_images_int8.npy",
    "digits/digits_qoperator.onnx": "heldout_images_int8.npy",
    "digits/digits_f32.onnx": "heldout_images.npy",
    "branches/branches_int8.onnx": "inputs_int8.npy",
    "branches/branches_f32.onnx": "inputs.npy",
}


def _vectors(folder: Path, inputs: str) -> list[Mapping[str, Array]]:
    images = np.load(folder / inputs)
    chosen = np.linspace(0, len(images) - 1, min(VECTORS, len(images))).astype(int)
    return [{"image": images[index][np.newaxis]} for index in chosen]


@pytest.mark.parametrize("model", MODELS)
def test_every_step_is_as_near_as_promised(model: str) -> None:
    path = EXAMPLES / model
    differences = step_differences(path, _vectors(path.parent, MODELS[model]))
    for each in differences:
        print(f"{each.step:40} {each.function:32} {each.largest:.3g}")
    assert [each.step for each in differences if not each.compared or each.own_operands] == []
    assert [each for each in differences if each.largest > (1 if each.integer else 1e-5)] == []
    assert len(differences) >= 7


def test_a_step_that_is_two_off_is_found_and_no_other() -> None:
    """The same check on a model that is not the one that was compiled: one bias is larger by three output steps."""
    path = EXAMPLES / "digits" / "digits_int8.onnx"
    model = onnx.load(path)
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    shifted = arrays["logits_zero_point"] + np.int8(3)
    (place,) = [tensor for tensor in model.graph.initializer if tensor.name == "logits_zero_point"]
    place.CopyFrom(numpy_helper.from_array(np.asarray(shifted), "logits_zero_point"))
    differences = step_differences(path, _vectors(path.parent, "heldout_images_int8.npy"), oracle=model)
    assert {each.step: each.largest for each in differences if each.largest > 1}.keys() == {"head"}


def _step(output: str, compared: bool, *own_operands: str) -> StepDifference:
    return StepDifference(output, "stw_copy", False, 0.0, compared, own_operands, (output,))


def test_a_step_is_judged_where_its_own_result_comes_to_be_compared() -> None:
    whole = [_step("gates", False), _step("cell", False, "gates"), _step("hidden", True, "cell")]
    assert judged(whole) == whole
    aside = _step("aside", False, "gates")
    assert judged([*whole, aside]) == whole
