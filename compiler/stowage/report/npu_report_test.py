# SPDX-License-Identifier: Apache-2.0
"""What the memory report tells of a model's part on an NPU, with figures counted by hand from hal/npu/README.md."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.report.memory_report import memory_files
from stowage.target.find_board import find_board

DIGITS = Path(__file__).parents[3] / "examples/digits/digits_int8.onnx"


@pytest.fixture(scope="module", name="files")
def _files() -> dict[str, str]:
    return memory_files(compile_model(ModelRequest(DIGITS, "digits"), find_board("mps2_an521_npu")))


@pytest.fixture(scope="module", name="npu")
def _npu(files: dict[str, str]) -> dict[str, Any]:
    npu: dict[str, Any] = json.loads(files["digits_memory.json"])["npu"]
    return npu


def test_a_step_has_its_banks_bytes_conflicts_cycles_and_use(npu: dict[str, Any]) -> None:
    """First come the image and the first parameters: 8 by 8 bytes, and 12 channels of 12 bytes and 9 weights each."""
    (segment,) = npu["segments"]
    first, second = segment["steps"][:2]
    assert (first["command"], first["macs"], first["array_used_share"]) == ("", 0, 0)
    assert sorted((copy["window"], copy["size_bytes"]) for copy in first["copies"]) == [("data", 252), ("image", 64)]
    assert first["moved_bytes"] == 252 + 64
    assert first["cycles"] == 8 + 252 // 8 + 1 + 8 + 64 // 8 + 4
    assert second["command"] == "conv2d"
    assert [each["role"] for each in second["banks"]] == ["input", "parameters", "output"]
    assert len({each["bank"] for each in second["banks"]}) == 3
    assert second["array_used_share"] == second["macs"] / (256 * second["cycles"])


def test_the_figures_of_steps_add_up_to_the_segments_and_the_models(npu: dict[str, Any]) -> None:
    for figure in ("moved_bytes", "conflicts", "cycles", "macs"):
        for segment in npu["segments"]:
            assert segment[figure] == sum(step[figure] for step in segment["steps"])
        assert npu[figure] == sum(segment[figure] for segment in npu["segments"])
    assert npu["conflicts"] == 0


def test_the_bank_map_holds_what_steps_read_and_no_two_at_one_place(npu: dict[str, Any]) -> None:
    (segment,) = npu["segments"]
    residents = segment["residents"]
    for number, step in enumerate(segment["steps"]):
        there = [each for each in residents if each["first"] <= number <= each["last"]]
        assert {each["bank"] for each in step["banks"]} <= {each["bank"] for each in there}
        for bank in range(npu["banks"]):
            spans = sorted((each["offset_bytes"], each["end_bytes"]) for each in there if each["bank"] == bank)
            assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
    assert residents[0]["what"].startswith("data[0:")
    assert {each["end_bytes"] <= npu["bank_bytes"] for each in residents} == {True}


def test_people_are_told_of_it_as_text_and_on_the_page(files: dict[str, str], npu: dict[str, Any]) -> None:
    text, page = files["digits_memory.txt"], files["digits_memory.html"]
    cycles = f"{npu['cycles']:,} cycles"
    assert f"{cycles}, array used {100 * npu['array_used_share']:.1f} %" in text
    assert "conv2d (input" in text and "bank map" in text
    assert "<h2>On the NPU</h2>" in page and cycles in page
    assert f"{len(npu['segments'][0]['steps'])} steps of the NPU" in page


def test_a_board_without_an_npu_has_nothing_of_it() -> None:
    files = memory_files(compile_model(ModelRequest(DIGITS, "digits"), find_board("mps2_an505")))
    assert "npu" not in json.loads(files["digits_memory.json"])
    assert "NPU" not in files["digits_memory.txt"] + files["digits_memory.html"]
