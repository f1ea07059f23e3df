# SPDX-License-Identifier: Apache-2.0
"""Compiles every case for a board: `generate BOARD.textproto --groups N --out FOLDER`.

Writes `verdicts.jsonl` and for each group g of cases `g.c`, the image's models, and `g.npz`, arrays named
`<case>/input/<place>` and `<case>/expected/<place>`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stowage.target.find_board import find_board
from tests.conformance.case import Case, load_cases
from tests.conformance.compiling import Attempt, compile_case, operators_by_case
from tests.conformance.image_source import image_source
from tests.conformance.verdict import group_of, write_verdicts


def main() -> None:
    """Does what the command line says."""
    parser = argparse.ArgumentParser(description="Compile ONNX's backend tests for a board.")
    parser.add_argument("board", help="its name, or a board.textproto")
    parser.add_argument("--groups", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    cases = {case.name: case for case in load_cases()}
    attempts = _attempts(cases, options.board)
    options.out.mkdir(parents=True, exist_ok=True)
    verdicts = [attempt.verdict for attempt in attempts.values()]
    write_verdicts(verdicts, options.out / "verdicts.jsonl")
    for group in range(options.groups):
        names = [verdict.name for verdict in group_of(verdicts, group, options.groups) if verdict.is_compiled]
        _write_group([(cases[name], attempts[name]) for name in names], options.out / str(group))


def _attempts(cases: Mapping[str, Case], board: str) -> dict[str, Attempt]:
    target = find_board(board)
    operators = operators_by_case(cases)
    with tempfile.TemporaryDirectory() as folder:
        return {name: compile_case(case, operators[name], target, Path(folder)) for name, case in cases.items()}


def _write_group(group: Sequence[tuple[Case, Attempt]], stem: Path) -> None:
    models = [attempt.compiled for _, attempt in group if attempt.compiled]
    stem.with_suffix(".c").write_text(image_source(models), encoding="utf-8")
    arrays = dict(named for case, attempt in group for named in _arrays(case, attempt))
    np.savez(stem.with_suffix(".npz"), allow_pickle=False, **arrays)


def _arrays(case: Case, attempt: Attempt) -> Iterator[tuple[str, Any]]:
    for kind, arrays in (("input", attempt.inputs), ("expected", case.expected)):
        for place, array in enumerate(arrays):
            yield f"{case.name}/{kind}/{place}", array


if __name__ == "__main__":
    main()
