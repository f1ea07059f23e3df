# SPDX-License-Identifier: Apache-2.0
"""A trained network becomes int8 in the build, with what is asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stowage.errors import StowageError
from stowage.ir.dtype import DType
from stowage.ir.reference import run
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.quantise.request import RANGE_CHOICES, Labelled, Quantisation
from stowage.target.find_board import find_board

DIGITS = Path("examples/digits")
IMAGES, LABELS = np.load(DIGITS / "heldout_images.npy"), np.load(DIGITS / "heldout_labels.npy")


@pytest.fixture(scope="module", name="request_")
def _request(tmp_path_factory: pytest.TempPathFactory) -> Quantisation:
    folder = tmp_path_factory.mktemp("samples")
    for name, part in (("calibration", IMAGES[::30]), ("inputs", IMAGES[1::30]), ("labels", LABELS[1::30])):
        np.save(folder / f"{name}.npy", part)
    labelled = Labelled(folder / "inputs.npy", folder / "labels.npy", 0.9)
    return Quantisation(folder / "calibration.npy", labelled=labelled)


def _compiled(request: Quantisation) -> Compiled:
    return compile_model(ModelRequest(DIGITS / "digits_f32.onnx", quantisation=request), find_board("host"))


def _classes(compiled: Compiled, count: int) -> list[int]:
    (given,), (taken,) = compiled.graph.inputs, compiled.graph.outputs
    quant = given.type.quant
    images = IMAGES[:count]
    if quant is not None:
        images = np.clip(np.rint(images / quant.scale) + quant.zero_point, -128, 127).astype(np.int8)
    return [int(run(compiled.graph, {given.name: image[None]})[taken.name].argmax()) for image in images]


@pytest.mark.parametrize("ranges", RANGE_CHOICES)
def test_every_choice_of_ranges_keeps_the_classes(request_: Quantisation, ranges: str) -> None:
    compiled = _compiled(replace(request_, ranges=ranges))
    outcome = compiled.quantisation
    assert outcome is not None and outcome.accuracy is not None
    assert outcome.integer_macs == outcome.macs > 0
    assert outcome.accuracy.after >= 0.9
    # Divergence clips rare large values, and there are many zeros behind a ReLU to make them rare.
    assert outcome.error < (0.3 if ranges == "kl" else 0.05)
    assert np.mean(np.array(_classes(compiled, 60)) == LABELS[:60]) >= 0.95


def test_inputs_and_outputs_are_integers_unless_asked_to_stay_float(request_: Quantisation) -> None:
    integers, floats = _compiled(request_), _compiled(replace(request_, interface=DType.F32))
    assert [v.type.dtype for v in (*integers.graph.inputs, *integers.graph.outputs)] == [DType.I8, DType.I8]
    assert [v.type.dtype for v in (*floats.graph.inputs, *floats.graph.outputs)] == [DType.F32, DType.F32]
    assert _classes(integers, 30) == _classes(floats, 30)


def test_a_node_that_is_named_stays_float(request_: Quantisation) -> None:
    compiled = _compiled(replace(request_, keep_float=("body_conv",)))
    by_name = {node.name: node for node in compiled.graph.nodes}
    assert by_name["body_conv"].inputs[0].type.dtype is DType.F32
    assert by_name["stem_conv"].inputs[0].type.dtype is DType.I8
    outcome = compiled.quantisation
    assert outcome is not None and outcome.kept_float == ("body_conv",)
    assert outcome.macs - outcome.integer_macs == 41_472


def test_the_worst_nodes_stay_float_until_the_error_is_small_enough(request_: Quantisation) -> None:
    all_integers = _compiled(request_).quantisation
    assert all_integers is not None
    outcome = _compiled(replace(request_, largest_error=0.96 * all_integers.error)).quantisation
    assert outcome is not None
    assert outcome.error <= 0.96 * all_integers.error
    assert outcome.kept_float[0] == all_integers.layers[0].name
    assert len(outcome.kept_float) < len(all_integers.layers)


def test_too_little_accuracy_is_refused_with_both(request_: Quantisation) -> None:
    assert request_.labelled is not None
    with pytest.raises(StowageError, match=r"% of 15 labelled .* in int8, after .* % in float, but at least 100.00 %"):
        np.save(request_.labelled.labels.with_name("wrong.npy"), (LABELS[1::30] + 1) % 10)
        labelled = replace(request_.labelled, labels=request_.labelled.labels.with_name("wrong.npy"), least=1.0)
        _compiled(replace(request_, labelled=labelled))


def test_the_same_bits_every_time(request_: Quantisation) -> None:
    first, second = _compiled(request_), _compiled(request_)
    assert first.sources == second.sources and first.quantisation == second.quantisation
