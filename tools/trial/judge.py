# SPDX-License-Identifier: Apache-2.0
"""The test behind `stowage_qemu_test`: runs a model on its board for every vector and compares the outputs."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from stowage.target.board_reader import load_board
from tools.stack.disassembly import stack_of
from tools.stack.unbounded import UnboundedStack
from tools.trial.compare import Tolerance, compare
from tools.trial.trial import Trial, TrialFailed, run_trial
from tools.trial.vectors import Array, VectorError, check_types, load, pack, unpack


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the test; returns its exit status."""
    options = _options(arguments)
    try:
        inputs, expected = load(options.input), load(options.expected)
        _check_counts(len(inputs[0]), len(expected[0]), "outputs")
        trial = run_trial(options.qemu, options.execution, options.elf, pack(inputs))
        check_types("input", inputs, trial.input_types)
        complaints = [*_outputs(options, trial, expected), *_execution(options, trial, len(inputs[0]))]
    except (VectorError, TrialFailed, UnboundedStack) as failure:
        complaints = [str(failure)]
    for complaint in complaints:
        print(f"stowage: {options.elf.name}: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elf", required=True, type=Path, help="trial image of the model")
    parser.add_argument("--board", required=True, help="the board file")
    parser.add_argument("--reserve", action="append", default=[])
    parser.add_argument("--execution", required=True, type=Path)
    parser.add_argument("--qemu", default="")
    parser.add_argument("--objdump", type=Path)
    parser.add_argument("--memory", required=True, type=Path, help="memory report of the model, JSON")
    parser.add_argument(
        "--input", action="append", default=[], type=Path, help="vectors of an input, in the model's order"
    )
    parser.add_argument("--expected", action="append", default=[], type=Path, help="what is expected of an output")
    parser.add_argument("--labels", type=Path, help="the right class of each vector")
    parser.add_argument("--min-accuracy", type=float, default=0.0, help="share of vectors whose class must be right")
    parser.add_argument("--steps", type=int, default=1)
    parser.add_argument("--relative", type=float, default=1e-5)
    parser.add_argument("--same-class", action="store_true")
    parser.add_argument("--varying-instructions", action="store_true")
    parser.add_argument(
        "--pooled", action="store_true", help="the arena is shared, and may be larger than a model needs"
    )
    return parser.parse_args(arguments)


def _outputs(options: argparse.Namespace, trial: Trial, expected: list[Array]) -> Iterator[str]:
    tolerance = Tolerance(options.steps, options.relative, options.same_class)
    check_types("output", expected, trial.output_types)
    actual = unpack(trial.outputs, expected)
    for path, ours, theirs in zip(options.expected, actual, expected, strict=True):
        difference = compare(ours, theirs, tolerance)
        print(f"{path.name}: {len(theirs)} vectors, {difference}")
        if not difference.passes:
            yield f"{path.name}: {difference}"
    if options.labels is not None:
        yield from _accuracy(options, actual[0])


def _check_counts(vectors: int, others: int, what: str) -> None:
    if vectors != others:
        raise VectorError(f"there are {vectors} vectors, but {what} of {others}")


def _accuracy(options: argparse.Namespace, scores: Array) -> Iterator[str]:
    (labels,) = load([options.labels])
    _check_counts(len(scores), labels.size, "labels")
    right = int((scores.reshape(len(labels), -1).argmax(axis=1) == labels.ravel()).sum())
    print(f"accuracy {right / len(labels):.2%} ({right} of {len(labels)}, at least {options.min_accuracy:.2%})")
    if right < options.min_accuracy * len(labels):
        yield f"only {right} of {len(labels)} vectors are classified right, fewer than {options.min_accuracy:.2%}"


def _execution(options: argparse.Namespace, trial: Trial, vectors: int) -> Iterator[str]:
    """What holds whatever the outputs are: all vectors ran, in equally many instructions, within the stack's bound.

    The watch of a poison build looks at data, so that its own instructions vary.
    """
    if trial.vectors != vectors:
        yield f"it ran {trial.vectors} vectors of {vectors}"
    yield from _arena(options, trial)
    if options.objdump is None:
        return
    print(f"instructions of a run: {trial.least_instructions:,} to {trial.most_instructions:,}")
    varying = trial.watched or options.varying_instructions
    if trial.least_instructions != trial.most_instructions and not varying:
        yield f"the executed instructions depend on the input: {trial.least_instructions} to {trial.most_instructions}"
    yield from _stack(options, trial)


def _arena(options: argparse.Namespace, trial: Trial) -> Iterator[str]:
    """Every arena is used, to its last byte; a poison build may miss some, and a pool's arena is for others too."""
    report = json.loads(options.memory.read_text())
    further = report.get("further_arenas", [])
    names = ["arena", *(f"arena_{each['name']}" for each in further)]
    planned = [report["arena_bytes"], *(each["size_bytes"] for each in further)]
    seen = [trial.arena_high_water_bytes, *trial.further_high_water_bytes]
    if len(planned) != len(seen):
        yield f"{len(planned)} arenas are planned, but {len(seen)} were seen in use"
        return
    for name, planned_bytes, seen_bytes in zip(names, planned, seen, strict=True):
        print(f"{name}: {planned_bytes:,} B planned, {seen_bytes:,} B seen in use")
        if seen_bytes > planned_bytes:
            yield f"the run used {seen_bytes} B of an {name} of {planned_bytes} B"
        elif seen_bytes < planned_bytes and not (trial.watched or options.pooled):
            yield f"the {name} is planned with {planned_bytes} B, but the run used only {seen_bytes} B"


def _stack(options: argparse.Namespace, trial: Trial) -> Iterator[str]:
    board = load_board(options.board, options.reserve)
    bound = stack_of(options.elf, options.objdump, board.core.fpu).bytes_
    used, reserved = trial.stack_high_water_bytes, board.stack_size_bytes
    print(f"stack: {used:,} B used, static bound {bound:,} B, {reserved:,} B set aside")
    if used > bound:
        yield f"the stack used {used} B, more than its static bound of {bound} B"
    if bound > reserved:
        yield f"the stack may take {bound} B, but the board sets aside {reserved} B"


if __name__ == "__main__":
    sys.exit(main())
