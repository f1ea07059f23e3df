# SPDX-License-Identifier: Apache-2.0
"""Runs a model of the zoo on its first vector where every wrong access is seen, and writes what came of it as JSON.

The images are the plain one, a poison build and a guarded one. The record has "model", "form", "board" and one of: the
"refusal" of the compiler with its "sentence"; a "failure", which is what an image died of, or how it differs from the
plain one; or the "arena_bytes" with the "used_bytes", how many of them each image used but for the poison build, which
takes a byte that equals its poison for unused.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stowage.target.board_reader import load_board
from tools.trial.trial import TrialFailed, run_trial
from tools.trial.vectors import load, pack

Record = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    options = _options(arguments)
    record: Record = {"model": options.model.parent.name, "form": options.model.name}
    record["board"] = load_board(str(options.board)).name
    memory = json.loads(options.memory.read_text())
    if "refusal" in memory:
        record |= memory
    else:
        try:
            record |= {"arena_bytes": memory["arena_bytes"], "used_bytes": list(_used_bytes(options, memory))}
        except TrialFailed as failure:
            record["failure"] = str(failure)
    options.out.write_text(json.dumps(record, indent=2) + "\n")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, type=Path, help="the model's file")
    parser.add_argument("--board", required=True, type=Path, help="the board file")
    parser.add_argument("--memory", required=True, type=Path, help="memory report of the model, JSON")
    parser.add_argument("--execution", required=True, type=Path)
    parser.add_argument("--qemu", required=True)
    parser.add_argument("--elf", action="append", required=True, type=Path, help="an image, the plain one first")
    parser.add_argument("--input", action="append", default=[], type=Path, help="vectors of an input")
    parser.add_argument("--out", required=True, type=Path, help="where the record goes")
    return parser.parse_args(arguments)


def _used_bytes(options: argparse.Namespace, memory: Mapping[str, Any]) -> Iterator[int]:
    """What each image but the poison build used of its arena.

    Raises:
        TrialFailed: one came to no end, touched what is not the model's, or gives other outputs than the first.
    """
    vector = pack([array[:1] for array in load(options.input[: len(memory["inputs"])])])
    outputs = b""
    for elf in options.elf:
        trial = run_trial(options.qemu, options.execution, elf, vector)
        outputs = outputs or trial.outputs
        if trial.outputs != outputs:
            raise TrialFailed(f"{elf.name} gives other outputs than {options.elf[0].name}")
        if not trial.watched:
            yield trial.arena_high_water_bytes


if __name__ == "__main__":
    sys.exit(main())
