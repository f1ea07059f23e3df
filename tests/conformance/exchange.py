# SPDX-License-Identifier: Apache-2.0
"""Running an image of many models, as `image.c` has it, on the host or in the emulator."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.qemu.run import Outcome, TimeLimit, run_image

_HEAD = struct.Struct("<2I")
_STATUSES = ("", "the run returned an error", "the run wrote beside its arena")
_TIME_LIMIT_S = 300.0
# Each request twice, the second in an arena that held something else.
_TIMES = 2


@dataclass(frozen=True, slots=True)
class Program:
    """An image and what runs it.

    Attributes:
        image: the ELF.
        execution: the board's execution file.
        qemu: the emulator; the host needs none.
    """

    image: Path
    execution: Path
    qemu: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """The inputs' bytes for the model of this place in the image, and how many bytes its outputs have."""

    index: int
    inputs: bytes
    output_bytes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The outputs' bytes, or what is wrong."""

    outputs: bytes = b""
    fault: str = ""


def answers(program: Program, requests: Sequence[Request], folder: Path) -> dict[int, Answer]:
    """The answer to each request by its index. After one that ends the program, the program goes on with the next."""
    found: dict[int, Answer] = {}
    left = list(requests)
    while left:
        found |= _run(program, left, folder)
        left = [request for request in left if request.index not in found]
    return found


def _run(program: Program, requests: Sequence[Request], folder: Path) -> dict[int, Answer]:
    """Answers to all requests, or to the first ones as far as to that which ended the program."""
    stream = b"".join(struct.pack("<I", request.index) + request.inputs for request in requests for _ in range(_TIMES))
    (folder / "requests.bin").write_bytes(stream)
    (folder / "answers.bin").write_bytes(b"")
    try:
        outcome = run_image(
            program.image, program.execution, program.qemu, time_limit_s=_TIME_LIMIT_S, folder=folder.resolve()
        )
    except TimeLimit as limit:
        outcome = Outcome(0, limit.output, str(limit))
    found = dict(_decoded((folder / "answers.bin").read_bytes(), requests))
    missing = [request.index for request in requests if request.index not in found]
    if missing:
        told = " ".join((outcome.output + outcome.diagnosis).split())
        found[missing[0]] = Answer(fault=f"ended with status {outcome.status}: {told[:2000]}")
    return found


def _decoded(stream: bytes, requests: Sequence[Request]) -> Iterator[tuple[int, Answer]]:
    at = 0
    for request in requests:
        size = _HEAD.size + request.output_bytes
        parts = [stream[at + turn * size : at + (turn + 1) * size] for turn in range(_TIMES)]
        if len(parts[-1]) < size:
            return
        yield request.index, _answer(request, parts)
        at += _TIMES * size


def _answer(request: Request, parts: Sequence[bytes]) -> Answer:
    for part in parts:
        index, status = _HEAD.unpack_from(part)
        if index != request.index:
            return Answer(fault=f"answered request {index} in the place of {request.index}")
        if status:
            return Answer(fault=_STATUSES[status])
    if len(set(parts)) > 1:
        return Answer(fault="the outputs depend on what the arena held before")
    return Answer(parts[0][_HEAD.size :])
