# SPDX-License-Identifier: Apache-2.0
"""What is said of models that were not watched, or not whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import watched

KWS = {"model": "kws", "form": "model.onnx", "board": "mps2_an386"}
LARGE: dict[str, Any] = {**KWS, "model": "large"}
APART: dict[str, Any] = {**LARGE, "arena_bytes": 900, "used_bytes": [900, 900]}


def judged(folder: Path, *records: dict[str, Any]) -> int:
    paths = [folder / f"{index}.json" for index in range(len(records))]
    for path, record in zip(paths, records, strict=True):
        path.write_text(json.dumps(record))
    return watched.main([str(path) for path in paths])


def test_models_are_watched_in_their_record_or_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, {**KWS, "watched": True}, {**LARGE, "watched": False}, APART) == 0
    assert capsys.readouterr().out == "2 models were watched and guarded\n"


def test_one_that_does_not_fit_is_not_missed(tmp_path: Path) -> None:
    assert judged(tmp_path, {**KWS, "refusal": "DoesNotFit", "sentence": "too large"}) == 0


@pytest.mark.parametrize(
    ("apart", "sentence"),
    [
        ({**APART, "form": "model.tflite"}, "large/model.onnx on mps2_an386 was neither watched nor guarded"),
        ({**APART, "used_bytes": [900, 896]}, "used 896 B of an arena planned with 900 B"),
        ({**LARGE, "failure": "it stopped at a fault"}, "large/model.onnx on mps2_an386: it stopped at a fault"),
    ],
)
def test_one_that_was_not_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], apart: dict[str, Any], sentence: str
) -> None:
    assert judged(tmp_path, {**LARGE, "watched": False}, apart) == 1
    assert sentence in capsys.readouterr().err
