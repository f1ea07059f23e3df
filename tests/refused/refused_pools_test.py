# SPDX-License-Identifier: Apache-2.0
"""Pools that make no sense, or that their board has no room for, are refused, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.frontend.from_onnx.model_making import relu_model, saved
from tests.refused.command_line import TRACEBACK, snapshot, stowage


def refusal(folder: Path, *arguments: str | Path, name: str = "speech") -> str:
    """The sentence with which `stowage pool` refuses, after checking that there is nothing but it."""
    out = folder / "out"
    done = stowage("pool", name, "--board", "nrf52", "--out", out, "--quiet", *arguments)
    assert TRACEBACK not in done.stderr, done.stderr
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith("stowage: ") and done.stderr.endswith(".\n") and done.stderr.count("\n") == 1
    assert snapshot(out) is None
    return done.stderr.removeprefix("stowage: ").removesuffix("\n")


def two(folder: Path, first: str = "wake", second: str = "kws") -> list[str | Path]:
    model = saved(relu_model(), folder)
    return ["--model", model, "--name", first, "--model", model, "--name", second]


def test_two_models_make_files_together(tmp_path: Path) -> None:
    """The command without which no refusal here would mean anything."""
    out = tmp_path / "out"
    done = stowage("pool", "speech", "--board", "nrf52", "--out", out, "--buffer=audio=int16_t[8]", *two(tmp_path))
    assert done.returncode == 0, done.stderr
    files = set(snapshot(out) or {})
    assert {"speech.h", "speech.c", "wake.c", "kws.h", "speech_memory.txt", "kws_memory.json"} <= files


@pytest.mark.parametrize(
    ("first", "second", "stem"), [("kws", "kws", "kws"), ("kws", "KWS", "KWS"), ("kws", "kws_arena", "kws_arena")]
)
def test_models_whose_files_have_one_name(first: str, second: str, stem: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, *two(tmp_path, first, second)) == (
        f'pool "speech": model "{second}" and model "{first}" both make a file "{stem}"; '
        "give one of them another C name."
    )


def test_a_model_called_as_the_pool(tmp_path: Path) -> None:
    assert refusal(tmp_path, *two(tmp_path, "wake", "speech")) == (
        'pool "speech": model "speech" and the pool both make a file "speech"; give one of them another C name.'
    )


def test_a_model_called_as_the_pool_s_constants(tmp_path: Path) -> None:
    assert refusal(tmp_path, *two(tmp_path, "wake", "speech_weights")) == (
        'pool "speech": model "speech_weights" and the pool both make a file "speech_weights"; '
        "give one of them another C name."
    )


@pytest.mark.parametrize("name", ["two words", "2nd", "int", ""])
def test_a_name_that_is_none(name: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, *two(tmp_path), name=name) == (
        f'pool "{name}": its name is no C identifier; '
        "give a name of letters, digits and underscores that begins with a letter."
    )


@pytest.mark.parametrize("option", ["--buffer", "--scratch"])
def test_a_buffer_without_a_type(option: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, f"{option}=audio", *two(tmp_path)) == (
        f'{option}: "audio" does not give a buffer a type; write NAME=TYPE[N], for instance audio=int16_t[16000].'
    )


@pytest.mark.parametrize("option", ["--buffer", "--scratch"])
def test_a_buffer_of_bytes_alone(option: str, tmp_path: Path) -> None:
    sentence = refusal(tmp_path, f"{option}=audio=32000", *two(tmp_path))
    assert sentence.startswith('buffer "audio": "32000" is no array type of C with a positive number of elements; ')


def test_two_buffers_of_one_name(tmp_path: Path) -> None:
    assert refusal(tmp_path, "--buffer=fft=float[4]", "--scratch=fft=float[8]", *two(tmp_path)) == (
        'buffer "fft": there are two of this name; give each a name of its own.'
    )


def test_a_model_that_is_refused_by_itself(tmp_path: Path) -> None:
    model = tmp_path / "broken.onnx"
    model.write_bytes(b"no model")
    assert refusal(tmp_path, *two(tmp_path), "--model", model).startswith(f"{model}: ")


def test_an_option_of_one_model_is_its_own(tmp_path: Path) -> None:
    assert refusal(tmp_path, *two(tmp_path), "--state=h=y").endswith(
        'a state: the model has no input "h"; its inputs are "x".'
    )


def test_a_model_that_would_bring_its_weights(tmp_path: Path) -> None:
    assert refusal(tmp_path, *two(tmp_path), "--prefetch").endswith(
        "--prefetch: a model in a pool does not bring weights into the arena; "
        "leave it out (prefetch), or compile the model by itself."
    )


def test_buffers_that_leave_the_models_no_room(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, "--buffer=audio=int16_t[130000]", *two(tmp_path))
    assert sentence.startswith('pool "speech": the caller\'s inputs of model "wake": the arena needs 260,0')
    assert "but region sram of board nrf52 has 258,048 B for it" in sentence
    assert "260,000 B stay from run to run" in sentence


def test_models_are_needed() -> None:
    done = stowage("pool", "speech", "--board", "nrf52", "--out", "unused")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the following arguments are required: --model" in done.stderr
