# SPDX-License-Identifier: Apache-2.0
"""`stowage compile`: a model becomes C sources and reports in a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from stowage.dump import dump
from stowage.errors import StowageError
from stowage.model_options import add_model_options, compiled_by
from stowage.output import write_files
from stowage.pipeline import Compiled, Level
from stowage.report.memory_report import memory_files
from stowage.report.quantisation_report import quantisation_json, quantisation_text


def add_compile(parser: argparse.ArgumentParser) -> None:
    """Declares the command's options."""
    add_model_options(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder for the C files and reports")
    parser.add_argument(
        "--dump", action="append", default=[], metavar="STAGE", help="also write DIR/<model>.STAGE.mlir"
    )
    parser.set_defaults(run=_compile)


def _compile(options: argparse.Namespace) -> int:
    dumps: dict[str, str] = {}
    stages: list[str] = []

    def observe(stage: str, level: Level) -> None:
        stages.append(stage)
        if stage in options.dump:
            dumps[stage] = dump(level)

    compiled = compiled_by(options, observe)
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
    files = {**compiled.sources, **memory_files(compiled)}
    if compiled.quantisation is not None:
        files[f"{name}_quantisation.txt"] = quantisation_text(name, compiled.quantisation)
        files[f"{name}_quantisation.json"] = quantisation_json(name, compiled.quantisation)
    return files | {f"{name}.{stage}.mlir": text for stage, text in dumps.items()}
