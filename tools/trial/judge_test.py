# SPDX-License-Identifier: Apache-2.0
"""The judge of a trial, with the run and the stack's bound replaced."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from stowage.target.find_board import BOARDS
from tools.stack.image_stack import ImageStack
from tools.trial import judge
from tools.trial.trial import Trial, TrialFailed
from tools.trial.vectors import Array, TensorBytes

INPUTS = np.arange(12, dtype=np.int8).reshape(3, 4)
EXPECTED = np.array([[9, 1], [2, 8], [7, 3]], np.int8)
LABELS = np.array([0, 1, 0])
TRIAL = Trial(EXPECTED.tobytes(), (TensorBytes("int8", 4),), (TensorBytes("int8", 2),), 3, 500, 500, 200, 960, False)


class Judged:
    """Runs the judge on files of a folder and a trial; keeps what it said."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._monkeypatch, self._capsys = folder, monkeypatch, capsys
        for name, array in {"inputs": INPUTS, "expected": EXPECTED, "labels": LABELS}.items():
            np.save(folder / f"{name}.npy", array)
        (folder / "memory.json").write_text('{"arena_bytes": 960}')

    def replace(self, name: str, array: Array) -> None:
        np.save(self._folder / f"{name}.npy", array)

    def plan_further(self, *sizes_bytes: int) -> None:
        """Arenas beside the main one, which has 960 bytes."""
        further = [{"name": f"r{number}", "size_bytes": size} for number, size in enumerate(sizes_bytes)]
        text = json.dumps({"arena_bytes": 960, "further_arenas": further})
        (self._folder / "memory.json").write_text(text)

    def __call__(self, *more: str, trial: Trial | TrialFailed = TRIAL, bound: int = 300) -> tuple[int, str]:
        def run(*_: object) -> Trial:
            if isinstance(trial, TrialFailed):
                raise trial
            return trial

        self._monkeypatch.setattr(judge, "run_trial", run)
        self._monkeypatch.setattr(judge, "stack_of", lambda *_: ImageStack(bound, ()))
        board = BOARDS / "nrf52" / "board.textproto"
        files = ["--input", "inputs.npy", "--expected", "expected.npy", "--memory", "memory.json"]
        paths = [str(self._folder / word) if word.endswith((".npy", ".json")) else word for word in [*files, *more]]
        fixed = ["--elf", "m.elf", "--board", str(board), "--execution", "e.json", "--objdump", "objdump"]
        status = judge.main([*fixed, *paths])
        captured = self._capsys.readouterr()
        return status, captured.err


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Judged:
    return Judged(tmp_path, monkeypatch, capsys)


def test_what_is_expected_passes(judged: Judged) -> None:
    assert judged("--labels", "labels.npy", "--min-accuracy", "1.0", "--same-class") == (0, "")


@pytest.mark.parametrize(("distance", "status"), [(1, 0), (2, 1)])
def test_one_step_passes_and_two_do_not(judged: Judged, distance: int, status: int) -> None:
    far = dataclasses.replace(TRIAL, outputs=(EXPECTED + np.int8(distance)).tobytes())
    assert judged(trial=far)[0] == status


def test_too_few_right_classes_fail(judged: Judged) -> None:
    judged.replace("labels", np.array([0, 1, 1]))
    assert judged("--labels", "labels.npy", "--min-accuracy", "0.66")[0] == 0
    status, said = judged("--labels", "labels.npy", "--min-accuracy", "0.67")
    assert status == 1
    assert "only 2 of 3 vectors are classified right, fewer than 67.00%" in said


@pytest.mark.parametrize(
    ("trial", "sentence"),
    [
        (dataclasses.replace(TRIAL, vectors=2), "it ran 2 vectors of 3"),
        (dataclasses.replace(TRIAL, most_instructions=501), "executed instructions depend on the input: 500 to 501"),
        (dataclasses.replace(TRIAL, stack_high_water_bytes=301), "used 301 B, more than its static bound of 300 B"),
        (dataclasses.replace(TRIAL, arena_high_water_bytes=961), "used 961 B of an arena of 960 B"),
        (dataclasses.replace(TRIAL, arena_high_water_bytes=959), "planned with 960 B, but the run used only 959 B"),
        (dataclasses.replace(TRIAL, outputs=TRIAL.outputs[:4]), "the image wrote 4 bytes of outputs, expected were 6"),
        (dataclasses.replace(TRIAL, output_types=(TensorBytes("uint8", 2),)), "is 2 B of uint8, but its vectors are"),
        (dataclasses.replace(TRIAL, input_types=(TensorBytes("uint8", 4),)), "input 0 of the model is 4 B of uint8"),
        (dataclasses.replace(TRIAL, output_types=TRIAL.output_types * 2), "has 2 outputs, but there are vectors of 1"),
        (dataclasses.replace(TRIAL, input_types=TRIAL.input_types * 2), "has 2 inputs, but there are vectors of 1"),
    ],
)
def test_a_run_that_is_not_right_fails(judged: Judged, trial: Trial, sentence: str) -> None:
    status, said = judged(trial=trial)
    assert status == 1
    assert sentence in said


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        ((64, 32), ""),
        ((64, 33), "the run used 33 B of an arena_r1 of 32 B"),
        ((63, 32), "the arena_r0 is planned with 64 B, but the run used only 63 B"),
        ((64,), "3 arenas are planned, but 2 were seen in use"),
    ],
)
def test_every_arena_is_used_to_its_end(judged: Judged, seen: tuple[int, ...], sentence: str) -> None:
    judged.plan_further(64, 32)
    status, said = judged(trial=dataclasses.replace(TRIAL, further_high_water_bytes=seen))
    assert status == bool(sentence)
    assert sentence in said


def test_instructions_may_vary_where_that_is_accepted_or_watched(judged: Judged) -> None:
    varying = dataclasses.replace(TRIAL, most_instructions=900)
    assert judged("--varying-instructions", trial=varying)[0] == 0
    assert judged(trial=dataclasses.replace(varying, watched=True))[0] == 0


def test_a_watch_may_miss_bytes_of_the_arena_and_a_pool_has_them_for_others(judged: Judged) -> None:
    assert judged(trial=dataclasses.replace(TRIAL, watched=True, arena_high_water_bytes=900))[0] == 0
    assert judged("--pooled", trial=dataclasses.replace(TRIAL, arena_high_water_bytes=900))[0] == 0


def test_a_bound_beyond_the_stack_fails(judged: Judged) -> None:
    status, said = judged(bound=4097)
    assert status == 1
    assert "may take 4097 B, but the board sets aside 4096 B" in said


@pytest.mark.parametrize(
    ("name", "array", "sentence"),
    [
        ("expected", EXPECTED[:2], "there are 3 vectors, but outputs of 2"),
        ("labels", LABELS[:2], "there are 3 vectors, but labels of 2"),
        ("labels", np.array([0, 1, 0, 1, 0, 1]), "there are 3 vectors, but labels of 6"),
        ("labels", np.eye(3), "there are 3 vectors, but labels of 9"),
    ],
)
def test_files_that_do_not_fit_are_refused(judged: Judged, name: str, array: Array, sentence: str) -> None:
    judged.replace(name, array)
    status, said = judged("--labels", "labels.npy")
    assert (status, said) == (1, f"stowage: m.elf: {sentence}\n")


def test_an_image_that_fails_fails_the_test(judged: Judged) -> None:
    assert judged(trial=TrialFailed("m.elf failed: it stopped at a fault")) == (
        1,
        "stowage: m.elf: m.elf failed: it stopped at a fault\n",
    )
