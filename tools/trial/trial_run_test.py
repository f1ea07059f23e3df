# SPDX-License-Identifier: Apache-2.0
"""Reading what a trial image tells, with a script in the image's place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.trial.trial import TrialFailed, run_trial
from tools.trial.vectors import TensorBytes

TOLD = """\
stowage: inputs 1
stowage: input_0_element 3
stowage: input_0_bytes 4
stowage: outputs 1
stowage: output_0_element 1
stowage: output_0_bytes 8
stowage: vectors 2
stowage: least_instructions 100
stowage: most_instructions 120
stowage: stack_high_water_bytes 48
stowage: arena_high_water_bytes 960
"""


def _image(folder: Path, script: str) -> tuple[Path, Path]:
    image, execution = folder / "model.trial.elf", folder / "exec.json"
    image.write_text(f"#!/bin/sh\n{script}\n")
    image.chmod(0o755)
    execution.write_text(json.dumps({"board": "host", "exec": "host"}))
    return image, execution


def _telling(told: str, status: int = 0) -> str:
    return f"cat <<'END'\n{told}END\ncp inputs.bin outputs.bin\nexit {status}"


def test_everything_told_is_read(tmp_path: Path) -> None:
    image, execution = _image(tmp_path, _telling(TOLD))
    trial = run_trial("", execution, image, b"\1\2\3\4")
    assert trial.outputs == b"\1\2\3\4"
    assert trial.input_types == (TensorBytes("int8", 4),)
    assert trial.output_types == (TensorBytes("float32", 8),)
    assert (trial.vectors, trial.least_instructions, trial.most_instructions) == (2, 100, 120)
    assert (trial.stack_high_water_bytes, trial.arena_high_water_bytes, trial.watched) == (48, 960, False)


def test_the_arenas_beside_the_main_one_are_read_in_order(tmp_path: Path) -> None:
    more = "stowage: further_0_high_water_bytes 7\nstowage: further_1_high_water_bytes 0\n"
    image, execution = _image(tmp_path, _telling(TOLD + more))
    assert run_trial("", execution, image, b"").further_high_water_bytes == (7, 0)
    image, execution = _image(tmp_path, _telling(TOLD))
    assert run_trial("", execution, image, b"").further_high_water_bytes == ()


def test_a_poison_build_is_known_by_its_watch(tmp_path: Path) -> None:
    image, execution = _image(tmp_path, _telling(TOLD + "stowage: poison_violations 0\n"))
    assert run_trial("", execution, image, b"").watched


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (1, "could not open inputs.bin"),
        (2, "inputs.bin ends within a vector"),
        (3, "the model's run returned an error"),
        (4, "touched bytes of the arena that were not its own"),
        (5, "guard takes more regions"),
        (125, "stopped at a fault"),
        (77, "ended with status 77"),
    ],
)
def test_a_failure_has_its_reason_and_what_was_written(tmp_path: Path, status: int, reason: str) -> None:
    image, execution = _image(tmp_path, _telling(TOLD, status))
    with pytest.raises(TrialFailed, match=reason) as failure:
        run_trial("", execution, image, b"")
    assert "stowage: vectors 2" in str(failure.value)


@pytest.mark.parametrize("missing", [line.split()[1] for line in TOLD.splitlines()])
def test_an_image_that_does_not_tell_all_is_refused(tmp_path: Path, missing: str) -> None:
    image, execution = _image(tmp_path, _telling(TOLD.replace(missing + " ", "other ")))
    with pytest.raises(TrialFailed, match=f"ended without telling '{missing}'"):
        run_trial("", execution, image, b"")


def test_an_image_that_cannot_be_run_is_refused(tmp_path: Path) -> None:
    image, execution = _image(tmp_path, "true")
    image.chmod(0o644)
    with pytest.raises(TrialFailed, match="can't be run"):
        run_trial("", execution, image, b"")
