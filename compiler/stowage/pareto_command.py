# SPDX-License-Identifier: Apache-2.0
"""`stowage pareto`: what arenas a model can have on a board's CPU, and what each costs in instructions."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from stowage.errors import StowageError
from stowage.model_options import add_model_options, request_by, shown
from stowage.output import write_files
from stowage.pipeline import schedule_model
from stowage.report.pareto_record import pareto_record
from stowage.report.pareto_report import FORMATS
from stowage.target.find_board import find_board
from stowage.tiles.front import front


def add_pareto(parser: argparse.ArgumentParser) -> None:
    """Declares the command's options."""
    add_model_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="what is written (default: text)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where it goes, if not to standard output")
    parser.set_defaults(run=_pareto)


def _pareto(options: argparse.Namespace) -> int:
    observe = shown(options, lambda stage, level: None)
    target = find_board(options.board, tuple(options.reserve))
    if options.ram is not None:
        remedy = "leave it out; the answer has a plan for every limit"
        raise StowageError(where="--ram", reason="this command looks for all limits at once", remedy=remedy)
    if options.stream_input:
        remedy = "leave it out, and compile with it for a limit (--ram)"
        raise StowageError(where="--stream-input", reason="this command has the input whole", remedy=remedy)
    scheduled = schedule_model(replace(request_by(options), npu=False), target, observe)
    points = front(scheduled.graph, scheduled.ordered, target.features, lambda tried: observe("stripes", tried))
    text = FORMATS[options.format](pareto_record(scheduled.graph.name, points, target))
    if options.out is None:
        sys.stdout.write(text)
    else:
        write_files(options.out.parent, {options.out.name: text})
    return 0
