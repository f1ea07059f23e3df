# SPDX-License-Identifier: Apache-2.0
"""`stowage report`: what memory a model takes on a board, and why, without the C."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from stowage.model_options import add_model_options, compiled_by
from stowage.output import write_files
from stowage.pipeline import Compiled
from stowage.report.memory_record import memory_record
from stowage.report.memory_report import FORMATS, memory_files
from stowage.report.sized_report import SIZED_FORMATS, sized_memory_files
from stowage.sized_pipeline import CompiledSizes


def add_report(parser: argparse.ArgumentParser) -> None:
    """Declares the command's options."""
    add_model_options(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--format", choices=FORMATS, default="text", help="what goes to standard output (default: text)")
    where.add_argument(
        "--out",
        type=Path,
        metavar="PLACE",
        help="a file that ends in .txt, .json or .html, or a folder for all three",
    )
    parser.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> int:
    compiled = compiled_by(options)
    if options.out is None:
        sys.stdout.write(_text(compiled, options.format))
        return 0
    files = memory_files(compiled) if isinstance(compiled, Compiled) else sized_memory_files(compiled)
    wanted = {Path(name).suffix: text for name, text in files.items()}
    if options.out.suffix in wanted and not options.out.is_dir():
        write_files(options.out.parent, {options.out.name: wanted[options.out.suffix]})
    else:
        write_files(options.out, files)
    return 0


def _text(compiled: Compiled | CompiledSizes, form: str) -> str:
    if isinstance(compiled, Compiled):
        return FORMATS[form](memory_record(compiled))
    return SIZED_FORMATS[form](compiled)
