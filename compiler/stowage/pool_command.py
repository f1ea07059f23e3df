# SPDX-License-Identifier: Apache-2.0
"""`stowage pool`: several models become C sources that share one arena.

What stands before the first `--model` is of the pool; what follows each is of that model, in the options of
`stowage compile`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from stowage.compile_command import add_dump_option, report_files
from stowage.dumps import Dumps
from stowage.errors import StowageError
from stowage.extents import varying
from stowage.memory.caller_buffer import CallerBuffer, caller_buffer, check_names
from stowage.model_options import add_board_options, add_compiling_options, dimensions_of, request_by, shown
from stowage.model_request import ModelRequest
from stowage.output import write_files
from stowage.pool_pipeline import compile_pool
from stowage.report.pool_report import POOL_FORMATS, PoolReport, pool_memory_files
from stowage.target.find_board import find_board

_MODEL = "--model"


def add_pool(parser: argparse.ArgumentParser) -> None:
    """Declares the command's options."""
    parser.add_argument("name", metavar="NAME", help="C identifier of the pool")
    add_board_options(parser)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, metavar="DIR", help="folder for the C files and reports")
    where.add_argument("--report", choices=POOL_FORMATS, help="the pool's memory report alone, to standard output")
    add_dump_option(parser)
    for option, what in (("--buffer", "whatever runs"), ("--scratch", "between runs alone")):
        parser.add_argument(
            option,
            action="append",
            default=[],
            type=partial(_pair, option),
            metavar="NAME=TYPE[N]",
            help=f"an array of the caller's, {what}",
        )
    parser.add_argument(
        _MODEL, nargs=argparse.REMAINDER, required=True, metavar="FILE", help="a model and its options; again for each"
    )
    parser.set_defaults(run=_pool)


def _pair(option: str, text: str) -> tuple[str, str]:
    name, separator, array = text.partition("=")
    if not separator:
        reason, remedy = (
            f'"{text}" does not give a buffer a type',
            "write NAME=TYPE[N], for instance audio=int16_t[16000]",
        )
        raise StowageError(where=option, reason=reason, remedy=remedy)
    return name, array


def _pool(options: argparse.Namespace) -> int:
    dumps = Dumps(options.dump)
    requests = [_request(arguments) for arguments in _models(options.model)]
    target = find_board(options.board, tuple(options.reserve))
    pool = compile_pool(options.name, requests, _buffers(options), target, shown(options, dumps.observe))
    report = PoolReport(pool.plan, tuple(model.program for model in pool.models), pool.shared, target)
    if options.report is not None:
        sys.stdout.write(POOL_FORMATS[options.report](report))
        return 0
    reports = {name: text for model in pool.models for name, text in report_files(model).items()}
    write_files(options.out, {**pool.sources, **reports, **pool_memory_files(report), **dumps.files()})
    return 0


def _buffers(options: argparse.Namespace) -> tuple[CallerBuffer, ...]:
    kept = (caller_buffer(*pair, is_kept=True) for pair in options.buffer)
    buffers = (*kept, *(caller_buffer(*pair, is_kept=False) for pair in options.scratch))
    check_names(buffers)
    return buffers


def _models(arguments: Sequence[str]) -> Iterator[list[str]]:
    """What follows each `--model`."""
    own: list[str] = []
    for argument in arguments:
        if argument == _MODEL:
            yield own
            own = []
        else:
            own.append(argument)
    yield own


def _request(arguments: list[str]) -> ModelRequest:
    parser = argparse.ArgumentParser(prog=f"stowage pool NAME … {_MODEL}", add_help=False)
    parser.add_argument("model", type=Path, metavar="FILE")
    add_compiling_options(parser)
    options = parser.parse_args(arguments)
    for name in varying(dimensions_of(options)):
        reason = f"dimension {name!r} has several extents, but a model of a pool has one size"
        raise StowageError(file=str(options.model), reason=reason, remedy="give it one, or leave the model out")
    return request_by(options)
