# SPDX-License-Identifier: Apache-2.0
"""Broken files through the command line: 10 s and 1 GiB for each, and one folder to write to.

One process serves many files; what it last began is to blame when it dies.
"""

from __future__ import annotations

import io
import os
import resource
import shutil
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

# The importers before there are children, each of which would load them anew.
from stowage import cli
from stowage.frontend import onnx_model, tflite_model  # noqa: F401
from tests.time_limit import time_limit

SECONDS = 10
MEMORY_BYTES = 1 << 30
BOARD = "mps2_an386"


@dataclass(frozen=True, slots=True)
class Input:
    """A broken file: `name` says how to make it again and how its format's files are called."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Fault:
    """What should not have happened to a file."""

    name: str
    symptom: str


def faults(inputs: Sequence[Input]) -> list[Fault]:
    """Every file that was neither compiled nor refused as it should be."""
    found: list[Fault] = []
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        while done < len(inputs):
            some, finished = _in_a_child(inputs[done:], Path(folder))
            found += some
            done += finished
    return found


def _in_a_child(inputs: Sequence[Input], folder: Path) -> tuple[list[Fault], int]:
    """The faults of as many files as a child process finished, and how many these are."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _serve(inputs, folder, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        verdicts = [line.removesuffix("\n") for line in lines]
    _, status = os.waitpid(child, 0)
    found = [Fault(given.name, text) for given, text in zip(inputs, verdicts, strict=False) if text]
    if status == 0 and len(verdicts) == len(inputs):
        return found, len(inputs)
    ended = f"the process ended with status {os.waitstatus_to_exitcode(status)}"
    return [*found, Fault(inputs[len(verdicts)].name, ended)], len(verdicts) + 1


def _serve(inputs: Sequence[Input], folder: Path, verdicts: int) -> None:
    """The child: a line for each file, empty where all is well. Never returns."""
    grown_bytes = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (grown_bytes + MEMORY_BYTES, resource.RLIM_INFINITY))
    sys.dont_write_bytecode = True  # what is loaded late is Python's to cache, and no file of the compiler's
    sys.addaudithook(lambda event, arguments: _watch(folder, event, arguments))
    for given in inputs:
        os.write(verdicts, (_symptom(given, folder).replace("\n", " | ") + "\n").encode())
    os._exit(0)


def _symptom(given: Input, folder: Path) -> str:
    """What is wrong with how the command line takes a file; empty if nothing is."""
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    path, out = folder / f"model{Path(given.name).suffix}", folder / "out"
    path.write_bytes(given.data)
    answer, errors = io.StringIO(), io.StringIO()
    try:
        with time_limit(SECONDS), redirect_stdout(answer), redirect_stderr(errors):
            code = cli.main(["compile", str(path), "--board", BOARD, "--out", str(out), "--quiet"])
    except BaseException:
        return traceback.format_exc(limit=-6)
    return _complaint(code, answer.getvalue(), errors.getvalue(), out)


def _complaint(code: int, answer: str, errors: str, out: Path) -> str:
    if code == 0:
        return "" if not errors and out.is_dir() else f"compiled, yet {errors!r}"
    if out.exists():
        return "refused, yet there is an output folder"
    is_sentence = errors.startswith("stowage: ") and errors.endswith(".\n") and errors.count("\n") == 1
    return "" if code == 1 and is_sentence and not answer else f"exit status {code}, {answer!r}, {errors!r}"


def _watch(folder: Path, event: str, arguments: tuple[object, ...]) -> None:
    """Stops the process that opens a file elsewhere for writing; an exception could be caught."""
    if event != "open" or not isinstance(arguments[0], str | bytes):
        return
    flags = arguments[2]
    writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if writes and not os.path.realpath(os.fsdecode(arguments[0])).startswith(f"{os.path.realpath(folder)}/"):
        os._exit(99)
