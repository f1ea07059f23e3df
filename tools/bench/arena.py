# SPDX-License-Identifier: Apache-2.0
"""Arenas with their bounds, beside other compilers': `./bazelw run //tools/bench:arena -- [--board BOARD] [MODEL...]`.

Without models those of the folder that STOWAGE_ZOO names, or else the project's own examples. With `--page` the tables
become docs/arena.md; with `--check` such a page is held against memory reports. With `--tiled` the table tells what the
models take in stripes, and how far they have to come down.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from stowage.errors import StowageError
from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.report.memory_record import memory_record
from stowage.target.find_board import find_board
from stowage.target.target import Target
from tools.bench.arena_page import differences, page
from tools.bench.arena_table import Report, complaints, contest_table, model_table
from tools.bench.compile import zoo
from tools.bench.tiled import tiled_complaints, tiled_models, tiled_table

_ROOT = Path(__file__).parents[2]
_FORMS = {"onnx": "model.onnx", "qdq": "model_qdq.onnx", "tflite": "model.tflite"}


def main(arguments: Sequence[str]) -> int:
    """Runs a command line; returns the exit status: 1 where a model is above its bar, or the page is out of date."""
    options = _options(arguments)
    if options.check:
        return _check(options.files[-1], options.files[:-1])
    if options.tiled:
        return _tiled(options.files or zoo() or _examples(), find_board(options.board))
    reports = _reports(options.files or zoo() or _examples(), find_board(options.board))
    if options.page:
        _write(page(reports))
    else:
        print("\n".join([*contest_table(reports), "", *model_table(reports)]))
    return _judged(complaints(reports))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="host", help="a board's name or file")
    parser.add_argument("--page", action="store_true", help="write docs/arena.md")
    parser.add_argument("--tiled", action="store_true", help="what models take in stripes of rows")
    parser.add_argument("--check", action="store_true", help="the files are memory reports, and the page to compare")
    parser.add_argument("files", nargs="*", type=Path, metavar="MODEL")
    return parser.parse_args(arguments)


def _examples() -> list[Path]:
    return sorted((_ROOT / "examples").glob("*/*.onnx"))


def _tiled(files: Sequence[Path], target: Target) -> int:
    models = []
    for model in tiled_models(files, target):
        print(f"stowage: {model.name}", file=sys.stderr, flush=True)
        models.append(model)
    print("\n".join(tiled_table(models)))
    print("stowage: ./bazelw run //tests/zoo:striped measures instructions, for docs/tiles.md", file=sys.stderr)
    return _judged(tiled_complaints(models))


def _reports(models: Sequence[Path], target: Target) -> dict[str, Report]:
    reports: dict[str, Report] = {}
    for number, model in enumerate(models, 1):
        name = f"{model.parent.name}/{model.name}"
        print(f"stowage: {number} of {len(models)}: {name}", file=sys.stderr, flush=True)
        reports[name] = _report(model, target)
    return reports


def _report(model: Path, target: Target) -> Report:
    try:
        return memory_record(compile_model(ModelRequest(model, "bench"), target))
    except StowageError as refusal:
        return {"refusal": type(refusal).__name__, "sentence": str(refusal)}


def _name_of_report(path: Path) -> str:
    """Of `mlperf_kws_int8.tflite.zoo/zoo_memory.json` the model's file, `mlperf_kws_int8/model.tflite`."""
    model, form, _ = path.parent.name.rsplit(".", 2)
    return f"{model}/{_FORMS[form]}"


def _write(text: str) -> None:
    place = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", "."), "docs", "arena.md")
    place.write_text(text, encoding="utf-8")
    print(f"wrote {place}", file=sys.stderr)


def _check(shown: Path, reports: Sequence[Path]) -> int:
    known = {_name_of_report(path): json.loads(path.read_text(encoding="utf-8")) for path in reports}
    return _judged([*differences(shown.read_text(encoding="utf-8"), known), *complaints(known)])


def _judged(sentences: Iterable[str]) -> int:
    told = [f"stowage: {sentence}" for sentence in sentences]
    print("\n".join(told), end="\n" if told else "", file=sys.stderr)
    return 1 if told else 0


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    sys.exit(main(sys.argv[1:]))
