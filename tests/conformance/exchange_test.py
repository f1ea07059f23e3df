# SPDX-License-Identifier: Apache-2.0
"""Asking an image of many models, with scripts in the image's place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.conformance.exchange import Answer, Program, Request, answers

# Every model has an input and an output of four bytes.
ECHO = """\
import os, struct, sys
asked = open("requests.bin", "rb").read()
with open("answers.bin", "wb") as file:
    for turn, at in enumerate(range(0, len(asked), 8)):
        index, data = struct.unpack("<I4s", asked[at : at + 8])
        status = 0
        {misdeed}
        file.write(struct.pack("<II4s", index, status, data))
"""
REQUESTS = [Request(index, bytes([index] * 4), 4) for index in range(3)]
ECHOES = {request.index: Answer(request.inputs) for request in REQUESTS}


def asked(folder: Path, misdeed: str) -> dict[int, Answer]:
    """The answers of a script that does something wrong at every request."""
    image, execution = folder / "image", folder / "exec.json"
    image.write_text(f"#!{sys.executable}\n{ECHO.format(misdeed=misdeed)}")
    image.chmod(0o755)
    execution.write_text(json.dumps({"board": "host", "exec": "host"}))
    return answers(Program(image, execution), REQUESTS, folder)


def test_every_request_has_its_answer(tmp_path: Path) -> None:
    assert asked(tmp_path, "pass") == ECHOES


def test_after_a_crash_the_others_are_answered(tmp_path: Path) -> None:
    crash = "if index == 1: file.flush(); print('stray write'); sys.stdout.flush(); os._exit(77)"
    assert asked(tmp_path, crash) == ECHOES | {1: Answer(fault="ended with status 77: stray write")}


def test_the_outputs_of_a_run_that_failed_are_nothing(tmp_path: Path) -> None:
    assert asked(tmp_path, "status = index") == {
        0: ECHOES[0],
        1: Answer(fault="the run returned an error"),
        2: Answer(fault="the run wrote beside its arena"),
    }


def test_outputs_that_depend_on_the_arena_are_caught(tmp_path: Path) -> None:
    found = asked(tmp_path, "data = bytes([turn % 2] * 4)")
    assert found == dict.fromkeys(range(3), Answer(fault="the outputs depend on what the arena held before"))


def test_an_answer_to_another_request_is_caught(tmp_path: Path) -> None:
    assert asked(tmp_path, "index = 5")[2] == Answer(fault="answered request 5 in the place of 2")
