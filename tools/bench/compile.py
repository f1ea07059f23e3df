# SPDX-License-Identifier: Apache-2.0
"""CPU seconds of each stage of the compiler: `./bazelw run //tools/bench:compile -- [--board BOARD] [MODEL...]`.

Without models those of the folder that STOWAGE_ZOO names. A row a model; the last two tell the sum and the largest.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stowage.errors import StowageError
from stowage.ir.graph import Graph
from stowage.model_request import ModelRequest
from stowage.pipeline import Level, compile_model
from stowage.target.find_board import find_board
from stowage.target.target import Target

STAGES = ("import", "passes", "schedule", "plan", "program", "C")
_OWN_NAMES = {"import", "schedule", "plan", "program"}


@dataclass(slots=True)
class Stopwatch:
    """An observer of the pipeline that adds up the CPU seconds of each stage.

    Attributes:
        seconds: by stage; all passes are one.
        nodes: of the graph as it was imported.
    """

    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    nodes: int = 0
    _last: float = field(default_factory=time.process_time)

    def __call__(self, stage: str, level: Level) -> None:
        """Told of a stage that has ended."""
        if stage == "import" and isinstance(level, Graph):
            self.nodes = len(level.nodes)
        self.add(stage if stage in _OWN_NAMES else "passes")

    def add(self, stage: str) -> None:
        """Adds the time since the last call to a stage."""
        now = time.process_time()
        self.seconds[stage] += now - self._last
        self._last = now


def main(arguments: Sequence[str]) -> int:
    """Prints the table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="host", help="a board's name or file")
    parser.add_argument("models", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    models = options.models or zoo()
    if not models:
        print("stowage: name models, or let STOWAGE_ZOO name a folder of them", file=sys.stderr)
        return 1
    for line in table(models, find_board(options.board)):
        print(line, flush=True)
    return 0


def zoo() -> list[Path]:
    """Every model file of the folder that STOWAGE_ZOO names."""
    folder = Path(os.environ.get("STOWAGE_ZOO", "/nonexistent"))
    return sorted(path for suffix in ("onnx", "tflite") for path in folder.glob(f"*/model*.{suffix}"))


def table(models: Iterable[Path], target: Target) -> Iterable[str]:
    """The lines of the table, each as soon as it is known."""
    yield f"| model | nodes | {' | '.join(STAGES)} | all |"
    yield "| --- |" + " ---: |" * (len(STAGES) + 2)
    rows: list[dict[str, float]] = []
    for model in models:
        watch = Stopwatch()
        note = _compiled(model, target, watch)
        rows.append(watch.seconds)
        yield _row(f"{model.parent.name}/{model.name}{note}", str(watch.nodes), watch.seconds)
    yield _row("all together", "", {stage: sum(row[stage] for row in rows) for stage in STAGES})
    yield _row("the slowest", "", max(rows, key=lambda row: sum(row.values())))


def _compiled(model: Path, target: Target, watch: Stopwatch) -> str:
    """Compiles a model; what there is to say of it."""
    try:
        compile_model(ModelRequest(model, "bench"), target, watch)
        watch.add("C")
    except StowageError as refusal:
        return f" ({type(refusal).__name__})"
    return ""


def _row(name: str, nodes: str, seconds: dict[str, float]) -> str:
    figures = [seconds[stage] for stage in STAGES]
    return f"| {name} | {nodes} | {' | '.join(f'{figure:.2f}' for figure in [*figures, sum(figures)])} |"


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    sys.exit(main(sys.argv[1:]))
