# SPDX-License-Identifier: Apache-2.0
"""How far outputs may lie off, by the file that they come from and by the model's own noise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx

from tests.differential.onnx_runtime import Judge
from tests.zoo.deviation import deviations, limited_as
from tests.zoo.expected import read_expected
from tests.zoo.noise import noisy

MODEL = Path("examples/digits/digits_int8.onnx")
INTEGERS = [np.array([[3, -4], [100, 7]], np.int8)]
REALS = [np.array([[1.0, -4.0], [100.0, 7.0]], np.float32)]


def test_integers_of_onnx_may_be_a_step_off_and_tflite_s_may_not() -> None:
    found = [INTEGERS[0] + np.array([[0, 1], [0, 0]], np.int8)]
    for name, too_far in {"model.onnx": False, "model.tflite": True}.items():
        (output,) = deviations(read_expected(Path(name), INTEGERS, INTEGERS, {}), found)
        assert output.unit == "steps" and output.distances == (1.0, 0.0)
        assert output.too_far == too_far


def test_reals_may_be_off_by_a_part_of_the_largest_or_by_what_the_zoo_has_seen() -> None:
    found = [REALS[0] + np.array([[0, 3e-5], [0, 5e-4]], np.float32)]
    (output,) = deviations(read_expected(MODEL, REALS, REALS, {}), found)
    assert output.unit == "relative" and not output.too_far
    further = [REALS[0] + np.array([[0, 1e-3], [0, 0]], np.float32)]
    assert deviations(read_expected(MODEL, REALS, REALS, {}), further)[0].too_far
    meta = {"onnxruntime_optimised_vs_reference": [{"max": 2e-3}]}
    assert not deviations(read_expected(MODEL, REALS, REALS, meta), further)[0].too_far


def test_reals_of_a_tflite_file_have_the_noise_of_its_own_runtime_unless_integers_make_them() -> None:
    further = [REALS[0] + np.array([[0, 1e-3], [0, 0]], np.float32)]
    noise: dict[str, Any] = {"tflite": {"optimised_vs_reference_kernels": [{"max": 2e-3}]}}
    file = Path("model.tflite")
    other: dict[str, Any] = {"onnxruntime_optimised_vs_reference": [{"max": 2e-3}], "tflite": {}}
    for meta, too_far in [
        ({**noise, "kind": "float"}, False),
        ({**noise, "kind": "int8_qdq"}, True),
        ({**other, "kind": "float"}, True),
    ]:
        assert deviations(read_expected(file, REALS, REALS, meta), further)[0].too_far == too_far


def test_what_is_not_finite_is_too_far() -> None:
    found = [np.array([[1.0, np.nan], [100.0, 7.0]], np.float32)]
    assert deviations(read_expected(MODEL, REALS, REALS, {}), found)[0].too_far


def test_noise_widens_the_limits_of_a_deep_model_and_not_without_end() -> None:
    """Digits' logits are integers behind four layers of them: some steps of one there, never a dozen."""
    model = onnx.load(MODEL)
    (given,) = model.graph.input
    images = np.load("examples/digits/heldout_images_int8.npy")[:2].reshape(2, 1, 1, 8, 8)
    outputs = [np.stack([Judge(model).run({given.name: image})[model.graph.output[0].name] for image in images])]
    expected = read_expected(MODEL, [images], outputs, {})
    strict = deviations(expected, outputs)
    assert not strict[0].too_far and noisy(expected, strict) == strict
    (widened,) = noisy(expected, deviations(expected, [np.asarray(outputs[0].astype(np.int32) + 1)]))
    assert all(1 <= limit < 12 for limit in widened.limits)
    wrong = deviations(expected, [np.asarray(outputs[0].astype(np.int32) + 12)])
    assert noisy(expected, wrong)[0].too_far


def test_a_board_has_the_limits_of_the_host() -> None:
    found = deviations(read_expected(MODEL, INTEGERS, INTEGERS, {}), INTEGERS)
    (output,) = limited_as([{"limits": [3.0, 2.0, 9.0]}], found)
    assert output.limits == (3.0, 2.0)
    assert limited_as([], found) == found
