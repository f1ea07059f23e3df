# SPDX-License-Identifier: Apache-2.0
"""A model in stripes that gives other outputs than as it is, or is refused, has no record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stowage.target.find_board import BOARDS
from tests.zoo.measure_striped import check_same, main
from tools.trial.trial import Trial, TrialFailed


def trial(outputs: bytes) -> Trial:
    return Trial(outputs, (), (), 1, 1, 1, 0, 0, False)


def test_the_same_outputs_are_asked_for() -> None:
    check_same(trial(b"abc"), trial(b"abc"))
    with pytest.raises(TrialFailed, match="other outputs"):
        check_same(trial(b"abc"), trial(b"abd"))


def test_a_refusal_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory, refused, out = (tmp_path / name for name in ("plain.json", "refused.json", "out.json"))
    memory.write_text("{}")
    refused.write_text(json.dumps({"refusal": "DoesNotFit", "sentence": "no plan within 1 B was found."}))
    words = ["--plain-elf=a", "--striped-elf=b", f"--plain-memory={memory}", f"--striped-memory={refused}"]
    board = BOARDS / "mps2_an386" / "board.textproto"
    rest = [f"--model={tmp_path / 'm'}", f"--board={board}", "--execution=e", "--qemu=q", f"--out={out}"]
    assert main([*words, *rest]) == 1
    assert "no plan within 1 B was found." in capsys.readouterr().err
    assert not out.exists()
