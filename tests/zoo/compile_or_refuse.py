# SPDX-License-Identifier: Apache-2.0
"""Compiles a model for a board as the command line does; where it is refused, a stand-in takes its place.

The memory report, JSON, of a refused model has two entries: "refusal", the name of the kind of error, and "sentence".
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from stowage.errors import StowageError
from stowage.model_request import ModelRequest
from stowage.output import write_files
from stowage.pipeline import compile_model
from stowage.report.memory_report import memory_files
from stowage.size_option import size_of_option
from stowage.target.find_board import find_board


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--board", required=True, help="the board file")
    parser.add_argument("--name", required=True, help="C identifier of the model")
    parser.add_argument("--ram", type=size_of_option("--ram"), help="the most that the arena may take")
    parser.add_argument("--stand-in", action="append", default=[], type=Path, help="a header, then a source")
    parser.add_argument("--out", required=True, type=Path, help="folder for the C files and reports")
    options = parser.parse_args(arguments)
    try:
        request = ModelRequest(options.model, options.name, ram_bytes=options.ram)
        files = _compiled(request, options.board)
    except StowageError as refusal:
        files = _stand_in(refusal, options.name, options.stand_in)
    write_files(options.out, files)
    return 0


def _compiled(request: ModelRequest, board: str) -> Mapping[str, str]:
    compiled = compile_model(request, find_board(board))
    reports = {file: text for file, text in memory_files(compiled).items() if not file.endswith(".html")}
    return {**compiled.sources, **reports}


def _stand_in(refusal: StowageError, name: str, stand_in: Sequence[Path]) -> Mapping[str, str]:
    record = {"refusal": type(refusal).__name__, "sentence": str(refusal)}
    empty = "/* The model is refused: it has none. */\n"
    return {
        **{f"{name}{file.suffix}": file.read_text(encoding="utf-8") for file in stand_in},
        **{f"{name}{ending}": empty for ending in ("_arena.h", "_weights.h", "_weights.c")},
        f"{name}_memory.txt": f"{refusal}\n",
        f"{name}_memory.json": json.dumps(record, indent=2) + "\n",
    }


if __name__ == "__main__":
    sys.exit(main())
