# SPDX-License-Identifier: Apache-2.0
"""A guarded build faults at any access outside of the arena and the stack; plain builds of the same models pass."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from tools.trial.trial import Trial, TrialFailed, run_trial

INPUT = np.arange(16, dtype=np.uint8).reshape(2, 8)
EXPECTED = (3 * (INPUT + 1)).tobytes()
BOARDS = ["mps2_an500", "mps2_an505", "mps3_an547", "nrf52"]
TRESPASSES = ["reads_past_arena", "writes_below_arena", "writes_data", "writes_past_arena"]

on_every_board = pytest.mark.parametrize("board", BOARDS)
guarded = pytest.mark.parametrize("build", ["guarded", "guarded_poison"])


def _run(model: str, board: str, build: str) -> Trial:
    elf = Path("tools/trial") / f"{model}_{board}_{build}.frail.trial.elf"
    return run_trial(os.environ["QEMU"], Path(os.environ[f"{board.upper()}_EXECUTION"]), elf, INPUT.tobytes())


@on_every_board
@guarded
def test_a_right_model_passes(board: str, build: str) -> None:
    trial = _run("right", board, build)
    assert trial.outputs == EXPECTED
    assert trial.vectors == 2
    assert trial.arena_high_water_bytes == 24
    assert trial.watched == (build == "guarded_poison")
    assert trial.least_instructions > 0


@on_every_board
@pytest.mark.parametrize("model", [each for each in TRESPASSES if each != "writes_below_arena"])
def test_a_plain_build_does_not_show_it(board: str, model: str) -> None:
    """But for the byte below the arena, where that is the first of its memory."""
    assert _run(model, board, "plain").outputs == EXPECTED


@on_every_board
@guarded
@pytest.mark.parametrize("model", TRESPASSES)
def test_a_trespass_is_a_fault_where_it_happens(board: str, build: str, model: str) -> None:
    with pytest.raises(TrialFailed, match="it stopped at a fault") as failure:
        _run(model, board, build)
    assert re.search(r"stowage: fault: MemManage: data access not allowed\n  at 0x\w{8}", str(failure.value))
