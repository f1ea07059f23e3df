# SPDX-License-Identifier: Apache-2.0
"""`stowage compile`: a model becomes C sources and reports in a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from stowage.dumps import Dumps
from stowage.model_options import add_model_options, compiled_by
from stowage.output import write_files
from stowage.pipeline import Compiled
from stowage.report.memory_report import memory_files
from stowage.report.quantisation_report import quantisation_json, quantisation_text
from stowage.report.sized_report import sized_memory_files
from stowage.report.transfer_report import transfer_files
from stowage.sized_pipeline import CompiledSizes


def add_compile(parser: argparse.ArgumentParser) -> None:
    """Declares the command's options."""
    add_model_options(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for the C files and reports")
    add_dump_option(parser)
    parser.set_defaults(run=_compile)


def add_dump_option(parser: argparse.ArgumentParser) -> None:
    """Declares the stages to be shown."""
    parser.add_argument(
        "--dump", action="append", default=[], metavar="STAGE", help="also write DIR/<model>.STAGE.mlir"
    )


def _compile(options: argparse.Namespace) -> int:
    dumps = Dumps(options.dump)
    compiled = compiled_by(options, dumps.observe)
    write_files(options.out, {**compiled.sources, **_reports(compiled), **dumps.files()})
    return 0


def _reports(compiled: Compiled | CompiledSizes) -> dict[str, str]:
    if isinstance(compiled, Compiled):
        return report_files(compiled)
    own = {name: text for variant in compiled.variants for name, text in report_files(variant).items()}
    return {**own, **sized_memory_files(compiled)}


def report_files(compiled: Compiled) -> dict[str, str]:
    """The reports of a model, in all their forms, by file name."""
    name, files = compiled.program.name, memory_files(compiled)
    if compiled.quantisation is not None:
        files[f"{name}_quantisation.txt"] = quantisation_text(name, compiled.quantisation)
        files[f"{name}_quantisation.json"] = quantisation_json(name, compiled.quantisation)
    if compiled.prefetch:
        files |= transfer_files(compiled)
    return files
