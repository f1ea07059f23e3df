# SPDX-License-Identifier: Apache-2.0
"""A model of the zoo gives on the NPU, byte by byte, what it gives on the processor."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tools.qemu.run import run_image
from tools.trial.vectors import load, pack

PAIR = Path(os.environ["PAIR"])
EXECUTION = Path(os.environ["EXECUTION"])
QEMU = os.environ["QEMU"]
MEMORY = Path(os.environ["MEMORY"])
INPUTS = [Path(name) for name in os.environ["INPUTS"].split()]

VECTORS = 2
"""How many go through each model: the second finds in banks and arena what the first has left there."""


@pytest.fixture(scope="module", name="npu")
def _npu() -> Mapping[str, Any]:
    """What the report says of the NPU's part."""
    npu: Mapping[str, Any] = json.loads(MEMORY.read_text())["npu"]
    return npu


@pytest.fixture(scope="module", name="told")
def _told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, int]:
    """What the image tells."""
    folder = tmp_path_factory.mktemp("pair")
    (folder / "inputs.bin").write_bytes(pack([array[:VECTORS] for array in load(INPUTS)]))
    image, execution = PAIR.absolute(), EXECUTION.absolute()
    outcome = run_image(image, execution, str(Path(QEMU).absolute()), time_limit_s=280.0, folder=folder)
    assert outcome.status == 0, outcome.output + outcome.diagnosis
    return {name: int(value) for name, value in (line.split() for line in outcome.output.splitlines())}


def test_outputs_are_the_processors(told: Mapping[str, int]) -> None:
    assert told["end"] == 1
    assert told["vectors"] == VECTORS
    assert told["different_bytes"] == 0


def test_every_segment_ran_on_the_npu(told: Mapping[str, int], npu: Mapping[str, Any]) -> None:
    assert len(npu["segments"]) > 0
    assert told["streams"] == VECTORS * len(npu["segments"])
    assert told["failed_streams"] == 0


def test_it_took_the_cycles_that_the_report_has(told: Mapping[str, int], npu: Mapping[str, Any]) -> None:
    assert told["cycles"] == VECTORS * npu["cycles"]


def test_no_step_has_two_streams_on_a_port(npu: Mapping[str, Any]) -> None:
    steps = [step for segment in npu["segments"] for step in segment["steps"]]
    assert len(steps) > 0
    assert [number for number, step in enumerate(steps) if step["conflicts"]] == []
