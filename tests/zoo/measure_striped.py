# SPDX-License-Identifier: Apache-2.0
"""Runs the trial images of a model as it is and in stripes on one vector, and writes what each took as JSON.

The record has "model", "form" (the model's file), "board", the bytes of the model's inputs, the lower bound of the plan
without stripes, and in "plain" and "striped" the arena, steps, flash and executed instructions of each. Where a model
is refused, or outputs are not the same bytes, nothing is written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stowage.target.board import Board
from stowage.target.board_reader import load_board
from tools.size.image import read_image
from tools.size.usage import usage
from tools.trial.trial import Trial, TrialFailed, run_trial
from tools.trial.vectors import load, pack

KINDS = ("plain", "striped")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    options = _options(arguments)
    board = load_board(str(options.board))
    elves = {kind: getattr(options, f"{kind}_elf") for kind in KINDS}
    memories = {kind: json.loads(getattr(options, f"{kind}_memory").read_text()) for kind in KINDS}
    refused = [f"stowage: {memory['sentence']}" for memory in memories.values() if "refusal" in memory]
    if refused:
        print("\n".join(refused), file=sys.stderr)
        return 1
    vector = pack([array[:1] for array in load(options.input)])
    try:
        trials = {kind: run_trial(options.qemu, options.execution, elves[kind], vector) for kind in KINDS}
        check_same(trials["plain"], trials["striped"])
    except TrialFailed as failure:
        print(f"stowage: {options.model}: {failure}", file=sys.stderr)
        return 1
    record = {
        "model": options.model.parent.name,
        "form": options.model.name,
        "board": board.name,
        "inputs_bytes": sum(port["size_bytes"] for port in memories["plain"]["inputs"]),
        "lower_bound_bytes": memories["plain"]["lower_bound_bytes"],
        **{kind: _figures(board, elves[kind], memories[kind], trials[kind]) for kind in KINDS},
    }
    options.out.write_text(json.dumps(record, indent=2) + "\n")
    return 0


def check_same(plain: Trial, striped: Trial) -> None:
    """Holds a model in stripes to its promise.

    Raises:
        TrialFailed: it gives other outputs than as it is.
    """
    if plain.outputs != striped.outputs:
        raise TrialFailed("in stripes it gives other outputs than as it is")


def _figures(board: Board, elf: Path, memory: Mapping[str, Any], trial: Trial) -> Mapping[str, int]:
    return {
        "arena_bytes": memory["arena_bytes"],
        "arena_used_bytes": trial.arena_high_water_bytes,
        "steps": memory["steps"],
        "instructions": trial.most_instructions,
        "flash_bytes": usage(read_image(elf), board).flash_bytes,
    }


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, type=Path, help="the model's file")
    parser.add_argument("--board", required=True, type=Path, help="the board file")
    parser.add_argument("--execution", required=True, type=Path)
    parser.add_argument("--qemu", required=True)
    for kind in KINDS:
        parser.add_argument(f"--{kind}-elf", required=True, type=Path, help="trial image")
        parser.add_argument(f"--{kind}-memory", required=True, type=Path, help="memory report, JSON")
    parser.add_argument("--input", action="append", default=[], type=Path, help="vectors of an input")
    parser.add_argument("--out", required=True, type=Path, help="where the record goes")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
