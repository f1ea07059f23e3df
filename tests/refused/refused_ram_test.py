# SPDX-License-Identifier: Apache-2.0
"""A limit of RAM that is none, or that no plan keeps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.refused.command_line import refusal, stowage

MODEL = Path("examples/digits/digits_int8.onnx")


@pytest.mark.parametrize("text", ["20kb", "-1", "much"])
def test_what_is_no_size(tmp_path: Path, text: str) -> None:
    told = refusal(MODEL, "host", tmp_path / "out", f"--ram={text}")
    assert told == f'--ram: "{text}" is no size; write one such as 1048576 or 1MiB.'


def test_a_limit_that_nothing_reaches_names_the_least_that_can_be_and_how(tmp_path: Path) -> None:
    told = refusal(MODEL, "host", tmp_path / "out", "--ram", "100")
    least = re.search(r"no plan within 100 B was found; the least is (\d+) B, with (.+) in stripes; allow it", told)
    assert least and "layers by" in least[2]
    done = stowage("compile", MODEL, "--board", "host", "--out", tmp_path / "out", "--quiet", "--ram", least[1])
    assert done.returncode == 0, done.stderr


def test_a_limit_that_only_the_npu_keeps(tmp_path: Path) -> None:
    """What lies between layers takes nothing of the arena there: no stripes on the processor come as low."""
    told = refusal(MODEL, "mps2_an521_npu", tmp_path / "out", "--ram", "10")
    least = re.search(r"the least is (\d+) B, with nothing in stripes; allow it", told)
    assert least
    done = stowage(
        "compile", MODEL, "--board", "mps2_an521_npu", "--out", tmp_path / "out", "--quiet", "--ram", least[1]
    )
    assert done.returncode == 0, done.stderr
    assert "stw_npu_1_1(" in (tmp_path / "out" / "digits_int8.c").read_text()


def test_all_limits_and_one_at_once() -> None:
    done = stowage("pareto", MODEL, "--board", "host", "--quiet", "--ram", "700")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("stowage: --ram: this command looks for all limits at once; ")


def test_rows_of_what_is_no_image(tmp_path: Path) -> None:
    told = refusal(Path("examples/stream/stream.onnx"), "host", tmp_path / "out", "--stream-input")
    assert re.search(r"(only a sole one is fed by rows|is no image of several rows .*); leave stream_input out", told)


@pytest.mark.parametrize("option", [("--arena", "fast=1KiB"), ("--prefetch",)])
def test_rows_beside_what_does_not_go_with_them(tmp_path: Path, option: tuple[str, ...]) -> None:
    told = refusal(MODEL, "mps2_an505", tmp_path / "out", "--stream-input", *option)
    assert "fed by rows" in told or "has its input whole" in told


def test_a_limit_that_nothing_reaches_with_the_input_by_rows(tmp_path: Path) -> None:
    told = refusal(MODEL, "host", tmp_path / "out", "--stream-input", "--ram", "100")
    assert re.search(r"no plan within 100 B was found; the least is \d+ B, with .+ in stripes", told)


def test_all_limits_and_the_input_by_rows() -> None:
    done = stowage("pareto", MODEL, "--board", "host", "--quiet", "--stream-input")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("stowage: --stream-input: this command has the input whole; ")
