# SPDX-License-Identifier: Apache-2.0
"""What models make of an NPU: `./bazelw run //tools/bench:npu -- [--board BOARD] [--steps] [MODEL...]`.

Without models the int8 ones of the folder that STOWAGE_ZOO names, or else the project's own examples. A row a model;
with `--steps` also what the memory report has of each segment: its steps with their banks, bytes, conflicts, cycles and
use of the array by the documented timing (hal/npu/README.md), and its bank map.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from stowage.errors import StowageError
from stowage.model_request import ModelRequest
from stowage.npu.decode import StreamStep
from stowage.npu.usage import stream_of, usage_of
from stowage.pipeline import Compiled, compile_model
from stowage.report.npu_lines import npu_lines
from stowage.report.npu_record import npu_record
from stowage.schedule.schedule import Step
from stowage.target.board import Npu
from stowage.target.find_board import find_board
from tools.bench.compile import zoo

_ROOT = Path(__file__).parents[2]
_COLUMNS = (
    "model",
    "steps on the processor",
    "segments",
    "layers on the NPU",
    "arena B",
    "moved B",
    "conflicts",
    "cycles",
    "array used",
    "DMA hidden",
)


def main(arguments: Sequence[str]) -> int:
    """Prints the tables; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="mps2_an521_npu", help="the name or file of a board with an NPU")
    parser.add_argument("--steps", action="store_true", help="show every segment step by step")
    parser.add_argument("models", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    target = find_board(options.board)
    if target.npu is None:
        print(f"stowage: {options.board}: the board has no NPU; name one that has.", file=sys.stderr)
        return 1
    print(f"| {' | '.join(_COLUMNS)} |\n| --- |{' ---: |' * (len(_COLUMNS) - 1)}")
    details: list[str] = []
    for model in options.models or _models():
        try:
            compiled = compile_model(ModelRequest(model, "bench"), target)
        except StowageError as refusal:
            print(f"| {_name(model)} ({type(refusal).__name__}) |")
            continue
        print(_row(_name(model), compiled, target.npu), flush=True)
        details += _details(_name(model), compiled) if options.steps else []
    print("\n".join(details))
    return 0


def _models() -> list[Path]:
    """The zoo's int8 models, or the examples'."""
    return [model for model in zoo() if "int8" in _name(model)] or sorted((_ROOT / "examples").glob("*/*int8.onnx"))


def _name(model: Path) -> str:
    return f"{model.parent.name}/{model.name}"


def _segments(compiled: Compiled) -> list[Step]:
    return [step for step in compiled.schedule.steps if step.node.op.mnemonic == "npu_segment"]


def _row(name: str, compiled: Compiled, npu: Npu) -> str:
    segments = _segments(compiled)
    steps: list[StreamStep] = [each for segment in segments for each in stream_of(segment, npu)]
    usage = usage_of(steps, npu)
    numbers = [
        len(compiled.schedule.steps) - len(segments),
        len(segments),
        sum(len(getattr(segment.node.op, "layers", ())) for segment in segments),
        compiled.plan.arena_bytes,
        usage.bytes_in + usage.bytes_out,
        usage.conflicts,
        usage.cycles,
    ]
    shares = f"{100 * usage.utilisation:.1f} % | {100 * usage.hidden:.1f} %"
    return f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} | {shares} |"


def _details(name: str, compiled: Compiled) -> Iterator[str]:
    record = npu_record(compiled)
    yield f"\n{name}"
    yield from npu_lines(record) if record else ()


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    sys.exit(main(sys.argv[1:]))
