# SPDX-License-Identifier: Apache-2.0
"""A command line whose values make no sense is refused, and what was there before stays as it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stowage.frontend.from_onnx.model_making import relu_model, saved
from tests.refused.command_line import refusal, snapshot, stowage


def test_out_folder_below_a_file(tmp_path: Path) -> None:
    model = saved(relu_model(), tmp_path)
    out = model / "out"
    assert refusal(model, "nrf52", out) == (
        f"{out}: cannot write there (Not a directory); name a folder that you may write to."
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_out_folder_that_may_not_be_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o500)
    assert refusal(saved(relu_model(), tmp_path), "nrf52", out) == (
        f"{out}: cannot write there (Permission denied); name a folder that you may write to."
    )


@pytest.mark.parametrize("text", ["batch", "batch=", "batch=0", "batch=-1", "batch=one", "=1"])
def test_dimension(text: str, tmp_path: Path) -> None:
    assert refusal(saved(relu_model(), tmp_path), "nrf52", tmp_path / "out", f"--dimension={text}") == (
        f'--dimension: "{text}" does not give a dimension positive whole numbers; write NAME=N, for instance batch=1, '
        "or several as in frames=10,20 or frames=16..64/16."
    )


@pytest.mark.parametrize("text", ["h", "h=", "=h"])
def test_state(text: str, tmp_path: Path) -> None:
    assert refusal(saved(relu_model(), tmp_path), "nrf52", tmp_path / "out", f"--state={text}") == (
        f'--state: "{text}" does not pair an input with an output; write INPUT=OUTPUT, for instance h_in=h_out.'
    )


def test_state_of_an_input_that_is_not_there(tmp_path: Path) -> None:
    model = saved(relu_model(), tmp_path)
    assert refusal(model, "nrf52", tmp_path / "out", "--state=h=y") == (
        f'{model}: a state: the model has no input "h"; its inputs are "x".'
    )


def test_an_input_of_two_states(tmp_path: Path) -> None:
    arguments = ("--state=x=y", "--state=x=z")
    assert refusal(saved(relu_model(), tmp_path), "nrf52", tmp_path / "out", *arguments) == (
        '--state: input "x" is in two pairs; give each state an input of its own.'
    )


@pytest.mark.parametrize("text", ["rate", "=16000"])
def test_constant(text: str, tmp_path: Path) -> None:
    assert refusal(saved(relu_model(), tmp_path), "nrf52", tmp_path / "out", f"--constant={text}") == (
        f'--constant: "{text}" does not give an input its elements; write INPUT=N,..., for instance rate=16000.'
    )


def test_an_input_of_two_values(tmp_path: Path) -> None:
    arguments = ("--constant=x=1", "--constant=x=2")
    assert refusal(saved(relu_model(), tmp_path), "nrf52", tmp_path / "out", *arguments) == (
        '--constant: input "x" is given two values; give it one.'
    )


def test_stage(tmp_path: Path) -> None:
    sentence = refusal(saved(relu_model(), tmp_path), "nrf52", tmp_path / "out", "--dump", "grahp")
    assert sentence.startswith('--dump: there is no stage "grahp"; name one of import, ')
    stages = sentence.removesuffix(".").partition("name one of ")[2].split(", ")
    assert {"import", "prune", "schedule", "plan", "program"} <= set(stages)
    assert len(stages) == len(set(stages))


def test_name(tmp_path: Path) -> None:
    model = saved(relu_model(), tmp_path)
    assert refusal(model, "nrf52", tmp_path / "out", "--name", "two words") == (
        f"{model}: the model's name 'two words' is no C identifier; "
        "give a name of letters, digits and underscores that begins with a letter."
    )


def test_an_argument_that_is_missing_shows_the_usage() -> None:
    done = stowage("compile", "model.onnx")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: stowage compile ")
    assert "the following arguments are required: --board, --out" in done.stderr


def test_earlier_output_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = stowage("compile", saved(relu_model(), tmp_path), "--board", "nrf52", "--out", out)
    assert done.returncode == 0
    assert "\nstowage: plan " in done.stderr
    assert {"model.c", "model.h", "model_memory.json"} <= set(snapshot(out) or {})
    refusal(saved(b"", tmp_path), "nrf52", out)
