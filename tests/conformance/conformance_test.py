# SPDX-License-Identifier: Apache-2.0
"""A case of ONNX's backend tests that compiles is right on the host and on the emulated board; any other is refused.

There is no list of what compiles: it is on a generated page, docs/conformance.md.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from stowage.ir.graph import Array
from tests.conformance.beyond_tolerance import BEYOND_TOLERANCE
from tests.conformance.exchange import Answer, Program, Request, answers
from tests.conformance.judgement import decoded, deviation, is_one_rounding_off, output_bytes
from tests.conformance.verdict import Verdict, group_of, read_verdicts

GROUP, GROUPS = int(os.environ["GROUP"]), int(os.environ["GROUPS"])
HOST, BOARD = "HOST", "BOARD"
_ALL = {place: read_verdicts(Path(os.environ[f"{place}_VERDICTS"])) for place in (HOST, BOARD)}
VERDICTS = {place: {each.name: each for each in group_of(found, GROUP, GROUPS)} for place, found in _ALL.items()}
COMPILED = [verdict.name for verdict in VERDICTS[HOST].values() if verdict.is_compiled]
OTHERS = [name for name in VERDICTS[HOST] if name not in COMPILED]

Found = Mapping[str, tuple[Answer, list[Array]]]


def found_by(place: str, folder: Path) -> Found:
    """What each compiled case of the group gives in a place, and what is expected of it."""
    compiled = [verdict for verdict in VERDICTS[place].values() if verdict.is_compiled]
    qemu = os.environ["QEMU"] if place == BOARD else ""
    program = Program(Path(os.environ[f"{place}_IMAGE"]), Path(os.environ[f"{place}_EXECUTION"]), qemu)
    with np.load(os.environ[f"{place}_DATA"]) as data:
        arrays = dict(data)
    requests = [
        Request(
            index, b"".join(each.tobytes() for each in _of(arrays, verdict, "input")), output_bytes(verdict.outputs)
        )
        for index, verdict in enumerate(compiled)
    ]
    given = answers(program, requests, folder)
    return {each.name: (given[index], _of(arrays, each, "expected")) for index, each in enumerate(compiled)}


def _of(arrays: Mapping[str, Array], verdict: Verdict, kind: str) -> list[Array]:
    prefix = f"{verdict.name}/{kind}/"
    count = sum(name.startswith(prefix) for name in arrays)
    return [arrays[f"{prefix}{place}"] for place in range(count)]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Found]:
    return {place: found_by(place, tmp_path_factory.mktemp(place)) for place in (HOST, BOARD)}


def outputs_of(name: str, place: str, found: Mapping[str, Found]) -> tuple[list[Array], list[Array], str]:
    """What a case gives, what is expected of it, and what is wrong with it."""
    verdict = VERDICTS[place][name]
    assert verdict.is_compiled, verdict
    answer, expected = found[place][name]
    assert not answer.fault, f"{place}: {answer.fault}"
    given = decoded(answer.outputs, verdict.outputs)
    return given, expected, deviation(verdict, given, expected)


@pytest.mark.parametrize("name", [name for name in COMPILED if name not in BEYOND_TOLERANCE])
def test_right_on_host_and_board(name: str, found: Mapping[str, Found]) -> None:
    for place in (HOST, BOARD):
        _, _, wrong = outputs_of(name, place, found)
        assert not wrong, f"{place}: {wrong}"


@pytest.mark.parametrize("name", [name for name in COMPILED if name in BEYOND_TOLERANCE])
def test_one_rounding_off_on_host_and_board(name: str, found: Mapping[str, Found]) -> None:
    for place in (HOST, BOARD):
        given, expected, wrong = outputs_of(name, place, found)
        assert wrong, f"{name} is right, and to be taken off the list"
        assert is_one_rounding_off(given, expected), f"{place}: {wrong}"


@pytest.mark.parametrize("name", OTHERS)
def test_refused_with_a_sentence(name: str) -> None:
    host, board = VERDICTS[HOST][name], VERDICTS[BOARD][name]
    assert not host.fault, host.fault
    assert (board.refusal, board.fault) == (host.refusal, "")
    reason, _, remedy = host.refusal.rpartition("; ")
    assert reason and remedy.endswith(".") and "\n" not in host.refusal
