# SPDX-License-Identifier: Apache-2.0
"""Tests of the table of what models make of an NPU."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.bench.npu import main

DIGITS = Path("examples/digits/digits_int8.onnx")


def test_a_model_is_one_segment_without_conflicts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(DIGITS)]) == 0
    cells = [cell.strip() for cell in capsys.readouterr().out.splitlines()[2].split("|")]
    assert cells[1] == "digits/digits_int8.onnx"
    assert cells[3] == "1"
    assert cells[7] == "0"


def test_every_step_tells_its_banks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--steps", str(DIGITS)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("conv2d" in line and "input " in line and "parameters " in line and "output " in line for line in lines)


def test_a_board_without_an_npu_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--board", "mps2_an505", str(DIGITS)]) == 1
    assert capsys.readouterr().err == "stowage: mps2_an505: the board has no NPU; name one that has.\n"
