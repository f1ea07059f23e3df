# SPDX-License-Identifier: Apache-2.0
"""Quantisation that cannot be is refused in one sentence, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.refused.command_line import refusal

DIGITS = Path("examples/digits")
FLOAT, INTEGER = DIGITS / "digits_f32.onnx", DIGITS / "digits_int8.onnx"
GOOD = np.zeros((2, 1, 8, 8), np.float32)


def _refusal(folder: Path, *more: str | Path, model: Path = FLOAT) -> str:
    return refusal(model, "nrf52", folder / "out", *more)


def _calibrated(folder: Path, samples: object, *more: str | Path, model: Path = FLOAT) -> str:
    np.save(folder / "samples.npy", np.asarray(samples))
    given = ("--quantize", "int8", "--calibration", folder / "samples.npy")
    return _refusal(folder, *given, *more, model=model).replace(f"{folder}/", "")


def test_no_calibration(tmp_path: Path) -> None:
    assert _refusal(tmp_path, "--quantize", "int8") == (
        "--quantize: there is nothing to measure ranges on; give sample inputs as --calibration FILE."
    )


@pytest.mark.parametrize("option", ["--calibration", "--keep-float", "--largest-error", "--labels", "--min-accuracy"])
def test_options_of_quantisation_without_it(option: str, tmp_path: Path) -> None:
    assert _refusal(tmp_path, option, "0.5") == (
        f"{option}: nothing is quantised; add --quantize int8 or leave it out."
    )


@pytest.mark.parametrize(
    ("samples", "sentence"),
    [
        (
            np.zeros((2, 1, 9, 8), np.float32),
            "image: its samples have the shape [1, 9, 8], but the model takes [1, 1, 8, 8]; "
            "save an array of shape [samples, 1, 1, 8, 8].",
        ),
        (
            GOOD.astype(np.float64),
            "image: its samples are float64, but the model takes float32; convert them as the firmware would.",
        ),
        (
            np.full_like(GOOD, np.nan),
            "image: its samples hold a NaN or an infinity; leave such samples out.",
        ),
        (GOOD[:0], "there are no samples; give at least one, better some dozens."),
        (
            np.float32(1),
            "image: its samples have the shape [], but the model takes [1, 1, 8, 8]; "
            "save an array of shape [samples, 1, 1, 8, 8].",
        ),
    ],
)
def test_samples_that_do_not_suit_the_model(samples: object, sentence: str, tmp_path: Path) -> None:
    assert _calibrated(tmp_path, samples) == f"samples.npy: {sentence}"


def test_files_that_are_none(tmp_path: Path) -> None:
    remedy = "give a .npy or .npz file that numpy.save or numpy.savez has written, without Python objects."
    missing = tmp_path / "missing.npy"
    given = ("--quantize", "int8", "--calibration")
    assert _refusal(tmp_path, *given, missing) == f"{missing}: there is no such file; {remedy}"
    for content in (b"", b"text", b"PK\x03\x04 cut off", b"\x93NUMPY\x01\x00"):
        broken = tmp_path / "broken.npz"
        broken.write_bytes(content)
        assert _refusal(tmp_path, *given, broken) == f"{broken}: it is no readable array file; {remedy}"
    objects = tmp_path / "objects.npy"
    np.save(objects, np.array([{}], dtype=object), allow_pickle=True)
    assert _refusal(tmp_path, *given, objects) == f"{objects}: it is no readable array file; {remedy}"


def test_another_input_in_the_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "samples.npz", picture=GOOD)
    sentence = _refusal(tmp_path, "--quantize", "int8", "--calibration", tmp_path / "samples.npz")
    assert sentence == (
        f"{tmp_path}/samples.npz: image: there is no array of this input, only picture; name the array after it."
    )


def test_a_model_that_is_quantised_already(tmp_path: Path) -> None:
    sentence = _calibrated(tmp_path, GOOD, model=INTEGER)
    assert sentence.startswith(f"{INTEGER}: ")
    assert sentence.endswith(
        ": the model is quantised already; compile it as it is, or give the float model that it was made of."
    )


def test_a_node_that_there_is_not(tmp_path: Path) -> None:
    assert _calibrated(tmp_path, GOOD, "--keep-float", "stem_conf") == (
        f'{FLOAT}: "stem_conf" is to be kept float, but is no node that would become an integer one; '
        "name nodes as the quantisation report does, for instance stem_conv, pointwise_conv, body_conv."
    )


@pytest.mark.parametrize("text", ["97%", "1.5", "-0.1", "much", "nan"])
def test_shares(text: str, tmp_path: Path) -> None:
    assert _calibrated(tmp_path, GOOD, f"--largest-error={text}") == (
        f'--largest-error: "{text}" is no share of 1; write for instance 0.975.'
    )


def test_a_budget_without_labels(tmp_path: Path) -> None:
    assert _calibrated(tmp_path, GOOD, "--min-accuracy", "0.9") == (
        "--min-accuracy: accuracy needs labelled inputs, their labels and a budget; "
        "give all of --labelled-inputs, --labels and --min-accuracy."
    )


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (np.zeros(2), "labels are float64, but must be whole numbers; save the index of each sample's class."),
        (
            np.zeros(3, np.int64),
            "there are labels of shape [3] for classes of shape [2, 1]; give one label a sample.",
        ),
    ],
)
def test_labels_that_do_not_suit_their_inputs(labels: object, sentence: str, tmp_path: Path) -> None:
    np.save(tmp_path / "labels.npy", np.asarray(labels))
    budget = ("--labelled-inputs", tmp_path / "samples.npy", "--labels", tmp_path / "labels.npy", "--min-accuracy", "1")
    assert _calibrated(tmp_path, GOOD, *budget) == f"labels.npy: {sentence}"


def test_too_little_accuracy_names_that_of_both_models(tmp_path: Path) -> None:
    images, labels = np.load(DIGITS / "heldout_images.npy")[:10], np.load(DIGITS / "heldout_labels.npy")[:10]
    np.save(tmp_path / "labels.npy", (labels + np.arange(10) % 2) % 10)
    budget = (
        "--labelled-inputs",
        tmp_path / "samples.npy",
        "--labels",
        tmp_path / "labels.npy",
        "--min-accuracy",
        "0.9",
    )
    assert _calibrated(tmp_path, images, *budget) == (
        f"{FLOAT}: accuracy: 50.00 % of 10 labelled samples are classified rightly in int8, after 50.00 % in float, "
        "but at least 90.00 % are asked for; calibrate on more samples like these, keep the worst layers of the "
        "quantisation report float, or lower the budget."
    )
