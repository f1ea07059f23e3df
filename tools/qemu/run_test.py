# SPDX-License-Identifier: Apache-2.0
"""Tests of running images: programs of the host stand in for images, so that no emulator is needed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tools.qemu.command import ImageNotRun, image_command
from tools.qemu.run import STATUS_NOT_RUN, STATUS_TIME_LIMIT, TimeLimit, main, run_image

ENDS = "print('hello'); import sys; print('hm', file=sys.stderr); sys.exit(7)"
HANGS = "import time; print('still here', flush=True); time.sleep(60)"


def _host(folder: Path) -> Path:
    execution = folder / "exec.json"
    execution.write_text(json.dumps({"board": "host", "exec": "host"}))
    return execution


def _program(folder: Path, text: str) -> Path:
    program = folder / "image"
    program.write_text(f"#!{sys.executable}\n{text}\n")
    program.chmod(0o755)
    return program


def test_status_and_output_are_the_images(tmp_path: Path) -> None:
    outcome = run_image(_program(tmp_path, ENDS), _host(tmp_path), time_limit_s=30)
    assert (outcome.status, outcome.output, outcome.diagnosis) == (7, "hello\n", "hm\n")


def test_an_image_runs_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    program = _program(tmp_path, "open('written', 'w').close()")
    assert run_image(program, _host(tmp_path), time_limit_s=30, folder=folder).status == 0
    assert (folder / "written").exists()


def test_an_image_that_hangs_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(TimeLimit) as limit:
        run_image(_program(tmp_path, HANGS), _host(tmp_path), time_limit_s=1)
    sentence = 'host image image had not ended after 1 s; the last line that it wrote is "still here"'
    assert (str(limit.value), limit.value.output) == (sentence, "still here\n")


def test_an_image_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ImageNotRun, match=r"^host image none can't be run: .*/none: No such file or directory$"):
        run_image(tmp_path / "none", _host(tmp_path), time_limit_s=1)


def test_a_board_without_emulator(tmp_path: Path) -> None:
    execution = tmp_path / "exec.json"
    execution.write_text(json.dumps({"board": "b", "exec": "device"}))
    with pytest.raises(ImageNotRun) as failure:
        run_image(tmp_path / "image", execution, time_limit_s=1)
    assert str(failure.value) == "board b has no emulator: its images run on the device alone"


def test_the_command_of_an_emulated_board(tmp_path: Path) -> None:
    board = {"board": "b", "exec": "qemu", "arguments": ["-machine", "m"], "boot": None}
    with image_command(board, tmp_path / "image.elf", "/bin/qemu", ["-serial", "stdio"]) as command:
        assert command[1:3] == ["-machine", "m"]
        assert command[-4:] == ["-serial", "stdio", "-kernel", str(tmp_path / "image.elf")]


def test_the_program_tells_what_happened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    execution = str(_host(tmp_path))
    assert main([str(_program(tmp_path, ENDS)), "--execution", execution]) == 7
    assert capsys.readouterr() == ("hello\n", "hm\n")
    assert main([str(_program(tmp_path, HANGS)), "--execution", execution, "--time-limit", "1"]) == STATUS_TIME_LIMIT
    assert capsys.readouterr().err.startswith("stowage: host image image had not ended after 1 s; ")
    assert main([str(tmp_path / "none"), "--execution", execution]) == STATUS_NOT_RUN
    assert capsys.readouterr().err.startswith("stowage: host image none can't be run: ")
