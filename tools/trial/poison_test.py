# SPDX-License-Identifier: Apache-2.0
"""What a poison build catches: models that write past an edge, read what is dead, or clobber what lives.

The plain build of each gives right answers, so that nothing but the poison build shows the mistake.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from tools.trial.trial import Trial, TrialFailed, run_trial

INPUT = np.arange(16, dtype=np.uint8).reshape(2, 8)
EXPECTED = (3 * (INPUT + 1)).tobytes()
HIDDEN = ["clobbers_live", "reads_dead", "writes_past_edge"]
BOARDS = ["host", "microbit", "nrf52"]

on_every_board = pytest.mark.parametrize("board", BOARDS)


def _run(model: str, board: str, build: str) -> Trial:
    name = f"{model}_{board}_{build}"
    elf = Path("tools/trial") / f"{name}.frail.trial.elf"
    return run_trial(os.environ["QEMU"], Path(os.environ[f"{board.upper()}_EXECUTION"]), elf, INPUT.tobytes())


def _told(failure: pytest.ExceptionInfo[TrialFailed]) -> dict[str, int]:
    return {key: int(value) for key, value in re.findall(r"^stowage: (\w+) (\d+)$", str(failure.value), re.MULTILINE)}


@on_every_board
@pytest.mark.parametrize("build", ["plain", "poison"])
def test_a_right_model_passes(board: str, build: str) -> None:
    trial = _run("right", board, build)
    assert trial.outputs == EXPECTED
    assert trial.vectors == 2
    assert trial.arena_high_water_bytes == 24
    assert trial.watched == (build == "poison")


@on_every_board
@pytest.mark.parametrize("model", HIDDEN)
def test_a_plain_build_does_not_show_it(board: str, model: str) -> None:
    assert _run(model, board, "plain").outputs == EXPECTED


@on_every_board
def test_a_write_past_an_edge_is_caught_in_its_step(board: str) -> None:
    with pytest.raises(TrialFailed, match="touched bytes of the arena that were not its own") as failure:
        _run("writes_past_edge", board, "poison")
    told = _told(failure)
    assert told["poison_violations"] == 2, "one byte in each of two runs"
    assert (told["first_violation_step"], told["first_violation_offset"]) == (1, 24)
    assert told["arena_high_water_bytes"] == 25


@on_every_board
def test_a_clobbered_buffer_is_caught_in_the_step_that_does_it(board: str) -> None:
    with pytest.raises(TrialFailed, match="not its own") as failure:
        _run("clobbers_live", board, "poison")
    told = _told(failure)
    assert told["poison_violations"] == 2
    assert (told["first_violation_step"], told["first_violation_offset"]) == (1, 8)


@on_every_board
def test_a_write_outside_of_the_arena_breaks_a_band(board: str) -> None:
    with pytest.raises(TrialFailed, match="not its own") as failure:
        _run("writes_below_arena", board, "poison")
    told = _told(failure)
    assert told["poison_violations"] == 1
    assert "first_violation_step" not in told, "no step was watched at that place"


@on_every_board
def test_a_late_read_gives_a_wrong_answer(board: str) -> None:
    outputs = np.frombuffer(_run("reads_dead", board, "poison").outputs, np.uint8).reshape(2, 8)
    poisoned = 2 * (0xA5 + 1) + (INPUT.astype(int) + 1)
    assert (outputs == poisoned % 256).all()


@pytest.mark.parametrize("board", ["microbit", "nrf52"])
def test_a_fault_is_told_with_its_registers(board: str) -> None:
    with pytest.raises(TrialFailed, match="it stopped at a fault") as failure:
        _run("fault", board, "plain")
    assert "pc" in str(failure.value)


@pytest.mark.parametrize("board", ["microbit", "nrf52"])
def test_counts_are_those_of_the_same_code(board: str) -> None:
    trial = _run("right", board, "plain")
    assert trial.least_instructions == trial.most_instructions
    assert 3 * 8 < trial.most_instructions < 1000
    assert 0 < trial.stack_high_water_bytes < 1024
