# SPDX-License-Identifier: Apache-2.0
"""The command line: `stowage compile MODEL --board BOARD --out DIR`.

Exit status 0 when the output is complete, 1 when the model, the board or an argument's value is refused (one sentence
on standard error and no output file), 2 with a word on the usage when an argument is missing or unknown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from stowage.dump import dump, size_of
from stowage.errors import StowageError
from stowage.output import write_files
from stowage.pipeline import Compiled, Level, compile_model
from stowage.progress import Progress
from stowage.quantise_options import add_quantise_options, quantisation_of
from stowage.report.memory_report import memory_json, memory_text
from stowage.report.quantisation_report import quantisation_json, quantisation_text
from stowage.target.find_board import find_board


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    try:
        options = _parser().parse_args(arguments)
        return int(options.run(options))
    except StowageError as refusal:
        print(f"stowage: {refusal}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="stowage", description="Neural networks to C with every byte planned.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_compile(commands.add_parser("compile", help="turn a model into C sources for a board"))
    return parser


def _add_compile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, metavar="MODEL", help="a .onnx or .tflite file")
    parser.add_argument("--board", required=True, help="a board's name (nrf52) or the path of a board.textproto")
    parser.add_argument(
        "--reserve", action="append", default=[], metavar="NAME", help="a reservation of the board to honour"
    )
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for the C files and reports")
    parser.add_argument("--name", default="", help="C identifier of the model (default: from the file's name)")
    parser.add_argument("--dimension", action="append", default=[], type=_dimension, metavar="NAME=N")
    parser.add_argument(
        "--state",
        action="append",
        default=[],
        type=_state,
        metavar="INPUT=OUTPUT",
        help="the input holds in each run what the output held after the last; may be given more than once",
    )
    parser.add_argument(
        "--dump", action="append", default=[], metavar="STAGE", help="also write DIR/<model>.STAGE.mlir"
    )
    add_quantise_options(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress, only errors")
    parser.set_defaults(run=_compile)


def _dimension(text: str) -> tuple[str, int]:
    name, separator, value = text.rpartition("=")
    if not separator or not name or not (value.isascii() and value.isdecimal()) or int(value) == 0:
        reason = f'"{text}" does not give a dimension a positive whole number'
        raise StowageError(where="--dimension", reason=reason, remedy="write NAME=N, for instance batch=1")
    return name, int(value)


def _state(text: str) -> tuple[str, str]:
    held, separator, kept = text.partition("=")
    if not separator or not held or not kept:
        reason = f'"{text}" does not pair an input with an output'
        raise StowageError(where="--state", reason=reason, remedy="write INPUT=OUTPUT, for instance h_in=h_out")
    return held, kept


def _states(pairs: list[tuple[str, str]]) -> dict[str, str]:
    states: dict[str, str] = {}
    for held, kept in pairs:
        if states.setdefault(held, kept) != kept:
            reason = f'input "{held}" is in two pairs'
            raise StowageError(where="--state", reason=reason, remedy="give each state an input of its own")
    return states


def _compile(options: argparse.Namespace) -> int:
    dumps: dict[str, str] = {}
    stages: list[str] = []
    progress = Progress()

    def observe(stage: str, level: Level) -> None:
        stages.append(stage)
        if stage in options.dump:
            dumps[stage] = dump(level)
        if not options.quiet:
            progress.done(stage, size_of(level))

    quantisation = quantisation_of(options)
    target = find_board(options.board, tuple(options.reserve))
    states = _states(options.state)
    compiled = compile_model(
        options.model, target, options.name, dict(options.dimension), quantisation, observe, states
    )
    _check_dumps(options.dump, stages)
    write_files(options.out, _files(compiled, dumps))
    return 0


def _check_dumps(wanted: list[str], stages: list[str]) -> None:
    for stage in wanted:
        if stage not in stages:
            reason = f'there is no stage "{stage}"'
            raise StowageError(where="--dump", reason=reason, remedy=f"name one of {', '.join(dict.fromkeys(stages))}")


def _files(compiled: Compiled, dumps: dict[str, str]) -> dict[str, str]:
    name = compiled.program.name
    files = dict(compiled.sources)
    files[f"{name}_memory.txt"] = memory_text(compiled.plan, compiled.program)
    files[f"{name}_memory.json"] = memory_json(compiled.plan, compiled.program)
    if compiled.quantisation is not None:
        files[f"{name}_quantisation.txt"] = quantisation_text(name, compiled.quantisation)
        files[f"{name}_quantisation.json"] = quantisation_json(name, compiled.quantisation)
    files |= {f"{name}.{stage}.mlir": text for stage, text in dumps.items()}
    return files


if __name__ == "__main__":
    # `bazel run` starts programs in a folder of its own and says where the person was.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    sys.exit(main())
