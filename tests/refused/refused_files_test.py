# SPDX-License-Identifier: Apache-2.0
"""A file that is no model, or no whole one, is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.frontend.from_onnx.model_making import conv_model, saved
from tests.refused.command_line import refusal

WRITTEN = "give the path of a model that an ONNX exporter wrote."
WHOLE: bytes = conv_model().SerializeToString()

CASES = {
    "truncated": (
        WHOLE[: len(WHOLE) // 2],
        f"the ONNX model is cut short or corrupt (the file has {len(WHOLE) // 2} bytes); copy or export it again.",
    ),
    "one byte short": (
        WHOLE[:-1],
        f"the ONNX model is cut short or corrupt (the file has {len(WHOLE) - 1} bytes); copy or export it again.",
    ),
    "image": (b"\x89PNG\r\n\x1a\n" + bytes(64), f"this is a PNG image, not an ONNX model; {WRITTEN}"),
    "other format": (
        b"\x1c\0\0\0TFL3" + bytes(64),
        f"this is a TensorFlow Lite model, not an ONNX model; {WRITTEN}",
    ),
    "text": (
        b"import torch\n\nmodel = 1\n",
        f"this is not an ONNX model: its bytes do not decode as one; {WRITTEN}",
    ),
    "empty": (b"", f"the file is empty; {WRITTEN}"),
}


@pytest.mark.parametrize(("content", "sentence"), CASES.values(), ids=CASES)
def test_file(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = saved(content, tmp_path)
    assert refusal(path, "nrf52", tmp_path / "out") == f"{path}: {sentence}"


def test_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "none.onnx"
    assert refusal(path, "nrf52", tmp_path / "out") == f"{path}: cannot be read (No such file or directory); {WRITTEN}"


def test_folder(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.mkdir()
    assert refusal(path, "nrf52", tmp_path / "out") == f"{path}: cannot be read (Is a directory); {WRITTEN}"


def test_file_of_another_name(tmp_path: Path) -> None:
    path = saved(WHOLE, tmp_path, "model.pt")
    assert refusal(path, "nrf52", tmp_path / "out") == (
        f'{path}: no importer reads files that end in ".pt"; '
        "give a model in ONNX or TFLite form, in a file whose name ends in .onnx or .tflite."
    )
