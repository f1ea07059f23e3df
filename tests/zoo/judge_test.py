# SPDX-License-Identifier: Apache-2.0
"""What the judge lets pass, and what not."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from stowage.errors import DoesNotFit
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.target.find_board import find_board
from tests.zoo import judge

GOOD: dict[str, Any] = {
    **{"model": "kws", "form": "model.onnx", "board": "mps2_an386", "vectors": 2, "arena_bytes": 900},
    **{"arena_used_bytes": 900, "watched": True},
    **{"weights_bytes": 400, "flash_bytes": 5000, "least_instructions": 70, "most_instructions": 70},
    **{"stack_used_bytes": 100, "stack_bound_bytes": 120, "stack_reserved_bytes": 4096},
    "outputs": [{"unit": "steps", "distances": [0.0, 1.0], "limits": [1.0, 1.0]}],
}
REFUSED = {"model": "kws", "form": "model.onnx", "board": "nrf52"}


def judged(record: dict[str, Any], folder: Path) -> int:
    path = folder / "record.json"
    path.write_text(json.dumps(record))
    return judge.main([str(path)])


def test_what_is_right_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(GOOD, tmp_path) == 0
    told = "arena 900 B, flash 5,000 B, 70 instructions, 1 steps (allowed 1)"
    assert capsys.readouterr().out == f"kws/model.onnx on mps2_an386: 2 vectors, {told}\n"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"outputs": [{"unit": "steps", "distances": [0, 2], "limits": [1, 1]}]}, "output 0 of vector 1 is off by 2"),
        ({"outputs": [{"unit": "relative", "distances": [math.nan], "limits": [1]}]}, "output 0 of vector 0 is off by"),
        ({"least_instructions": 69}, "the executed instructions depend on the input: 69 to 70"),
        ({"stack_used_bytes": 121}, "the stack used 121 B, its static bound is 120 B"),
        ({"stack_bound_bytes": 5000}, "the stack may take 5000 B of 4096 B set aside"),
        ({"failure": "it stopped at a fault"}, "it stopped at a fault"),
        ({"refusal": "UnsupportedModel", "sentence": "no such operator."}, "it is refused: no such operator."),
    ],
)
def test_what_is_wrong_does_not(
    change: dict[str, Any], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged(GOOD | change, tmp_path) == 1
    assert f"stowage: kws/model.onnx on mps2_an386: {complaint}" in capsys.readouterr().err


def _real_refusal() -> str:
    with pytest.raises(DoesNotFit) as refusal:
        compile_model(ModelRequest(Path("examples/branches/branches_f32.onnx"), "zoo"), find_board("microbit"))
    return str(refusal.value)


def test_that_a_model_does_not_fit_is_right_if_it_is_said(tmp_path: Path) -> None:
    record = {**REFUSED, "board": "microbit", "refusal": "DoesNotFit", "sentence": _real_refusal()}
    assert judged(record, tmp_path) == 0
    assert judged(record | {"board": "nrf52"}, tmp_path) == 1
    assert judged(record | {"sentence": "it does not fit."}, tmp_path) == 1
